"""PER: full names and nicknames."""
