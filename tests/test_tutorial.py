"""The tutorial: its notebook runs from beginning to end, and the page of the site is made of it."""

import re

import numpy as np

from docs.pictures import tutorial


def test_the_notebook_runs_and_what_it_says_holds():
    printed, names = tutorial.run()
    assert len(printed) == sum(kind == "code" for kind, _ in tutorial.cells())
    study, best, error = names["study"], names["best"], names["error"]
    assert len(study.trials) == 40
    recommended, usual = (
        np.mean([error(params, seed) for seed in range(2000, 2030)]) for params in (best.params, names["usual"])
    )
    assert recommended < usual
    assert study.best.value < recommended, "the luckiest result promises too much"


def test_the_page_is_made_of_the_notebook():
    """Every cell, in order; what cells print may differ from one machine to another."""
    page = (tutorial.FOLDER / "tutorial.md").read_text(encoding="utf-8")
    printed = iter(re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
    silent = {text for kind, text in tutorial.cells() if kind == "code" and "print(" not in text}
    said = ["" if text in silent else next(printed) for kind, text in tutorial.cells() if kind == "code"]
    assert tutorial.page(said) == page
