"""Who may import whom: `docs/design.md` as a table, and every import of the package held against it."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import knowgrad

PACKAGE = "knowgrad"
ROOT = Path(knowgrad.__file__).parent


@dataclass(frozen=True)
class Layer:
    """What one layer may import.

    `inside`: other layers of the package. `outside`: packages that are neither ours nor the standard library's.
    `later`: outside packages that may be loaded only when a function runs, to keep `import knowgrad` quick.
    """

    inside: str = ""
    outside: str = ""
    later: str = ""


# A layer is a module or a subpackage directly under the package; "knowgrad" is __init__.py, the public names.
LAYERS = {
    "errors": Layer(),
    "text": Layer(),
    "problems": Layer(outside="numpy"),
    "checked": Layer("errors text", outside="numpy"),
    "outcomes": Layer("checked errors text"),
    "trial": Layer("outcomes text", outside="numpy"),
    "space": Layer("checked errors text", outside="numpy"),
    "gp": Layer(outside="numpy scipy"),
    "model": Layer("checked trial space gp", outside="numpy"),
    "acquisition": Layer("space gp", outside="numpy scipy"),
    "advisor": Layer("checked errors text outcomes trial space gp model acquisition", outside="numpy threadpoolctl"),
    "storage": Layer("checked errors text trial", outside="psycopg"),
    "log": Layer("checked errors text outcomes trial space storage", outside="numpy"),
    "tables": Layer("errors text outcomes trial space storage log", later="pandas pyarrow"),
    "study": Layer("checked errors outcomes trial space advisor storage log tables runner plots"),
    "views": Layer("errors text trial space gp acquisition advisor", outside="numpy", later="scipy"),
    "plots": Layer("errors text space advisor views", outside="plotly"),
    "testing": Layer("trial storage study"),
    "runner": Layer("checked errors text outcomes trial", later="loky cloudpickle tqdm ray"),
    "optimize": Layer("errors text trial space advisor runner study"),
    "web": Layer(
        "errors text trial space advisor storage tables study views plots",
        outside="starlette uvicorn anyio h11 msgspec",
    ),
    "integrations": Layer(
        "checked errors text outcomes trial space advisor study", outside="numpy optuna sqlalchemy sklearn joblib ray"
    ),
    "cli": Layer(
        "knowgrad errors text outcomes problems trial space acquisition advisor storage log tables study runner plots "
        "web integrations",
        outside="click numpy",
    ),
    "knowgrad": Layer("errors problems trial space acquisition advisor study runner optimize"),
}


@dataclass(frozen=True)
class Import:
    """One import: the module named, the line, and whether it waits for a function to run."""

    target: str
    line: int
    deferred: bool


def imports(source: str, module: str, is_package: bool, modules: frozenset[str]) -> Iterator[Import]:
    """Every import in the source, wherever it stands: at the top, in functions, under `if TYPE_CHECKING`."""

    def visit(node: ast.AST, deferred: bool) -> Iterator[Import]:
        for name in named(node):
            yield Import(name, getattr(node, "lineno", 0), deferred)
        for child in ast.iter_child_nodes(node):
            yield from visit(child, deferred or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda))

    def named(node: ast.AST) -> list[str]:
        match node:
            case ast.Import():
                return [alias.name for alias in node.names]
            case ast.ImportFrom():
                base = resolve(node)
                return [full if (full := f"{base}.{alias.name}") in modules else base for alias in node.names]
            case ast.Call(func=ast.Name(id=f) | ast.Attribute(attr=f), args=[name, *_]):
                return [text(name)] if f in {"import_module", "__import__"} else []
        return []

    def text(name: ast.expr) -> str:
        """The name, as far as it is written out: of f"knowgrad.acquisition.{x}" the package."""
        start = name.values[0] if isinstance(name, ast.JoinedStr) else name
        if isinstance(start, ast.FormattedValue) and ast.unparse(start.value) == "__name__":
            return module
        return start.value.rstrip(".") if isinstance(start, ast.Constant) else "a name known only at run time"

    def resolve(node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = module.split(".")
        parent = parts[: len(parts) - node.level + is_package]
        return ".".join(parent + ([node.module] if node.module else []))

    yield from visit(ast.parse(source), False)


def layer_of(module: str) -> str:
    """`knowgrad.gp.fit` is in the layer `gp`."""
    return module.split(".")[1] if "." in module else module


def complaints(source: str, module: str, is_package: bool, modules: frozenset[str]) -> list[str]:
    """What the table forbids among the imports of this source."""
    own = layer_of(module)
    layer = LAYERS[own]
    found = []
    for item in imports(source, module, is_package, modules):
        top = item.target.split(".")[0]
        if top == PACKAGE:
            allowed = {own, *layer.inside.split()}
            name = layer_of(item.target)
        else:
            allowed = {
                *sys.stdlib_module_names,
                *layer.outside.split(),
                *(layer.later.split() if item.deferred else []),
            }
            name = top
        if name not in allowed:
            found.append(f"{module}:{item.line} imports {item.target}, which the layer {own!r} may not")
    return found


def package() -> dict[str, Path]:
    """The modules of the package and their files."""
    dotted = {path: ".".join([PACKAGE, *path.relative_to(ROOT).with_suffix("").parts]) for path in ROOT.rglob("*.py")}
    return {name.removesuffix(".__init__"): path for path, name in sorted(dotted.items())}


FILES = package()
MODULES = frozenset(FILES)


def test_every_module_has_a_layer():
    assert {layer_of(module) for module in MODULES} <= set(LAYERS)


def test_the_table_names_only_its_own_layers():
    assert {name for layer in LAYERS.values() for name in layer.inside.split()} <= set(LAYERS)


def test_the_table_has_no_cycles():
    TopologicalSorter({name: layer.inside.split() for name, layer in LAYERS.items()}).prepare()


def test_imports_follow_the_table():
    found = {
        module: complaints(path.read_text(encoding="utf-8"), module, path.name == "__init__.py", MODULES)
        for module, path in FILES.items()
    }
    assert {module: said for module, said in found.items() if said} == {}


@pytest.mark.parametrize("name", LAYERS)
def test_every_permission_is_used(name):
    used = set()
    for module in (module for module in MODULES if layer_of(module) == name):
        path = FILES[module]
        for item in imports(path.read_text(encoding="utf-8"), module, path.name == "__init__.py", MODULES):
            top = item.target.split(".")[0]
            used.add(layer_of(item.target) if top == PACKAGE else top)
    layer = LAYERS[name]
    assert set(f"{layer.inside} {layer.outside} {layer.later}".split()) <= used


def test_modules_import_each_other_in_one_direction():
    """Also inside a layer: if two modules need each other, a third one is missing."""
    graph = {
        module: {
            item.target
            for item in imports(path.read_text(encoding="utf-8"), module, path.name == "__init__.py", MODULES)
            if item.target in MODULES and item.target != module
        }
        for module, path in FILES.items()
    }
    TopologicalSorter(graph).prepare()


def test_import_knowgrad_leaves_scipy_for_the_first_question():
    loaded = "import sys, knowgrad; print(*{name.split('.')[0] for name in sys.modules})"
    names = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout.split()
    assert not {"scipy", "click", "tqdm", "loky"} & set(names)


KNOWN = frozenset({PACKAGE, *(f"{PACKAGE}.{name}" for name in LAYERS), f"{PACKAGE}.gp.kernel", f"{PACKAGE}.gp.fit"})


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("knowgrad.gp.fit", "from knowgrad.study import Study"),
        ("knowgrad.gp.fit", "from ..trial import Trial"),
        ("knowgrad.gp.fit", "from .. import acquisition"),
        ("knowgrad.gp.fit", "import numpy, torch"),
        ("knowgrad.gp.fit", "import knowgrad"),
        ("knowgrad.acquisition.methods.qkg", "def f():\n    from knowgrad.model import fitted"),
        ("knowgrad.acquisition.methods.qkg", "from importlib import import_module\nimport_module('knowgrad.model')"),
        ("knowgrad.acquisition.methods.qkg", "import importlib\nimportlib.import_module(f'knowgrad.{name}')"),
        ("knowgrad.acquisition.methods.qkg", "__import__(name)"),
        ("knowgrad.storage.memory", "class A:\n    async def f(self):\n        import numpy"),
        ("knowgrad.study", "from knowgrad import gp"),
        ("knowgrad.study", "from . import model"),
        ("knowgrad.study", "def ask():\n    import scipy.linalg"),
        ("knowgrad.space", "from scipy.optimize import linprog"),
        ("knowgrad.space", "try:\n    import scipy\nexcept ImportError:\n    pass"),
        ("knowgrad.trial", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from knowgrad.study import Study"),
    ],
)
def test_a_forbidden_import_is_caught(module, source):
    assert len(complaints(source, module, False, KNOWN)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        (
            "knowgrad.gp.fit",
            "import math\nimport numpy as np\nfrom scipy.linalg import blas\nfrom .kernel import matern52",
        ),
        ("knowgrad.gp.fit", "from knowgrad.gp import kernel\nfrom . import kernel"),
        ("knowgrad.acquisition.methods.qkg", "from ..gp.kernel import matern52"),
        ("knowgrad.advisor.threads", "def f():\n    from threadpoolctl import ThreadpoolController"),
        ("knowgrad.study", "def ask():\n    from knowgrad.advisor.snapshot import Snapshot"),
        ("knowgrad.cli.demo", "from knowgrad import minimize\nimport click"),
    ],
)
def test_a_permitted_import_passes(module, source):
    assert not complaints(source, module, False, KNOWN)


def test_relative_imports_of_a_package_start_at_the_package():
    (item,) = imports("from .fit import fit", "knowgrad.gp", True, KNOWN)
    assert item == Import("knowgrad.gp.fit", 1, False)


@pytest.mark.parametrize("layer", [name for name in LAYERS if (ROOT / name).is_dir()])
def test_every_package_says_what_it_may_import(layer):
    said = (ast.get_docstring(ast.parse((ROOT / layer / "__init__.py").read_text(encoding="utf-8"))) or "").split()
    said = " ".join(said).partition("May import: ")[2].rstrip(".")
    assert said == (", ".join(LAYERS[layer].inside.split()) or "nothing else of the package")


def test_criteria_search_for_nothing_and_searches_know_no_method():
    folder = ROOT / "acquisition"
    for room, others in (("criteria", ("search", "methods")), ("search", ("methods",))):
        for path in (folder / room).glob("*.py"):
            found = imports(
                path.read_text(encoding="utf-8"), f"{PACKAGE}.acquisition.{room}.{path.stem}", False, MODULES
            )
            names = {f"{PACKAGE}.acquisition.{other}" for other in others}
            assert not [each for each in found if each.target.rpartition(".")[0] in names], path
