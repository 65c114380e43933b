"""What answers to known questions are worth: judged one by one, counted, compared, shown."""
