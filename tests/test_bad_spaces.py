"""Points that are not of a space with conditions, a mixture, a list or descriptors: a typed error with the remedy, and
nothing is changed, by whichever way they come in."""

import pytest

import knowgrad as kg
from knowgrad.errors import KnowgradError, SpaceError
from knowgrad.storage import Memory

SPACES = {
    "conditions": {"kind": ["line", "tree"], "x": (0.0, 1.0), "depth": kg.Int(1, 9, when={"kind": "tree"})},
    "comparison": {"layers": (1, 3), "width": kg.Int(8, 64, when="layers >= 2")},
    "mixture": kg.Mixture(["sand", "lime", "water"], at_most=2, step=0.25),
    "equality": kg.Space({"a": (0.0, 1.0), "b": (0.0, 1.0)}, constraints=["a + b == 1"]),
    "list": kg.Candidates([{"name": f"m{i}", "pore": i * i, "metal": ["Ni", "Co"][i % 2]} for i in range(9)]),
    "descriptors": {"solvent": kg.Choice(["THF", "DMF", "DMSO"], features=[[7.6], [36.7], [46.7]]), "t": (0.0, 1.0)},
}
GOOD = {
    "conditions": {"kind": "line", "x": 0.5},
    "comparison": {"layers": 1},
    "mixture": {"sand": 0.25, "lime": 0.75, "water": 0.0},
    "equality": {"a": 0.25, "b": 0.75},
    "list": {"name": "m3"},
    "descriptors": {"solvent": "DMF", "t": 0.5},
}
WRONG = [
    ("conditions", {"kind": "line", "x": 0.5, "depth": 3}, "'depth': expected no value.*leave it out"),
    ("conditions", {"kind": "tree", "x": 0.5}, "'depth': expected a value, got none.*add it"),
    ("conditions", {"kind": "bush", "x": 0.5}, r"'kind': expected one of \['line', 'tree'\]"),
    ("comparison", {"layers": 3, "width": 65}, "'width': expected a value between 8 and 64"),
    ("mixture", {"sand": 0.25, "lime": 0.25, "water": 0.25}, "has to be .*change one"),
    ("mixture", {"sand": 0.25, "lime": 0.25, "water": 0.5}, "at most 2"),
    (
        "mixture",
        {"sand": 0.2, "lime": 0.8, "water": 0.0},
        r"'sand': expected 0.0 plus a multiple of 0.25, got 0.2; nearest is",
    ),
    ("mixture", {"sand": 0.25, "lime": 0.75}, "no value for"),
    ("equality", {"a": 0.25, "b": 0.25}, "has to be 0.75.*change one"),
    ("list", {"name": "m9"}, "'name': expected one of"),
    ("list", {"pore": 2.5}, "'pore': the value must be a whole number"),
    ("list", {"name": "m3", "pore": 4}, "only the rows"),
    ("list", {"metal": "Ni"}, "candidates.*give more"),
    ("descriptors", {"solvent": "water", "t": 0.5}, "'solvent': expected one of"),
    ("descriptors", {"solvent": 36.7, "t": 0.5}, "'solvent': expected one of"),
]


def study_of(form):
    log = Memory()
    study = kg.Study(SPACES[form], seed=0, storage=log)
    study.add(GOOD[form], 1.0)
    study.ask()
    return study, log


@pytest.mark.parametrize(("form", "params", "says"), WRONG, ids=lambda each: str(each)[:24])
def test_a_point_of_another_space_is_refused_and_nothing_is_changed(form, params, says):
    study, log = study_of(form)
    before, seen = log.read(), study.trials
    for call in (lambda: study.add(params, 1.0), lambda: study.enqueue(params), lambda: study.space.validate(params)):
        with pytest.raises(SpaceError, match=says):
            call()
        assert (log.read(), study.trials) == (before, seen)
    with pytest.raises(KnowgradError, match=f"{says}|expected a (column for each|value, got an empty)"):
        study.predict([params])
    assert (log.read(), study.trials) == (before, seen)


@pytest.mark.parametrize(("form", "params", "says"), WRONG, ids=lambda each: str(each)[:24])
def test_in_a_table_it_is_refused_with_the_reason_and_the_good_rows_are_added(form, params, says):
    study, _ = study_of(form)
    report = study.add_many([{**params, "value": 2.0}, {**GOOD[form], "value": 3.0}])
    assert [trial.value for trial in report.added] == [3.0]
    assert len(report.refused) == 1
    assert report.refused[0].reason


@pytest.mark.parametrize(
    ("form", "given", "says"),
    [
        ("conditions", {"depth": 3}, "depth"),
        ("conditions", {"kind": "bush"}, r"expected one of \['line', 'tree'\]"),
        ("comparison", {"width": 32.5}, "whole number|width"),
        ("mixture", {"sand": 2.0}, "sand"),
        ("mixture", {"sand": 0.5, "lime": 0.25, "water": 0.25}, "at most 2|leave"),
        ("equality", {"a": 0.5, "b": 0.1}, "a|b"),
        ("list", {"pore": 2}, "pore"),
        ("descriptors", {"solvent": "water"}, "expected one of"),
    ],
)
def test_a_context_that_cannot_be_is_refused_and_nothing_is_changed(form, given, says):
    study, log = study_of(form)
    before = log.read()
    with pytest.raises(KnowgradError, match=says):
        study.ask(given=given)
    assert log.read() == before


@pytest.mark.parametrize("form", SPACES)
def test_what_is_asked_for_is_told_and_nothing_else(form):
    """The other side: a suggestion of the same study is taken as it stands, by every way in."""
    study, _ = study_of(form)
    (trial,) = study.ask()
    assert study.space.validate(trial.params) == trial.params
    study.tell(trial, 2.0)
    assert study.enqueue(trial.params).params == trial.params
    assert study.predict([trial.params]).mean.shape == (1,)


def test_a_list_has_an_end():
    with pytest.raises(SpaceError, match="at most 100000 rows, got 100001; leave out"):
        kg.Candidates([{"x": i} for i in range(100_001)])
