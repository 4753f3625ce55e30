"""Whole searches: which there are, how one is run, and many of them, recorded line by line."""
