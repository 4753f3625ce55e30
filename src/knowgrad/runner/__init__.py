"""Running a function, or a program, on a study to the end: one loop over an executor.

The loop keeps up to `workers` evaluations going. Whenever one ends, its outcome is told and the study is asked for as
many new points as there are free workers, jointly, knowing the points still running. With a `batch_size` other than
`workers` it asks for that many points at a time and hands them out before it asks again.

May import: checked, errors, text, outcomes, trial.
"""

from knowgrad.runner.evaluators import Executor
from knowgrad.runner.objective import RunningTrial
from knowgrad.runner.running import Result, Runs, conclude
from knowgrad.runner.work import work

__all__ = ["Executor", "Result", "RunningTrial", "Runs", "conclude", "work"]
