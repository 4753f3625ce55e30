"""Several outcomes: objectives and limits checked, told one by one, stored, corrected."""

import json
import math
import pickle

import numpy as np
import pytest
from click.testing import CliRunner

import knowgrad as kg
from knowgrad.cli import main
from knowgrad.cli.program.output import read_result
from knowgrad.errors import ArgumentError, ConflictError, MismatchError, NoDataError, NotANumberError
from knowgrad.log.ledger import Ledger
from knowgrad.outcomes import Goals, Limit, checked_goals
from knowgrad.runner.objective import Unreadable, named
from knowgrad.tables import to_csv
from knowgrad.tables.columns import columns
from knowgrad.trial import Measured

SPACE = {"x": (0.0, 1.0), "y": (0.0, 1.0)}
GOALS = {
    "objectives": {"yield": "maximize", "price": "minimize"},
    "limits": ["impurity <= 0.5", "mass <= 3"],
}
ALL = {"yield": 91.2, "price": (3.1, 0.2), "impurity": 0.3, "mass": 2}


def study(**options):
    return kg.Study(SPACE, seed=1, **{**GOALS, **options})


def pending(made):
    made.enqueue({"x": 0.5, "y": 0.5})
    return made.ask()[0]


def test_outcomes_are_named_and_limits_read():
    made = study(costs={"impurity": 10})
    assert made.outcomes == ("yield", "price", "impurity", "mass")
    assert made.limits == (Limit("impurity", "<=", 0.5), Limit("mass", "<=", 3.0))
    assert [str(limit) for limit in made.limits] == GOALS["limits"]
    assert made.costs == {"yield": 1.0, "price": 1.0, "impurity": 10.0, "mass": 1.0}
    assert checked_goals({"a": "minimize"}, "5 <= ph < 7", None, ()).limits == (
        Limit("ph", ">=", 5.0),
        Limit("ph", "<=", 7.0),
    )
    assert checked_goals({"a": "minimize"}, ["0.1 >= b"], None, ()).limits == (Limit("b", "<=", 0.1),)
    goals = made.goals
    assert Goals.recorded(goals.record()) == goals


@pytest.mark.parametrize(
    "options",
    [
        {"objectives": {}},
        {"objectives": ["yield"]},
        {"objectives": {"yield": "up"}},
        {"objectives": {"x": "minimize"}, "limits": None},
        {"objectives": {"reason": "minimize"}, "limits": None},
        {"objectives": {"3": "minimize"}, "limits": None},
        {"objectives": {"a": "minimize", "a_sem": "minimize"}, "limits": None},
        {"objectives": None},
        {"direction": "maximize", "objectives": {"price": "minimize"}},
        {"direction": "maximize", "objectives": {"yield": "maximize", "price": "minimize"}},
        {"objectives": {"price": "minimize"}, "limits": ["7 <= ph <= 7"]},
        {"limits": ["impurity"]},
        {"limits": ["impurity <= much"]},
        {"limits": ["impurity == 1"]},
        {"limits": ["impurity <= 1", "impurity <= 2"]},
        {"limits": ["impurity <= 1", "impurity >= 2"]},
        {"limits": 3},
        {"limits": {"impurity": "<= 1"}},
        {"limits": ["impurity + mass <= 3"]},
        {"limits": ["2*mass <= 3"]},
        {"costs": {"other": 1}},
        {"costs": {"yield": 0}},
        {"noise": 0.3},
        {"noise": {"other": 0}},
    ],
)
def test_bad_goals_are_refused(options):
    with pytest.raises(ArgumentError, match=";"):
        study(**options)


def test_a_trial_is_complete_when_all_are_in():
    made = study()
    at_once = made.tell(pending(made), ALL)
    one_by_one = pending(made)
    for name, value in ALL.items():
        assert one_by_one.state == "pending"
        one_by_one = made.tell(one_by_one, {name: value})
        assert one_by_one.outcomes[name].value == Measured(*value).value if name == "price" else value
    assert one_by_one.state == at_once.state == "complete"
    assert one_by_one.outcomes == at_once.outcomes == {**ALL, **{k: (v, None) for k, v in ALL.items() if k != "price"}}
    assert one_by_one.value is None
    assert made.best is None


