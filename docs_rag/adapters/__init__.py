"""The outside world: the file system, SQLite, embedding models."""
