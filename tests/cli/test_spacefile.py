"""Studies as TOML files."""

import pytest

import knowgrad as kg
from knowgrad.cli.spacefile import read_file
from knowgrad.errors import SpaceError


def read(tmp_path, text):
    path = tmp_path / "space.toml"
    path.write_text(text)
    return read_file(path)


def test_mixtures(tmp_path):
    space, _ = read(
        tmp_path,
        """
        constraints = ["a + b == 1"]
        [space]
        a = {low = 0.0, high = 1.0}
        b = {low = 0.0, high = 1.0}
        mortar = {names = ["sand", "lime", "water"], total = 100.0, at_most = 2, step = 5.0}
        """,
    )
    mortar = kg.Mixture(["sand", "lime", "water"], total=100, at_most=2, step=5)
    assert space == kg.Space({"a": (0.0, 1.0), "b": (0.0, 1.0), "mortar": mortar}, constraints=["a + b == 1"])
    with pytest.raises(SpaceError, match="remove what is wrong"):
        read(tmp_path, '[space]\nm = {names = ["a", "b"], sum = 1.0}')


def test_every_form_of_a_parameter(tmp_path):
    space, options = read(
        tmp_path,
        """
        constraints = ["x + y <= 1"]
        direction = "maximize"
        noise = 0.5
        seed = 3
        [space]
        x = {low = 0.0, high = 1}
        y = {type = "float", low = 0, high = 1, step = 0.25}
        n = {low = 1, high = 8}
        k = {low = 1, high = 1000, log = true}
        act = ["relu", "gelu"]
        size = {options = [8, 16]}
        odd = [1, 2.5, "a", true]
        [space.lr]
        type = "float"
        low = 1e-5
        high = 1e-1
        log = true
        """,
    )
    assert space == kg.Space(
        {
            "x": kg.Float(0, 1),
            "y": kg.Float(0, 1, step=0.25),
            "n": kg.Int(1, 8),
            "k": kg.Int(1, 1000, log=True),
            "act": kg.Choice(["relu", "gelu"]),
            "size": kg.Choice([8, 16]),
            "odd": kg.Choice([1, 2.5, "a", True]),
            "lr": kg.Float(1e-5, 1e-1, log=True),
        },
        constraints=["x + y <= 1"],
    )
    assert options == {"direction": "maximize", "noise": 0.5, "seed": 3}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = ", "expected TOML"),
        ("", r"a table \[space\]"),
        ("space = 3", r"a table \[space\]"),
        ("[space]", r"a table \[space\]"),
        ("[spaces]\nx = {low = 0, high = 1}", r"got \['spaces'\]"),
        ("[space]\nx = {low = 0, high = 1, lag = true}", "'x': .*'lag'"),
        ("[space]\nx = {low = 0}", "'x': expected .*'high'"),
        ("[space]\nx = {low = 2, high = 1}", "'x'"),
        ("[space]\nx = {type = 'flaot', low = 0, high = 1}", "flaot"),
        ("[space]\nx = [0.0, 1.0]", r"\{low = 0.0, high = 1.0\} or \{options = \[0.0, 1.0\]\}"),
        ("[space]\nx = 3", "'x': expected a table"),
        ("[space]\nx = []", "'x'"),
        ("[space]\nx = {low = 0, high = 1}\nconstraints = ['x <= 1']", r"above the line \[space\]"),
        (
            "[space]\nx = {low = 0, high = 1}\n[objectives]\na = 'minimize'\nlimits = ['b <= 1']",
            r"above the line \[objectives\]",
        ),
        ("constraints = ['z <= 1']\n[space]\nx = {low = 0, high = 1}", "no parameter 'z'"),
        ("[space]\nx = " + "[" * 9000 + "]" * 9000, "nested too deep"),
        ("[space]\nx = " + "{a = " * 9000 + "1" + "}" * 9000, "nested too deep"),
        ("[space]\nx" + ".a" * 9000 + " = 1", "'x'"),
        ("constraints = 3\n[space]\nx = {low = 0, high = 1}", "list of strings"),
    ],
)
def test_a_file_that_cannot_be_meant_is_refused_by_name(tmp_path, text, said):
    with pytest.raises(SpaceError, match=said):
        read(tmp_path, text)


def test_candidates(tmp_path):
    (tmp_path / "rows.csv").write_text("name,x\na,1\nb,2\nc,4\n")
    space, options = read(tmp_path, 'candidates = "rows.csv"\nlabels = ["name"]\nseed = 3')
    assert space == kg.Candidates([{"name": n, "x": x} for n, x in (("a", 1), ("b", 2), ("c", 4))], labels=["name"])
    assert options == {"seed": 3}
    for wrong, said in (
        ("[space]\nx = {low = 0, high = 1}", "beside: expected fidelities and sources"),
        ("space = 3", "expected candidates alone"),
        ('constraints = ["x <= 1"]', "expected candidates alone"),
    ):
        with pytest.raises(SpaceError, match=said):
            read(tmp_path, f'candidates = "rows.csv"\n{wrong}')
    beside = '[space]\nby = {options = ["rule", "lab"], target = "lab", cost = {rule = 0.1, lab = 1.0}}'
    looked_at, _ = read(tmp_path, f'candidates = "rows.csv"\nlabels = "name"\n{beside}')
    source = kg.Source(["rule", "lab"], target="lab", cost=[0.1, 1.0])
    assert looked_at == space.with_beside({"by": source})
    with pytest.raises(SpaceError, match="the path of a CSV file"):
        read(tmp_path, "candidates = 3")


def test_descriptors(tmp_path):
    (tmp_path / "solvents.csv").write_text("solvent,eps\nDMF,36.7\nwater,80.1\n")
    space, _ = read(tmp_path, '[space]\nsolvent = {options = ["water", "DMF"], features = "solvents.csv"}')
    assert space == kg.Space({"solvent": kg.Choice(["water", "DMF"], features={"water": [80.1], "DMF": [36.7]})})


def test_conditions(tmp_path):
    space, _ = read(
        tmp_path,
        """
        [space]
        booster = ["gblinear", "gbtree", "dart"]
        layers = {low = 1, high = 3}
        drop = {low = 0.0, high = 1.0, when = {booster = ["dart"]}}
        width = {low = 8, high = 64, log = true, when = "layers >= 2"}
        act = {options = ["relu", "gelu"], when = [{booster = "dart"}, "layers >= 2"]}
        """,
    )
    assert space == kg.Space(
        {
            "booster": ["gblinear", "gbtree", "dart"],
            "layers": kg.Int(1, 3),
            "drop": kg.Float(0, 1, when={"booster": "dart"}),
            "width": kg.Int(8, 64, log=True, when="layers >= 2"),
            "act": kg.Choice(["relu", "gelu"], when=[{"booster": "dart"}, "layers >= 2"]),
        }
    )


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ('"a > 1"', "'a' is a Choice, which has no order"),
        ('"z > 1"', "names 'z'"),
        ("{a = []}", "expected values of 'a', got none"),
        ("7", "expected conditions, got 7; write when="),
    ],
)
def test_conditions_that_cannot_be_meant(tmp_path, when, said):
    with pytest.raises(SpaceError, match=said):
        read(tmp_path, f'[space]\na = ["u", "v"]\nx = {{low = 0.0, high = 1.0, when = {when}}}\n')
