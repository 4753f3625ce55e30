"""Processes of their own for what is measured: one thread, and memory that is not shared with anybody."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
ONE_THREAD = dict.fromkeys(THREADS, "1")


def alone(call: Callable[..., Any], *arguments: Any) -> Any:
    """In a fresh process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(call, *arguments).result()


def peak() -> float:
    """The most memory that this process has had, in MB."""
    kilobyte = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * kilobyte / 1e6


@cache
def commit() -> str:
    """The commit of this checkout, followed by `+` if its code was changed since; empty outside a repository."""
    found = [
        subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
        for arguments in (("rev-parse", "HEAD"), ("status", "--porcelain", "--", "src", "benchmarks/*.py"))
    ]
    if any(done.returncode for done in found):
        return ""
    return found[0].stdout.strip() + ("+" if found[1].stdout.strip() else "")
