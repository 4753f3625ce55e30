"""Contexts, averages, tolerances and shared settings on the command line."""

from tests.cli.console import data, knowgrad

SPACE = """
seed = 1
[space]
t = {low = 20.0, high = 90.0}
x = {low = 0.0, high = 1.0}
reactor = ["A", "B"]
"""


def made(tmp_path, text=SPACE):
    (tmp_path / "oven.toml").write_text(text)
    storage = ("--storage", tmp_path / "s.db")
    knowgrad("create", tmp_path / "oven.toml", *storage)
    return storage


def told(storage, trials):
    for trial in trials:
        params = trial["params"]
        value = (params["t"] / 70 - 0.5) ** 2 + params["x"] + 0.3 * (params["reactor"] == "A")
        knowgrad("tell", trial["number"], value, *storage)


def test_given_and_shared(tmp_path):
    storage = made(tmp_path)
    trials = data("ask", 4, "--given", "reactor=B", "--shared", "t=2", "--shared", "x", *storage)
    assert {trial["params"]["reactor"] for trial in trials} == {"B"}
    assert len({trial["params"]["t"] for trial in trials}) <= 2
    assert len({trial["params"]["x"] for trial in trials}) == 1
    told(storage, trials)
    found = data("recommend", "--given", "reactor=A", "--tolerance", "t=3", "--gain", 1, *storage)
    assert found["params"]["reactor"] == "A"
    assert found["gain"]["q"] == 1
    assert "reactor = A" in knowgrad("recommend", "--given", "reactor=A", *storage)


def test_the_front_of_a_context(tmp_path):
    text = SPACE + '[objectives]\nyield = "maximize"\nprice = "minimize"\n'
    storage, where = made(tmp_path, text), tmp_path / "front.html"
    for trial in data("ask", 8, *storage):
        t, x, kind = (trial["params"][name] for name in ("t", "x", "reactor"))
        knowgrad("tell", trial["number"], f"yield={t * (1 - x)}", f"price={t + 9 * (kind == 'A')}", *storage)
    for kind in "AB":
        found = data("front", "--given", f"reactor={kind}", *storage)
        assert {point["params"]["reactor"] for point in found["points"]} == {kind}
    knowgrad("plot", "--kind", "front", "--given", "reactor=B", "--chance", 0.9, "--out", where, *storage)
    assert "Pareto front with reactor = B" in where.read_text(encoding="utf-8")
    for command in (("front",), ("plot", "--kind", "front", "--out", where)):
        assert "boiler" in knowgrad(*command, "--given", "boiler=B", *storage, code=1)
    assert "expected no options but" in knowgrad("plot", "--given", "reactor=B", *storage, code=1)


def test_an_average_in_the_file(tmp_path):
    storage = made(tmp_path, SPACE + "\n[over]\nreactor = {A = 2, B = 1}\n")
    told(storage, data("ask", 3, *storage))
    assert set(data("recommend", *storage)["params"]) == {"t", "x"}
    (tmp_path / "wind.toml").write_text(
        "[space]\nx = {low = 0.0, high = 1.0}\nw = {low = 0.0, high = 1.0}\n[over]\nw = [[0.2, 1], [0.8, 3]]\n"
    )
    knowgrad("create", tmp_path / "wind.toml", *storage)
    assert {trial["params"]["w"] for trial in data("ask", 6, *storage, "--name", "wind")} == {0.2, 0.8}


def test_what_makes_no_sense_is_refused(tmp_path):
    storage = made(tmp_path)
    before = data("trials", *storage)
    assert "given: expected names of parameters" in knowgrad("ask", "--given", "boiler=1", *storage, code=1)
    assert "shared: t: expected a whole number" in knowgrad("ask", 4, "--shared", "t=0", *storage, code=1)
    assert "shared: expected names of parameters" in knowgrad("ask", 4, "--shared", "t=two", *storage, code=1)
    assert "NAME=NUMBER" in knowgrad("recommend", "--tolerance", "t", *storage, code=2)
    assert data("trials", *storage) == before


def test_a_run_shares(tmp_path, monkeypatch):
    storage = made(tmp_path)
    (tmp_path / "f.py").write_text("def f(p): return p['x'] + p['t'] / 90")
    monkeypatch.chdir(tmp_path)
    knowgrad("worker", "f:f", "--trials", 8, "--batch", 4, "--shared", "t", *storage)
    trials = data("trials", *storage)
    plates = [{trial["params"]["t"] for trial in trials if trial["batch"] == batch} for batch in (0, 1)]
    assert [len(plate) for plate in plates] == [1, 1]
