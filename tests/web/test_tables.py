"""Tables and predictions over HTTP."""

import pytest

import knowgrad as kg
from knowgrad.errors import NoDataError, ServiceError, SpaceError
from tests.web.serving import client, serving

X = {"x": {"type": "float", "low": 0.0, "high": 1.0}, "c": {"type": "choice", "options": ["a", "b"]}}
ROWS = [
    {"x": 0.25, "c": "a", "loss": 1.5, "who": "lab"},
    {"x": 0.5, "c": "b", "loss": 1.0, "sem": 0.1},
    {"x": 5.0, "c": "b", "loss": 1.0},
    {"x": 0.75, "c": "a", "reason": "spilled"},
    {"x": "0,5", "c": "a", "loss": 1.0},
]


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("web") / "studies.db") as service:
        yield service


def test_the_rows_of_a_table_are_added_and_those_refused_are_named(service):
    study = client(service).create("rows", X, seed=0, noise=0.1)
    report = study.add_many(ROWS, value="loss")
    assert [trial["state"] for trial in report["added"]] == ["complete", "complete", "failed"]
    assert [row["row"] for row in report["refused"]] == [2, 4]
    assert "decimal point" in report["refused"][1]["reason"]
    assert report["ignored"] == ["who"]
    again = study.add_many(ROWS, value="loss")
    assert [len(again["added"]), len(again["known"])] == [0, 3]
    here = kg.Study.load(service.storage, "rows")
    assert [trial.value for trial in here.trials] == [1.5, 1.0, None]
    points = [{"x": 0.3, "c": "a"}, {"x": 0.9, "c": "b"}]
    found, expected = study.predict(points), here.predict(points)
    assert found == {"mean": expected.mean.tolist(), "sd": expected.sd.tolist()}


def test_points_are_objects_and_never_the_path_of_a_file(service, tmp_path):
    study = client(service).create("points", X, seed=0)
    (tmp_path / "points.csv").write_text("x,c\n0.5,a\n")
    with pytest.raises(NoDataError):
        study.predict([{"x": 0.5, "c": "a"}])
    study.add_many(ROWS[:1], value="loss")
    for text in (f'"{tmp_path}/points.csv"', "[1]", "{}", "[[", "[" * 1000, ""):
        with pytest.raises(ServiceError, match="expected a list of params as JSON"):
            study._get("predict", points=text)
    with pytest.raises(SpaceError, match="expected a value between"):
        study.predict([{"x": 2.0, "c": "a"}])
