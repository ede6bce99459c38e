"""Who is who, and whose each value is."""
