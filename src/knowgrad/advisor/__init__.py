"""Questions about a study at one moment, answered from its trials: what to try next, what to use, what that is worth,
and whether the model can be trusted. Pure: no log, no clock.

May import: checked, errors, text, outcomes, trial, space, gp, model, acquisition.
"""
