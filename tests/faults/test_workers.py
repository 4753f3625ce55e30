"""What `knowgrad worker` owes the others; those that are killed or stopped are among the scenarios."""

import signal
import subprocess
from contextlib import ExitStack

import pytest

from tests.faults.workers import Workers


@pytest.fixture
def crew(tmp_path):
    """Makes workers of a study of their own, and ends them."""
    with ExitStack() as stack:
        yield lambda **limits: stack.enter_context(Workers(str(tmp_path / "studies.db"), tmp_path, "shared", **limits))


def test_a_long_evaluation_keeps_its_lease(crew):
    workers = crew(lease=2.0, trials=1)
    one, two = workers.start(seconds=5), workers.start(seconds=5)
    assert [process.communicate(timeout=60)[1] for process in (one, two)] == ["", ""]
    assert [trial.state for trial in workers.study.trials].count("complete") == 1
    assert not any(trial.retry_of is not None for trial in workers.study.trials)


def test_workers_share_the_number_of_trials(crew):
    workers = crew(lease=30.0, trials=12)
    processes = [workers.start(seconds=0.05) for _ in range(3)]
    for process in processes:
        process.communicate(timeout=60)
    complete = [trial for trial in workers.study.trials if trial.state == "complete"]
    assert len(complete) == 12
    assert not workers.study.pending
    assert [process.returncode for process in processes] == [0, 0, 0]


def test_sigterm_gives_the_point_to_the_others_at_once(crew):
    workers = crew(lease=600.0, trials=3)
    one = workers.start(seconds=1000)
    trial = workers.first()
    one.send_signal(signal.SIGTERM)
    out, err = one.communicate(timeout=30)
    assert one.returncode == 130
    assert out == "shared: 0 evaluated, ended by interrupted\n"
    assert err == "knowgrad: interrupted, returning what is known\n"
    workers.start(seconds=0).communicate(timeout=60)
    again = [each for each in workers.study.trials if each.params == trial.params]
    assert [each.state for each in again] == ["expired", "complete"]


def test_what_a_killed_worker_had_started_ends_too(crew):
    workers = crew(lease=60.0, trials=1)
    one = workers.start(seconds=1000)
    workers.first()
    (pid,) = (path.stem for path in workers.folder.glob("*.running"))
    one.kill()
    one.communicate()
    workers.until(lambda: subprocess.run(["ps", "-p", pid], capture_output=True, check=False).returncode == 1, 10)
