"""`Exchange`: the part of a study that takes tables in and hands them out."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from knowgrad.log.basis import Basis
from knowgrad.log.ledger import Ledger
from knowgrad.space import Space
from knowgrad.tables.adding import add_rows
from knowgrad.tables.entries import Named
from knowgrad.tables.frame import dataframe
from knowgrad.tables.report import Added
from knowgrad.trial import Trial


class Exchange(Basis):
    """Tables of results; see `docs/tables.md` for their columns."""

    @property
    def name(self) -> str | None:
        raise NotImplementedError

    @property
    def space(self) -> Space:
        raise NotImplementedError

    @property
    def seed(self) -> int:
        raise NotImplementedError

    @property
    def trials(self) -> Sequence[Trial]:
        raise NotImplementedError

    def _space_of(self, ledger: Ledger) -> Space:
        raise NotImplementedError

    def _doubtful(self, added: Sequence[Trial]) -> dict[int, str]:
        """Which of these results look like mistakes beside all others, and why."""
        raise NotImplementedError

    def add_many(
        self, table: Any, *, value: Named = "value", sem: Named = "sem", repeats: bool = False, decimal: str = "."
    ) -> Added:
        """Record the rows of a table as results obtained elsewhere, all in one change; the report names those refused.

        It also names results that look like mistakes.

        Args:
            table: a list of dicts, a dict of columns, a DataFrame, or the path of a CSV file. A parameter `x` is in the
                column `x` or `params_x`; a row that failed has a `reason` instead of a value.
            value: the column of the results. A named outcome `y` is in the column `y`, with standard errors in `y_sem`;
                a dict says otherwise, `{"y": "Yield (%)"}`. A row may lack some outcomes.
            sem: the column of their standard errors; it may be missing.
            repeats: also add rows that equal a result of the study, as further measurements.
            decimal: "," if that is how the texts of the table write 0,5.
        """
        how: dict[str, Any] = {"value": value, "sem": sem, "repeats": repeats, "decimal": decimal}
        report = add_rows(self._log, self._space_of, self.direction, table, goals=self.goals, **how)
        return replace(report, doubtful=self._doubtful(report.added))

    def to_dataframe(self) -> Any:
        """All trials as a pandas DataFrame, with the columns of `knowgrad export`."""
        return dataframe(self)
