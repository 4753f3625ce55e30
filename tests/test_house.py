"""The house stays easy to walk through: few modules at its door, rooms that can be looked over, short functions."""

import ast
import re
from pathlib import Path

import knowgrad

ROOT = Path(knowgrad.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
MOST_AT_THE_ROOT, MOST_IN_A_ROOM, LONGEST, MOST_LINES = 6, 27, 45, 250


def test_few_modules_stand_at_the_root():
    assert len(list(ROOT.glob("*.py"))) <= MOST_AT_THE_ROOT


def test_no_room_is_crowded():
    rooms = {path.parent for path in MODULES}
    assert {str(room): n for room in rooms if (n := len(list(room.glob("*.py")))) > MOST_IN_A_ROOM} == {}


def test_modules_have_one_idea():
    lines = {str(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {path: n for path, n in lines.items() if n > MOST_LINES} == {}


def test_the_design_has_every_room_and_names_only_what_is_there():
    docs = Path(__file__).parents[1] / "docs"
    text = "\n".join((docs / page).read_text(encoding="utf-8") for page in ("design.md", "design-parts.md"))
    rooms = {path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()}
    assert set(re.findall(r"^\| `(\w+)/` \|", text, re.MULTILINE)) == rooms
    there = ["/" + path.relative_to(ROOT).with_suffix("").as_posix() for path in MODULES]
    named = set(re.findall(r"`((?:\w+/)+\w*)(?:\.\w+)*`", text)) - {"tests/test_layers"}
    assert [name for name in sorted(named) if not any(f"/{name.rstrip('/')}/" in f"{path}/" for path in there)] == []


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
