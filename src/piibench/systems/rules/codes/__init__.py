"""CODE and handles: numbers and names that identify by themselves."""
