"""Exact Gaussian process regression on arrays in the unit cube, with closed-form gradients.

May import: nothing else of the package.
"""
