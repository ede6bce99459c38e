"""DATETIME: dates, times of day and durations."""
