"""The experiments, by name: the paper's section 6 and appendix B, and functions beyond it.

Listing them loads neither data nor PyTorch.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from benchmarks.problems.task import Params, Task, random_start, start

SYNTHETIC = ("branin", "rosenbrock3", "ackley5", "hartmann6")
OTHERS = ("camel2", "rastrigin2", "cone3", "styblinski3", "levy4", "ridge4", "bowl6", "stiff6", "few8")
TWELVE = "goldstein2 beale2 salomon3 zakharov4 shekel4 powell4 colville4 griewank4 michalewicz5 alpine5 dixon6 trid6"
TEXTBOOK = tuple(TWELVE.split())
IDLE = ("braninof8", "camel2of9", "goldstein2of10", "rosenbrock3of7", "levy4of10", "hartmann6of12")
POSITIVE = ("branin", "rosenbrock3", "levy4", "ridge4", "stiff6")
RIVALS = ("qkg", "qei", "mc-ei", "gp-bucb", "gp-ucb-pe")
TRAINED = ("qkg", "qei", "mc-ei")  # q-KG and both parallel EIs, as the paper has them
BLENDS = ("p3ht-mixture", "p3ht-left-out")
DESCRIBED = ("arylation-described", "arylation-shuffled")
LAB = ("arylation", "crossed-barrel", "p3ht", *(f"lcbench-{task}" for task in (3945, 167168, 189354, 168868)))
TREES = tuple(f"xgboost-{task}" for task in (16, 40923, 41143, 470, 1487, 40499))
MISTAKEN = ("branin", "rosenbrock3", "levy4", "ridge4", "stiff6", "hartmann6")
EQUAL = (*(f"{method}+mle" for method in RIVALS), *RIVALS)


@dataclass(frozen=True)
class Experiment:
    """One figure and its default size; `module` makes its tasks, with this noise."""

    title: str
    module: str
    problems: tuple[str, ...]
    noise: float | str
    runs: int
    batches: int
    methods: tuple[str, ...] = RIVALS
    batch_sizes: tuple[int, ...] = (4,)
    measure: str = "log10 immediate regret"
    told: bool = True
    """Exact results are said to be exact."""
    random_start: int = 0
    """So many random points are the start; 0: the Latin hypercube of 2d + 2."""


ERROR = "test error"
SHORTFALL = "shortfall from the best (in the data's units)"
EXPERIMENTS = {
    "noise-free": Experiment("Noise-free synthetic functions", "noisy", SYNTHETIC, 0.0, 20, 15),
    "noisy": Experiment("Noisy synthetic functions, sd 0.5", "noisy", SYNTHETIC, 0.5, 20, 15),
    "speedup": Experiment(
        "Speed-up by parallelism", "noisy", ("branin", "hartmann6"), 0.5, 20, 15, ("qkg",), (1, 2, 4, 8)
    ),
    "logreg": Experiment("Logistic regression on MNIST", "logreg", ("mnist",), 0.0, 20, 10, TRAINED, measure=ERROR),
    "logreg-noisy": Experiment(
        "Logistic regression on MNIST, tested on 1,000 images",
        "logreg",
        ("mnist",),
        1.0,
        20,
        10,
        TRAINED,
        measure=ERROR,
    ),
    "cnn": Experiment("Convolutional network on CIFAR-10", "cnn", ("cifar10",), 0.0, 5, 10, TRAINED, measure=ERROR),
    "terms": Experiment(
        "Equal terms: q-KG and its rivals, all by maximum likelihood and all under our model",
        "terms",
        (*SYNTHETIC, *(f"noisy-{name}" for name in SYNTHETIC)),
        0.5,
        100,
        15,
        EQUAL,
    ),
    "unsaid": Experiment("Noise-free, but not declared so", "noisy", SYNTHETIC, 0.0, 10, 15, ("qkg",), told=False),
    "beyond": Experiment("Nine other functions, exact", "noisy", OTHERS, "exact", 10, 12, ("qkg",)),
    "beyond-noisy": Experiment(
        "Nine other functions, noise of half their spread", "noisy", OTHERS, "high", 10, 12, ("qkg",)
    ),
    "unseen": Experiment(
        "Twelve textbook functions, exact, but not declared so",
        "noisy",
        TEXTBOOK,
        "exact",
        5,
        12,
        ("qkg",),
        told=False,
    ),
    "unseen-noisy": Experiment(
        "Twelve textbook functions, noise of a twentieth of their spread",
        "noisy",
        TEXTBOOK,
        "low",
        5,
        12,
        ("qkg",),
    ),
    "idle": Experiment(
        "Six functions of few of their variables, exact, but not declared so",
        "noisy",
        IDLE,
        "exact",
        5,
        12,
        ("qkg",),
        told=False,
    ),
    "idle-noisy": Experiment(
        "Six functions of few of their variables, noise of a twentieth of their spread",
        "noisy",
        IDLE,
        "low",
        5,
        12,
        ("qkg",),
    ),
    "lab": Experiment("Measured experiments", "lab", LAB, 0.0, 10, 10, ("qkg", "random"), measure=SHORTFALL),
    "descriptors": Experiment(
        "Reactions with descriptors, and with descriptors in disorder",
        "spaces",
        DESCRIBED,
        0.0,
        50,
        9,
        ("qkg", "baybe"),
        (5,),
        SHORTFALL,
        random_start=5,
    ),
    "plate": Experiment(
        "A list of oxides of six metals", "spaces", ("oer",), 0.0, 10, 10, ("qkg", "random"), (8,), SHORTFALL
    ),
    "mixture": Experiment(
        "Blends of five components that add up", "spaces", BLENDS, 0.0, 10, 10, ("qkg",), measure=SHORTFALL
    ),
    "xgboost": Experiment(
        "Tuning of XGBoost: which hyperparameters exist depends on the booster",
        "xgboost",
        TREES,
        0.0,
        10,
        16,
        ("qkg", "random"),
        measure=SHORTFALL,
    ),
    "published": Experiment(
        "Direct arylation as published: batches of 5 from 5 random reactions",
        "lab",
        ("arylation",),
        0.0,
        50,
        9,
        ("qkg",),
        (5,),
        SHORTFALL,
        random_start=5,
    ),
    "errors": Experiment(
        "A tenth of the results replaced by gross errors, and the same searches without",
        "errors",
        (*MISTAKEN, *(f"errors-{name}" for name in MISTAKEN)),
        "low",
        10,
        12,
        ("qkg",),
    ),
    "plates": Experiment(
        "Plates of 24 that share a temperature",
        "settings",
        ("arylation",),
        0.0,
        10,
        2,
        ("qkg", "@plate", "@any-plate"),
        (24,),
        SHORTFALL,
    ),
    "contexts": Experiment(
        "The best for each of four contexts",
        "settings",
        ("bases", "unlike"),
        0.0,
        10,
        39,
        ("@across", "@apart"),
        measure=SHORTFALL,
    ),
    "unlike": Experiment(
        "What a context costs that is unlike the others",
        "settings",
        ("unlike", "three"),
        0.0,
        10,
        39,
        ("@across", "@apart"),
        measure=SHORTFALL,
    ),
    "environment": Experiment(
        "One recipe for all values of variables that are not ours",
        "settings",
        ("williams", "hartmanns"),
        0.0,
        20,
        15,
        ("@average", "@one", "@drawn"),
        measure=SHORTFALL,
    ),
    "averages": Experiment(
        "One recipe for four contexts",
        "settings",
        ("bases-mean", "branins"),
        0.0,
        10,
        15,
        ("@average", "@one", "@drawn"),
        measure=SHORTFALL,
    ),
    "multiplicative": Experiment(
        "Results times a lognormal factor of 0.5", "noisy", POSITIVE, "multiplicative", 10, 12, ("qkg",)
    ),
    "heavy": Experiment("Noise with heavy tails (Student, 2 degrees)", "noisy", POSITIVE, "heavy", 10, 12, ("qkg",)),
}


def make_task(experiment: str, problem: str, seed: int, data: Path | None, scale: str) -> Task:
    """The task of one run."""
    plan = EXPERIMENTS[experiment]
    module = import_module(f"benchmarks.problems.{plan.module}")
    task: Task = module.make(problem, plan.noise, seed, data, scale)
    task.noisy = task.noisy or not plan.told
    return task


def first_points(experiment: str, task: Task, seed: int) -> list[Params]:
    """What every method begins a run of this seed with."""
    count = EXPERIMENTS[experiment].random_start
    return random_start(task.parameters, count, seed) if count else start(task.parameters, seed)
