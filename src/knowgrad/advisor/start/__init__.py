"""Points that no model chose: what is left of the starting design, and points far from all that were tried.

May import: what advisor may.
"""
