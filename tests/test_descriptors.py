"""Choices with descriptors: where they put the options, in every form they come in, and what a model makes of them."""

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.errors import SpaceError
from knowgrad.space.descriptors import coordinates

OPTIONS = ["water", "ethanol", "DMF", "toluene"]
TABLE = {"water": [80.1, 100.0], "ethanol": [24.5, 78.0], "DMF": [36.7, 153.0], "toluene": [2.4, 111.0]}


def test_each_column_that_says_something_new_is_a_coordinate():
    F = np.random.default_rng(3).normal(size=(12, 5))
    F[:, 3] = F[:, 1] + 0.1 * F[:, 3]  # says what column 1 says
    B = coordinates(tuple(map(tuple, F.tolist())))
    kept = F[:, [0, 1, 2, 4]]
    assert np.allclose(B, (kept - kept.min(axis=0)) / np.ptp(kept, axis=0))
    assert np.abs(np.corrcoef(B.T) - np.eye(4)).max() < 0.6


def test_a_long_table_has_not_too_many_length_scales():
    bits = np.random.default_rng(4).integers(0, 2, size=(300, 2000)).tolist()
    assert coordinates(tuple(map(tuple, bits))).shape == (300, 64)


def test_units_and_a_column_that_says_nothing_do_not_matter():
    plain = kg.Choice(OPTIONS, features=TABLE)
    other = kg.Choice(OPTIONS, features={key: [1e6 * row[0], 7.0, row[1] + 3] for key, row in TABLE.items()})
    assert np.allclose(plain.place(np.arange(4)), other.place(np.arange(4)))
    assert plain.parts == (4, 1, 1)


def test_a_table_of_any_kind(tmp_path):
    pandas = pytest.importorskip("pandas")
    rows = [{"solvent": key, "eps": row[0], "bp": row[1], "note": "x"} for key, row in TABLE.items()]
    frame = pandas.DataFrame(rows)
    frame.to_csv(tmp_path / "solvents.csv", index=False)
    forms = [
        {key: {"eps": row[0], "bp": row[1]} for key, row in TABLE.items()},
        list(TABLE.values()),
        np.array(list(TABLE.values())),
        rows[::-1],
        frame,
        frame.set_index("solvent")[["eps", "bp"]],
        tmp_path / "solvents.csv",
        str(tmp_path / "solvents.csv"),
    ]
    for form in forms:
        assert kg.Choice(OPTIONS, features=form) == kg.Choice(OPTIONS, features=TABLE), form


def test_points_and_storage_are_those_of_a_choice(tmp_path):
    space = kg.Space({"solvent": kg.Choice(OPTIONS, features=TABLE), "t": (0.0, 1.0)})
    assert space.groups.tolist() == [0, 0, 0, 0, 1, 2, 3]
    assert space.n_params == 2
    rng = np.random.default_rng(0)
    U = space.sample(20, rng)
    assert np.array_equal(space.snap(space.project(U)), U)
    assert [space.decode(space.encode(space.decode(u))) for u in U] == [space.decode(u) for u in U]
    assert len(space.moves(U[0])) == 3
    assert kg.Space.from_dict(space.to_dict()) == space
    assert space != kg.Space({"solvent": OPTIONS, "t": (0.0, 1.0)})
    study = kg.Study(space, storage=f"sqlite:///{tmp_path / 's.db'}", name="s")
    study.ask(2)
    assert kg.Study.load(f"sqlite:///{tmp_path / 's.db'}", "s").space == space


def smooth(p):
    return (p["k"] / 11 - 0.3) ** 2


def fitted(features, n=12):
    """Of 24 options, every other one tried; the function is smooth in what `features` may say."""
    space = kg.Space({"k": kg.Choice(list(range(24)), features=features)})
    study = kg.Study(space, noise=0)
    for k in range(0, 24, 2):
        study.add({"k": k}, smooth({"k": k}))
    odd = [{"k": k} for k in range(1, 24, 2)]
    return np.sqrt(np.mean((study.predict(odd).mean - [smooth(p) for p in odd]) ** 2)), study


