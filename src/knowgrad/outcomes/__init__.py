"""Several outcomes of a trial: what is measured of it, which are objectives, and which have limits that must hold.

A plain study has one value per trial and nothing of this: its `Goals` are empty.

May import: checked, errors, text.
"""

from knowgrad.outcomes.front import Front, FrontPoint
from knowgrad.outcomes.goals import PLAIN, Goals, checked_goals, checked_measure
from knowgrad.outcomes.limits import Limit
from knowgrad.outcomes.measured import NOTHING, Measured, Outcomes
from knowgrad.outcomes.told import told

__all__ = [
    "NOTHING",
    "PLAIN",
    "Front",
    "FrontPoint",
    "Goals",
    "Limit",
    "Measured",
    "Outcomes",
    "checked_goals",
    "checked_measure",
    "told",
]
