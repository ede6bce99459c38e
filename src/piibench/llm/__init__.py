"""The seam to language models: a protocol, an OpenAI-compatible client, a store of replies, a public fake."""
