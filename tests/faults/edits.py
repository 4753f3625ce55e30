"""Corrections, discards and notes by people who are killed, and by several at once."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import knowgrad as kg
from knowgrad.errors import ConflictError
from knowgrad.storage import open_storage
from tests.faults.kills import kill_at_points
from tests.faults.people import SPACE, crowd, opened, start, write_down
from tests.faults.resumes import SPACE as MIXED
from tests.faults.scenario import Place, scenario

KINDS = ("corrected", "discarded", "restored", "noted")
TRIALS = 12


@scenario("33", "kill -9 at each named fault point of correct, discard, restore, note", quick=1, full=20)
def named_kills(place: Place, n: int) -> str:
    return kill_at_points(place, n, KINDS, edit, _check)


def edit(url: str, name: str) -> None:
    """Each step may have been done before, and may be repeated: its key says that it is the same one."""
    study = kg.Study(SPACE, storage=url, name=name, seed=0)
    if not study.trials:
        study.enqueue({"x": 0.25})
    if study.trials[0].state == "queued":
        study.ask(1)
    if study.trials[0].state == "pending":
        study.tell(0, 4.88)
    study.correct(0, 48.8, reason="decimal point", key="c1")
    study.note(0, "seen", key="n1")
    study.discard(0, "cracked", key="d1")
    study.restore(0, reason="not cracked", key="r1")
    study.correct(0, 48.9, key="c2")


def _check(url: str, name: str) -> None:
    """All of it happened once, in its order."""
    kinds = Counter(event.kind for event in open_storage(url, name).read())
    changes = {"corrected": 2, "noted": 1, "discarded": 1, "restored": 1}
    assert kinds == {"created": 1, "queued": 1, "asked": 1, "told": 1, **changes}, f"{name}: {kinds}"
    trial = kg.Study.load(url, name).trials[0]
    assert (trial.state, trial.value, trial.notes) == ("complete", 48.9, ("seen",))
    assert [change.key for change in trial.history] == ["c1", "n1", "d1", "r1", "c2"]


@scenario("33b", "kill -9 somebody who corrects, discards, restores and notes, at random", quick=5, full=100)
def random_kills(place: Place, n: int) -> str:
    study, receipts, rng = opened(place.url, seed=0), place.folder / "receipts", random.Random(0)
    for i in range(8):
        study.add({"x": i / 8}, 0.0)
    for _ in range(n):
        before = receipts.stat().st_size if receipts.exists() else 0
        process = start(editor, place.url, receipts)
        while not receipts.exists() or receipts.stat().st_size == before:
            assert process.is_alive()
            time.sleep(0.002)
        time.sleep(rng.uniform(0.0, 0.05))
        os.kill(process.pid, signal.SIGKILL)
        process.join()
    promised = receipts.read_text().split()
    for trial in study.trials:
        _consistent(trial)
    kept = Counter(change.key for trial in study.trials for change in trial.history)
    lost, doubled = sum(key not in kept for key in promised), sum(times > 1 for times in kept.values())
    assert (lost, doubled) == (0, 0)
    return f"{n} kills, {len(promised)} changes acknowledged, {lost} lost, {doubled} doubled"


def editor(url: str, receipts: Path) -> None:
    """Change one trial after the other, each request sent twice with its key, and write down what was acknowledged."""
    study, rng, step = opened(url), random.Random(os.getpid()), 0
    while True:
        number, step = rng.randrange(8), step + 1
        key = f"{os.getpid()}-{time.time_ns()}-{step}"
        for _ in range(2):
            _change(study, number, rng.random() if step % 2 else None, key)
        write_down(receipts, key)


def _change(study: kg.Study, number: int, value: float | None, key: str) -> None:
    """A correction or, on a discarded trial, its return; otherwise a note or a discard. With the same key the same."""
    done = next((change for change in study.trials[number].history if change.key == key), None)
    kind = done.kind if done else None
    if kind == "restored" or (kind is None and study.trials[number].state == "discarded"):
        study.restore(number, key=key)
    elif value is not None:
        study.correct(number, done.new.value if done else value, key=key)
    elif kind == "noted" or (kind is None and int(key.rpartition("-")[2]) % 4):
        study.note(number, f"note {key}", key=key)
    else:
        study.discard(number, f"reason {key}", key=key)


def _consistent(trial: kg.Trial) -> None:
    """Each change began where the one before ended, and the trial is where the last one ended."""
    for before, change in zip(trial.history, trial.history[1:], strict=False):
        assert change.old == before.new
    assert not trial.history or trial.history[-1].new == trial.outcome


@scenario("33c", "two corrections, a discard, a note and the old tell race for a trial", quick=10, full=300)
def races(place: Place, n: int) -> str:
    study = opened(place.url, seed=0)
    for i in range(n):
        study.enqueue({"x": i / n})
    for trial in study.ask(n):
        study.tell(trial, 4.88)
    answers = crowd(change_each, 5, place.url, n)
    refused = [answer.count("conflict") for answer in answers]
    for trial in study.trials:
        _consistent(trial)
        done = Counter(change.kind for change in trial.history)
        acknowledged = Counter(said for answer in answers if (said := answer[trial.number]) not in ("conflict", "told"))
        assert done == acknowledged, f"trial {trial.number}: {done} recorded, {acknowledged} acknowledged"
        assert trial.state == "discarded"  # nothing restores it, and what was discarded is not corrected or told
    told = Counter(event.data["number"] for event in open_storage(place.url, "faults").read() if event.kind == "told")
    assert set(told.values()) == {1}
    return (
        f"{n} races of 5: 0 lost, 0 doubled, every trial where its last change left it; refused: {refused[0]} and "
        f"{refused[1]} corrections of discarded trials, {refused[4]} old tells of changed ones"
    )


def change_each(i: int, barrier: Any, url: str, n: int) -> list[str]:
    study, answers = opened(url), []
    for number in range(n):
        barrier.wait()
        try:
            match i:
                case 0 | 1:
                    study.correct(number, 48.0 + i, by=str(i))
                    answers.append("corrected")
                case 2:
                    study.discard(number, "cracked")
                    answers.append("discarded")
                case 3:
                    study.note(number, "seen")
                    answers.append("noted")
                case _:
                    study.tell(number, 4.88)
                    answers.append("told")
        except ConflictError:
            answers.append("conflict")
    return answers


@scenario("33d", "same seed, with corrections: the same trials after kills and resumes as without", quick=4, full=10)
def resumes(place: Place, n: int) -> str:
    calm = kg.Study(MIXED, seed=3, noise=0)
    run(calm)
    progress, rng = place.folder / "progress", random.Random(2)
    for kills in range(n):
        process = start(worker, place.url, progress)
        while process.is_alive() and _lines(progress) <= kills * (TRIALS - 4) // n:  # never at the end
            time.sleep(0.005)
        time.sleep(rng.uniform(0.0, 0.05))
        process.kill()
        process.join()
    study = kg.Study(MIXED, storage=place.url, name="faults", noise=0)
    run(study)
    told = [(trial.number, trial.params, trial.outcome, trial.source, trial.notes) for trial in study.trials]
    assert told == [(trial.number, trial.params, trial.outcome, trial.source, trial.notes) for trial in calm.trials]
    changes = sum(len(trial.history) for trial in study.trials)
    assert changes == sum(len(trial.history) for trial in calm.trials)
    return f"{n} kills and resumes, {len(told)} trials and {changes} changes identical to those of a run without"


def run(study: kg.Study, progress: Path | None = None) -> None:
    """Every third result is told wrongly and corrected, another discarded and restored later; each with its key."""
    _put_right(study)  # what somebody who was killed had still to do
    while len(study.trials) < TRIALS or study.pending:
        (trial,) = study.pending or study.ask(1)
        study.tell(trial, _right(trial) * (10.0 if trial.number % 3 == 0 else 1.0), check=False)
        _put_right(study)
        if progress is not None:
            write_down(progress, str(trial.number))


def _put_right(study: kg.Study) -> None:
    """What is due, given the results so far; what was done before is not done again."""
    last = len(study.trials) - 1 - len(study.pending)
    for number in range(last + 1):
        if number % 3 == 0:
            study.correct(number, _right(study.trials[number]), key=f"c{number}")
        if number % 4 == 1:
            study.discard(number, "doubtful", key=f"d{number}")
            study.note(number, "look again", key=f"n{number}")
        if number % 4 == 1 and last >= number + 3:
            study.restore(number, key=f"r{number}")


def _right(trial: kg.Trial) -> float:
    return float((trial.params["x"] - 0.3) ** 2 + (trial.params["kind"] == "b"))


def _lines(progress: Path) -> int:
    return len(progress.read_text().splitlines()) if progress.exists() else 0


def worker(url: str, progress: Path) -> None:
    run(kg.Study(MIXED, storage=url, name="faults", seed=3, noise=0), progress)
