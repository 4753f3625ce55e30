"""The package for OptunaHub: what its registry asks for is there, and it loads."""

import importlib.util
from pathlib import Path

import optuna

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "integrations" / "optunahub" / "package" / "samplers" / "knowledge_gradient"


def test_the_front_matter_has_what_the_registry_asks_for():
    _, front, body = (PACKAGE / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in front.strip().splitlines())
    assert set(fields) == {"author", "title", "description", "tags", "optuna_versions", "license"}
    assert "sampler" in fields["tags"].strip("[]").split(", ")
    assert fields["license"] == "MIT License"
    assert [line for line in body.splitlines() if line.startswith("## ")][:2] == ["## Abstract", "## APIs"]
    assert (PACKAGE / "LICENSE").read_text(encoding="utf-8") == (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_the_folders_are_those_of_the_registry():
    """package/CATEGORY/NAME, with an example that finds the package from the root of the registry."""
    assert {path.name for path in PACKAGE.iterdir()} - {"__pycache__"} == {
        *("LICENSE", "README.md", "__init__.py", "example.py", "requirements.txt"),
    }
    assert 'registry_root="./package/"' in (PACKAGE / "example.py").read_text(encoding="utf-8")


def test_the_package_loads_as_the_hub_loads_it():
    spec = importlib.util.spec_from_file_location("hub_package", PACKAGE / "__init__.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    study = optuna.create_study(sampler=module.KnowledgeGradientSampler(seed=0))
    study.optimize(lambda trial: trial.suggest_float("x", -1, 1) ** 2, n_trials=8)
    assert abs(module.recommend(study).params["x"]) < 0.2
