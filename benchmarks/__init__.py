"""Speed and quality, measured. Nothing here is a test: the figures depend on the machine."""
