"""`Study`: ask for points, tell results, and ask what to use. The only mutable object of the package.

May import: checked, errors, outcomes, trial, space, advisor, storage, log, tables, runner, plots.
"""

from knowgrad.study.study import Study

__all__ = ["Study"]
