"""Pictures of what was measured (drawn with matplotlib, the extra `eval`)."""
