"""The log of one study as rows of the tables: read, append, amend.

All that write run inside a transaction of the caller's, in which nobody else writes to the study. Each is an attempt
that may be repeated: if the connection broke while committing, the receipt on the rows says whether they are there.
"""

import json
import os
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress

from knowgrad.errors import CorruptStorageError, UnknownStudyError
from knowgrad.storage import tables
from knowgrad.storage.base import Clock, Decide, OutOfDate, Page, Renewal
from knowgrad.storage.tables import Row, Run
from knowgrad.trial import Event

SETTLED = ("told", "failed", "expired")
NOTHING = Page()

Version = tuple[int, int]  # of a connection, and of what it sees


class Rows:
    """Remembers the chain of digests up to where it was read last: what comes next has to fit."""

    def __init__(self, study: str) -> None:
        self.study = study
        self._seen = 0, tables.start(study)
        self._begun: str | None = None  # the chain after the first event, which no two studies share
        self._known: tuple[Version, int, Page] | None = None  # nothing more, and these leases

    def read(self, run: Run, after: int, version: Version | None = None) -> Page:
        """The events after the first `after`: one statement, so that none is written between the rows it reads.

        `version`: of all tables as they are now, where a database counts that. If it is that of the last look, or of a
        write of ours after it, there is nothing to read.
        """
        if self._known is not None and self._known[:2] == (version, after):
            return self._known[2]
        found = run(
            "SELECT -1 AS number, CAST(length AS TEXT) AS kind, '' AS data, digest FROM knowgrad_studies "
            "WHERE name = ? UNION ALL SELECT number, kind, data, digest FROM knowgrad_events WHERE study = ? "
            "AND number >= ? UNION ALL SELECT -2 - number, 'lease', data, digest FROM knowgrad_leases WHERE study = ? "
            "ORDER BY number",
            (self.study, self.study, after, self.study),
        )
        first = 0  # before it are the leases
        while first < len(found) and found[first][0] < -1:
            first += 1
        head = found[first][1::2] if first < len(found) and found[first][0] == -1 else None
        rows = found[first + (head is not None) :]
        try:
            events = [tables.checked(self.study, number, *row) for number, row in enumerate(rows, after)]
            self._fit(head, after, [row[3] for row in rows])
        except CorruptStorageError:
            self._refuse_another(run)
            raise
        leases = [self._renewal(row) for row in found[:first]]
        self._known = None if version is None else (version, after + len(rows), Page((), leases))
        return Page(events, leases)

    def appending(self, events: Sequence[Event], expected: int | None) -> Callable[[Run], int]:
        """`Storage.append`, as an attempt that may be repeated."""
        once, end = _Once(self.study), 0

        def attempt(run: Run) -> int:
            nonlocal end
            if not once.has_happened(run):
                length, chain = self._length(run)
                if expected is not None and expected != length:
                    raise OutOfDate
                self.forget()
                self._see(*once.write(run, length, chain, events, None))
                end = self._seen[0]
            return end

        return attempt

    def amending(self, after: int, decide: Decide) -> Callable[[Run, Clock, Version | None], None]:
        """`Exclusive.amend`, as an attempt that may be repeated; with the `version` for `read`."""
        once = _Once(self.study)

        def attempt(run: Run, now: Clock, version: Version | None) -> None:
            nonlocal after
            if not once.has_happened(run):
                news = self.read(run, after, version)
                after += len(news)
                chain = self._seen[1]
                if events := decide(news, now):
                    self._see(*once.write(run, after, chain, events, {number for number, _, _ in news.leases}))
                    # Should this not be committed, nobody will say that he has read so far.
                    if version is None or news.leases or "renewed" in [each.kind for each in events]:
                        self._known = None
                    else:
                        self._known = version, self._seen[0], NOTHING

        return attempt

    def forget(self) -> None:
        """Read again, whatever the version: the same connection has written something else."""
        self._known = None

    def _fit(self, head: Row | None, after: int, digests: list[str]) -> None:
        """Do the study's own row and what was read before agree with these digests of the events after `after`?"""
        length = after + len(digests)
        if head is None and not length:
            self._seen = 0, tables.start(self.study)  # a study without events may have no row
            return
        if head is None and not digests:
            raise UnknownStudyError(
                f"study {self.study!r}: expected the {after} events that were read before, got no study of that name: "
                "it was renamed or deleted while it was open; open it by its new name"
            )
        said, chain = head or ("0", tables.start(self.study))
        if said != str(length):
            raise tables.damaged(f"study {self.study!r} has {length} events, and its own row says {said}")
        known = self._seen[1] if after == self._seen[0] else tables.start(self.study) if not after else None
        if known is not None and tables.chained(known, digests) != chain:
            raise tables.damaged(f"the {length} events of study {self.study!r} are not those that it had")
        if not after:
            self._begun = tables.chained(tables.start(self.study), digests[:1])
        self._see(length, chain)

    def _see(self, length: int, chain: str) -> None:
        self._seen = length, chain
        self._begun = chain if length == 1 else self._begun

    def _refuse_another(self, run: Run) -> None:
        """Is what does not fit no damage, but another study of the same name?"""
        rows = run(
            "SELECT number, kind, data, digest FROM knowgrad_events WHERE study = ? AND number = 0", (self.study,)
        )
        with suppress(CorruptStorageError):
            for row in rows if self._begun else ():
                tables.checked(self.study, 0, *row)
                if tables.chained(tables.start(self.study), [row[3]]) != self._begun:
                    raise UnknownStudyError(
                        f"study {self.study!r}: expected the one that was read before, got another of that name: it "
                        "was deleted while it was open, and created again; open it again"
                    ) from None

    def _length(self, run: Run) -> tuple[int, str]:
        """The number of events, as the last event says and the study's row confirms, and the chain up to there."""
        head = run("SELECT CAST(length AS TEXT), digest FROM knowgrad_studies WHERE name = ?", (self.study,))
        ((last,),) = run("SELECT max(number) FROM knowgrad_events WHERE study = ?", (self.study,))
        length = 0 if last is None else int(last) + 1
        if [said for said, _ in head] != [str(length)] and (head or length):
            raise tables.damaged(f"study {self.study!r} has {length} events, and its own row says something else")
        return length, head[0][1] if head else tables.start(self.study)

    def _renewal(self, row: Row) -> Renewal:
        number, data, digest = -2 - row[0], row[2], row[3]
        if digest != tables.lease_digest(self.study, number, data):
            raise tables.damaged(f"the lease of trial {number} of study {self.study!r} is not what was written")
        return (number, *json.loads(data))


