"""The public names, and what importing them costs."""

import subprocess
import sys
from importlib.metadata import version

import pytest

import knowgrad as kg

HEAVY = {"scipy", "loky", "cloudpickle", "tqdm", "click", "threadpoolctl", "plotly", "starlette", "sqlite3", "psycopg"}


def test_importing_loads_nothing_heavy():
    code = "import sys, knowgrad; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not HEAVY & set(loaded)


LATER = """
import sys, knowgrad as kg
study = kg.Study({"x": (0.0, 1.0), "kind": ["a", "b"]}, seed=0)
for k in range(6):
    study.add({"x": k / 6, "kind": "ab"[k % 2]}, (k / 6 - 0.4) ** 2)
study.snapshot()
before = set(sys.modules)
study.ask(2), study.recommend(), study.gain(), study.diagnostics()
print(*set(sys.modules) - before)
"""


def test_questions_load_nothing_after_the_first():
    """A child made by fork would wait for ever for a module that another thread of its parent was loading."""
    done = subprocess.run([sys.executable, "-c", LATER], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_every_public_name_is_there():
    for name in kg.__all__:
        assert getattr(kg, name) is not None
        assert name in dir(kg)


def test_the_version_is_the_installed_one():
    assert kg.__version__ == version("knowgrad")


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match="no attribute 'optimise'"):
        _ = kg.optimise
