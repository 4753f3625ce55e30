"""The methods a study can choose its points with, by name (`method="qkg"`) or as objects with options
(`method=kg.methods.QKG(samples=128)`). Listing them loads nothing; a method's code is loaded when it is used.

May import: gp, the domain of space, criteria and search.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from knowgrad.acquisition.methods.constant_liar import ConstantLiar as ConstantLiar
    from knowgrad.acquisition.methods.ei import EI as EI
    from knowgrad.acquisition.methods.gp_bucb import GPBUCB as GPBUCB
    from knowgrad.acquisition.methods.gp_ucb_pe import GPUCBPE as GPUCBPE
    from knowgrad.acquisition.methods.kg import KG as KG
    from knowgrad.acquisition.methods.kriging_believer import KrigingBeliever as KrigingBeliever
    from knowgrad.acquisition.methods.mc_ei import MCEI as MCEI
    from knowgrad.acquisition.methods.nested_kg import NestedKG as NestedKG
    from knowgrad.acquisition.methods.pes import PES as PES
    from knowgrad.acquisition.methods.pi import PI as PI
    from knowgrad.acquisition.methods.ppes import PPES as PPES
    from knowgrad.acquisition.methods.qei import QEI as QEI
    from knowgrad.acquisition.methods.qei_exact import ExactQEI as ExactQEI
    from knowgrad.acquisition.methods.qkg import QKG as QKG
    from knowgrad.acquisition.methods.qkg_paper import PaperQKG as PaperQKG
    from knowgrad.acquisition.methods.qlogei import QLogEI as QLogEI
    from knowgrad.acquisition.methods.qlognei import QLogNEI as QLogNEI
    from knowgrad.acquisition.methods.sobol import Sobol as Sobol
    from knowgrad.acquisition.methods.thompson import Thompson as Thompson
    from knowgrad.acquisition.methods.ucb import UCB as UCB
    from knowgrad.acquisition.methods.uniform import Random as Random

# name -> (module, class)
METHODS = {
    "qkg": ("qkg", "QKG"),
    "qkg-paper": ("qkg_paper", "PaperQKG"),
    "ei": ("ei", "EI"),
    "pi": ("pi", "PI"),
    "ucb": ("ucb", "UCB"),
    "kg": ("kg", "KG"),
    "mc-ei": ("mc_ei", "MCEI"),
    "constant-liar": ("constant_liar", "ConstantLiar"),
    "kriging-believer": ("kriging_believer", "KrigingBeliever"),
    "gp-bucb": ("gp_bucb", "GPBUCB"),
    "gp-ucb-pe": ("gp_ucb_pe", "GPUCBPE"),
    "nested-kg": ("nested_kg", "NestedKG"),
    "qei": ("qei", "QEI"),
    "qei-exact": ("qei_exact", "ExactQEI"),
    "qlogei": ("qlogei", "QLogEI"),
    "qlognei": ("qlognei", "QLogNEI"),
    "pes": ("pes", "PES"),
    "ppes": ("ppes", "PPES"),
    "thompson": ("thompson", "Thompson"),
    "random": ("uniform", "Random"),
    "sobol": ("sobol", "Sobol"),
}


def resolve(method: Any) -> Any:
    """The method object that a name stands for; objects stand for themselves."""
    return __getattr__(METHODS[method][1])() if isinstance(method, str) else method


def __getattr__(name: str) -> Any:
    for module, cls in METHODS.values():
        if cls == name:
            return getattr(import_module(f"{__name__}.{module}"), cls)
    raise AttributeError(f"kg.methods has no {name!r}; it has {', '.join(cls for _, cls in METHODS.values())}")