def test_outcomes_that_are_in_count_before_any_trial_is_complete():
    made = study()
    assert "impurity <= 0.5" in repr(made)
    for name in made.outcomes:
        with pytest.raises(NoDataError, match="of every outcome"):
            made.recommend()
        made.tell(pending(made), {name: ALL[name]})
    assert {trial.state for trial in made.trials} == {"pending"}
    assert made.recommend().n_observed == made.front().n_observed == len(made.outcomes)
    other = study()
    report = other.add_many(made.to_dataframe())
    assert len(report.added) == len(made.outcomes)
    assert [trial.outcomes for trial in other.trials] == [trial.outcomes for trial in made.trials]


def test_the_value_is_that_of_the_only_objective():
    made = kg.Study(SPACE, objectives={"yield": "maximize"}, limits=["impurity <= 0.5"])
    first = made.add({"x": 0.1, "y": 0.1}, {"yield": (3, 0.1), "impurity": 0.2})
    made.add({"x": 0.2, "y": 0.1}, {"yield": 9, "impurity": 0.7})
    assert (first.value, first.sem, made.direction) == (3.0, 0.1, "maximize")
    assert made.best == first
    alone = kg.Study(SPACE, objectives={"yield": "maximize"})
    assert alone.add({"x": 0.1, "y": 0.1}, 3.0, 0.1).outcomes == {"yield": (3.0, 0.1)}


def test_the_same_again_is_fine_and_another_is_a_conflict():
    made = study()
    trial = made.tell(pending(made), {"yield": 1.0})
    version = made.version
    assert made.tell(trial, {"yield": 1.0}) == trial
    for other in ({"yield": 2.0}, {"yield": (1.0, 0.1)}, {"price": 3.0, "yield": 2.0}):
        with pytest.raises(ConflictError, match="the first stands"):
            made.tell(trial, other)
    assert made.version == version
    failed = made.fail(trial, "broke")
    assert (failed.state, failed.outcomes) == ("failed", {"yield": (1.0, None)})
    with pytest.raises(ConflictError):
        made.tell(trial, {"price": 1.0})


@pytest.mark.parametrize(
    ("said", "error"),
    [
        (3.0, NotANumberError),
        ({}, ArgumentError),
        ({"other": 1}, ArgumentError),
        ({"yield": None}, ArgumentError),
        ({"yield": (1, 2, 3)}, ArgumentError),
        ({"yield": {"mean": 1}}, ArgumentError),
        ({"yield": math.inf}, ArgumentError),
        ({"impurity": -math.inf}, ArgumentError),
        ({"yield": "9"}, NotANumberError),
        ({"yield": (1, -2)}, ArgumentError),
    ],
)
def test_bad_outcomes_change_nothing(said, error):
    made = study()
    trial = pending(made)
    version = made.version
    with pytest.raises(error, match=";"):
        made.tell(trial, said)
    assert made.version == version


def test_what_is_not_finite_makes_a_failed_trial():
    made = study()
    assert made.tell(pending(made), {"yield": math.nan}).reason == "the yield was nan"
    assert made.tell(pending(made), {"impurity": math.inf}).state == "failed"


def test_some_outcomes_are_enough_if_no_more_were_asked_for():
    made = study()
    made.enqueue({"x": 0.5, "y": 0.5})
    trial = made.ask(measure=["yield"])[0]
    assert trial.measure == ("yield",)
    assert made.tell(trial, {"yield": 1.0}).state == "complete"
    assert made.tell(trial, {"mass": 1.0}).outcomes.keys() == {"yield", "mass"}
    assert made.add({"x": 0.1, "y": 0.2}, {"mass": 2.0}).measure == ("mass",)
    for wrong in ("most", ["other"], [], 3):
        with pytest.raises(ArgumentError, match="measure"):
            made.ask(measure=wrong)
    with pytest.raises(ArgumentError, match="measure"):
        kg.Study(SPACE).ask(measure="auto")


