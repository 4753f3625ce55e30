"""Spaces that are lists: rows only, none twice where results are exact, and all combinations as the plain space."""

from itertools import product

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.errors import MismatchError, SpaceError

FULL = [{"metal": m, "cycles": c, "load": x} for m, c, x in product(["Ni", "Fe", "Co"], range(1, 6), [0.1, 0.2, 0.3])]
PLAIN = {"metal": ["Ni", "Fe", "Co"], "cycles": (1, 5), "load": kg.Float(0.1, 0.3, step=0.1)}


def f(p):
    return (p["cycles"] - 3) ** 2 + {"Ni": 0, "Fe": 1, "Co": 2}[p["metal"]] + 10 * p["load"]


def scattered(m=300, d=3, seed=0):
    X = np.random.default_rng(seed).random((m, d)).round(6)
    return [{"name": f"m{i}", **{f"x{j}": float(v) for j, v in enumerate(row)}} for i, row in enumerate(X)]


def run(space, f, batches, q=4, **options):
    study = kg.Study(space, seed=1, **options)
    for _ in range(batches):
        for trial in study.ask(q):
            study.tell(trial, f(trial.params))
    return study


def test_all_combinations_are_the_plain_space():
    listed, plain = run(kg.Candidates(FULL), f, 4), run(PLAIN, f, 4)
    assert [t.params for t in listed.trials] == [t.params for t in plain.trials]
    assert listed.gain(2) == plain.gain(2)
    assert np.array_equal(listed.predict(FULL).mean, plain.predict(FULL).mean)


def test_a_row_less_is_the_same_model_and_the_same_value():
    """One row short of all combinations: every value of the model and of q-KG is that of the plain space."""
    from knowgrad.acquisition.criteria.kg import ExactKG
    from knowgrad.acquisition.criteria.lookahead import Lookahead

    rows = FULL[:-1]
    listed, plain = kg.Study(kg.Candidates(rows), seed=1), kg.Study(PLAIN, seed=1)
    for study in (listed, plain):
        for row in rows[::5]:
            study.add(row, f(row))
    U, V = listed.space.encode_many(rows), plain.space.encode_many(rows)
    assert np.allclose(U, V, rtol=0, atol=1e-15)
    here, there = listed.predict(rows), plain.predict(rows)
    assert np.allclose(here.mean, there.mean, rtol=0, atol=1e-9)
    assert np.allclose(here.sd, there.sd, rtol=0, atol=1e-9)
    values = []
    for study, points in ((listed, U), (plain, V)):
        found = study.snapshot().model
        ahead = Lookahead(found.model[0], found.noise[0], points, np.empty((0, points.shape[1])), None)
        values.append(ExactKG(ahead).value(points[:, None]))
    assert np.allclose(*values, rtol=0, atol=1e-9)


def test_only_rows_are_asked_for_and_none_twice_where_results_are_exact():
    table = scattered(40)
    study = run(kg.Candidates(table), lambda p: (p["x0"] - 0.4) ** 2 + p["x1"], 10, noise=0)
    assert all(trial.params in table for trial in study.trials)
    assert len({trial.params["name"] for trial in study.trials}) == 40
    best = min(table, key=lambda p: (p["x0"] - 0.4) ** 2 + p["x1"])
    assert study.recommend().params == best


def test_the_best_row_of_many_is_found():
    table = scattered(2_000)

    def far(p):
        return sum((p[f"x{j}"] - 0.3) ** 2 for j in range(3))

    study = run(kg.Candidates(table), far, 6)
    assert far(study.recommend().params) <= sorted(map(far, table))[2]


def test_failures_are_avoided_in_a_list():
    study = kg.Study(kg.Candidates(scattered(200)), seed=0)
    for _ in range(5):
        for trial in study.ask(4):
            if trial.params["x0"] > 0.5:
                study.fail(trial, "melts")
            else:
                study.tell(trial, -trial.params["x0"] + trial.params["x1"])
    assert study.recommend().params["name"].startswith("m")


