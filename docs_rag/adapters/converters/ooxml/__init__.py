"""What Word, PowerPoint and Excel files have in common: parts and their relations, equations, charts, diagrams."""
