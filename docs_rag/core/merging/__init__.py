"""Puts entries into the settings files of other programs, and takes them out again, leaving the rest as it is."""