class _Once:
    """A write that happens once, however often it is attempted."""

    def __init__(self, study: str) -> None:
        self._study = study
        self._receipt = os.urandom(8).hex()
        self._first: int | None = None

    def has_happened(self, run: Run) -> bool:
        """Did a former attempt, whose connection broke while it was committing, succeed?"""
        if self._first is None:
            return False
        rows = run("SELECT receipt FROM knowgrad_events WHERE study = ? AND number = ?", (self._study, self._first))
        return rows == [(self._receipt,)]

    def write(
        self, run: Run, length: int, chain: str, events: Sequence[Event], leased: Collection[object] | None
    ) -> tuple[int, str]:
        """Append to a log of this length, and renew leases beside it; returns its new length and chain.

        `leased`: the trials that have a renewed lease; None if nobody has looked.
        """
        log = [event for event in events if event.kind != "renewed"]
        if log:
            self._first = length
            length, chain = write(run, self._study, length, chain, log, self._receipt)
        if leased is None or leased or len(log) < len(events):
            for event in events:
                if event.kind == "renewed":
                    renew(run, self._study, event)
                elif event.kind in SETTLED and (leased is None or event.data.get("number") in leased):
                    _end(run, self._study, event)
        return length, chain


def write(run: Run, study: str, length: int, chain: str, events: Sequence[Event], receipt: str) -> tuple[int, str]:
    """Append to a log of this length and chain; returns those it has then."""
    if not length:
        row = "INSERT INTO knowgrad_studies (name, length, digest) VALUES (?, 0, ?) ON CONFLICT (name) DO NOTHING"
        run(row, (study, chain))
    for number, event in enumerate(events, length):
        data = tables.encoded(event.data)
        digest = tables.event_digest(study, number, event.kind, data)
        chain = tables.chained(chain, [digest])
        run(
            "INSERT INTO knowgrad_events (study, number, kind, data, digest, receipt) VALUES (?, ?, ?, ?, ?, ?)",
            (study, number, event.kind, data, digest, receipt),
        )
    end = length + len(events)
    run("UPDATE knowgrad_studies SET length = ?, digest = ? WHERE name = ?", (end, chain, study))
    return end, chain


def _end(run: Run, study: str, event: Event) -> None:
    """What is settled has no lease any more."""
    run("DELETE FROM knowgrad_leases WHERE study = ? AND number = ?", (study, event.data.get("number")))


def renew(run: Run, study: str, event: Event) -> None:
    """Keep the latest lease of each trial that the event names."""
    data = tables.encoded([event.data["lease"], event.data["deadline"]])
    for number in event.data["numbers"]:
        run(
            "INSERT INTO knowgrad_leases (study, number, data, digest) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (study, number) DO UPDATE SET data = excluded.data, digest = excluded.digest",
            (study, number, data, tables.lease_digest(study, number, data)),
        )
