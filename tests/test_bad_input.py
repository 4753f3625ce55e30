"""Everything a user can get wrong: a typed error that says what was expected and what to do, and nothing changed."""

import decimal
import math

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.errors import (
    ArgumentError,
    EmptyDomainError,
    KnowgradError,
    NotANumberError,
    SpaceError,
    UnknownTrialError,
)
from knowgrad.storage import Memory

SPACE = {"x": (0.0, 1.0)}
NOT_NUMBERS = [None, "abc", "1.5", True, np.True_, b"1", 1j, np.complex128(1), decimal.Decimal(1), [1.0], {"loss": 1.0}]
NOT_NUMBERS += [np.array(1.0), np.array([1.0]), np.array([1.0, 2.0]), np.timedelta64(1, "s"), object(), float]


def kind(value):
    return type(value).__name__


class Unprintable:
    def __repr__(self):
        raise RuntimeError


@pytest.fixture
def log():
    return Memory()


@pytest.fixture
def study(log):
    study = kg.Study(SPACE, seed=0, storage=log)
    study.ask()
    return study


@pytest.fixture
def unchanged(log, study):
    before = log.read(), study.trials
    yield
    assert (log.read(), study.trials) == before


@pytest.mark.parametrize("value", [*NOT_NUMBERS, Unprintable()], ids=kind)
@pytest.mark.usefixtures("unchanged")
def test_a_value_is_a_real_number(study, value):
    for call in (lambda: study.tell(0, value), lambda: study.add({"x": 0.5}, value)):
        with pytest.raises(NotANumberError, match=r"value: expected a real number.*got .*; convert it") as raised:
            call()
        assert isinstance(raised.value, TypeError)


@pytest.mark.parametrize("value", [10**400, -(10**5000), np.longdouble("1e400"), -math.inf], ids=kind)
@pytest.mark.usefixtures("unchanged")
def test_a_value_fits_a_float_and_can_be_improved_on(study, value):
    with pytest.raises(ArgumentError, match="value: expected"):
        study.tell(0, value)
    with pytest.raises(ArgumentError, match="value: expected"):
        study.add({"x": 0.5}, value)


def test_the_good_infinity_depends_on_the_direction():
    study = kg.Study(SPACE, direction="maximize", seed=0)
    (trial,) = study.ask()
    with pytest.raises(ArgumentError, match="'maximize'"):
        study.tell(trial, math.inf)
    assert study.pending == (trial,)


@pytest.mark.parametrize(("sem", "error"), [(-1, ArgumentError), (math.nan, ArgumentError), (math.inf, ArgumentError)])
@pytest.mark.usefixtures("unchanged")
def test_a_standard_error_is_finite_and_not_negative(study, sem, error):
    with pytest.raises(error, match="sem: expected a finite number of at least 0"):
        study.tell(0, 1.0, sem=sem)


@pytest.mark.parametrize("sem", NOT_NUMBERS[1:], ids=kind)
@pytest.mark.usefixtures("unchanged")
def test_a_standard_error_is_a_real_number(study, sem):
    with pytest.raises(NotANumberError, match="sem: expected a real number"):
        study.add({"x": 0.5}, 1.0, sem=sem)


@pytest.mark.parametrize(
    "trial", [1, -1, "1", "nonsense-0", None, 0.0, False, Unprintable()], ids=lambda value: type(value).__name__
)
@pytest.mark.usefixtures("unchanged")
def test_a_trial_is_one_of_the_study(study, trial):
    for call in (lambda: study.tell(trial, 1.0), lambda: study.fail(trial, "no"), lambda: study.expire(trial)):
        with pytest.raises(UnknownTrialError, match=r"there are 1.*use a trial returned by ask"):
            call()


@pytest.mark.usefixtures("unchanged")
def test_the_trial_of_another_study_is_refused(study):
    (stranger,) = kg.Study(SPACE, seed=0).ask()
    with pytest.raises(UnknownTrialError):
        study.tell(stranger, 1.0)


@pytest.mark.parametrize(
    "q", [0, -1, -(10**5000), 1.0, 2.5, True, "1", None, np.array(1), np.timedelta64(1, "s")], ids=kind
)
@pytest.mark.usefixtures("unchanged")
def test_q_is_a_whole_number_of_at_least_one(study, q):
    with pytest.raises(ArgumentError, match="q: expected a whole number of at least 1"):
        study.ask(q)


