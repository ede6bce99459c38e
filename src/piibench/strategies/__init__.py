"""How a model is asked what a query needs (section 4.1, "Prompt Baselines"; Figures 14 to 19)."""
