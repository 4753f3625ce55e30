"""A storage that is away for a while: waited for by runs that are busy and by runs that are not."""

from types import SimpleNamespace

import pytest

import knowgrad as kg
from knowgrad.errors import CorruptStorageError, StorageFullError, StorageMovedError, StorageUnreachableError
from knowgrad.runner import patience
from knowgrad.runner.claims import Claims
from knowgrad.runner.renewal import Renewer

SPACE = {"x": (0.0, 1.0)}
QUICK = {"method": "random", "seed": 0, "progress": False}
AWAY = StorageUnreachableError("storage: no answer")


@pytest.fixture
def clock(monkeypatch):
    """Time passes only by sleeping."""
    now = [0.0]

    def sleep(seconds):
        now[0] += seconds

    monkeypatch.setattr(patience, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=sleep))
    return now


def failing(f, times, error=AWAY):
    """The function, which fails at first."""
    errors = [error] * times

    def call(*args, **options):
        if errors:
            raise errors.pop()
        return f(*args, **options)

    return call


@pytest.mark.parametrize("error", [AWAY, StorageFullError("storage: no room"), StorageMovedError("storage: no file")])
@pytest.mark.parametrize("method", ["reclaim", "ask", "tell"])
def test_every_call_of_a_run_is_tried_again(tmp_path, monkeypatch, clock, capsys, method, error):
    """Nothing is running when a single worker reclaims (at the start, before the loop) and asks."""
    monkeypatch.setattr(kg.Study, method, failing(getattr(kg.Study, method), 5, error))
    result = kg.minimize(lambda p: p["x"], SPACE, n_trials=2, storage=tmp_path / "runs.db", **QUICK)
    assert [trial.value for trial in result.study.trials] == [trial.params["x"] for trial in result.study.trials]
    first, last = capsys.readouterr().err.splitlines()
    assert first == f"knowgrad: {error}; results are kept, waiting up to 600 s for the storage"
    assert last == "knowgrad: the storage is there again after 5 s"


def test_points_that_were_taken_are_not_forgotten_in_an_outage(tmp_path, monkeypatch, clock, capsys):
    study = kg.Study(SPACE, storage=tmp_path / "runs.db", method="random", seed=0)
    claims = Claims(study, lease=60.0)
    monkeypatch.setattr(kg.Study, "expire", failing(kg.Study.expire, 3))
    assert [trial.number for trial in claims.take(3, limit=2)] == [0, 1]
    assert [trial.state for trial in study.trials] == ["pending", "pending", "expired"]
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_a_run_that_ends_in_an_outage_says_what_becomes_of_its_points(tmp_path, monkeypatch, clock, capsys):
    def objective(params):
        monkeypatch.setattr(kg.Study, "expire", failing(kg.Study.expire, 1))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kg.minimize(objective, SPACE, n_trials=2, storage=tmp_path / "runs.db", **QUICK)
    said = capsys.readouterr().err.splitlines()
    assert said[-1].endswith("points that could not be given back are offered again when their leases end")


def test_it_is_spoken_of_once_a_minute(clock, capsys):
    assert patience.Patience().through(failing(lambda: 7, 150)) == 7
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(";")[0] for line in lines] == [
        "knowgrad: storage: no answer",
        "knowgrad: still so after 60 s: storage: no answer",
        "knowgrad: still so after 120 s: storage: no answer",
        "knowgrad: the storage is there again after 150 s",
    ]


def test_patience_has_an_end(clock, capsys):
    waits = patience.Patience(30)
    with pytest.raises(StorageUnreachableError):
        waits.through(failing(lambda: 7, 1000))
    assert clock[0] == 30
    with pytest.raises(StorageUnreachableError):  # used up: the rest of the run does not wait anew
        waits.through(failing(lambda: 7, 1))
    assert clock[0] == 30
    assert waits.through(lambda: 7) == 7
    assert waits.through(failing(lambda: 8, 20)) == 8
    assert len(capsys.readouterr().err.splitlines()) == 4


def test_without_patience_an_outage_is_an_error_at_once(tmp_path, monkeypatch, clock, capsys):
    monkeypatch.setattr(kg.Study, "ask", failing(kg.Study.ask, 1))
    with pytest.raises(StorageUnreachableError):
        kg.minimize(lambda p: p["x"], SPACE, n_trials=1, storage=tmp_path / "runs.db", patience=0, **QUICK)
    assert (clock[0], capsys.readouterr().err) == (0.0, "")


def test_damage_is_not_waited_for(clock):
    with pytest.raises(CorruptStorageError):
        patience.Patience().through(failing(lambda: 7, 1, CorruptStorageError("damaged")))
    assert clock[0] == 0


def test_leases_that_cannot_be_renewed_are_spoken_of_seldom(monkeypatch, clock, capsys):
    study = kg.Study(SPACE, method="random", seed=0)
    renewer = Renewer(study, lease=0.003)
    renewer.hold(study.ask(lease=600))
    monkeypatch.setattr(kg.Study, "renew", failing(lambda *_, **__: study.fail(0, "enough") and study.trials, 9))
    with renewer:
        while study.pending:
            pass
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(";")[0] for line in lines] == [
        "knowgrad: storage: no answer",
        "knowgrad: leases are renewed again after 0 s",
    ]
