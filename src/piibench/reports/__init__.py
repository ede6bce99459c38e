"""Tables and figures of what was measured, beside the numbers that the paper prints."""