def test_an_outcome_that_is_in_is_corrected_while_others_are_awaited(tmp_path):
    file = tmp_path / "lab.db"
    study = kg.Study({"x": (0.0, 1.0)}, objectives={"y": "maximize"}, limits=["c <= 1"], storage=file, seed=0)
    (trial,) = study.ask(lease=60, worker="lab")
    study.tell(trial, {"y": (91.2, 0.5)})
    changed = study.correct(trial, {"y": 9.12}, reason="decimal point", by="lab", key="k")
    assert (changed.state, changed.value, changed.outcomes) == ("pending", None, {"y": (9.12, 0.5)})
    assert (changed.deadline, changed.worker) == (study.trials[0].deadline, "lab")
    assert changed.deadline is not None
    for again in ({"key": "k"}, {}):  # asked twice, done once
        assert study.correct(trial, {"y": 9.12}, reason="decimal point", by="lab", **again) == changed
    with pytest.raises(ConflictError, match=r"y: expected no second outcome"):
        study.tell(trial, {"y": 91.2})
    for wrong in ({"c": 0.5}, {"y": 9.0, "c": 0.5}):
        with pytest.raises(ConflictError, match=r"outcomes that are in to be corrected, \['y'\], got \['c'\]; tell"):
            study.correct(trial, wrong)
    done = study.tell(trial, {"c": 0.3})
    assert (done.state, done.value, done.sem) == ("complete", 9.12, 0.5)
    assert [(change.kind, change.old.outcomes, change.new.outcomes) for change in done.history] == [
        ("corrected", {"y": (91.2, 0.5)}, {"y": (9.12, 0.5)})
    ]
    assert kg.Study.load(file).trials == study.trials


def test_outcomes_may_be_a_row_of_a_data_frame():
    pandas = pytest.importorskip("pandas")
    study = kg.Study({"x": (0.0, 1.0)}, objectives={"y": "maximize"}, limits=["c <= 1"], seed=0)
    row = pandas.Series({"x": 0.5, "y": 3.0, "c": 0.5})
    assert study.add(row[["x"]], row[["y", "c"]]).outcomes == {"y": (3.0, None), "c": (0.5, None)}
    row["c"] = np.nan  # an empty cell: not measured
    assert study.add(row[["x"]], row[["y", "c"]]).outcomes == {"y": (3.0, None)}


def test_corrections_keep_what_they_do_not_name():
    made = study()
    trial = made.tell(pending(made), ALL)
    fixed = made.correct(trial, {"price": 3.2}, key="k")
    assert fixed.outcomes == {**trial.outcomes, "price": (3.2, 0.2)}
    assert made.correct(trial, {"price": 3.2}, key="k") == fixed
    with pytest.raises(ConflictError):
        made.correct(trial, {"price": 3.3}, key="k")
    assert made.discard(trial, "wrong sample").state == "discarded"
    assert made.restore(trial).outcomes == fixed.outcomes
    failed = made.correct(trial, failed="broke")
    assert (failed.state, failed.outcomes) == ("failed", {})
    with pytest.raises(ArgumentError, match="asked for"):
        made.correct(trial, {"price": 1.0})
    assert made.correct(trial, ALL).outcomes == trial.outcomes


def test_a_stored_study_is_the_same(tmp_path):
    made = study(storage=tmp_path / "a.db", noise={"price": 0.1, "mass": 0}, costs={"mass": 2})
    made.tell(pending(made), {"yield": 1.0})
    made.add({"x": 0.1, "y": 0.2}, ALL)
    again = kg.Study.load(tmp_path / "a.db")
    assert again.trials == made.trials
    assert again._settings == made._settings
    assert made._log.read().created["format"] == 3
    assert pickle.loads(pickle.dumps(made.trials)) == made.trials
    copied = made.copy()
    assert [trial.outcomes for trial in copied.trials] == [made.trials[1].outcomes]
    assert copied._settings.noises == (("price", 0.1), ("mass", 0.0))
    with pytest.raises(MismatchError, match="limits: recorded"):
        study(storage=tmp_path / "a.db", limits=["impurity <= 0.6", "mass <= 3"])


def test_a_log_in_pieces_is_the_log_at_once():
    made = study()
    trial = pending(made)
    for name, value in ALL.items():
        made.tell(trial, {name: value})
    made.correct(trial, {"mass": 1})
    events = made._log.storage.read(0)
    whole, pieces = Ledger(events), Ledger()
    for event in events:
        pieces.fold([event])
    assert whole.trials == pieces.trials


def test_tables_have_two_columns_for_each_outcome(tmp_path):
    made = study()
    made.add({"x": 0.1, "y": 0.2}, ALL)
    made.add({"x": 0.3, "y": 0.2}, {"mass": 2.0})
    made.add({"x": 0.4, "y": 0.2}, {"mass": math.nan})
    path = tmp_path / "trials.csv"
    path.write_bytes(to_csv(made))
    other = study()
    report = other.add_many(path)
    assert [trial.outcomes for trial in other.trials] == [trial.outcomes for trial in made.trials]
    assert [trial.measure for trial in other.trials] == [trial.measure for trial in made.trials]
    assert (len(report.added), report.refused) == (3, ())
    assert len(other.add_many(path).known) == 3
    frame = made.to_dataframe()
    assert frame["price"].tolist()[0] == 3.1
    assert frame["price_sem"].tolist()[0] == 0.2
    renamed = frame.rename(columns={"price": "Price (EUR)"})
    again = study()
    again.add_many(renamed, value={"price": "Price (EUR)"})
    assert again.trials[0].outcomes == made.trials[0].outcomes
    with pytest.raises(ArgumentError, match="outcomes"):
        again.add_many(renamed, value={"cost": "Price (EUR)"})


