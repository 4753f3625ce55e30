"""Promises that the ordinary tests keep; the campaign runs these at their full figures."""

from __future__ import annotations

import os
import re
import subprocess
import sys

from tests.faults.scenario import CannotRun, Place, scenario

HERE = ("sqlite",)  # no database is involved


def suite(examples: int, *args: str) -> str:
    """Run these tests with this many examples each, and say how many passed; a skip is no pass."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *args]
    environment = {**os.environ, "KNOWGRAD_EXAMPLES": str(examples)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout[-2000:]
    passed = re.findall(r"\d+ passed", done.stdout)
    if not passed:
        raise CannotRun(done.stdout.strip().splitlines()[-1])
    return f"{passed[0]}, 0 failed"


@scenario("16", "objectives that return NaN, ±inf, None, texts, bools, bytes, arrays", quick=0, full=1, on=HERE)
def odd_results(place: Place, n: int) -> str:
    return suite(n, "tests/test_bad_input.py", "tests/test_runner.py", "-k", "value or result or number or nan")


@scenario("17", "data that starve a model", quick=0, full=1, on=HERE)
def odd_data(place: Place, n: int) -> str:
    return suite(n, "tests/test_odd_data.py")


@scenario("18", "y x 2^±900", quick=0, full=1, on=HERE)
def odd_units(place: Place, n: int) -> str:
    return suite(n, "tests/test_suggest.py", "-k", "unit")


@scenario("34", "generated spaces with conditions", quick=0, full=10_000, on=HERE)
def conditional_spaces(place: Place, n: int) -> str:
    return f"{n} spaces: " + suite(n, "tests/test_conditions.py", "-k", "generated_conditional")


@scenario("19", "generated spaces", quick=0, full=10_000, on=HERE)
def odd_spaces(place: Place, n: int) -> str:
    return f"{n} spaces: " + suite(n, "tests/test_space.py", "-k", "generated_nonsense")


@scenario("19b", "generated mixtures", quick=0, full=10_000, on=HERE)
def odd_mixtures(place: Place, n: int) -> str:
    return f"{n} spaces: " + suite(n, "tests/test_mixtures.py", "-k", "generated_spaces")
