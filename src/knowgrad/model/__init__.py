"""From trials to a fitted model, in the units of the model. It knows no method.

May import: checked, trial, space, gp.
"""