def test_labels_and_features():
    table = scattered(30)
    assert kg.Candidates(table).seen == ("x0", "x1", "x2")
    assert kg.Candidates(table, labels=["x2"]).seen == ("x0", "x1")
    space = kg.Candidates(table, features=["x1"])
    assert space.names == ("name", "x0", "x1", "x2")
    assert space.dim == 1
    assert space.validate({"name": "m7"}) == table[7]
    assert space.validate(table[3]) == table[3]
    assert space.decode(space.encode(table[11])) == table[11]


def test_tables_of_every_kind(tmp_path):
    pandas = pytest.importorskip("pandas")
    table = scattered(12)
    path = tmp_path / "rows.csv"
    frame = pandas.DataFrame(table)
    frame.to_csv(path, index=False)
    assert kg.Candidates(path) == kg.Candidates(str(path)) == kg.Candidates(frame) == kg.Candidates(table)


def test_it_is_stored_and_opened_again(tmp_path):
    place, table = f"sqlite:///{tmp_path / 'studies.db'}", scattered(20)
    study = kg.Study(kg.Candidates(table), storage=place, name="list")
    asked = study.ask(2)
    again = kg.Study.load(place, "list")
    assert again.space == study.space
    assert kg.Space.from_dict(study.space.to_dict()) == study.space
    assert [trial.params for trial in again.trials] == [trial.params for trial in asked]
    with pytest.raises(MismatchError, match="recorded 20 rows, now 19"):
        kg.Study(kg.Candidates(table[:-1]), storage=place, name="list")
    for kind in ("importance", "slices", "parallel"):
        for trial in study.trials:
            if trial.state == "pending":
                study.tell(trial, trial.params["x0"])
        assert study.plot(kind) is not None


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: kg.Candidates([]), "one or more rows"),
        (lambda: kg.Candidates({"x": 1}), "list of dicts"),
        (lambda: kg.Candidates(7), "list of dicts"),
        (lambda: kg.Candidates("no such file.csv"), "check the path"),
        (lambda: kg.Candidates([{"x": 1.0}, {"y": 2.0}]), "fill in what is missing"),
        (lambda: kg.Candidates([{"x": 1.0}, {"x": float("nan")}]), "row 1, 'x'.*fill it in"),
        (lambda: kg.Candidates([{"x": 1.0}, {"x": [2]}]), "row 1, 'x'"),
        (lambda: kg.Candidates([{"x": 1.0}, {"x": 1.0}]), "no column|same"),
        (lambda: kg.Candidates([{"x": 1, "y": 2}, {"x": 1, "y": 3}], features=["x"]), "the same in every row"),
        (lambda: kg.Candidates([{"x": 1, "y": 2}, {"x": 2, "y": 3}, {"x": 2, "y": 4}], features=["x"]), "differ in no"),
        (lambda: kg.Candidates([{"x": 1}, {"x": 2}], features=["z"]), "among the columns"),
        (lambda: kg.Candidates([{"x": 1}, {"x": 2}], labels=3), "among the columns"),
        (lambda: kg.Candidates([{"x": 1}, {"x": 2}], features=["x"], labels=["x"]), "drop one"),
        (lambda: kg.Candidates([{f"x{j}": i * j for j in range(70)} for i in range(9)], labels=["x0"]), "at most 64"),
        (lambda: kg.Space.from_dict({"candidates": {"rows": 3}}), "write for example"),
        (lambda: kg.Space.from_dict({"candidates": {"rows": [[1], [2, 3]], "names": ["x"]}}), "as many values"),
        (lambda: kg.Candidates(scattered(5)).validate({"name": "m9"}), "'name'"),
        (lambda: kg.Candidates(scattered(5)).validate({"what": 1}), "unknown names"),
        (lambda: kg.Candidates(FULL).validate({"metal": "Ni"}), "15 candidates.*give more"),
        (lambda: kg.Candidates(FULL[1:]).validate(FULL[0]), "only the rows"),
    ],
)
def test_what_makes_no_sense_is_refused(make, says):
    with pytest.raises(SpaceError, match=says):
        make()


