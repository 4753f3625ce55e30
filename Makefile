# `make demo` and `make test` need only Python 3.11+, make and the package registries.
PYTHON ?= python3
VENV   ?= .venv
BENCH  ?= .venv-bench
BIN     = $(VENV)/bin

.PHONY: demo test check bench clean
.DEFAULT_GOAL := test

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@

$(BENCH)/.installed: pyproject.toml benchmarks/requirements.txt
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install --quiet --requirement benchmarks/requirements.txt
	$(BENCH)/bin/python -m pip install --quiet --editable .
	touch $@

demo: $(VENV)/.installed  ## the main job: a noisy problem, four workers, the recommendation against the truth
	$(BIN)/knowgrad demo

check: $(VENV)/.installed  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: check  ## everything that must hold before a change lands
	$(BIN)/pytest

bench: $(BENCH)/.installed  ## seconds, memory and true q-KG per batch, beside BoTorch
	$(BENCH)/bin/python -m benchmarks.speed --peer botorch --out results/speed.json

clean:
	rm -rf $(VENV) $(BENCH) .pytest_cache .mypy_cache .ruff_cache .hypothesis
