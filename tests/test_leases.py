"""Leases: kept while somebody works, lost when nobody does, and a late result is still taken."""

import time

import pytest

import knowgrad as kg
from knowgrad.errors import ArgumentError
from knowgrad.runner.renewal import Renewer
from knowgrad.storage import Memory

SPACE = {"x": (0.0, 1.0)}


class Clocked(Memory):
    """A log whose clock is set by hand."""

    time = 1000.0

    def now(self):
        return self.time


@pytest.fixture
def log():
    return Clocked()


@pytest.fixture
def study(log):
    return kg.Study(SPACE, storage=log, seed=0)


def test_a_lost_point_comes_back_first_as_a_new_trial(log, study):
    lost, kept = study.ask(1, lease=10.0, worker="a")[0], study.ask(1, worker="b")[0]
    study.enqueue({"x": 0.5})
    assert (lost.worker, lost.lease, lost.deadline) == ("a", 10.0, 1010.0)
    assert (kept.worker, kept.lease, kept.deadline) == ("b", None, None)
    log.time += 9.0
    assert study.ask(1)[0].params == {"x": 0.5}
    log.time += 1.0
    again, new = study.ask(2, lease=10.0)
    assert (again.retry_of, again.params, again.source) == (lost.number, lost.params, lost.source)
    assert new.retry_of is None
    assert study.trials[lost.number].state == "expired"
    assert [trial.number for trial in study.pending] == [1, 2, 3, 4]


def test_a_point_that_somebody_else_lost_comes_before_the_queue(log, study):
    """Also for one who has a queue, knows of no lease, and does not look before he asks."""
    study.enqueue({"x": 0.5})
    other = kg.Study(SPACE, storage=log, seed=0)
    other.expire(other.ask(1)[0])
    (lost,) = other.ask(1, lease=10.0)
    other.enqueue({"x": 0.25})
    log.time += 11.0
    assert study.ask(1)[0].retry_of == lost.number
    assert study.ask(1)[0].params == {"x": 0.25}


def test_a_late_result_completes_the_lost_trial(log, study):
    (lost,) = study.ask(1, lease=10.0)
    log.time += 11.0
    (again,) = study.ask(1, lease=10.0)
    assert study.tell(lost, 1.0).state == "complete"
    assert study.tell(again, 2.0).state == "complete"
    assert [trial.value for trial in study.trials] == [1.0, 2.0]


def test_a_late_result_calls_off_a_retry_that_nobody_has_begun(log, study):
    lost = study.ask(2, lease=10.0)
    log.time += 11.0
    (again,) = study.ask(1)
    assert again.retry_of == lost[0].number
    study.tell(lost[1], 1.0)
    assert not [trial for trial in study.trials if trial.state == "queued"]
    assert study.ask(1)[0].retry_of is None


def test_a_renewed_lease_lasts_longer_and_zero_gives_the_point_back(log, study):
    one, two = study.ask(2, lease=10.0)
    log.time += 9.0
    assert [trial.deadline for trial in study.renew(one, two.id, lease=20.0)] == [1029.0, 1029.0]
    log.time += 19.0
    assert [trial.number for trial in study.ask(1)] == [2]
    study.renew(two, lease=0)
    assert study.ask(1)[0].retry_of == two.number


def test_renewing_what_is_settled_changes_nothing(log, study):
    (trial,) = study.ask(1, lease=10.0)
    told = study.tell(trial, 1.0)
    before = log.read()
    assert study.renew(trial, lease=10.0) == [told]
    assert log.read() == before


@pytest.mark.parametrize("step", [86400.0, -86400.0])
def test_a_clock_that_is_set_wrong_loses_no_point_and_no_order(log, study, step):
    (first,) = study.ask(1, lease=10.0)
    log.time += step
    (again,) = study.ask(1, lease=10.0)
    log.time -= step
    (third,) = study.ask(1, lease=10.0)
    assert (again.retry_of, third.retry_of) == (first.number, again.number)
    for trial in (third, first, again):
        study.tell(trial, 1.0)
    assert [trial.number for trial in study.trials] == [0, 1, 2]
    assert {trial.state for trial in study.trials} == {"complete"}


@pytest.mark.parametrize(("options", "message"), [({"lease": -1}, "lease"), ({"worker": ""}, "worker")])
def test_bad_terms_are_refused(log, study, options, message):
    with pytest.raises(ArgumentError, match=f"{message}: expected"):
        study.ask(1, **options)
    assert not study.trials


def test_a_renewer_keeps_leases_until_it_ends(tmp_path):
    study, other = (kg.Study(SPACE, storage=tmp_path / "a.db", seed=0) for _ in range(2))
    with Renewer(study, lease=0.6) as held:
        kept, dropped = study.ask(2, lease=0.6)
        held.hold([kept])
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            time.sleep(0.1)
            assert other.trials[kept.number].state == "pending"
            assert [trial.retry_of for trial in other.ask(1)] in ([None], [dropped.number])
    assert other.trials[dropped.number].state == "expired"
    time.sleep(0.7)
    assert other.ask(1)[0].retry_of == kept.number
