"""The methods a study can choose its points with, by name (`method="qkg"`) or as objects with options
(`method=kg.methods.QKG(samples=128)`). Listing them loads nothing; a method's code is loaded when it is used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from knowgrad.acquisition.qkg import QKG as QKG
    from knowgrad.acquisition.qkg_paper import PaperQKG as PaperQKG
    from knowgrad.acquisition.uniform import Random as Random

# name -> (module of knowgrad.acquisition, class)
METHODS = {
    "qkg": ("qkg", "QKG"),
    "qkg-paper": ("qkg_paper", "PaperQKG"),
    "random": ("uniform", "Random"),
}


def resolve(method: Any) -> Any:
    """The method object that a name stands for; objects stand for themselves."""
    return __getattr__(METHODS[method][1])() if isinstance(method, str) else method


def __getattr__(name: str) -> Any:
    for module, cls in METHODS.values():
        if cls == name:
            return getattr(import_module(f"knowgrad.acquisition.{module}"), cls)
    raise AttributeError(f"knowgrad.methods has no {name!r}; it has {', '.join(cls for _, cls in METHODS.values())}")
