"""What the git repository that a folder lies in tells of its files."""
