"""The system `llm`: a model behind any OpenAI-compatible endpoint finds, or selects, or both."""
