"""What `doctor` makes of what was found: facts in, findings out."""
