"""Mistakes put right: corrections, discards and notes, what they leave in the record, and what a model makes of it."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import knowgrad as kg
from knowgrad.advisor.doubt import doubt
from knowgrad.errors import ArgumentError, ConflictError, NotANumberError, SuspiciousResultWarning, UnknownTrialError
from knowgrad.log.ledger import Ledger
from knowgrad.problems import PROBLEMS
from knowgrad.storage import Memory, open_storage
from knowgrad.trial import Change, Event, Outcome

SPACE = {"x": (0.0, 1.0), "y": (0.0, 1.0)}
POINTS = [(i * 0.618 % 1.0, i * 0.755 % 1.0) for i in range(12)]


def strength(x, y):
    return 50.0 - 12.0 * (x - 0.6) ** 2 - 8.0 * (y - 0.3) ** 2


def laboratory(storage=None, wrong=None, **options):
    """Twelve results between 40 and 50; that of the trial `wrong` lacks its decimal point."""
    study = kg.Study(SPACE, storage=storage, name="lab", direction="maximize", seed=3, **options)
    for number, (x, y) in enumerate(POINTS):
        value = round(strength(x, y), 2)
        study.add({"x": x, "y": y}, value / 10 if number == wrong else value, check=False)
    return study


@pytest.fixture(params=["memory", "file"])
def storage(request, tmp_path):
    return Memory() if request.param == "memory" else tmp_path / "lab.db"


def reopened(study, storage):
    return kg.Study.load(storage, "lab")


def test_a_corrected_result_is_as_if_it_had_been_told_so(storage):
    right, wrong = laboratory(), laboratory(storage, wrong=5)
    assert wrong.recommend().mean != right.recommend().mean
    value = right.trials[5].value
    corrected = wrong.correct(5, value, reason="decimal point", by="lab")
    assert (corrected.value, corrected.state) == (value, "complete")
    again = reopened(wrong, storage)
    for study in (wrong, again):
        assert study.recommend().params == right.recommend().params
        assert study.recommend().mean == right.recommend().mean
        assert study.gain(2) == right.gain(2)
    assert [trial.params for trial in again.ask(3)] == [trial.params for trial in right.ask(3)]


def test_every_change_is_in_the_history(storage):
    study = laboratory(storage, wrong=5)
    was = study.trials[5].value
    before = study.now
    study.correct(5, 48.8, 0.5, reason="decimal point", by="lab")
    study.note(5, "the scale was recalibrated on Monday", by="rig")
    study.discard(5, "cracked mould", by="Cy")
    study.restore(5, reason="another mould", by="lab")
    study.correct(5, failed="it was cracked", by="rig")
    trial = reopened(study, storage).trials[5]
    told, right = Outcome("complete", was), Outcome("complete", 48.8, 0.5)
    out, failed = Outcome("discarded", 48.8, 0.5, "cracked mould"), Outcome("failed", reason="it was cracked")
    times = [change.time for change in trial.history]
    assert trial.history == (
        Change("corrected", times[0], "lab", "decimal point", told, right),
        Change("noted", times[1], "rig", "the scale was recalibrated on Monday", right, right),
        Change("discarded", times[2], "Cy", "cracked mould", right, out),
        Change("restored", times[3], "lab", "another mould", out, right),
        Change("corrected", times[4], "rig", None, right, failed),
    )
    assert times == sorted(times)
    assert before - 1 <= times[0] <= study.now + 1
    assert trial.notes == ("the scale was recalibrated on Monday",)
    assert trial.outcome == failed
    assert reopened(study, storage).trials == study.trials


def test_a_discarded_trial_is_out_of_the_model_and_comes_back(storage):
    study, without = laboratory(storage, wrong=5), kg.Study(SPACE, direction="maximize", seed=3)
    for number, trial in enumerate(laboratory().trials):
        if number != 5:
            without.add(trial.params, trial.value)
    with_it = study.recommend()
    out = study.discard(study.trials[5], "typing error")
    assert (out.state, out.reason, out.value) == ("discarded", "typing error", study.trials[5].value)
    assert study.recommend().n_observed == len(POINTS) - 1
    here, there = study.snapshot(), without.snapshot()
    assert [trial.params for trial in here.complete] == [trial.params for trial in there.complete]
    assert here.diagnostics.loo.r2 == there.diagnostics.loo.r2
    assert study.best.number != 5
    assert len(study.trials) == len(POINTS)
    assert study.restore(5).outcome == Outcome("complete", out.value)
    assert study.recommend() == with_it
    assert reopened(study, storage).recommend().params == with_it.params


def test_a_mistaken_failure_becomes_a_result_and_the_reverse():
    study = kg.Study(SPACE, seed=0)
    a, b = study.ask(2)
    study.fail(a, "spilled")
    study.tell(b, 2.0, 0.1)
    assert study.correct(a, 1.5).outcome == Outcome("complete", 1.5)
    assert study.best.number == a.number
    assert study.correct(b, math.nan).outcome == Outcome("failed", reason="the value was nan")
    assert study.correct(b, failed="it was the other beaker").reason == "it was the other beaker"
    assert study.discard(b, "never done").state == "discarded"
    assert study.restore(b).outcome == Outcome("failed", reason="it was the other beaker")


def test_a_standard_error_stays_unless_another_is_given():
    study = kg.Study(SPACE, seed=0)
    study.add({"x": 0.5, "y": 0.5}, 4.88, 0.3)
    assert study.correct(0, 48.8).sem == 0.3
    assert study.correct(0, 48.8, 0.4).sem == 0.4
    assert study.correct(0, 48.8, None).sem is None
    assert study.correct(0, 48.8, sem=0.2).value == 48.8


def test_a_duplicate_is_discarded_once_and_its_point_may_be_tried_again():
    study = kg.Study({"n": kg.Int(0, 3)}, seed=0, noise=0)
    for n in (0, 1, 2, 2):
        study.add({"n": n}, float(n))
    study.discard(3, "entered twice")
    assert study.discard(3, "entered twice").history == study.trials[3].history
    assert len(study.trials[3].history) == 1
    study.discard(2, "and the other was wrong as well")
    points = {trial.params["n"] for trial in study.ask(2)}
    assert points == {2, 3}


def test_what_is_pending_is_told_not_corrected():
    study = kg.Study(SPACE, seed=0)
    (pending,) = study.ask()
    queued = study.enqueue({"x": 0.5, "y": 0.5})
    expired = study.expire(study.ask()[0])
    for trial in (pending, expired):
        for change in (lambda t: study.correct(t, 1.0), lambda t: study.discard(t, "no"), study.restore):
            with pytest.raises(ConflictError, match=r"tell\(\)"):
                change(trial)
    assert study.note(pending, "on the bench by the window").state == "pending"
    assert queued.number in {trial.number for trial in study.trials}
    version = study.version
    with pytest.raises(ConflictError, match="expected one that is discarded"):
        study.restore(study.tell(pending, 1.0))
    assert study.version == version + 1


def test_a_lease_outlives_a_note(tmp_path):
    study = kg.Study(SPACE, storage=tmp_path / "lab.db", name="lab", seed=0)
    (trial,) = study.ask(lease=500.0, worker="lab")
    (renewed,) = study.renew(trial, lease=900.0)
    noted = study.note(trial, "in the oven")
    assert (noted.lease, noted.deadline, noted.worker) == (900.0, renewed.deadline, "lab")
    assert kg.Study.load(tmp_path / "lab.db").trials[0] == noted


def test_a_late_result_can_be_corrected_and_calls_the_retry_off(tmp_path):
    study = kg.Study(SPACE, storage=tmp_path / "lab.db", name="lab", seed=0)
    (trial,) = study.ask(lease=0.0, worker="gone")
    study.reclaim()
    study.tell(trial, 4.88)
    assert [each.state for each in study.trials] == ["complete", "expired"]
    assert study.correct(trial, 48.8).value == 48.8
    assert [each.state for each in study.trials] == ["complete", "expired"]


def test_a_repeated_tell_neither_undoes_a_correction_nor_passes_for_it():
    study = kg.Study(SPACE, seed=0)
    (trial,) = study.ask()
    study.tell(trial, 4.88)
    study.correct(trial, 48.8, by="lab")
    with pytest.raises(ConflictError, match=r"told as value 4\.88, sem None and then corrected by lab: that stands"):
        study.tell(trial, 4.88)
    assert study.tell(trial, 48.8).value == 48.8  # what stands may be told again
    study.discard(trial, "cracked")
    for value in (4.88, 48.8):
        with pytest.raises(ConflictError, match="then discarded: that stands"):
            study.tell(trial, value)
    with pytest.raises(ConflictError, match="that stands"):
        study.fail(trial, "cracked")
    assert study.trials[0].value == 48.8


def test_without_corrections_a_second_outcome_is_refused_with_the_way_out():
    study = kg.Study(SPACE, seed=0)
    (trial,) = study.ask()
    study.tell(trial, 4.88)
    with pytest.raises(ConflictError, match=r"the first stands: .* correct\(\) it if it was recorded wrongly"):
        study.tell(trial, 48.8)


def test_a_key_is_for_one_request_whatever_happens_in_between(storage):
    study = laboratory(storage)
    study.correct(0, 41.0, key="a")
    study.correct(0, 42.0, key="b")
    again = reopened(study, storage)
    assert again.correct(0, 41.0, key="a").value == 42.0  # the request was repeated, not made anew
    assert len(again.trials[0].history) == 2
    for other in (lambda: again.correct(0, 43.0, key="a"), lambda: again.discard(0, "no", key="a")):
        with pytest.raises(ConflictError, match="take another key"):
            other()
    again.note(0, "seen", key="n")
    again.note(0, "seen", key="n")
    again.discard(0, "no", key="d")
    again.restore(0, key="r")
    again.discard(0, "no", key="d")
    again.restore(0, key="r")
    assert [change.kind for change in study.trials[0].history[2:]] == ["noted", "discarded", "restored"]


def test_what_is_so_already_is_not_written_again():
    study = laboratory()
    study.correct(0, 41.0)
    study.discard(1, "twice")
    study.discard(2, "twice")
    study.restore(2)
    study.note(3, "fine", by="lab")
    version = study.version
    study.correct(0, 41.0)
    study.discard(1, "twice")
    study.restore(2)
    study.note(3, "fine", by="lab")
    assert study.version == version
    study.note(3, "fine", by="rig")
    assert study.version == version + 1


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda study: study.correct(0), ArgumentError),
        (lambda study: study.correct(0, 1.0, failed="both"), ArgumentError),
        (lambda study: study.correct(0, -math.inf, reason="too good"), None),
        (lambda study: study.correct(0, math.inf), ArgumentError),
        (lambda study: study.correct(0, "48.8"), NotANumberError),
        (lambda study: study.correct(0, 48.8, -1.0), ArgumentError),
        (lambda study: study.correct(0, 48.8, reason=""), ArgumentError),
        (lambda study: study.correct(99, 48.8), UnknownTrialError),
        (lambda study: study.discard(0, " "), ArgumentError),
        (lambda study: study.discard(0, None), ArgumentError),
        (lambda study: study.note(0, ""), ArgumentError),
        (lambda study: study.note(0, "x" * 10_001), ArgumentError),
        (lambda study: study.note(0, "fine", by="a\nb"), ArgumentError),
        (lambda study: study.discard(0, "no", key="\x07"), ArgumentError),
        (lambda study: study.restore(99), UnknownTrialError),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(change, error):
    study = laboratory()
    version = study.version
    if error is None:
        assert change(study).state == "failed"
    else:
        with pytest.raises(error):
            change(study)
        assert study.version == version


def test_a_note_costs_no_fit_and_a_correction_does():
    study = laboratory()
    before = study.snapshot().model
    study.note(0, "fine")
    assert study.snapshot().model is before
    assert study.snapshot().trials[0].notes == ("fine",)
    study.correct(0, study.trials[0].value + 0.5)
    assert study.snapshot().model is not before


def test_the_same_seed_gives_the_same_trials_after_resume(tmp_path):
    def session(storage, resumed):
        study = kg.Study(SPACE, storage=storage, name="lab", seed=5, method="ei")
        for step in range(4):
            for trial in study.ask(2):
                study.tell(trial, strength(**trial.params) / (10 if trial.number == 3 else 1))
            if step == 1:
                study.correct(3, study.trials[3].value * 10)
                study.discard(1, "cracked")
            if step == 2:
                study.restore(1)
            if resumed:
                study = kg.Study.load(storage)
        return [(trial.params, trial.value) for trial in study.trials]

    assert session(tmp_path / "a.db", True) == session(tmp_path / "b.db", False)


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["correct", "fail", "discard", "restore", "note"]), st.integers(0, 3)), max_size=12
    )
)
def test_any_changes_fold_in_pieces_as_at_once(changes):
    storage = Memory()
    study = kg.Study({"x": (0.0, 1.0)}, storage=storage, name="lab", seed=0)
    study.add({"x": 0.5}, 1.0)
    for kind, n in changes:
        try:
            match kind:
                case "correct":
                    study.correct(0, float(n))
                case "fail":
                    study.correct(0, failed=f"reason {n}")
                case "discard":
                    study.discard(0, f"reason {n}")
                case "restore":
                    study.restore(0)
                case "note":
                    study.note(0, f"note {n}")
        except ConflictError:
            assert study.trials[0].state == "discarded" or kind == "restore"
    events = storage.read()
    whole = Ledger(events)
    for cut in range(len(events)):
        pieces = Ledger(events[:cut])
        pieces.fold(events[cut:])
        assert vars(pieces) == vars(whole)
    assert tuple(whole.trials) == study.trials
    assert all(a.new == b.old for a, b in zip(study.trials[0].history, study.trials[0].history[1:], strict=False))


def test_a_version_without_corrections_would_pass_over_them(tmp_path):
    """A log holds kinds of events that this version does not know: they are for a newer one."""
    study = laboratory(tmp_path / "lab.db")
    open_storage(tmp_path / "lab.db", "lab").append([Event("annotated in another way", {"number": 0})])
    assert reopened(study, tmp_path / "lab.db").trials == study.trials


@pytest.mark.parametrize("direction", ["minimize", "maximize"])
@pytest.mark.parametrize("wrong", [2, 5, 9])
def test_a_slip_of_the_decimal_point_is_an_outlier_and_the_model_not_trusted(direction, wrong):
    sign = 1.0 if direction == "maximize" else -1.0
    clean, study = (kg.Study(SPACE, direction=direction, seed=3) for _ in range(2))
    rng = np.random.default_rng(0)
    for number, (x, y) in enumerate(POINTS):
        value = round(45.0 + sign * (strength(x, y) - 45.0) + 0.3 * rng.standard_normal(), 2)
        clean.add({"x": x, "y": y}, value)
        study.add({"x": x, "y": y}, value / 10 if number == wrong else value, check=False)
    before, found = clean.diagnostics(), study.diagnostics()
    assert (before.trusted, before.loo.outliers) == (True, ())
    assert found.loo.outliers == (wrong,)
    assert not found.trusted
    assert f"study.correct({wrong}, value) or `knowgrad correct {wrong} VALUE`" in str(found)
    study.correct(wrong, clean.trials[wrong].value)
    assert study.diagnostics() == before


def test_two_slips_do_not_hide_each_other():
    study = laboratory(wrong=2)
    study.correct(7, study.trials[7].value / 10)
    assert study.diagnostics().loo.outliers == (2, 7)


@pytest.mark.parametrize("noise", [0.0, 0.4])
@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)
def test_clean_results_are_rarely_doubted(problem, noise):
    """In six tables of each kind; `python -m benchmarks.inference.mistakes` counts many more."""
    doubted, alarms = 0, 0
    for seed in range(3):
        rng = np.random.default_rng(seed)
        study = kg.Study(problem.space, seed=seed)
        U = rng.random((14, study.space.dim))
        f = np.array([problem(study.space.decode(u)) for u in U])
        for u, value in zip(U, f + noise * f.std() * rng.standard_normal(14), strict=True):
            doubted += study.doubt(study.space.decode(u), value) is not None
            study.add(study.space.decode(u), value, check=False)
        alarms += bool(study.diagnostics().loo.outliers)
    assert doubted <= 1
    assert alarms <= 1


def test_a_suspicious_result_is_pointed_out_and_recorded():
    study = laboratory()
    (trial,) = study.ask()
    with pytest.warns(
        SuspiciousResultWarning, match=r"4\.88 is far from the 12 other results .* study\.correct"
    ) as found:
        assert study.tell(trial, 4.88).value == 4.88
    assert found[0].filename == __file__
    with pytest.warns(SuspiciousResultWarning, match="480 is far"):
        study.add({"x": 0.5, "y": 0.5}, 480.0)
    assert study.tell(trial, 4.88).value == 4.88  # what is recorded is not pointed out again


def test_where_warnings_are_errors_a_suspicious_result_changes_nothing():
    study = laboratory()
    (trial,) = study.ask()
    version = study.version
    with pytest.raises(SuspiciousResultWarning):
        study.tell(trial, 4.88)
    assert study.version == version
    assert study.tell(trial, 4.88, check=False).value == 4.88


def test_what_is_plausible_is_not_pointed_out():
    study = laboratory()
    assert study.doubt({"x": 0.5, "y": 0.5}, 53.0) is None
    assert study.doubt({"x": 0.5, "y": 0.5}, 4.88, sem=20.0) is None  # its own error explains it
    assert study.doubt({"x": 0.5, "y": 0.5}, math.nan) is None  # a failure
    assert study.doubt(99, 4.88) is None
    few = kg.Study(SPACE, seed=0)
    for number in range(5):
        few.add({"x": number / 5, "y": 0.5}, 45.0 + number)
    assert few.doubt({"x": 0.5, "y": 0.5}, 4.88) is None
    ratios = kg.Study(SPACE, seed=0)
    for number in range(12):
        ratios.add({"x": number / 12, "y": 0.5}, 10.0 ** (number % 4))
    assert ratios.doubt({"x": 0.5, "y": 0.5}, 0.1) is None


def test_a_result_that_the_model_expects_is_not_pointed_out():
    study = kg.Study({"x": (0.0, 1.0)}, seed=0, noise=0)
    for number in range(12):
        study.add({"x": 0.3 + number / 100}, 40.0 + 10.0 * (0.3 + number / 100))
    assert study.doubt({"x": 0.9}, 49.0)  # far from all, as far as anybody has looked
    study.recommend()
    assert study.doubt({"x": 0.9}, 49.0) is None  # just what a line gives there
    assert study.doubt({"x": 0.9}, 4.9)


CORRECTION = {"state": "complete", "value": 4.0, "sem": None, "failure": None}
CORRECTION |= {"time": 0.0, "by": None, "reason": "units", "key": None}


def test_a_setting_that_no_result_had_yet_is_no_mistake():
    study = kg.Study({"heat": (150.0, 250.0), "minutes": (10.0, 60.0)}, seed=0)
    for i in range(6):  # the first plate, at one temperature
        study.add({"heat": 180.0, "minutes": 10.0 + 8.0 * i}, 0.5 + 0.02 * i)
    assert study.doubt({"heat": 180.0, "minutes": 33.0}, 1.13)
    assert study.doubt({"heat": 240.0, "minutes": 33.0}, 1.13) is None
    study.add({"heat": 181.0, "minutes": 33.0}, 0.55)
    assert study.doubt({"heat": 240.0, "minutes": 33.0}, 1.13)  # they differ, and hardly in their results


def test_among_very_many_results_the_short_way_doubts_what_the_long_one_does():
    values = np.random.default_rng(0).normal(50.0, 2.0, 1100)
    log = Memory()
    study = kg.Study({"x": (0.0, 1.0)}, storage=log, seed=0)
    for i, value in enumerate(values):
        asked = {"number": i, "params": {"x": i / 1100}, "source": "start", "batch": i}
        log.append([Event("asked", asked), Event("told", {"number": i, "value": value, "sem": None})])
    study.trials  # noqa: B018
    sent = [*np.linspace(20.0, 80.0, 61), 4.9, 500.0]
    found = [study.doubt({"x": 0.5}, value) for value in sent]
    assert found == [doubt(study.trials, {"x": 0.5}, value, None, None) for value in sent]
    assert all(why for why, value in zip(found, sent, strict=True) if abs(value - 50.0) > 20.0)
    assert not any(why for why, value in zip(found, sent, strict=True) if abs(value - 50.0) < 12.0)
    for i in range(0, 1100, 2):
        log.append([Event("corrected", {"number": i, **CORRECTION})])
    assert study.trials[0].value == 4.0
    assert study.doubt({"x": 0.5}, 4.0) is None  # as soon as there are many of these
