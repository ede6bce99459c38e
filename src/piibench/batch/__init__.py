"""Many prompts at once: files in, files out."""
