"""`Study`: ask, tell and the rest, on the real engine."""

import gc
import math
import threading
import weakref
from fractions import Fraction

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.errors import ConflictError, NoDataError
from knowgrad.storage import Memory

SPACE = {"x": (0.0, 1.0), "y": (-1.0, 1.0)}


@pytest.fixture
def study():
    return kg.Study(SPACE, seed=0)


def parabola(params):
    return (params["x"] - 0.3) ** 2 + params["y"] ** 2


def run(study, n, q=1):
    for _ in range(n // q):
        for trial in study.ask(q):
            study.tell(trial, parabola(trial.params))


def test_ask_hands_out_pending_trials_inside_the_space(study):
    batch = study.ask(3)
    assert [trial.number for trial in batch] == [0, 1, 2]
    assert study.pending == study.trials == tuple(batch)
    for trial in batch:
        assert trial.state == "pending"
        assert study.space.validate(trial.params) == trial.params


def test_tell_completes_a_trial(study):
    (trial,) = study.ask()
    told = study.tell(trial, 2, sem=0.5)
    assert (told.state, told.value, told.sem) == ("complete", 2.0, 0.5)
    assert study.trials == (told,)
    assert not study.pending


@pytest.mark.parametrize("handle", [lambda t: t, lambda t: t.id, lambda t: t.number, lambda t: np.int64(t.number)])
def test_a_trial_is_named_by_itself_its_id_or_its_number(study, handle):
    _, trial = study.ask(2)
    assert study.tell(handle(trial), 1.0).number == 1


@pytest.mark.parametrize("value", [1, 1.5, np.float32(1.5), np.int8(1), Fraction(1, 3), -1e300, np.float64(0)])
def test_real_numbers_are_values(study, value):
    assert study.tell(study.ask()[0], value).value == float(value)


@pytest.mark.parametrize(
    ("direction", "value"),
    [("minimize", math.inf), ("maximize", -math.inf), ("minimize", math.nan), ("maximize", np.float64("nan"))],
)
def test_nan_and_the_bad_infinity_fail_the_trial(direction, value):
    study = kg.Study(SPACE, direction=direction, seed=0)
    trial = study.tell(study.ask()[0], value)
    assert trial.state == "failed"
    assert str(float(value)) in trial.reason
    assert study.tell(trial, value) == trial
    assert study.best is None


def test_a_result_is_recorded_once(study):
    (trial,) = study.ask()
    told = study.tell(trial, 1.0, sem=0.1)
    assert study.tell(trial, 1.0, sem=0.1) == told
    assert study.tell(told.id, np.float64(1), sem=0.1) == told
    for again in (
        lambda: study.tell(trial, 1.5, sem=0.1),
        lambda: study.tell(trial, 1.0),
        lambda: study.fail(trial, ""),
    ):
        with pytest.raises(ConflictError, match="the first stands"):
            again()
    with pytest.raises(ConflictError):
        study.expire(trial)
    assert study.trials == (told,)


def test_a_failure_stands(study):
    (trial,) = study.ask()
    failed = study.fail(trial, "diverged")
    assert (failed.state, failed.reason, failed.value) == ("failed", "diverged", None)
    assert study.fail(trial, "diverged") == failed
    with pytest.raises(ConflictError):
        study.tell(trial, 1.0)


def test_an_expired_trial_still_takes_a_late_result(study):
    first, second = study.ask(2)
    assert study.expire(first).state == "expired"
    assert study.expire(first).state == "expired"
    assert study.pending == (second,)
    assert study.tell(first, 1.0).state == "complete"


def test_the_queue_goes_first_and_in_order(study):
    points = [{"x": 0.1, "y": 0.0}, {"x": 0.2, "y": 0.0}, {"x": 0.3, "y": 0.0}]
    queued = [study.enqueue(point) for point in points]
    assert [trial.state for trial in queued] == ["queued"] * 3
    assert not study.pending
    batch = study.ask(2) + study.ask(2)
    assert [trial.params for trial in batch[:3]] == points
    assert [trial.source for trial in batch] == ["queue", "queue", "queue", "start"]
    assert [trial.number for trial in batch] == [0, 1, 2, 3]
    assert [trial.batch for trial in batch] == [0, 0, 1, 1]


def test_added_results_count_towards_the_start(study):
    rng = np.random.default_rng(0)
    for x, y in rng.uniform(size=(6, 2)):
        params = {"x": float(x), "y": float(y)}
        assert study.add(params, parabola(params)).state == "complete"
    (trial,) = study.ask()
    assert trial.number == 6
    assert trial.source != "start"


def test_best_respects_the_direction():
    for direction, value in (("minimize", 1.0), ("maximize", 3.0)):
        study = kg.Study(SPACE, direction=direction)
        assert study.best is None
        for y in (2.0, 1.0, 3.0):
            study.add({"x": 0.5, "y": 0.0}, y)
        study.fail(study.ask()[0], "no")
        assert study.best.value == value


def test_questions_without_results_are_refused(study):
    study.fail(study.ask()[0], "no")
    for question in (study.recommend, study.gain):
        with pytest.raises(NoDataError, match="at least one result"):
            question()


def test_recommendation_and_gain(study):
    run(study, 12)
    study.ask(3)
    found, gain = study.recommend(), study.gain()
    assert parabola(found.params) < 0.1
    assert found.n_observed == 12
    assert found.best == study.best
    assert gain.q == 3
    assert gain >= 0
    assert study.gain(2).q == 2


def test_maximizing_the_negative_is_minimizing():
    up, down = kg.Study(SPACE, seed=5, direction="maximize"), kg.Study(SPACE, seed=5)
    for _ in range(8):
        (high,), (low,) = up.ask(), down.ask()
        assert high.params == low.params
        up.tell(high, -parabola(high.params))
        down.tell(low, parabola(low.params))
    assert up.recommend().params == down.recommend().params
    assert up.recommend().mean == -down.recommend().mean
    assert up.gain() == down.gain()


def test_the_seed_and_the_results_decide_the_points():
    studies = [kg.Study(SPACE, seed=3), kg.Study(SPACE, seed=np.int64(3))]
    for study in studies:
        run(study, 9, q=3)
    first, second = ([trial.params for trial in study.trials] for study in studies)
    assert first == second
    assert kg.Study(SPACE).seed != kg.Study(SPACE).seed


def test_the_last_gain_is_that_of_the_points_handed_out_last(study):
    run(study, 6)
    assert study.last_gain is None
    study.ask(2)
    assert study.last_gain.q == 2
    study.enqueue({"x": 0.5, "y": 0.5})
    study.ask()
    assert study.last_gain is None


def test_studies_of_one_log_see_each_other():
    log = Memory()
    one, two = kg.Study(SPACE, seed=0, storage=log), kg.Study(SPACE, seed=0, storage=log)
    (trial,) = one.ask()
    assert two.pending == (trial,)
    two.tell(trial, 1.0)
    with pytest.raises(ConflictError):
        one.tell(trial, 2.0)


def test_whoever_is_overtaken_asks_again():
    log = Memory()
    one, two = kg.Study(SPACE, seed=0, storage=log), kg.Study(SPACE, seed=0, storage=log)
    suggest, calls = one._suggest, []

    def overtaken(known, q):
        calls.append(len(known))
        found = suggest(known, q)
        if len(calls) == 1:
            two.ask(2)
        return found

    one._suggest = overtaken
    batch = one.ask(2)
    assert calls == [0, 2]
    assert [trial.number for trial in batch] == [2, 3]
    assert len({tuple(trial.params.values()) for trial in one.trials}) == 4


def test_a_tell_in_between_does_not_make_an_ask_start_over(study):
    (first,) = study.ask()
    suggest, calls = study._suggest, []

    def told_meanwhile(known, q):
        calls.append(q)
        study.tell(first, 1.0)
        return suggest(known, q)

    study._suggest = told_meanwhile
    study.ask()
    assert calls == [1]


def test_threads_share_a_study(study):
    def work():
        for _ in range(5):
            (trial,) = study.ask()
            study.tell(trial, parabola(trial.params))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [trial.number for trial in study.trials] == list(range(20))
    assert {trial.state for trial in study.trials} == {"complete"}


def test_ids_differ_between_studies():
    one, two = kg.Study(SPACE, seed=0), kg.Study(SPACE, seed=0)
    assert one.ask()[0].id != two.ask()[0].id


def test_its_name_and_state_are_shown():
    study = kg.Study(SPACE, name="resnet", direction="maximize")
    study.ask(2)
    assert repr(study) == "Study('resnet', maximize, 2 trials, 2 pending)"
    assert (study.name, study.direction, list(study.space.names)) == ("resnet", "maximize", ["x", "y"])


def test_a_study_that_nobody_has_any_more_is_gone_at_once():
    """Not when Python next looks for cycles: until then its file would stay open."""
    study = kg.Study({"x": (0.0, 1.0)}, seed=0)
    for trial in study.ask(4):
        study.tell(trial, trial.params["x"])
    study.ask()
    held = weakref.ref(study)
    gc.disable()
    try:
        del study
        assert held() is None
    finally:
        gc.enable()
