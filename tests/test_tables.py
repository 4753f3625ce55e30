"""Tables in and out: what goes out comes in again, and no row is lost without a word."""

import math
import sys

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.errors import ArgumentError, MissingPackageError
from knowgrad.tables import columns, to_csv
from knowgrad.tables.cells import number

SPACE = {"t": (20.0, 90.0), "n": kg.Int(1, 9), "cat": ["A", "B", None, True, 8, "-cmd|' /C calc'!A0"]}
ROWS = [
    {"t": 25.0, "n": 3, "cat": "A", "value": 61.5, "sem": 0.5},
    {"t": 30.5, "n": 9, "cat": None, "value": -4e-7},
    {"t": 90.0, "n": 1, "cat": True, "reason": "spilled"},
    {"t": 20.0, "n": 1, "cat": 8, "value": 3},
    {"t": 20.0, "n": 1, "cat": "-cmd|' /C calc'!A0", "value": 1e300},
]


def study(**options):
    return kg.Study(SPACE, **{"direction": "maximize", "seed": 0, **options})


def results(made):
    return [(dict(trial.params), trial.state, trial.value, trial.sem, trial.reason) for trial in made.trials]


@pytest.fixture
def full():
    made = study()
    report = made.add_many(ROWS)
    assert len(report) == len(report.added) == 5
    return made


def test_many_are_as_many_added_one_by_one(full):
    one_by_one = study()
    for row in ROWS[:2] + ROWS[3:]:
        one_by_one.add({name: row[name] for name in SPACE}, row["value"], row.get("sem"))
    assert [r for r in results(full) if r[1] == "complete"] == results(one_by_one)
    assert results(full)[2] == ({"t": 90.0, "n": 1, "cat": True}, "failed", None, None, "spilled")
    assert full.version == 1 + 2 * 5
    assert {trial.source for trial in full.trials} == {"added"}


def test_what_export_writes_is_read_again(full, tmp_path):
    path = tmp_path / "all.csv"
    path.write_bytes(to_csv(full))
    again = study()
    report = again.add_many(path)
    assert results(again) == results(full)
    assert not report.refused
    assert report.ignored == ("number", "id", "source", "batch", "worker", "retry_of", "began", "ended", "notes")


def test_a_dataframe_goes_out_and_in(full):
    frame = full.to_dataframe()
    assert list(frame) == list(columns(full))
    assert frame["value"].dtype == np.float64
    assert frame["params_t"].tolist() == [row["t"] for row in ROWS]
    again = study()
    assert again.add_many(frame).refused == ()
    assert results(again) == results(full)


def test_an_empty_dataframe_has_its_columns_and_types():
    frame = study().to_dataframe()
    assert len(frame) == 0
    assert frame.dtypes["value"] == np.float64
    assert list(frame) == list(columns(study()))


def test_to_dataframe_says_what_it_needs(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingPackageError, match="pip install pandas"):
        study().to_dataframe()


def test_a_dict_of_columns_is_a_table():
    made = study()
    made.add_many({"t": np.array([20, 30], dtype=np.float32), "n": [1, 2.0], "cat": ("A", "B"), "value": [1, 2]})
    assert [trial.params for trial in made.trials] == [{"t": 20.0, "n": 1, "cat": "A"}, {"t": 30.0, "n": 2, "cat": "B"}]


BAD = [
    ({"t": 10.0}, "between 20.0 and 90.0, got 10.0"),
    ({"t": "warm"}, "parameter 't': expected a number, got 'warm'"),
    ({"t": "30,5"}, "decimal point, got '30,5'; write 30.5"),
    ({"t": None}, "parameter 't': expected a value, got an empty cell"),
    ({"n": 2.5}, "parameter 'n': the value must be a whole number"),
    ({"cat": "C"}, "parameter 'cat': expected one of"),
    ({"value": ""}, "expected a result, got an empty cell"),
    ({"value": math.nan}, "expected a result, got an empty cell"),
    ({"value": "1.234,5"}, "value: expected a number, got '1.234,5'"),
    ({"value": "1_000"}, "value: expected a number, got '1_000'"),
    ({"value": True}, "expected a real number"),
    ({"value": math.inf}, "which nothing could improve on"),
    ({"sem": -1}, "sem: expected a finite number of at least 0"),
    ({"state": "pending"}, "got one that is pending"),
]


