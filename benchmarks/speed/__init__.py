"""What one question costs, in seconds and memory, and what a batch is truly worth. Importing it loads nothing."""
