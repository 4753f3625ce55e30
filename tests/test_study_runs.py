"""Functions run on a study one has: after results were added and points enqueued, again, and what they see."""

import pytest

import knowgrad as kg
from knowgrad.errors import ArgumentError

SPACE = {"x": (0.0, 1.0)}


def square(params):
    return (params["x"] - 0.3) ** 2


def test_a_run_on_a_new_study_is_what_minimize_does():
    study = kg.Study(SPACE, seed=0, noise=0)
    mine = study.minimize(square, n_trials=8, progress=False)
    theirs = kg.minimize(square, SPACE, n_trials=8, seed=0, noise=0, progress=False)
    assert [trial.params for trial in study.trials] == [trial.params for trial in theirs.study.trials]
    assert (mine.study, mine.params, mine.stopped) == (study, theirs.params, "n_trials")


def test_a_run_after_results_and_points_of_ones_own(database):
    study = kg.Study(SPACE, storage=database, seed=0, noise=0)
    study.add({"x": 0.9}, 0.36)
    study.enqueue({"x": 0.25})
    assert study.optimize(square, n_trials=3, progress=False).n_observed == 4  # what was added does not count
    assert [trial.source for trial in study.trials][:2] == ["added", "queue"]
    assert study.minimize(square, n_trials=5, workers=2, progress=False).n_observed == 6


def test_what_is_to_be_maximised_is_not_minimised():
    study = kg.Study(SPACE, direction="maximize", seed=0)
    with pytest.raises(ArgumentError, match=r"got 'maximize'; call study\.maximize"):
        study.minimize(square, n_trials=3)
    assert study.maximize(lambda p: -square(p), n_trials=4, progress=False).n_observed == 4


def test_a_study_whose_evaluations_are_done_says_so(capsys):
    study = kg.Study(SPACE, seed=0)
    study.minimize(square, n_trials=3, progress=False)
    assert capsys.readouterr().err == ""
    again = study.minimize(square, n_trials=3, progress=False)
    assert (again.stopped, len(study.trials)) == ("n_trials", 3)
    said = "the study has the 3 evaluations asked for already; to continue, ask for more (n_trials, --trials)"
    assert capsys.readouterr().err == f"knowgrad: {said}\n"


@pytest.mark.parametrize("workers", [1, 2])
def test_the_trial_is_a_second_argument_for_those_who_take_it(workers):
    def noted(params, trial):
        assert dict(trial.params) == params
        assert trial.worker
        return params["x"], trial.seed / 2**32 + trial.number

    def sems():
        result = kg.minimize(noted, SPACE, n_trials=4, workers=workers, seed=7, method="random", progress=False)
        return [trial.sem for trial in result.study.trials]

    assert [int(sem) for sem in sems()] == [0, 1, 2, 3]  # the number
    assert len({sem % 1 for sem in sems()}) == 4  # the seed differs from trial to trial
    assert sems() == sems()  # and is a function of the study's seed and the number


@pytest.mark.parametrize(
    ("f", "is_given"),
    [
        (lambda params: 0, False),
        (lambda params, scale=2.0: 0, False),
        (lambda params, *rest: 0, False),
        (lambda params, *, trial=None: 0, False),
        (lambda params, trial=None: 0, True),
        (lambda params, number: 0, True),
        (max, False),
    ],
)
def test_who_takes_the_trial(f, is_given):
    from knowgrad.runner.objective import takes_trial

    assert takes_trial(f) is is_given


def test_a_point_that_was_lost_is_tried_with_the_same_seed(tmp_path):
    seeds = []
    study = kg.Study(SPACE, storage=tmp_path / "runs.db", seed=0, method="random")
    study.ask(lease=0)  # its worker vanishes
    study.minimize(lambda p, trial: seeds.append((trial.number, trial.retry_of, trial.seed)) or p["x"], n_trials=1)
    other = kg.Study(SPACE, seed=0, method="random")
    other.minimize(lambda p, trial: seeds.append((trial.number, trial.retry_of, trial.seed)) or p["x"], n_trials=1)
    (again, lost, seed), (first, _, same) = seeds
    assert (again, lost, first) == (1, 0, 0)
    assert seed == same


def test_callbacks_hear_of_every_outcome_in_this_process():
    heard = []

    def objective(params):
        if params["x"] > 0.7:
            raise ValueError("no solution")
        return params["x"]

    study = kg.Study(SPACE, seed=0, method="random")
    callbacks = [lambda s, trial: heard.append((s is study, trial.number, trial.state))]
    study.minimize(objective, n_trials=8, workers=2, callbacks=callbacks, progress=False)
    assert sorted(heard) == [(True, trial.number, trial.state) for trial in study.trials]


def test_what_a_callback_raises_ends_the_run_and_nothing_is_lost():
    def enough(study, trial):
        if trial.number == 2:
            raise RuntimeError("enough")

    study = kg.Study(SPACE, seed=0, method="random")
    with pytest.raises(RuntimeError, match="enough"):
        study.minimize(square, n_trials=8, callbacks=[enough], progress=False)
    assert [trial.state for trial in study.trials] == ["complete"] * 3
    with pytest.raises(ArgumentError, match="callbacks: expected functions"):
        study.minimize(square, n_trials=8, callbacks=[3])
