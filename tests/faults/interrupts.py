"""Ctrl-C and SIGTERM at any moment: the next look is right, nothing is overwritten, nothing stays locked."""

from __future__ import annotations

import math
import os
import random
import signal
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, NoReturn

import psycopg

import knowgrad as kg
from knowgrad.errors import ConflictError, CorruptStorageError, StorageUnreachableError
from knowgrad.storage import Storage, open_storage
from knowgrad.storage.tables import key
from knowgrad.trial import Event
from tests.faults.people import SPACE, crowd
from tests.faults.scenario import Place, scenario

NEWS = 150  # results of somebody else to take in, for each interrupt
WAITS = 4  # every fourth interrupt comes while somebody else has the lock
LONGEST = 20  # interrupts of one study: what is to take time is the taking in, not the reading of a long log
HARMS = ("views that differ from the log", "overwritten", "false damage", "files left locked")


@scenario("29", "Ctrl-C or SIGTERM at a random moment of look, ask, tell, renew", quick=12, full=500)
def interrupts(place: Place, n: int) -> str:
    ((done, harms),) = crowd(be_interrupted, 1, place.url, n)
    assert not harms, dict(harms)
    waited = done.pop("waited")
    moments = ", ".join(f"{count} of {what}" for what, count in sorted(done.items()))
    return f"{n} interrupts ({moments}; {waited} while somebody else had the lock), " + ", ".join(
        f"{harms[harm]} {harm}" for harm in HARMS
    )


def be_interrupted(i: int, barrier: Any, url: str, n: int) -> tuple[Counter[str], Counter[str]]:
    """What was interrupted, and what was wrong afterwards."""
    os.environ["KNOWGRAD_PATIENCE"] = "3"
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, _end)
    rng, done, harms = random.Random(0), Counter[str](waited=0), Counter[str]()
    for k in range(n):
        if k % LONGEST == 0:
            name = f"interrupts {k}"
            study, other = (kg.Study(SPACE, storage=url, name=name, seed=0) for _ in range(2))
            log = open_storage(url, name)
        news = _tell_news(log, study)
        what, action = rng.choice(list(_actions(study).items()))
        number = rng.choice([signal.SIGINT, signal.SIGTERM])
        with _locked(url, name) if k % WAITS == 0 else nullcontext():
            _interrupt(action, rng.uniform(0.0, 0.02), number)
        done[what] += 1
        done["waited"] += k % WAITS == 0
        if harm := _harm(study, other, rng.choice(news)):
            harms[harm] += 1
    return done, harms


def _end(*_: object) -> NoReturn:
    raise SystemExit


def _tell_news(log: Storage, study: kg.Study) -> range:
    """Results of trials that the study knows as pending; returns their numbers.

    They fail: there is nothing to fit, and what is interrupted is the keeping of books.
    """
    first = sum(event.kind == "asked" for event in log.read())
    numbers = range(first, first + NEWS)
    asked = {"params": {"x": 0.5}, "source": "added", "batch": None}
    log.append([Event("asked", {"number": number, **asked}) for number in numbers])
    assert study.pending[-1].number == numbers[-1]
    log.append([Event("failed", {"number": number, "reason": "so"}) for number in numbers])
    return numbers


@contextmanager
def _locked(url: str, name: str) -> Iterator[None]:
    """While somebody else has the lock under which is written."""
    if url.startswith("sqlite"):
        db = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
        db.execute("BEGIN IMMEDIATE")
    else:
        db = psycopg.connect(url)
        db.execute("SELECT pg_advisory_xact_lock(%s)", [key(name)])
    try:
        yield
    finally:
        db.rollback()
        db.close()


def _actions(study: kg.Study) -> dict[str, Callable[[], Any]]:
    def tell() -> None:
        (trial,) = study.ask()
        study.fail(trial, "so")

    def renew() -> None:
        (trial,) = study.ask(lease=60.0)
        for _ in range(20):
            study.renew(trial, lease=60.0)
        study.expire(trial)

    return {"look": lambda: study.trials, "ask": lambda: study.ask(3), "tell": tell, "renew": renew}


def _interrupt(action: Callable[[], Any], delay: float, number: int) -> None:
    """Do it again and again until the signal comes."""
    main = threading.main_thread().ident
    timer = threading.Timer(delay, lambda: signal.pthread_kill(main, number))
    try:
        timer.start()
        while True:
            action()
    except (KeyboardInterrupt, SystemExit):
        timer.join()


def _harm(study: kg.Study, other: kg.Study, told: int) -> str:
    """What is wrong now; nothing if all is well. `told`: the number of a trial that has its result."""
    try:
        begun = time.monotonic()
        other.add({"x": 0.25}, math.nan)  # raises if a lock was left
        if time.monotonic() - begun > 2:
            return "files left locked"
        for trial in (told, other.trials[-1]):
            try:
                study.tell(trial, -999.0)
                return "overwritten"
            except ConflictError:
                pass
        return "" if study.trials == other.trials else "views that differ from the log"
    except CorruptStorageError:
        return "false damage"
    except StorageUnreachableError:
        return "files left locked"