@pytest.mark.parametrize(("change", "why"), BAD, ids=lambda case: str(case)[:30])
def test_a_bad_row_is_refused_with_its_reason_and_the_others_are_added(change, why):
    made = study()
    report = made.add_many([ROWS[0], ROWS[3] | change, ROWS[1]])
    assert [refused.row for refused in report.refused] == [1]
    assert why in report.refused[0].reason
    assert "2 added (trials 0 to 1), 1 refused\nrow 1: " in str(report)
    assert [trial.value for trial in made.trials] == [61.5, -4e-7]


def test_the_worst_infinity_is_a_failure_as_it_is_when_told():
    made = study()
    made.add_many([ROWS[0] | {"value": -math.inf}])
    assert made.trials[0].state == "failed"


def test_the_same_table_again_adds_only_what_is_new(full):
    report = full.add_many([*ROWS, ROWS[0] | {"value": 60.0}])
    assert [trial.value for trial in report.added] == [60.0]
    assert [row.row for row in report.known] == [0, 1, 2, 3, 4]
    assert "the same point and result as trial 0" in str(report)
    assert len(full.add_many(ROWS, repeats=True)) == 5


def test_a_table_may_hold_one_result_twice():
    assert len(study().add_many([ROWS[0], ROWS[0]])) == 2


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_files_of_spreadsheets(tmp_path, separator, encoding):
    rows = [["Größe", "t", "n", "cat", "yield"], ["", "25.5", "3", "A", "61.5"], ["", "", "", "", ""], []]
    path = tmp_path / "lab.csv"
    path.write_text("\r\n".join(separator.join(row) for row in rows), encoding=encoding)
    made = study()
    report = made.add_many(path, value="yield")
    assert results(made) == [({"t": 25.5, "n": 3, "cat": "A"}, "complete", 61.5, None, None)]
    assert report.ignored == ("Größe",)


def test_decimal_commas_are_refused_unless_asked_for(tmp_path):
    path = tmp_path / "lab.csv"
    path.write_text("t;n;cat;value\n25,5;3;A;61,5\n30.5;3;A;1e-3\n")
    report = study().add_many(path)
    assert [row.where for row in report.refused] == ["row 2"]
    made = study()
    report = made.add_many(path, decimal=",")
    assert [trial.value for trial in made.trials] == [61.5]
    assert [row.where for row in report.refused] == ["row 3"]


def test_rows_are_counted_as_a_spreadsheet_does(tmp_path):
    path = tmp_path / "lab.csv"
    path.write_text('t,n,cat,value\n\n25,3,"A",1\n99,3,A,2\n25,3,A,2,5\n')
    report = study().add_many(path)
    assert [row.where for row in report.refused] == ["row 4", "row 5"]
    assert [row.row for row in report.refused] == [1, 2]
    assert "expected 4 cells, got 5" in report.refused[1].reason


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ([{"t": 1.0, "n": 2, "value": 3.0}], "add \\['cat'\\]"),
        ([{"t": 1.0, "n": 2, "cat": "A", "yield": 3.0}], "name it with value="),
        ([[1.0, 2, "A"]], "expected a list of dicts"),
        (5, "expected a list of dicts"),
        ({"t": [1.0], "n": [1, 2], "cat": ["A"], "value": [1.0]}, "columns of one length"),
        ({"t": [1.0], "n": 1, "cat": ["A"], "value": [1.0]}, "single one for \\['n'\\]"),
    ],
)
def test_a_table_that_is_none_is_refused_and_nothing_is_added(table, why):
    made = study()
    with pytest.raises(ArgumentError, match=why):
        made.add_many(table)
    assert made.version == 1


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "names of the columns"),
        (b"t,t,n\n", "each column once"),
        (b"t,n,cat,value\n\xff,1,A,2\n", "UTF-8"),
        (b't,n,cat,value\n"25,1,A,2\n', "expected CSV"),
    ],
)
def test_a_file_that_is_no_table_is_refused(tmp_path, content, why):
    path = tmp_path / "lab.csv"
    path.write_bytes(content)
    with pytest.raises(ArgumentError, match=why):
        study().add_many(path)


def test_a_parameter_called_value_needs_another_name_beside_it():
    made = kg.Study({"value": (0.0, 1.0)})
    with pytest.raises(ArgumentError, match="params_value"):
        made.add_many([{"value": 0.5}])
    made.add_many([{"params_value": 0.5, "value": 7.0}])
    made.add_many([{"value": 0.25, "result": 8.0}], value="result")
    assert [(trial.params["value"], trial.value) for trial in made.trials] == [(0.5, 7.0), (0.25, 8.0)]


def test_options_that_look_alike_are_not_guessed(tmp_path):
    made = kg.Study({"cat": [1, "1"]})
    path = tmp_path / "lab.csv"
    path.write_text("cat,value\n1,2\n")
    assert "could be any of" in made.add_many(path).refused[0].reason
    assert [trial.params["cat"] for trial in made.add_many([{"cat": 1, "value": 2}]).added] == [1]


