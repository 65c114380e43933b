"""docs-rag: search over a markdown vault that knows which decisions still stand."""

__version__ = "0.1.0"
