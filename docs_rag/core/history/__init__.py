"""A record's line of descent: what it replaced, back to the oldest, and what replaced it, to the records in force."""