@pytest.mark.parametrize("text", ["1", "-2.5", ".5", "5.", "1e-3", "+7", "12345678901234567890"])
def test_numbers_are_read_as_python_reads_them(text):
    assert float(number(f" {text} ")) == float(text)


@pytest.mark.parametrize("text", ["", "0x10", "1 000", "٣", "1e", "--1", "1'000", "1,5", "1,234.5"])
def test_what_is_no_number_is_refused(text):
    with pytest.raises(ArgumentError):
        number(text)


def test_a_table_in_a_file_is_there_after_a_restart(tmp_path):
    made = study(storage=tmp_path / "s.db")
    made.add_many(ROWS)
    assert results(kg.Study.load(tmp_path / "s.db")) == results(made)
    assert kg.Study.load(tmp_path / "s.db").recommend().n_observed == 4


def test_a_result_that_was_corrected_or_discarded_is_not_brought_back_by_its_table():
    made = study()
    made.add_many(ROWS)
    made.correct(0, 6.15, reason="a slip")
    made.discard(3, "broken scale")
    made.discard(2, "not so")
    assert not made.add_many(ROWS).added
    assert made.trials[0].value == 6.15


def test_what_was_discarded_is_exported_and_not_taken_for_a_result(tmp_path):
    made = study()
    made.add_many(ROWS)
    made.discard(0, "broken scale")
    made.note(1, "odd smell")
    (tmp_path / "all.csv").write_bytes(to_csv(made))
    assert columns(made)["notes"][1] == "odd smell"
    report = study().add_many(tmp_path / "all.csv")
    assert [row.row for row in report.refused] == [0]


def line_study(**options):
    made = kg.Study({"x": (0.0, 10.0), "k": ["a", "b"]}, seed=0, **options)
    made.add_many({"x": [0.0, 2.5, 5.0, 7.5, 10.0], "k": list("ababa"), "value": [1e3, 1.2e3, 1.5e3, 2.1e3, 2.6e3]})
    return made


def test_predictions_are_those_of_the_recommendation_and_of_the_views():
    made = line_study()
    best = made.recommend()
    found = made.predict([best.params])
    assert found.mean.shape == found.sd.shape == (1,)
    assert found.mean[0] == pytest.approx(best.mean, abs=best.sd)
    assert 0.0 < found.sd[0] < best.sd  # what is unknown of the model counts in a recommendation
    frame = made.to_dataframe()
    everywhere = made.predict(frame)
    np.testing.assert_allclose(everywhere.mean, [trial.value for trial in made.trials], atol=200)
    again = made.predict({"x": frame["params_x"], "k": frame["params_k"]})
    np.testing.assert_array_equal(everywhere.mean, again.mean)
    np.testing.assert_array_equal(everywhere.sd, again.sd)
    assert len(made.predict([])) == 0
    assert made.predict({"x": 3, "k": "a"}).mean[0] == made.predict([{"x": 3.0, "k": "a"}]).mean[0]


@pytest.mark.parametrize(
    ("points", "why"),
    [
        ([{"x": 1.0, "k": "a"}, {"x": 11.0, "k": "a"}], "points, row 1: parameter 'x': expected a value between"),
        ([{"x": 1.0}], "add \\['k'\\]"),
        ([{"x": 1.0, "k": "a", "z": 3}], "got also \\['z'\\]"),
        ("nowhere.csv", "nowhere.csv"),
    ],
)
def test_points_that_are_none_are_refused(points, why):
    with pytest.raises((ArgumentError, kg.errors.SpaceError, FileNotFoundError), match=why):
        line_study().predict(points)


def test_a_prediction_needs_a_result():
    with pytest.raises(kg.errors.NoDataError, match="predict"):
        study().predict([{"t": 20.0, "n": 1, "cat": "A"}])


def test_a_slip_in_a_table_is_pointed_out_and_added_all_the_same():
    made = kg.Study({"x": (0.0, 1.0)}, direction="maximize")
    rows = [{"x": i / 12, "value": 44.0 + (i * 7) % 5} for i in range(12)]
    rows[5]["value"] = 4.88
    report = made.add_many(rows)
    assert list(report.doubtful) == [5]
    assert "trial 5 may be a mistake: 4.88 is far from the 11 other results" in str(report)
    assert len(report) == 12
    made.correct(5, 48.8)
    assert not made.add_many([{"x": 0.55, "value": 46.0}]).doubtful
