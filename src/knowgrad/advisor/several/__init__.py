"""A study of several outcomes at one moment: a study of each, over the same points, and what they say together.

May import: what advisor may.
"""
