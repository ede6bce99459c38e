"""Hide values and bring them back (section 3.1, task 3; Appendix G.3)."""
