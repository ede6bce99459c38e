"""Which values a query calls for, by cues and scenarios."""
