"""Privacy protection systems: who finds the PII, and who decides what the query needs."""
