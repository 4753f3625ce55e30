"""The callbacks of scikit-learn 1.9: a search is one task, and each fold of each candidate a task within it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from knowgrad.space import Params


class Tasks:
    """Hands out the contexts of the folds; their numbers go on from batch to batch. Older versions have none."""

    def __init__(self, context: Any, n_splits: int) -> None:
        self._context, self._n_splits, self._first = context, n_splits, 0

    @classmethod
    @contextmanager
    def of(cls, context: Any, search: Any, most: int) -> Iterator[Tasks]:
        """The tasks of a search for `most` candidates, begun and ended."""
        if context is None:
            yield cls(None, search.n_splits_)
            return
        size = most * search.n_splits_
        inner = context.subcontext(task_name="search", max_subtasks=size, sequential_subtasks=False)
        yield cls(inner.call_on_fit_task_begin(estimator=search), search.n_splits_)
        inner.call_on_fit_task_end(estimator=search)

    def around(self, evaluate_candidates: Callable[..., Any]) -> Callable[[Sequence[Params]], Any]:
        """The same function with the contexts of its folds."""
        if self._context is None:
            return evaluate_candidates

        def evaluate(candidates: Sequence[Params]) -> Any:
            first, self._first = self, self._first
            try:
                return evaluate_candidates(candidates, callback_ctx=first)
            finally:
                self._first += len(candidates) * self._n_splits

        return evaluate

    def subcontext(self, task_name: str, task_id: int) -> Any:
        """What scikit-learn asks of a context."""
        return self._context.subcontext(task_name=task_name, task_id=self._first + task_id)
