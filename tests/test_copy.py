"""A new study from an old one: everything that has a place in it is there, everything else is reported."""

import warnings

import pytest

import knowgrad as kg
from knowgrad.errors import CopyWarning, MismatchError

SPACE = {"x": (0.0, 10.0), "k": ["a", "b"]}


@pytest.fixture
def old(tmp_path):
    """Results, a failure, a correction, a discard, a note, a late result, a queue, and something pending."""
    made = kg.Study(SPACE, storage=tmp_path / "old.db", name="old", direction="maximize", seed=3, method="random")
    for x in (1.0, 4.0, 9.0):
        made.add({"x": x, "k": "a"}, 10 * x, sem=0.5)
    lost, done = made.ask(2, lease=0.0, worker="Ada")
    made.reclaim()
    made.tell(lost, 5.0)
    made.tell(done, 6.0)
    made.enqueue({"x": 2.0, "k": "b"})
    made.enqueue({"x": 8.0, "k": "b"})
    made.ask(1)
    made.correct(0, 11.0, reason="a slip", by="Ada")
    made.discard(1, "broken scale")
    made.note(2, "odd smell")
    made.fail(made.ask(1)[0], "spilled")
    made.enqueue({"x": 3.0, "k": "b"})
    return made


def told(study, numbers=None):
    trials = study.trials if numbers is None else [study.trials[n] for n in numbers]
    return [(dict(t.params), t.state, t.value, t.sem, t.reason, t.source, t.batch, t.worker, t.history) for t in trials]


def test_a_copy_has_all_that_has_a_result_or_waits_in_the_queue(old, tmp_path):
    before = told(old)
    new = old.copy(tmp_path / "new.db", name="new")
    kept = [t.number for t in old.trials if t.state not in ("pending", "expired")]
    assert list(new.copied.numbers) == kept
    assert told(new) == told(old, kept)
    assert set(new.copied.left_out) == {t.number for t in old.trials} - set(kept)
    assert told(kg.Study.load(tmp_path / "new.db")) == told(new)
    assert (new.name, new.direction, new.seed) == ("new", "maximize", 3)
    assert told(old) == before


def test_a_copy_goes_on_by_itself(old):
    new = old.copy()
    before = told(old)
    assert new.ask(1)[0].params == {"x": 3.0, "k": "b"}
    new.restore(1)
    assert told(old) == before
    with pytest.raises(kg.errors.UnknownTrialError):
        new.tell(old.trials[0], 3.0)


def test_what_is_outside_a_new_range_is_reported(old):
    with pytest.warns(CopyWarning, match="not in the new space") as warned:
        new = old.copy(space={"x": (0.0, 6.0), "k": ["a", "b", "c"]})
    assert len(warned) == 1
    lost = new.copied.left_out
    assert "parameter 'x': expected a value between 0.0 and 6.0, got 9.0" in lost[2]
    assert all(trial.params["x"] <= 6.0 for trial in new.trials)
    assert len(new.trials) + len(lost) == len(old.trials)
    assert f"{len(new.trials)} trials copied, {len(lost)} left out\ntrial 2: " in str(new.copied)


def test_a_wider_range_keeps_everything(old):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        new = old.copy(space=kg.Space({"x": (-5.0, 20.0), "k": ["b", "a"]}))
    assert len(new.trials) == len(old.copy().trials)
    assert new.space.parameters["x"] == kg.Float(-5.0, 20.0)


def test_params_can_be_converted(old):
    space = {"cm": (0.0, 100.0), "new": (0.0, 1.0)}
    new = old.copy(space=space, convert=lambda p: {"cm": 10 * p["x"], "new": 0.5})
    assert [t.params["cm"] for t in new.trials[:3]] == [10.0, 40.0, 90.0]
    with pytest.warns(CopyWarning):
        assert all(t.params["k"] == "a" for t in old.copy(convert=lambda p: p if p["k"] == "a" else None).trials)
    with pytest.warns(CopyWarning, match="convert returned None"):
        assert old.copy(convert=lambda p: None).trials == ()


def test_a_name_that_is_taken_is_refused(old, tmp_path):
    before = told(old)
    with pytest.raises(MismatchError, match="another name"):
        old.copy(tmp_path / "old.db")
    assert told(old) == before
    assert old.copy(tmp_path / "old.db", name="second").name == "second"


def test_a_warning_that_is_an_error_leaves_nothing_behind(old, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(CopyWarning):
            old.copy(tmp_path / "new.db", name="new", space={"x": (0.0, 6.0), "k": ["a", "b"]})
    assert not (tmp_path / "new.db").exists()


def test_answers_of_a_copy_are_those_of_the_study():
    made = kg.Study({"x": (0.0, 1.0)}, seed=0)
    made.add_many({"x": [0.0, 0.2, 0.5, 0.9, 1.0], "value": [1.0, 0.5, 0.2, 0.8, 1.1]})
    new = made.copy()
    assert new.recommend().params == made.recommend().params
    assert new.ask(2)[0].params == made.ask(2)[0].params
