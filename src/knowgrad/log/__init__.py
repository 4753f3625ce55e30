"""A study as a log of events: what they mean, who may append what, who gets which point. No model is
computed here.

May import: checked, errors, text, outcomes, trial, space, storage.
"""
