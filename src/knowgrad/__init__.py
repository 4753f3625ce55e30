"""knowgrad: what to try next when every try is expensive and noisy, and several run at once.

`minimize` and `maximize` run a function to the end; `Study` answers `ask` and takes `tell`, for everything else.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from knowgrad import errors
from knowgrad.advisor.diagnostics import Diagnostics
from knowgrad.optimize import maximize, minimize
from knowgrad.runner import Result, RunningTrial
from knowgrad.space import Candidates, Choice, Fidelity, Float, Int, Mixture, Source, Space
from knowgrad.study import Study
from knowgrad.trial import Front, Gain, Prediction, Recommendation, Trial

if TYPE_CHECKING:
    from knowgrad import problems
    from knowgrad.acquisition import methods

__all__ = [
    "Candidates",
    "Choice",
    "Diagnostics",
    "Fidelity",
    "Float",
    "Front",
    "Gain",
    "Int",
    "Mixture",
    "Prediction",
    "Recommendation",
    "Result",
    "RunningTrial",
    "Source",
    "Space",
    "Study",
    "Trial",
    "__version__",
    "errors",
    "maximize",
    "methods",
    "minimize",
    "problems",
]

__version__: str


def __getattr__(name: str) -> Any:
    if name == "methods":
        return import_module("knowgrad.acquisition.methods")
    if name == "problems":
        return import_module("knowgrad.problems")
    if name == "__version__":
        from importlib.metadata import version

        return version(__name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
