"""Studies carried over from Optuna and back."""

import optuna
import pytest
from optuna.trial import TrialState

import knowgrad as kg
from knowgrad.integrations.optuna import export_study, import_study
from knowgrad.storage import Memory

optuna.logging.set_verbosity(optuna.logging.ERROR)


def objective(trial):
    if trial.number == 3:
        raise ValueError("spilled")
    trial.set_user_attr("sem", 0.5)
    x = trial.suggest_float("x", 1e-3, 1.0, log=True)
    return x + trial.suggest_int("n", 1, 9, step=2) + (trial.suggest_categorical("c", [None, "a"]) is None)


@pytest.fixture
def source():
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.RandomSampler(seed=0))
    study.optimize(objective, n_trials=8, catch=ValueError)
    return study


def test_results_come_over_with_space_direction_and_standard_errors(source):
    study = import_study(source, seed=1)
    assert study.space.names == ("c", "n", "x")
    assert study.space.parameters["c"].options == (None, "a")
    assert study.direction == "maximize"
    done = [trial for trial in source.trials if trial.state == TrialState.COMPLETE]
    assert [trial.value for trial in study.trials] == [trial.value for trial in done]
    assert [dict(trial.params) for trial in study.trials] == [trial.params for trial in done]
    assert {trial.sem for trial in study.trials} == {0.5}
    assert study.best.value == source.best_value
    assert study.ask(2)


def test_there_and_back_is_the_same(source):
    study = import_study(source, seed=1)
    pending = study.ask()[0]
    study.fail(study.ask()[0], "spilled")
    back = export_study(study, optuna.storages.InMemoryStorage(), name="back")
    assert back.study_name == "back"
    assert back.direction == source.direction
    assert back.best_params == source.best_params
    assert [trial.value for trial in back.trials] == [trial.value for trial in study.trials if trial != pending]
    assert back.trials[-1].state == TrialState.FAIL
    assert back.trials[-1].user_attrs["reason"] == "spilled"
    assert back.user_attrs["recommendation"]["params"] == study.recommend().params
    again = import_study(back)
    assert again.space == study.space
    assert [trial.state for trial in again.trials] == ["complete"] * 7 + ["failed"]


def test_what_cannot_be_imported_is_refused():
    with pytest.raises(kg.errors.NoDataError, match="nothing was imported"):
        import_study(optuna.create_study())


def test_an_import_does_not_mix_with_what_is_there(source):
    storage = Memory()
    import_study(source, storage=storage)
    with pytest.raises(kg.errors.ArgumentError, match="expected a new study"):
        import_study(source, storage=storage)


def test_values_outside_a_changed_space_are_attributes():
    study = kg.Study({"x": (0.0, 1.0), "c": ["a", "b"]}, seed=0)
    study.add({"x": 0.9, "c": "a"}, 1.0)
    study.change(x=(0.0, 0.5), c=None)
    study.add({"x": 0.25}, 2.0)
    first, second = export_study(study, optuna.storages.InMemoryStorage(), "changed").trials
    assert (first.params, first.user_attrs["outside"]) == ({}, {"x": 0.9, "c": "a"})
    assert (second.params, "outside" in second.user_attrs) == ({"x": 0.25}, False)
