"""What the operations that change something take: bodies as msgspec types, checked and described by the same lines."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

PAGE = 500  # trials in one answer at most
BATCH = 64  # points in one answer at most
SPACE = {"parameters": {"x": {"type": "float", "low": 0.0, "high": 1.0}}, "constraints": ["x <= 0.9"]}
ROWS = [{"x": 0.5, "value": 0.25}]
OVER = {"x": [[0.0, 0.5], [1.0, 0.5]]}

Scalar = str | int | float | bool | None
Told = float | Annotated[list[float | None], Meta(min_length=2, max_length=2)] | dict[str, float | None]
Number = Annotated[float, Meta(description="the result", examples=[0.25])]
Outcomes = Annotated[
    dict[str, Told],
    Meta(description="named outcomes that are in: each a value, or [value, standard error]", min_length=1),
]
Value = Number | Outcomes
Measure = Annotated[
    str | list[str], Meta(description='which named outcomes to measure, or "auto"', examples=[["yield"]])
]
Sem = Annotated[float, Meta(ge=0, description="its standard error")]
Paid = Annotated[float, Meta(gt=0, description="what it cost")]
Params = Annotated[dict[str, Scalar], Meta(description="a value for each parameter", examples=[{"x": 0.5}])]
Lease = Annotated[float, Meta(ge=0, description="seconds until the points are offered to others unless renewed")]
Direction = Literal["minimize", "maximize"]
Fit = Literal["map", "mle", "bayes"]
Why = Annotated[str, Meta(min_length=1, max_length=10_000, description="why", examples=["a slip of the decimal point"])]
Line = Meta(min_length=1, max_length=200)


class Request(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """One that takes nothing, and the base of all others."""

    def sent(self) -> dict[str, Any]:
        """What was sent, without what was left out."""
        told = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: value for name, value in told.items() if value is not UNSET}


class Create(Request):
    name: Annotated[str, Line, Meta(description="the study's name", examples=["mortar"])]
    space: Annotated[dict[str, Any], Meta(description="parameters and constraints", examples=[SPACE])]
    direction: Annotated[Direction, Meta(description="which way is better")] | UnsetType = UNSET
    seed: Annotated[int, Meta(ge=0, le=2**53, description="the same seed and results give the same points")] | (
        UnsetType
    ) = UNSET
    noise: Annotated[
        float | str | dict[str, float | str],
        Meta(description='a standard deviation, 0 for exact results, or "learned"; of named outcomes by name'),
    ] | (UnsetType) = UNSET
    method: Annotated[str, Meta(max_length=40, description="how points are chosen; qkg if left out")] | (
        UnsetType
    ) = UNSET
    fit: Annotated[Fit, Meta(description="how hyperparameters are chosen")] | UnsetType = UNSET
    over: Annotated[
        dict[str, dict[str, float] | list[Any]],
        Meta(description="contexts to be good on average over: weights by value, or pairs", examples=[OVER]),
    ] | (UnsetType) = UNSET
    objectives: Annotated[
        dict[str, Direction], Meta(description="named outcomes instead of direction", examples=[{"yield": "maximize"}])
    ] | (UnsetType) = UNSET
    limits: Annotated[
        list[str], Meta(max_length=32, description="what has to hold of outcomes", examples=[["impurity <= 0.5"]])
    ] | (UnsetType) = UNSET
    costs: Annotated[dict[str, float], Meta(description="what measuring an outcome costs")] | UnsetType = UNSET
    learn_from: Annotated[
        list[Annotated[str, Line]], Meta(max_length=16, description="earlier studies of this server, by name or uid")
    ] | (UnsetType) = UNSET
    cost: Annotated[Literal["learned"], Meta(description="costs are learned from what trials have cost")] | (
        UnsetType
    ) = UNSET


class Rename(Request):
    name: Annotated[str, Line, Meta(description="the study's new name", examples=["kiln 2"])]


class Delete(Request):
    name: Annotated[str, Line, Meta(description="the study's name, once more: what is deleted is gone for good")]


Given = Annotated[
    dict[str, Scalar], Meta(description="values that the points are to have", examples=[{"reactor": "B"}])
]
Shared = Annotated[
    dict[str, Annotated[int, Meta(ge=1)]] | list[str],
    Meta(description="how many different values of a parameter the points may have", examples=[{"temperature": 3}]),
]


class Suggest(Request):
    client_id: Annotated[str, Line, Meta(description="who takes the points; its active trials come first")]
    count: Annotated[int, Meta(ge=1, le=BATCH, description="how many points")] | UnsetType = UNSET
    key: Annotated[str, Line, Meta(description="the same key and request get the same answer again")] | (
        UnsetType
    ) = UNSET
    lease: Lease | UnsetType = UNSET
    given: Given | UnsetType = UNSET
    shared: Shared | UnsetType = UNSET
    measure: Measure | UnsetType = UNSET


class Complete(Request):
    value: Value
    sem: Sem | UnsetType = UNSET
    cost: Paid | UnsetType = UNSET


class Report(Request):
    at: Annotated[float | int, Meta(description="the fidelity, such as epochs", examples=[3])]
    value: Value


class End(Request):
    cost: Paid | UnsetType = UNSET
    reason: Annotated[str, Meta(max_length=10_000, description="why it ends")] | UnsetType = UNSET


class Resume(Request):
    at: Annotated[float | int, Meta(description="up to which fidelity; else the target", examples=[52])] | UnsetType = (
        UNSET
    )


class Fail(Request):
    reason: Annotated[str, Meta(max_length=10_000, description="why", examples=["spilled"])]
    cost: Paid | UnsetType = UNSET


class Change(Request):
    """What whoever changes a recorded trial may say about it."""

    by: Annotated[str, Line, Meta(description="who does it", examples=["lab"])] | UnsetType = UNSET
    key: Annotated[str, Line, Meta(description="what is sent again with the same key is not done again")] | (
        UnsetType
    ) = UNSET


class Correct(Change, kw_only=True):
    value: Value | UnsetType = UNSET
    sem: Annotated[float, Meta(ge=0, description="its standard error; left out, it stays; null: unknown")] | (
        UnsetType | None
    ) = UNSET
    failed: Annotated[str, Meta(max_length=10_000, description="instead of a value: why it failed")] | (
        UnsetType
    ) = UNSET
    reason: Why | UnsetType = UNSET


class Discard(Change, kw_only=True):
    reason: Why


class Restore(Change, kw_only=True):
    reason: Why | UnsetType = UNSET


class Note(Change, kw_only=True):
    text: Annotated[str, Meta(min_length=1, max_length=10_000, description="the note", examples=["new batch of sand"])]


class ChangeSpace(Change, kw_only=True):
    parameters: (
        Annotated[
            dict[str, dict[str, Any] | None],
            Meta(
                description="what changes, by name: bounds, options or a whole parameter; null drops it",
                examples=[{"x": {"low": 0.0, "high": 2.0}}],
            ),
        ]
        | UnsetType
    ) = UNSET
    earlier: Annotated[dict[str, Scalar], Meta(description="of new parameters: the value until now")] | (
        UnsetType
    ) = UNSET
    constraints: Annotated[list[Any], Meta(description="all of them from now on; left out, those there are")] | (
        UnsetType
    ) = UNSET
    reason: Why | UnsetType = UNSET


class Renew(Request):
    lease: Lease


class Add(Request):
    params: Params
    value: Value
    sem: Sem | UnsetType = UNSET
    cost: Paid | UnsetType = UNSET


class AddMany(Request):
    rows: Annotated[
        list[dict[str, Scalar]],
        Meta(max_length=PAGE, description="one dict for each row: parameters, value, sem, reason", examples=[ROWS]),
    ]
    value: Annotated[str, Line, Meta(description="the column of the results")] | UnsetType = UNSET
    sem: Annotated[str, Line, Meta(description="the column of their standard errors")] | UnsetType = UNSET
    repeats: Annotated[bool, Meta(description="add rows that equal a result, too")] | UnsetType = UNSET
    decimal: Annotated[Literal[".", ","], Meta(description="how texts write 0.5")] | UnsetType = UNSET


class Enqueue(Request):
    params: Params