def test_a_list_among_parameters_is_refused_with_what_to_write_instead():
    with pytest.raises(SpaceError, match=r"kg\.Choice\(names, features=table\)"):
        kg.Space({"molecule": kg.Candidates([{"a": 0.1}, {"a": 0.3}]), "temperature": (20.0, 90.0)})


def test_tables_of_any_kind_are_one_list(tmp_path):
    pandas = pytest.importorskip("pandas")
    rows = scattered(20)
    frame = pandas.DataFrame(rows)
    german = "name;x0;x1;x2\n" + "".join(";".join(map(str, row.values())) + "\n" for row in rows).replace(".", ",")
    (tmp_path / "german.csv").write_text(german, encoding="utf-8-sig")
    frame.to_csv(tmp_path / "plain.csv", index=False)
    forms = [frame, frame.to_dict("list"), tmp_path / "plain.csv", str(tmp_path / "german.csv")]
    for form in forms:
        assert kg.Candidates(form).to_dict() == kg.Candidates(rows).to_dict(), form


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "one or more rows"),
        ("a,b\n", "one or more rows"),
        ("a,a\n1,2\n3,4\n", r"each column once, got \['a'\] more often; rename"),
        ("a,b\n1,2\n3\n", "fill in what is missing"),
        ("a,b\n1,\n3,4\n5,6\n", r"'b': expected a number in row 0, as in most rows, got None; fill it in"),
        ("a,b\n1,2\n3,n/a\n", r"'b': expected a number in row 1.*labels="),
    ],
)
def test_a_file_that_is_no_table_is_refused(tmp_path, text, match):
    (tmp_path / "shelf.csv").write_text(text)
    with pytest.raises(SpaceError, match=match):
        kg.Candidates(tmp_path / "shelf.csv")


def test_a_column_of_numbers_with_something_else_is_not_hidden_in_silence():
    rows = [{"x": float(i), "y": float(i % 3)} for i in range(9)]
    for wrong in (None, "big"):
        broken = [*rows, {"x": wrong, "y": 5.0}]
        with pytest.raises(SpaceError, match=r"'x': expected a number in row 9, as in most rows, got .*; fill it in"):
            kg.Candidates(broken)
        assert kg.Candidates([*rows[:3], broken[-1]], labels="x").seen == ("y",)
        assert kg.Candidates(broken, features=["x", "y"]).parameters["x"].levels == 10
    pandas = pytest.importorskip("pandas")
    with pytest.raises(SpaceError, match="each column once"):
        kg.Candidates(pandas.DataFrame([[1.0, 2.0], [3.0, 4.0]], columns=["a", "a"]))
    with pytest.raises(SpaceError, match="two or more rows to choose among"):
        kg.Candidates([{"x": 1.0}])


def test_a_row_is_told_by_what_identifies_it():
    pandas = pytest.importorskip("pandas")
    rows = scattered(30)
    study = kg.Study(kg.Candidates(rows), seed=0)
    assert study.add(pandas.DataFrame(rows).iloc[4], 1.0).params == rows[4]
    added = study.add_many([{"name": "m7", "value": 2.0}, {"name": "m8", "value": 3.0}, {"name": "zz", "value": 1.0}])
    assert [trial.params for trial in added.added] == rows[7:9]
    assert "expected one of" in added.refused[0].reason
    assert np.array_equal(study.predict([{"name": "m9"}]).mean, study.predict([rows[9]]).mean)
    with pytest.raises(SpaceError, match=r"some of the columns .*, got none"):
        study.add({}, 1.0)
