"""Every storage keeps the contract, and finds studies by name."""

import pytest

import knowgrad as kg
from knowgrad.errors import ArgumentError, MismatchError, StorageError, UnknownStudyError
from knowgrad.storage import Memory, open_storage, studies
from knowgrad.testing import ExclusiveContract, StorageContract, event, together

SPACE = {"x": (0.0, 1.0), "act": ["relu", "gelu"]}


class TestMemory(StorageContract):
    @pytest.fixture
    def storage(self):
        log = Memory()
        return lambda: log


class TestDatabases(ExclusiveContract):
    @pytest.fixture
    def storage(self, database):
        return lambda: open_storage(database, "mine")


def test_one_database_holds_many_studies(database):
    one, two = kg.Study(SPACE, storage=database, name="one"), kg.Study(SPACE, storage=database, name="two")
    one.ask(2)
    assert not two.trials
    assert [(study.name, study.events) for study in studies(database)] == [("one", 3), ("two", 1)]
    found = {study.name: study for study in studies(database)}
    assert one.trials[0].id.startswith(found["one"].uid)
    assert abs(found["one"].created - found["two"].created) < 60


def test_a_study_without_a_name_has_one(database):
    study = kg.Study(SPACE, storage=database)
    assert study.name == "study"
    assert kg.Study.load(database).name == kg.Study.load(database, "study").name == "study"


def test_a_study_is_found_by_name_or_by_being_the_only_one(database):
    kg.Study(SPACE, storage=database, name="one")
    kg.Study(SPACE, storage=database, name="two")
    assert kg.Study.load(database, "two").name == "two"
    for name in (None, "three"):
        with pytest.raises(UnknownStudyError, match=r"'one', 'two'.*pass its name"):
            kg.Study.load(database, name)


def test_an_error_does_not_repeat_a_password(postgres_server):
    url = postgres_server.new_database().replace("knowgrad@", "knowgrad:secret@")
    for form in (url, f"{url}&password=secret"):
        with pytest.raises(UnknownStudyError, match=r"knowgrad:\*\*\*@127\.0\.0\.1") as error:
            kg.Study.load(form)
        assert "secret" not in str(error.value)


def test_looking_creates_nothing(tmp_path):
    path = tmp_path / "none.db"
    for look in (studies, kg.Study.load):
        with pytest.raises(StorageError, match="expected a file"):
            look(path)
    assert not list(tmp_path.iterdir())


def test_looking_waits_for_nobody_who_writes(database):
    log = open_storage(database, "mine")
    kg.Study(SPACE, storage=log, seed=0).enqueue({"x": 0.5, "act": "relu"})
    seen = []

    def decide(news, now):
        again = kg.Study.load(database)
        seen.append((len(again.trials), again.pending, again.best, again.version))
        return []

    log.amend(2, decide)
    assert seen == [(1, (), None, 2)]


class Plain:
    """A storage that has no more than it must have."""

    def __init__(self, log):
        self.append, self.read, self.now = log.append, log.read, log.now


def test_a_storage_of_two_verbs_and_a_clock_serves_a_crowd(database):
    studies = [kg.Study(SPACE, storage=Plain(open_storage(database, "mine")), name="mine", seed=0) for _ in range(4)]

    def work(i):
        for k in range(5):
            studies[i].enqueue({"x": i / 4 + k / 100, "act": "relu"})
            (trial,) = studies[i].ask(lease=60.0)
            studies[i].tell(trial, trial.params["x"])

    together(work, 4)
    trials = kg.Study.load(database).trials
    assert [trial.value for trial in trials] == [trial.params["x"] for trial in trials]
    assert sorted(trial.value for trial in trials) == [i / 4 + k / 100 for i in range(4) for k in range(5)]


def test_an_empty_database_holds_no_studies(postgres_server):
    assert studies(postgres_server.new_database()) == []


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"])
def test_a_file_is_named_by_its_path(tmp_path, form, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kg.Study(SPACE, storage=form.format("odd ?#%20 name.db"), name="a")
    assert [study.name for study in studies(tmp_path / "odd ?#%20 name.db")] == ["a"]
    assert [study.name for study in studies(f"sqlite:///{tmp_path}/odd ?#%20 name.db")] == ["a"]


@pytest.mark.parametrize("storage", [3, {}, "", "mysql://host/db", "sqlite://x", "sqlite:///", b"x.db"])
def test_what_is_no_storage(storage):
    for call in (lambda: open_storage(storage, "a"), lambda: studies(storage)):
        with pytest.raises(ArgumentError, match="storage: expected None, a path"):
            call()


def test_values_that_are_not_json_are_refused_before_anything_is_written(database):
    log = open_storage(database, "a")
    log.append([event(0)])
    for value in (float("nan"), object()):
        with pytest.raises((TypeError, ValueError)):
            log.append([event(1), type(event(1))("told", {"value": value})])
    assert log.read() == [event(0)]


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (
            {"space": {"x": (0.0, 2.0), "act": ["relu", "gelu"]}},
            r"x: recorded Float\(0.0, 1.0\), now Float\(0.0, 2.0\)",
        ),
        ({"space": {"x": (0.0, 1.0)}}, r"act: recorded Choice\(\['relu', 'gelu'\]\), now missing"),
        ({"space": {**SPACE, "y": (1, 2)}}, r"y: not recorded, now Int\(1, 2\)"),
        ({"space": kg.Space(SPACE, constraints=["x <= 0.5"])}, r"constraints: recorded \[\], now \['x <= 0.5'\]"),
        ({"space": kg.Space(SPACE, feasible=bool)}, "feasible: recorded none, now a function"),
        ({"direction": "maximize"}, "direction: recorded 'minimize', now 'maximize'"),
        ({"seed": 1}, "seed: recorded 0, now 1"),
    ],
)
def test_another_study_under_the_same_name_is_refused(database, change, shown):
    kg.Study(SPACE, storage=database, name="a", seed=0).ask()
    with pytest.raises(MismatchError, match=shown):
        kg.Study(**{"space": SPACE, "storage": database, "name": "a", **change})
    assert [study.events for study in studies(database)] == [2]


def test_a_session_may_look_at_a_study_in_its_own_way(database):
    first = kg.Study(SPACE, storage=database, seed=5, noise=0.5, method="sobol", fit="mle")
    assert kg.Study(SPACE, storage=database, noise=0, method="random").seed == 5
    again = kg.Study.load(database)
    assert again._settings == first._settings
    assert kg.Study.load(database, method="qkg", noise=0, fit="bayes")._settings.fit == "bayes"


def test_the_order_of_parameters_is_the_recorded_one(database):
    kg.Study(SPACE, storage=database, seed=0)
    turned = kg.Study(dict(reversed(SPACE.items())), storage=database)
    assert turned.space.names == ("x", "act")


def test_functions_have_to_be_given_again(database):
    space = kg.Space(SPACE, feasible=lambda params: params["x"] < 0.5)
    kg.Study(space, storage=database, noise=lambda params: 0.1, method=kg.methods.QKG(samples=64))
    with pytest.raises(kg.errors.SpaceError, match="pass the space with feasible="):
        kg.Study.load(database)
    with pytest.raises(ArgumentError, match=r"noise, a function.*pass noise="):
        kg.Study.load(database, feasible=space.feasible)
    with pytest.raises(ArgumentError, match=r"the object QKG.*pass method="):
        kg.Study.load(database, feasible=space.feasible, noise="learned")
    again = kg.Study.load(database, feasible=space.feasible, noise="learned", method="qkg")
    assert all(trial.params["x"] < 0.5 for trial in again.ask(4))
