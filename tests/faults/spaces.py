"""The space of a study is changed by one process while others ask, tell and queue, and a dashboard looks on."""

from __future__ import annotations

import random
import time
from contextlib import suppress
from typing import Any

import numpy as np

import knowgrad as kg
from knowgrad.errors import SpaceError
from knowgrad.log.ledger import Ledger
from knowgrad.space import Space
from knowgrad.storage import open_storage
from knowgrad.web.hub import Desk, Hub
from knowgrad.web.present import study_json, trial_json
from tests.faults.people import crowd
from tests.faults.scenario import Place, scenario

FIRST = {"x": (0.0, 1.0), "kind": ["a", "b"]}
CHANGES: tuple[dict[str, Any], ...] = (
    {"x": (0.0, 2.0)},
    {"kind": ["a", "b", "c"]},
    {"x": (-1.0, 2.0)},
    {"z": kg.Float(0.0, 1.0), "earlier": {"z": 0.5}},
)
ASKS = 6  # of each of two workers
SHARE = 4  # of rounds with a model, one in so many; in the others points are drawn


@scenario("35", "bounds widened twice, an option and a parameter added while two ask and tell", quick=1, full=60)
def changed_spaces(place: Place, n: int) -> str:
    suggested = told = 0
    for i in range(n):
        name, method = f"faults {i}", "random" if i % SHARE else "qkg"
        kg.Study(FIRST, storage=place.url, name=name, seed=i, method=method)
        desk = Hub(place.url).desk(name)  # open before anything changes
        study_json(desk)
        _, *answers = crowd(change_or_work, 3, place.url, name)
        acknowledged = {number: value for answer in answers for number, value in answer.items()}
        told += _nothing_lost(place.url, name, acknowledged)
        suggested += _each_in_the_space_of_its_time(place.url, name)
        _dashboard_is_right(desk, place.url, name)
    return f"{n} studies, {4 * n} changes, {suggested} suggestions in the space of their time, {told} results, 0 lost"


def change_or_work(i: int, barrier: Any, url: str, name: str) -> dict[int, float]:
    study, rng = kg.Study.load(url, name), random.Random(i)
    barrier.wait()
    if i == 0:
        for change in CHANGES:
            time.sleep(rng.uniform(0.0, 0.1))
            study.change(**change, by="changer")
        return {}
    return work(study, rng)


def work(study: kg.Study, rng: random.Random) -> dict[int, float]:
    """Ask, queue now and then, and tell in another order than was asked; what was acknowledged."""
    done, in_hand = dict[int, float](), list[kg.Trial]()
    for k in range(ASKS):
        if k % 3 == 2:
            space = study.space
            drawn = space.sample(1, np.random.default_rng(rng.randrange(2**32)))[0]
            with suppress(SpaceError):  # it was changed in between, and says so
                study.enqueue(space.decode(drawn))
        in_hand += study.ask(1 + k % 2)
        rng.shuffle(in_hand)
        while len(in_hand) > 2:
            _tell(study, in_hand.pop(), done)
    while in_hand:
        _tell(study, in_hand.pop(), done)
    return done


def _tell(study: kg.Study, trial: kg.Trial, done: dict[int, float]) -> None:
    value = trial.params["x"] ** 2 + trial.number
    study.tell(trial, value, check=False)
    done[trial.number] = value


def _nothing_lost(url: str, name: str, acknowledged: dict[int, float]) -> int:
    study = kg.Study.load(url, name)
    assert len(study.changes) == len(CHANGES)
    assert {trial.number: trial.value for trial in study.trials if trial.state == "complete"} == acknowledged
    assert not study.pending
    assert all(set(trial.params) == {"x", "kind", "z"} for trial in study.trials)
    return len(acknowledged)


def _each_in_the_space_of_its_time(url: str, name: str) -> int:
    """Every point that was queued or handed out lay in the space as it was then; handing out counts again."""
    ledger, seen = Ledger(), 0
    for event in open_storage(url, name).read():
        ledger.fold([event])
        if event.kind in ("asked", "queued"):
            Space.from_dict(ledger.spaces[-1]).validate(ledger.trials[event.data["number"]].params)
            seen += event.kind == "asked"
    return seen


def _dashboard_is_right(desk: Desk, url: str, name: str) -> None:
    study, shown = kg.Study.load(url, name), study_json(desk)
    assert shown["space"]["parameters"].keys() == {"x", "kind", "z"}
    assert shown["space"] == study.space.outline()
    assert [change["lines"] for change in shown["changes"]] == [change.lines for change in study.changes]
    assert shown["counts"]["complete"] == sum(trial.state == "complete" for trial in study.trials)
    assert [trial_json(trial)["params"] for trial in desk.news.since(-1)[1]] == [dict(t.params) for t in study.trials]
    best = desk.answer("recommend", lambda snapshot: snapshot.recommendation.params)
    study.space.validate(best)
