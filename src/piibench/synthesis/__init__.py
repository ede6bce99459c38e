"""How the benchmark's data is made (sections 3.2 and 3.3, Appendices A to D), in section order."""
