"""Values for each of the 55 categories (Appendix B.1), from shipped word lists: no model, no network."""
