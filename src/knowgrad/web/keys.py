"""Keys of suggestions: a request that is repeated, because a connection broke, gets the same points again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from knowgrad.errors import ConflictError
from knowgrad.text import shown

KEPT = 10_000

Key = tuple[str, str, str]  # a study's uid, a client, and the key


@dataclass
class _Entry:
    asked: tuple[Any, ...]
    numbers: list[int] | None = None
    """Of the trials; None while they are being chosen."""


class Keys:
    """The latest ones, for as long as the server runs."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._entries: OrderedDict[Key, _Entry] = OrderedDict()

    def claim(self, uid: str, body: Mapping[str, Any]) -> list[int] | None:
        """The trials that were handed out under this key; None if they are still to be chosen.

        A key stands for one request: with another one, an old answer would be taken for the answer to it.
        """
        key, asked = _key(uid, body), (body.get("count", 1), body.get("lease"))
        entry = self._entries.setdefault(key, _Entry(asked))
        if entry.asked != asked:
            raise ConflictError(
                f"key: expected a new one, or the request that {shown(body['key'])} was first sent with (count, lease "
                f"{entry.asked}), got {asked}; take another key"
            )
        while len(self._entries) > self._kept:
            self._entries.popitem(last=False)
        return entry.numbers

    def settle(self, uid: str, body: Mapping[str, Any], numbers: list[int] | None) -> None:
        """These came of it; None: nothing did, and the key is free again."""
        key = _key(uid, body)
        if numbers is None:
            self._entries.pop(key, None)
        elif key in self._entries:
            self._entries[key].numbers = numbers


def _key(uid: str, body: Mapping[str, Any]) -> Key:
    return uid, body["client_id"], body["key"]
