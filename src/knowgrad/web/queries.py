"""What questions take, in the address: they change nothing."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from knowgrad.trial import State
from knowgrad.web.requests import PAGE, Line, Request

JOINT = 16  # points valued together at most

Context = Annotated[
    str, Meta(max_length=400, description="JSON: values of some parameters", examples=['{"reactor": "B"}'])
]
Widths = Annotated[
    str, Meta(max_length=400, description="JSON: to how much settings are held", examples=['{"temperature": 3}'])
]
Theme = Literal["auto", "light", "dark"]
Chance = Annotated[float, Meta(gt=0, lt=1, description="with which all limits are to hold; 0.95 if left out")]
Money = Annotated[float, Meta(gt=0, le=1e12, description="what is left to be spent, in any unit", examples=[60.0])]
Setup = Annotated[float, Meta(ge=0, le=1e12, description="the fixed cost of a batch")]
Each = Annotated[float, Meta(gt=0, le=1e12, description="the cost of each point")]


class Page(Request):
    after: Annotated[int, Meta(ge=0, description="the number of the last trial of the page before")] | (
        UnsetType
    ) = UNSET
    limit: Annotated[int, Meta(ge=1, le=PAGE, description="how many trials")] | UnsetType = UNSET
    state: Annotated[State, Meta(description="only trials in this state")] | UnsetType = UNSET
    since: Annotated[int, Meta(ge=0, description="only trials changed after this version of the study")] | (
        UnsetType
    ) = UNSET


class Points(Request):
    points: Annotated[str, Meta(max_length=1_200, description="JSON: a list of params", examples=['[{"x": 0.5}]'])]


class Use(Request):
    given: Context | UnsetType = UNSET
    tolerance: Widths | UnsetType = UNSET
    chance: Chance | UnsetType = UNSET
    weights: Annotated[
        str, Meta(max_length=400, description="JSON: what a unit of an objective is worth", examples=['{"price": 2}'])
    ] | (UnsetType) = UNSET
    at: Annotated[
        str, Meta(max_length=400, description="JSON: bounds on objectives", examples=['{"price": "<= 3"}'])
    ] | (UnsetType) = UNSET


class Along(Request):
    chance: Chance | UnsetType = UNSET
    given: Context | UnsetType = UNSET


class Worth(Request):
    q: Annotated[int, Meta(ge=1, le=JOINT, description="how many more points")] | UnsetType = UNSET
    given: Context | UnsetType = UNSET


class Budget(Request):
    budget: Money
    setup: Setup | UnsetType = UNSET
    each: Each | UnsetType = UNSET
    given: Context | UnsetType = UNSET


class Chart(Request):
    theme: Annotated[Theme, Meta(description="colors")] | UnsetType = UNSET
    outcome: Annotated[str, Line, Meta(description="which of the named outcomes; else the first")] | UnsetType = UNSET
    x: Annotated[str, Meta(description="of plane and surface: the parameter along")] | UnsetType = UNSET
    y: Annotated[str, Meta(description="of plane and surface: the parameter up")] | UnsetType = UNSET
    q: Annotated[int, Meta(ge=1, le=JOINT, description="of batch and gain: how many points")] | UnsetType = UNSET
    chance: Chance | UnsetType = UNSET
    given: Context | UnsetType = UNSET
    robust: Annotated[bool, Meta(description="of history: results far from the others stand at the edge")] | (
        UnsetType
    ) = UNSET
    narrow: Annotated[bool, Meta(description="of figures with panels: these below each other")] | UnsetType = UNSET
    budget: Money | UnsetType = UNSET
    setup: Setup | UnsetType = UNSET
    each: Each | UnsetType = UNSET
    checkpoints: Annotated[int, Meta(ge=0, le=24, description="of history and gain: how many moments")] | (
        UnsetType
    ) = UNSET
