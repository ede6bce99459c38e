"""Forms, tables and JSON: the label says what the value is."""
