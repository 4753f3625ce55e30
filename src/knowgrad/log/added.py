"""Trials that come with their outcome: results from elsewhere."""

from collections.abc import Mapping
from typing import Any

from knowgrad.trial import Event


def added(number: int, params: Mapping[str, Any], kind: str, data: Mapping[str, Any]) -> list[Event]:
    """The events that make a trial with this number, these params and this outcome."""
    asked = {"number": number, "params": params, "source": "added", "batch": None}
    return [Event("asked", asked), Event(kind, {"number": number, **data})]
