"""A study as a log of events: what they mean, who may append what, who gets which point. Imports `storage` and `trial`;
computes no model.
"""