def test_a_table_brings_back_no_trial_that_failed_later_and_none_of_a_space_that_changed(tmp_path):
    space = kg.Space({"a": (0.0, 1.0), "b": (0.0, 1.0), "c": (0.0, 1.0)}, constraints=["a + b + c == 1"])
    made = kg.Study(space, seed=0, objectives={"yield": "maximize", "mass": "minimize"})
    for trial in made.ask(6):
        made.tell(trial, {"yield": trial.params["a"]})
        made.tell(trial, {"mass": math.nan if trial.number == 1 else trial.params["b"]})
    path = tmp_path / "trials.csv"
    path.write_bytes(to_csv(made))
    assert len(made.add_many(path).known) == 6
    made.change(a=(0.0, 2.0))  # now it is what the others leave, but for rounding
    assert len(made.add_many(path).known) == 6


def test_tables_say_what_a_trial_is_asked_to_measure_if_not_all(tmp_path):
    made = study()
    some, every = made.ask(measure=["yield", "mass"])[0], made.ask()[0]
    made.tell(some, {"yield": 1.0})
    table = columns(made)
    assert table["measure"] == ["yield; mass", None]
    names = list(table)
    assert names.index("mass_sem") + 1 == names.index("measure") < names.index("params_x")
    assert made.to_dataframe()["measure"].fillna("").tolist() == ["yield; mass", ""]
    path = tmp_path / "trials.csv"
    path.write_bytes(to_csv(made))
    assert "measure" in study().add_many(path).ignored
    assert "measure" not in columns(kg.Study(SPACE))
    made.tell(every, ALL)
    assert columns(made)["measure"] == ["yield; mass", None]


def test_trials_on_the_command_line_say_what_is_still_to_be_measured(tmp_path):
    made = study(storage=tmp_path / "a.db")
    some, other = made.ask(measure=["yield", "mass"])[0], made.ask(measure=["price"])[0]
    made.ask()

    def said():
        done = CliRunner().invoke(main, ["trials", "--storage", str(tmp_path / "a.db")])
        assert done.exit_code == 0, done.output
        return [line.partition("measure ")[2] for line in done.stdout.splitlines()[1:]]

    assert said() == ["yield, mass", "price", ""]
    made.tell(some, {"yield": 1.0})
    made.tell(other, {"price": 2.0})
    assert said() == ["mass", "", ""]


def test_the_command_line_takes_named_outcomes(tmp_path):
    space = tmp_path / "mortar.toml"
    space.write_text(
        'limits = ["impurity <= 0.5"]\n[objectives]\nyield = "maximize"\nprice = "minimize"\n[costs]\nimpurity = 3\n'
        "[space]\nx = {low = 0.0, high = 1.0}\n"
    )
    where = ["--storage", str(tmp_path / "a.db"), "--json"]

    def call(*words):
        done = CliRunner().invoke(main, [*words, *where])
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    assert call("create", str(space))["limits"] == ["impurity <= 0.5"]
    call("enqueue", "x=0.5")
    asked = call("ask", "--measure", "yield", "--measure", "price")[0]
    assert asked["measure"] == ["yield", "price"]
    assert call("tell", "0", "yield=91.2")["state"] == "pending"
    assert call("tell", "0", '{"price": [3.1, 0.2]}')["outcomes"]["price"] == {"value": 3.1, "sem": 0.2}
    added = call("add", "yield=-3", "price=3.1±0.2", "x=0.25")
    assert (added["state"], added["measure"]) == ("complete", ["yield", "price"])
    assert call("correct", "1", "yield=3")["outcomes"]["yield"]["value"] == 3.0
    done = CliRunner().invoke(main, ["trials", *where[:2]])
    assert done.stdout.split()[:5] == ["trial", "state", "yield", "price", "impurity"]


def test_a_program_prints_named_outcomes():
    named = ("yield", "price")
    assert read_result('noise 3\n{"yield": 1, "price": [2, 0.1]}', None, named) == {"yield": 1, "price": [2, 0.1]}
    pattern = "yield {yield}; price {price} ± {price_sem}"
    assert read_result("yield 1.5; price 2 ± 0.25", pattern, named) == {"yield": (1.5, None), "price": (2.0, 0.25)}
    assert "expected a last line" in read_result("yield 1.5", None, named).reason


