"""The rooms of the benchmarks: who may import whom, every command starts, one format of results."""

import ast
import json
import sys
from importlib import import_module
from pathlib import Path

import pytest

from benchmarks.processes import ROOT
from benchmarks.records import gathered, recorded, rewrite

HOUSE = ROOT / "benchmarks"
ALLOWED = {  # as the first docstring of the package says
    "problems": set(),
    "peers": {"problems"},
    "reports": {"problems", "peers", "speed"},
    "campaigns": {"problems", "peers", "reports"},
    "inference": {"problems", "campaigns"},
    "claims": {"problems", "peers", "reports"},
    "speed": {"peers"},
    "service": set(),
    "cluster": {"problems"},
}
SHARED = {"processes", "records", "screens"}
COMMANDS = sorted(path.stem for path in HOUSE.glob("*.py") if path.stem not in {"__init__", *SHARED})


def imported(path: Path) -> set[str]:
    """The rooms whose modules a file imports, those inside functions included."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] if node.module != "benchmarks" else [f"benchmarks.{a.name}" for a in node.names]
            found |= {name.split(".")[1] for name in names if name.startswith("benchmarks.")}
    return found - SHARED


def test_rooms_import_what_they_say_and_no_more():
    used = {room: set().union(*(imported(path) for path in (HOUSE / room).glob("*.py"))) - {room} for room in ALLOWED}
    assert used == ALLOWED
    assert set(ALLOWED) == {path.parent.name for path in HOUSE.glob("*/__init__.py")}


def test_at_the_root_are_commands_and_nothing_else():
    for name in COMMANDS:
        assert len((HOUSE / f"{name}.py").read_text(encoding="utf-8").splitlines()) <= 6, name


@pytest.mark.parametrize("name", [*COMMANDS, "speed.compare", "inference.compare", "cluster.command"])
def test_every_command_says_how_it_is_called(name, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [name, "--help"])
    with pytest.raises(SystemExit) as ended:
        import_module(f"benchmarks.{name}").main()
    assert ended.value.code == 0
    assert "usage:" in capsys.readouterr().out


def doubled(job):
    problem, seed = job
    return [{"problem": problem, "method": "double", "seed": seed, "value": 2 * seed}]


def test_a_comparison_goes_on_where_it_was_and_gives_what_was_asked_for(tmp_path):
    out, key = tmp_path / "lines.jsonl", ("problem", "seed")
    first = gathered(out, key, [("p", 1), ("p", 2)], doubled, 1)
    with out.open("a") as file:
        file.write('{"torn')
    again = gathered(out, key, [("p", 2), ("p", 3)], doubled, 1)
    assert [line["value"] for line in first] == [2, 4]
    assert [line["value"] for line in again] == [4, 6]
    assert [line["seed"] for line in recorded(out)] == [1, 2, 3]


def test_every_line_says_problem_method_and_seed(tmp_path):
    with pytest.raises(ValueError, match="lacks method"):
        rewrite(tmp_path / "lines.jsonl", [{"problem": "p", "seed": 0}])
    for path in sorted((HOUSE / "kept").glob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            first = json.loads(next(lines))
        assert {"problem", "method"} <= first.keys(), path.name
