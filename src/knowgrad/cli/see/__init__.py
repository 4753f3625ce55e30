"""Commands that only look at a study."""
