"""The index: one SQLite file."""
