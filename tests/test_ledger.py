"""The fold of events into trials."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knowgrad as kg
from knowgrad.errors import UnknownTrialError
from knowgrad.log.leases import ATTEMPTS, reclaimed
from knowgrad.log.ledger import Ledger, holds
from knowgrad.trial import Event


@st.composite
def logs(draw):
    """Logs as a study writes them: any interleaving of queued, asked and outcomes that makes sense."""
    events, states = [Event("created", {"uid": "abc"})], []
    for step in range(draw(st.integers(0, 30))):
        number = draw(st.integers(0, len(states)))
        state = states[number] if number < len(states) else None
        if state is None:
            kind = draw(st.sampled_from(["asked", "queued"]))
            states.append("pending" if kind == "asked" else "queued")
            events.append(Event(kind, {"number": number, "params": {"x": step}, "source": "qkg", "batch": step}))
        elif state in ("queued", "pending", "expired"):
            kind = draw(st.sampled_from({"queued": ["asked"]}.get(state, ["told", "failed", "expired"])))
            states[number] = {"asked": "pending", "told": "complete"}.get(kind, kind)
            data = {"batch": step, "value": step / 3, "sem": None, "reason": "because"}
            events.append(Event(kind, {"number": number, **data}))
    return events, states


@given(logs(), st.data())
def test_folding_in_pieces_is_folding_at_once(log, data):
    events, states = log
    cut = data.draw(st.integers(0, len(events)))
    whole, pieces = Ledger(events), Ledger(events[:cut])
    pieces.fold(events[cut:])
    assert vars(pieces) == vars(whole)
    assert [trial.state for trial in whole.trials] == states
    assert [trial.number for trial in whole.trials] == list(range(len(states)))
    for view, state in ((whole.queue, "queued"), (whole.pending, "pending")):
        assert view == [trial for trial in whole.trials if trial.state == state]
    assert whole.length == len(events)


@given(st.permutations(range(6)))
def test_the_order_of_tells_does_not_matter(order):
    log = [Event("created", {"uid": "abc"})]
    log += [Event("asked", {"number": i, "params": {"x": i}, "source": "start", "batch": 0}) for i in range(6)]
    tells = [Event("told", {"number": i, "value": float(i), "sem": None}) for i in range(6)]
    assert vars(Ledger([*log, *(tells[i] for i in order)])) == vars(Ledger(log + tells))


def at(now):
    """A clock that says so."""
    return lambda: now


LOG = [
    Event("created", {"uid": "abc"}),
    Event("asked", {"number": 0, "params": {"x": 1}, "source": "start", "batch": 0, "lease": 9.0, "deadline": 19.0}),
]


def test_a_lease_lasts_until_its_deadline_and_is_renewed():
    ledger = Ledger(LOG)
    assert (ledger.trials[0].lease, ledger.trials[0].deadline) == (9.0, 19.0)
    ledger.fold([Event("renewed", {"numbers": [0], "lease": 5.0, "deadline": 40.0})])
    assert ledger.pending[0].deadline == 40.0
    ledger.fold([Event("told", {"number": 0, "value": 1.0, "sem": None})])
    assert (ledger.trials[0].lease, ledger.trials[0].deadline) == (None, None)


@pytest.mark.parametrize(
    ("now", "good"), [(10.0, True), (18.9, True), (19.0, False), (9.5, True), (8.9, False), (-86400.0, False)]
)
def test_a_lease_of_the_future_does_not_hold(now, good):
    assert holds(9.0, 19.0, now) is good


def test_lost_points_go_before_queued_ones():
    ledger = Ledger(LOG)
    ledger.fold([Event("queued", {"number": 1, "params": {"x": 5}, "source": "queue"}), *reclaimed(ledger, at(12.0))])
    assert reclaimed(ledger, at(12.0)) == []
    lost = Ledger([*LOG, Event("queued", {"number": 1, "params": {"x": 5}, "source": "queue"})])
    lost.fold(reclaimed(lost, at(20.0)))
    assert [trial.state for trial in lost.trials] == ["expired", "queued", "queued"]
    assert [(trial.number, trial.retry_of) for trial in lost.queue] == [(2, 0), (1, None)]
    assert lost.retry(lost.trials[0]) == lost.trials[2]
    assert lost.trials[2].params == lost.trials[0].params


def test_a_point_that_loses_worker_after_worker_is_given_up_as_failed():
    ledger, now = Ledger(LOG), 20.0
    for _ in range(ATTEMPTS - 1):
        ledger.fold(reclaimed(ledger, at(now)))
        asked = {"number": ledger.queue[0].number, "batch": 1, "lease": 9.0, "deadline": now + 9.0}
        ledger.fold([Event("asked", asked)])
        now += 10.0
    ledger.fold(reclaimed(ledger, at(now)))
    assert not ledger.queue
    assert not ledger.pending
    assert [trial.state for trial in ledger.trials] == ["expired"] * ATTEMPTS + ["failed"]
    assert "workers were lost" in ledger.trials[-1].reason


def test_find_takes_a_trial_its_id_or_its_number():
    ledger = Ledger(LOG)
    assert ledger.find(ledger.trials[0]) == ledger.find("abc-0") == ledger.find(0) == ledger.trials[0]


@pytest.mark.parametrize("key", [1, -1, True, 0.0, None, "abc-1", "abc-", "0", "xyz-0", "abc-²", [], {}])
def test_find_refuses_anything_else(key):
    with pytest.raises(UnknownTrialError, match="expected a trial of this study"):
        Ledger(LOG).find(key)


def test_where_a_trial_failed_is_kept_with_it(database):
    study = kg.Study({"x": (0.0, 1.0)}, storage=database, seed=0)
    (trial,) = study.ask()
    where = 'Traceback (most recent call last):\n  File "loss.py", line 3\nKeyError: "lr"\n'
    assert study.fail(trial, "KeyError: lr", where).traceback == where
    assert study.fail(trial, "KeyError: lr", where) == kg.Study.load(database).trials[0]
    (other,) = study.ask()
    assert study.fail(other, "spilled").traceback is None


def ahead(number, source="qkg", **good):
    return Event("queued", {"number": number, "params": {"x": number}, "source": source, "ahead": True, **good})


def test_points_chosen_ahead_are_dropped_when_they_are_out_of_date():
    good = {"lease": 60.0, "deadline": 100.0}
    queued = Event("queued", {"number": 3, "params": {"x": 9}, "source": "queue"})
    ledger = Ledger([LOG[0], ahead(0, **good), ahead(1, "start", **good), ahead(2), queued])
    assert [event.data["number"] for event in reclaimed(ledger, at(99.0))] == [2]  # an old log says no time
    ledger.fold(reclaimed(ledger, at(101.0)))
    assert [trial.state for trial in ledger.trials] == ["expired", "queued", "expired", "queued"]
    assert [trial.number for trial in ledger.queue] == [1, 3]
    assert not ledger.known  # to a model, points that nobody ever had do not exist
    assert not reclaimed(ledger, at(200.0))


def test_the_stock_is_dropped_at_the_end_of_a_run_if_nobody_is_at_work():
    good = {"lease": 60.0, "deadline": 70.0}
    ledger = Ledger([*LOG, ahead(1, **good), ahead(2, "start", **good)])
    assert not reclaimed(ledger, at(15.0), is_over=True)  # somebody has a point
    ledger.fold([Event("told", {"number": 0, "value": 1.0, "sem": None})])
    assert not reclaimed(ledger, at(50.0))
    ledger.fold(reclaimed(ledger, at(50.0), is_over=True))
    assert [trial.state for trial in ledger.trials] == ["complete", "expired", "queued"]


def test_a_result_of_a_point_that_was_dropped_counts():
    ledger = Ledger([LOG[0], ahead(0)])
    ledger.fold(reclaimed(ledger, at(0.0)))
    ledger.fold([Event("told", {"number": 0, "value": 1.0, "sem": None})])
    assert [trial.state for trial in ledger.known] == ["complete"]
