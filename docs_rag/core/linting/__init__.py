"""What `docs-rag check` looks for in a vault: a table of codes, a table of rules, and what is done with findings."""
