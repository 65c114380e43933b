"""The use cases: indexing, searching, keeping answers fresh."""
