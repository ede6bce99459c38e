"""How the local models are made: the only room with torch."""
