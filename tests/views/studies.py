"""Small studies whose numbers can be worked out by hand."""

import math

import knowgrad as kg

SPACE = {"lr": kg.Float(1e-4, 1e-1, log=True), "layers": kg.Int(1, 5), "act": ["relu", "gelu"]}


def loss(params):
    return (math.log10(params["lr"]) + 2) ** 2 + 0.5 * (params["act"] == "relu")


def trained(n=16, *, running=0, **options):
    """A study of the loss above, which does not depend on the layers."""
    study = kg.Study(SPACE, seed=0, noise=0.05, **options)
    for _ in range(n // 4):
        for trial in study.ask(4):
            study.tell(trial, loss(trial.params))
    if running:
        study.ask(running)
    return study


def line(values, **options):
    """A study over x from 0 to 10 with given results at given places."""
    study = kg.Study({"x": (0.0, 10.0)}, seed=0, **options)
    for x, value in values:
        study.add({"x": x}, value)
    return study
