"""The house stays easy to walk through: few modules at its door, rooms that can be looked over, short functions."""

import ast
from pathlib import Path

import knowgrad

ROOT = Path(knowgrad.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
MOST_AT_THE_ROOT, MOST_IN_A_ROOM, LONGEST, MOST_LINES = 6, 30, 45, 250


def test_few_modules_stand_at_the_root():
    assert len(list(ROOT.glob("*.py"))) <= MOST_AT_THE_ROOT


def test_no_room_is_crowded():
    rooms = {path.parent for path in MODULES}
    assert {str(room): n for room in rooms if (n := len(list(room.glob("*.py")))) > MOST_IN_A_ROOM} == {}


def test_modules_have_one_idea():
    lines = {str(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {path: n for path, n in lines.items() if n > MOST_LINES} == {}


def test_every_room_says_what_it_is_for():
    assert [str(path) for path in MODULES if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))] == []


def test_functions_fit_on_a_screen():
    functions, long = (ast.FunctionDef, ast.AsyncFunctionDef), {}
    for path in MODULES:
        found = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, functions)]
        long[str(path)] = [node.name for node in found if (node.end_lineno or 0) - node.lineno >= LONGEST]
    assert {path: names for path, names in long.items() if names} == {}


def test_arguments_are_passed_on_by_name():
    """No `**locals()`, and no value made up for a trial that has none."""
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        assert "locals()" not in text, path
        assert "value or 0.0" not in text, path
