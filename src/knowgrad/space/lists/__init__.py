"""Spaces that are lists: the rows of a table, which of its columns a model sees, and what is beside them."""
