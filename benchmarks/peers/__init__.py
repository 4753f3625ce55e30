"""Everyone who takes part, behind one small interface. Listing them loads none of them."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from benchmarks.problems.task import Parameter, Params

# name -> (module here, variant, distributions whose versions are recorded)
TORCH = ("botorch", "gpytorch", "torch")
PEERS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "botorch-qkg": ("botorch", "qkg", TORCH),
    "botorch-qlognei": ("botorch", "qlognei", TORCH),
    "botorch-qlogei": ("botorch", "qlogei", TORCH),
    "optuna-gp": ("optuna", "gp", ("optuna", "torch")),
    "optuna-tpe": ("optuna", "tpe", ("optuna",)),
    "baybe": ("baybe", "", ("baybe", *TORCH)),
    "ax": ("ax", "", ("ax-platform", *TORCH)),
    "vizier": ("vizier", "", ("google-vizier", "jax")),
    "hebo": ("hebo", "", ("HEBO", "gpytorch", "torch")),
    "smac": ("smac", "", ("smac", "scikit-learn")),
    "skopt": ("skopt", "", ("scikit-optimize", "scikit-learn")),
}
BASE = ("numpy", "scipy")
HERE = Path(__file__).parent


class Optimizer(Protocol):
    """Asked for q points, it is told their values, in order, before it is asked again."""

    def add(self, points: Sequence[Params], values: Sequence[float]) -> None:
        """Take in results it did not ask for."""

    def ask(self, q: int) -> list[Params]:
        """The next q points."""

    def tell(self, values: Sequence[float]) -> None:
        """The values of the points asked last."""

    def recommend(self) -> Params | list[Params] | None:
        """The point its model would use now; None if it has no model, and the best observed one stands in.

        Several are for several contexts, and their mean counts.
        """


def create(name: str, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> Optimizer:
    """A fresh optimizer; raises ImportError if what it needs is not installed."""
    module, variant, _ = PEERS.get(name, ("campaigners" if name.startswith("@") else "ours", name, ()))
    made: Optimizer = import_module(f"benchmarks.peers.{module}").create(variant, parameters, seed, noisy)
    return made


def is_pure(name: str) -> bool:
    """A pure optimizer's next batch depends on the results so far alone: it can go on from a record of them."""
    return name not in PEERS and not name.startswith("@")


def versions(name: str) -> dict[str, str]:
    """Of everything that could change what this optimizer does: the releases, and a hash of our source or adapter."""
    from benchmarks.peers.ours import fingerprint

    module, _, packages = PEERS.get(name, ("", "", ()))
    found = {package: version(package) for package in (*packages, *BASE)}
    ours = (
        {"adapter": digest(HERE, [HERE / f"{module}.py", HERE / "cube.py"])} if module else {"knowgrad": fingerprint()}
    )
    return {**ours, **found, "python": ".".join(map(str, sys.version_info[:3]))}


def digest(root: Path, files: Iterable[Path]) -> str:
    """Of the names of files under a folder, and of what is in them."""
    text = b"".join(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes() for path in files)
    return hashlib.sha256(text).hexdigest()[:12]


def probe(name: str) -> dict[str, Any]:
    """Its versions if it works here, else the reason why not."""
    try:
        optimizer = create(name, (Parameter("x", 0.0, 1.0), Parameter("y", 0.0, 1.0)), 0, True)
        optimizer.add([{"x": i / 5, "y": (0.37 * i) % 1} for i in range(6)], [0.3, 0.1, 0.2, 0.5, 0.4, 0.6])
        return {"versions": versions(name)}
    except Exception as error:
        return {"reason": f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}"}
