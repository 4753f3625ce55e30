"""Trials, the events they are made of, and the small values that go in and out of a study.

May import: outcomes, text.
"""

from knowgrad.outcomes import Front, FrontPoint, Limit, Measured
from knowgrad.trial.answers import NINETY, Gain, Prediction, Recommendation, Suggestion
from knowgrad.trial.event import Event
from knowgrad.trial.history import Change, Outcome, SpaceChange, State
from knowgrad.trial.settings import Cost, Earlier, Noise, Result, Settings
from knowgrad.trial.trial import Params, Trial
from knowgrad.trial.values import best_of, failure, sign_of, value_of, within

__all__ = [
    "NINETY",
    "Change",
    "Cost",
    "Earlier",
    "Event",
    "Front",
    "FrontPoint",
    "Gain",
    "Limit",
    "Measured",
    "Noise",
    "Outcome",
    "Params",
    "Prediction",
    "Recommendation",
    "Result",
    "Settings",
    "SpaceChange",
    "State",
    "Suggestion",
    "Trial",
    "best_of",
    "failure",
    "sign_of",
    "value_of",
    "within",
]