def test_good_descriptors_help_and_useless_ones_do_no_harm():
    none, _ = fitted(None)
    good, study = fitted({k: [float(k)] for k in range(24)})
    noise, _ = fitted({k: [float(v)] for k, v in enumerate(np.random.default_rng(1).permutation(24))})
    assert good < 0.2 * none
    assert noise < 1.3 * none
    assert list(study.diagnostics().length_scales) == ["k"]


@pytest.mark.parametrize(
    ("features", "says"),
    [
        ({"water": [1.0]}, "got none for .*add them"),
        ([[1.0], [2.0]], "expected 4 rows"),
        ([[1.0], [2.0], [3.0], [4.0, 5.0]], "different lengths"),
        ([[1.0], [1.0], [1.0], [1.0]], "leave features out"),
        ([[1.0], [2.0], [3.0], ["x"]], "real number"),
        ([[1.0], [2.0], [3.0], [float("nan")]], "finite"),
        ({**TABLE, "water": {"eps": 3.0}}, "features"),
        ("no such file.csv", "check the path"),
        (3, "expected a list of dicts"),
        ([{"solvent": "water", "eps": 1.0}, {"solvent": "DMF", "eps": 2.0}], "in the column 'solvent'; add them"),
        ([{"solvent": "Water", "eps": 1.0}, {"solvent": "dmf", "eps": 2.0}], "expected a column with the options"),
        ([{"solvent": option.replace("D", "d"), "eps": i} for i, option in enumerate(OPTIONS)], "correct the names"),
        ([{"solvent": option} for option in OPTIONS], "expected columns of numbers"),
    ],
)
def test_what_makes_no_sense_is_refused(features, says):
    with pytest.raises(SpaceError, match=says):
        kg.Choice(OPTIONS, features=features)


def test_a_record_names_no_file():
    with pytest.raises(SpaceError, match="no file is read"):
        kg.Space.from_dict({"parameters": {"c": {"type": "choice", "options": ["a", "b"], "features": "x.csv"}}})


def test_bits_and_a_series_are_descriptors():
    pandas = pytest.importorskip("pandas")
    bits = {key: [row[0] > 30, row[1] > 105, True] for key, row in TABLE.items()}
    numbers = {key: [float(bit) for bit in row] for key, row in bits.items()}
    frame = pandas.DataFrame.from_dict(bits, orient="index")
    frame.columns = ["a", "b", "c"]
    assert (
        kg.Choice(OPTIONS, features=bits) == kg.Choice(OPTIONS, features=frame) == kg.Choice(OPTIONS, features=numbers)
    )
    series = pandas.Series({key: row[0] for key, row in TABLE.items()})[::-1]
    assert kg.Choice(np.array(OPTIONS), features=series) == kg.Choice(
        OPTIONS, features={key: row[0] for key, row in TABLE.items()}
    )


def test_a_number_of_any_size_is_a_descriptor():
    small, large = [
        [kg.Choice(OPTIONS, features=[[x * 2.0**e], [1.0], [5.0 * 2.0**e], [0.0]]) for x in (3.0, 4.0)]
        for e in (0, 1000)
    ]
    assert all(np.isfinite(choice.place(np.arange(4))).all() for choice in (*small, *large))
    assert np.allclose(kg.Choice(["a", "b"], features=[[1e300], [-1e300]]).place([0, 1])[:, -1], [1.0, 0.0])


def test_a_table_with_a_doubtful_row_is_refused():
    rows = [{"solvent": key, "eps": row[0]} for key, row in TABLE.items()]
    with pytest.raises(SpaceError, match=r"one row for each option, got more for \['DMF'\]"):
        kg.Choice(OPTIONS, features=[*rows, {"solvent": "DMF", "eps": 3.0}])
    with pytest.raises(SpaceError, match=r"'eps': expected a number in row 3, .*leave the column out"):
        kg.Choice(OPTIONS, features=[*rows[:3], {"solvent": "toluene", "eps": None}])