def test_what_an_objective_returns_is_checked():
    goals = study().goals
    all_in = {"yield": np.float64(1), "price": (np.array(3.0), 0.1), "impurity": 0.2, "mass": 1}
    assert named(all_in, goals, goals.names).value == {
        "yield": (1.0, None),
        "price": (3.0, 0.1),
        "impurity": (0.2, None),
        "mass": (1.0, None),
    }
    assert named({"yield": 1}, goals, ("yield",)).value == {"yield": (1.0, None)}
    assert named({**all_in, "mass": math.nan}, goals, goals.names).reason == "the mass was nan"
    assert "nothing could improve" in named({**all_in, "mass": -math.inf}, goals, goals.names).reason
    for wrong in (3.0, {"yield": 1}, {**all_in, "mass": "a"}, {**all_in, "other": 1}):
        with pytest.raises(Unreadable):
            named(wrong, goals, goals.names)


def test_an_outcome_that_looks_like_a_mistake_is_pointed_out():
    made = study()
    for i in range(12):
        made.add({"x": i / 12, "y": 0.5}, {"yield": 90 + 0.1 * i, "price": 3 + 0.01 * i})
    with pytest.warns(kg.errors.SuspiciousResultWarning, match="price: 310 is far"):
        made.add({"x": 0.5, "y": 0.5}, {"yield": 90.5, "price": 310})
    assert made.doubt({"x": 0.5, "y": 0.5}, {"yield": 90.5}) is None


def test_a_parameter_cannot_take_the_name_of_an_outcome():
    made = study()
    with pytest.raises(ArgumentError, match="no parameters"):
        made.change({"yield": (0.0, 1.0)}, earlier={"yield": 0.5})


def test_one_objective_without_limits_is_the_plain_study():
    plain, named_one = (
        kg.Study(SPACE, direction="maximize", seed=3),
        kg.Study(SPACE, objectives={"y1": "maximize"}, seed=3),
    )
    for made in (plain, named_one):
        for trial in made.ask(8):
            made.tell(trial, trial.params["x"] - trial.params["y"] ** 2)
    assert [t.params for t in plain.ask(2)] == [t.params for t in named_one.ask(2)]
    a, b = plain.recommend(), named_one.recommend()
    assert (a.params, a.mean, a.sd) == (b.params, b.mean, b.sd)
    assert b.outcomes == {"y1": (b.mean, b.sd)}
    assert plain.gain(2) == named_one.gain(2)


def test_a_run_measures_what_is_asked_for():
    seen = []

    def objective(params, trial):
        seen.append(trial.measure)
        told = {"yield": params["x"], "price": params["x"] + params["y"]}
        return {name: told[name] for name in trial.measure or told}

    made = kg.Study(SPACE, objectives=GOALS["objectives"], costs={"yield": 10}, noise=0, seed=0)
    made.optimize(objective, n_trials=8, batch_size=4, progress=False)
    found = made.optimize(objective, n_trials=10, batch_size=2, progress=False, measure=["price"])
    assert seen[-2:] == [("price",), ("price",)]
    assert found.outcomes.keys() == {"yield", "price"}
    with pytest.raises(ArgumentError, match="optimize"):
        made.minimize(objective, n_trials=12)


def test_an_outcome_that_spans_orders_of_magnitude_is_doubted_once() -> None:
    study = kg.Study({"x": (0.0, 1.0)}, objectives={"mass": "minimize"}, limits=["stress <= 3"])
    for i in range(12):
        study.add({"x": i / 12}, {"mass": i % 5, "stress": 1.0 + 0.1 * i})
    assert "stress" in str(study.doubt({"x": 0.5}, {"mass": 2.0, "stress": 5e4}))
    with pytest.warns(kg.errors.SuspiciousResultWarning, match="stress: 50000 is far"):
        study.add({"x": 0.99}, {"mass": 2.0, "stress": 5e4})
    assert study.doubt({"x": 0.98}, {"mass": 2.0, "stress": 2e5}) is None  # there is one of that order
    assert "stress" in str(study.doubt({"x": 0.98}, {"mass": 2.0, "stress": 5e6}))
    assert "stress" in str(study.doubt({"x": 0.98}, {"mass": 2.0, "stress": -5e4}))  # not on that side
