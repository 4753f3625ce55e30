"""Contenders by kind and by the name that readers know them by."""

from __future__ import annotations

from benchmarks.peers import PEERS
from benchmarks.problems.experiments import RIVALS
from benchmarks.reports.stats import REFERENCE, Anyone

LIBRARIES = {
    "optuna-gp": "Optuna GP",
    "optuna-tpe": "Optuna TPE",
    "ax": "Ax",
    "botorch-qkg": "BoTorch qKG",
    "botorch-qlognei": "BoTorch qLogNEI",
    "botorch-qlogei": "BoTorch qLogEI",
    "hebo": "HEBO",
    "smac": "SMAC3",
    "skopt": "scikit-optimize",
    "vizier": "Vizier",
}
KINDS = {"peers": "other libraries", "rivals": "the methods of the paper's comparison", "own": "our other methods"}


def shown(name: str) -> str:
    """`qkg` is what the package does by default; our other methods keep the name that `method=` takes."""
    method, _, rest = name.partition(",")
    label = "knowgrad (q-KG)" if method == REFERENCE else LIBRARIES.get(method, f"`{method}`")
    return f"{label},{rest}" if rest else label


def kind(one: Anyone) -> str:
    """One of KINDS, or empty for the reference."""
    method = one.method.partition("+")[0]
    if one.method == REFERENCE:
        return ""
    return "peers" if method in PEERS else "rivals" if method in (*RIVALS, "qkg-paper") else "own"
