"""The benchmark's tasks on Inspect AI: any model, any strategy, any other system, in one loop."""
