# `make demo` and `make test` need only Python 3.11+, make and the package registries.
PYTHON ?= python3
VENV   ?= .venv
DEMO   ?= .venv-demo
DOCS   ?= .venv-docs
BENCH  ?= .venv-bench
VIZIER ?= .venv-vizier
OPTUNA4 ?= .venv-optuna4
PACKAGE ?= .venv-package
BIN     = $(VENV)/bin

.PHONY: demo test check browser bench bench-peers clean faults test-optuna4 docs package pictures
.DEFAULT_GOAL := test

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@

$(DEMO)/.installed: pyproject.toml
	$(PYTHON) -m venv $(DEMO)
	$(DEMO)/bin/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(DOCS)/.installed: pyproject.toml
	$(PYTHON) -m venv $(DOCS)
	$(DOCS)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(DOCS)/bin/python -m pip install --quiet --group docs
	touch $@

$(BENCH)/.installed: pyproject.toml benchmarks/requirements.txt
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install --quiet --requirement benchmarks/requirements.txt
	$(BENCH)/bin/python -m pip install --quiet --editable .
	touch $@

$(BENCH)/.peers: $(BENCH)/.installed benchmarks/requirements-peers.txt benchmarks/requirements-nodeps.txt
	$(BENCH)/bin/python -m pip install --quiet --requirement benchmarks/requirements-peers.txt
	$(BENCH)/bin/python -m pip install --quiet --no-deps --requirement benchmarks/requirements-nodeps.txt
	touch $@

$(VIZIER)/.installed: benchmarks/requirements-vizier.txt
	$(PYTHON) -m venv $(VIZIER)
	$(VIZIER)/bin/python -m pip install --quiet --editable . --requirement benchmarks/requirements-vizier.txt
	touch $@

$(OPTUNA4)/.installed: pyproject.toml
	$(PYTHON) -m venv $(OPTUNA4)
	$(OPTUNA4)/bin/python -m pip install --quiet --editable . "optuna>=4.9,<5" pytest
	touch $@

demo: $(DEMO)/.installed  ## the main job: a noisy problem, four workers, the recommendation against the truth
	$(DEMO)/bin/knowgrad demo

check: $(VENV)/.installed  ## style, types, spelling and words
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/codespell
	$(BIN)/pytest tests/test_words.py

browser:  ## Debian's Chromium for the tests of the dashboard, where it is missing and can be installed
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || { \
	  DEBIAN_FRONTEND=noninteractive; export DEBIAN_FRONTEND; apt-get -qq update && \
	  apt-get -qq install -y --no-install-recommends chromium chromium-driver >/dev/null; } || \
	  echo "No Chromium: the tests that need a browser are skipped."

test: check browser  ## everything that must hold before a change lands; about half of the time a test waits
	$(BIN)/pytest --numprocesses 4 --dist loadfile --no-loadscope-reorder

faults: $(VENV)/.installed  ## kills, races, outages, damaged files, at full figures: docs/measured.md
	$(BIN)/python -m tests.faults.campaign

test-optuna4: $(OPTUNA4)/.installed  ## the Optuna integration on the newest 4.x release
	$(OPTUNA4)/bin/python -m pytest $(wildcard tests/integrations/test_optuna*.py)

package:  ## sdist and wheel in dist/, checked, each installed in an environment of its own
	rm -rf dist $(PACKAGE)
	$(PYTHON) -m venv $(PACKAGE)
	$(PACKAGE)/bin/python -m pip install --quiet --disable-pip-version-check build twine
	$(PACKAGE)/bin/python -m build --outdir dist .
	$(PACKAGE)/bin/python -m twine check --strict dist/*
	for made in dist/*.whl dist/*.tar.gz; do \
	  rm -rf $(PACKAGE)/clean && $(PYTHON) -m venv $(PACKAGE)/clean && \
	  $(PACKAGE)/clean/bin/python -m pip install --quiet --disable-pip-version-check "$$made" && \
	  (cd $(PACKAGE) && clean/bin/knowgrad --version && clean/bin/python -c \
	    "import knowgrad as kg; print(kg.minimize(lambda p: p['x'] ** 2, {'x': (-1.0, 1.0)}, n_trials=8, progress=False))") \
	  || exit 1; \
	done

docs: $(DOCS)/.installed  ## the documentation, in site/; a broken link is an error
	NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/mkdocs build --strict --quiet

pictures: $(VENV)/.installed docs  ## the pictures of the documentation, drawn anew
	$(BIN)/python -m docs.pictures
	$(BIN)/python -m docs.pictures.gallery
	$(BIN)/python -m docs.pictures.tutorial
	$(BIN)/python -m docs.pictures.dashboard
	$(BIN)/python -m docs.pictures.site

bench: $(BENCH)/.installed  ## seconds, memory and true q-KG per batch, beside BoTorch
	$(BENCH)/bin/python -m benchmarks.speed --peer botorch --out results/speed.jsonl

bench-peers: $(BENCH)/.peers $(VIZIER)/.installed  ## everything that benchmarks/campaigns.sh needs

clean:
	rm -rf $(VENV) $(DEMO) $(DOCS) $(BENCH) $(VIZIER) $(OPTUNA4) $(PACKAGE) dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis
