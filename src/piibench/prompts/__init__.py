"""Text that models read, one file a prompt, and what is understood of their replies."""