@pytest.mark.parametrize(
    "params", [{}, {"y": 0.5}, {"x": 0.5, "y": 0.5}, {"x": 1.5}, {"x": math.nan}, {"x": "0.5"}, {"x": None}, None, 3]
)
@pytest.mark.usefixtures("unchanged")
def test_params_are_of_the_space(study, params):
    for call in (lambda: study.add(params, 1.0), lambda: study.enqueue(params)):
        with pytest.raises(SpaceError):
            call()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"direction": "up"}, '"minimize" or "maximize"'),
        ({"direction": None}, '"minimize" or "maximize"'),
        ({"seed": -1}, "seed: expected a whole number"),
        ({"seed": 1.5}, "seed: expected a whole number"),
        ({"seed": True}, "seed: expected a whole number"),
        ({"noise": "none"}, 'noise: expected "learned", 0'),
        ({"noise": -1.0}, 'noise: expected "learned", 0'),
        ({"noise": math.nan}, 'noise: expected "learned", 0'),
        ({"noise": True}, 'noise: expected "learned", 0'),
        ({"noise": None}, 'noise: expected "learned", 0'),
        ({"noise": np.ones(2)}, 'noise: expected "learned", 0'),
        ({"method": "qgk"}, "method: expected one of .*'qkg'"),
        ({"method": None}, "method: expected one of .*'qkg'"),
        ({"name": ""}, "name: expected a printable text"),
        ({"name": 3}, "name: expected a printable text"),
        ({"name": "two\nlines"}, "name: expected a printable text"),
        ({"storage": 3}, "storage: expected None, a path"),
        ({"storage": ""}, "storage: expected None, a path"),
        ({"storage": "mysql://host/db"}, "storage: expected None, a path"),
        ({"storage": "sqlite://"}, "storage: expected None, a path"),
    ],
)
def test_options_of_a_study(options, message):
    with pytest.raises(ArgumentError, match=message):
        kg.Study(SPACE, **options)
    with pytest.raises((ArgumentError, TypeError)):
        kg.minimize(lambda params: 1.0, SPACE, n_trials=1, progress=False, **options)


@pytest.mark.parametrize(
    "space",
    [
        {"x": (1.0, 0.0)},
        {"x": (1.0, 1.0)},
        {"x": (math.nan, 1.0)},
        {"x": (0.0, math.inf)},
        {"act": ["a", "a"]},
        {"act": []},
        {},
        None,
        3,
        "x",
    ],
)
def test_spaces_that_make_no_sense(space):
    with pytest.raises(SpaceError):
        kg.Study(space)


def test_an_infeasible_domain():
    with pytest.raises(EmptyDomainError):
        kg.Study(kg.Space(SPACE, constraints=["x >= 2"])).ask()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_trials": 0}, "n_trials: expected a whole number"),
        ({"n_trials": None}, "n_trials: expected a whole number"),
        ({"n_trials": 2.0}, "n_trials: expected a whole number"),
        ({"workers": 0}, "workers: expected a whole number"),
        ({"workers": None}, "workers: expected a whole number"),
        ({"batch_size": 0}, "batch_size: expected a whole number"),
        ({"timeout": -1}, "timeout: expected a finite number"),
        ({"timeout": math.nan}, "timeout: expected a finite number"),
        ({"stop_gain": -1}, "stop_gain: expected a finite number.*leave it out"),
        ({"f": 3.0}, "f: expected a function"),
    ],
)
def test_options_of_a_run(options, message):
    arguments = {"f": lambda params: 1.0, "space": SPACE, "n_trials": 1, "progress": False, **options}
    with pytest.raises(ArgumentError, match=message):
        kg.minimize(**arguments)


def test_a_batch_has_an_end(study):
    study.tell(0, 1.0)
    before = study.trials
    for ask in (study.ask, study.gain):
        with pytest.raises(ArgumentError, match=r"q: expected at most 10,000 points at once.*ask for fewer"):
            ask(10**9)
    assert study.trials == before


@pytest.mark.parametrize("made", [kg.Candidates([{"a": 1}, {"a": 2}]), kg.Space(SPACE)], ids=kind)
def test_a_space_is_made_of_parameters(made):
    with pytest.raises(SpaceError, match="a space already; pass it to the study"):
        kg.Space(made)


def test_every_error_is_a_knowgrad_error():
    found = [kind for kind in vars(kg.errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    kinds = [kind for kind in found if not issubclass(kind, Warning)]
    assert len(kinds) >= 8
    assert all(issubclass(kind, KnowgradError) for kind in kinds)
