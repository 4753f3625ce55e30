"""Studies from and to Optuna, from a shell."""

import optuna
import pytest

from tests.cli.console import data, knowgrad

optuna.logging.set_verbosity(optuna.logging.ERROR)


@pytest.fixture
def theirs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KNOWGRAD_STORAGE", raising=False)
    study = optuna.create_study(
        storage="sqlite:///optuna.db", study_name="resnet", sampler=optuna.samplers.RandomSampler(seed=0)
    )
    study.optimize(
        lambda trial: trial.suggest_float("x", 0, 1) + (trial.suggest_categorical("k", ["a", "b"]) == "a"), 5
    )
    return study


def test_there_and_back(theirs):
    assert data("import", "optuna", "sqlite:///optuna.db", "resnet") == {
        "name": "resnet",
        "direction": "minimize",
        "complete": 5,
        "failed": 0,
    }
    assert data("status")["best"]["value"] == theirs.best_value
    assert knowgrad("ask").startswith("trial 5 (pending): ")
    assert knowgrad("export", "--optuna", "sqlite:///back.db") == "resnet\n"
    back = optuna.load_study(study_name="resnet", storage="sqlite:///back.db")
    assert back.best_params == theirs.best_params
    assert len(back.trials) == 5
    assert "recommendation" in back.user_attrs


def test_words_and_another_name(theirs):
    said = knowgrad("import", "optuna", "sqlite:///optuna.db", "resnet", "--name", "mine")
    assert said == "mine: minimize, 5 results and 0 failures imported\n"


def test_what_cannot_be_done_is_refused_with_a_code(theirs, tmp_path):
    assert "expected a file" in knowgrad("import", "optuna", "sqlite:///none.db", "resnet", code=3)
    assert not (tmp_path / "none.db").exists()
    assert "of that name" in knowgrad("import", "optuna", "sqlite:///optuna.db", "other", code=3)
    assert "expected a database" in knowgrad("import", "optuna", "nonsense", "resnet", code=5)
    knowgrad("import", "optuna", "sqlite:///optuna.db", "resnet")
    assert "expected a new study" in knowgrad("import", "optuna", "sqlite:///optuna.db", "resnet", code=1)
    assert "expected a new name" in knowgrad("export", "--optuna", "sqlite:///optuna.db", code=4)
