"""Whose question is computed next: each study in its turn, and nothing that nobody waits for.

* A study has one question computed at a time, so that it never has all the workers.
* Large studies together leave one worker to the small ones.
* Who asks what is being computed already waits for the same answer.
* A question whose clients have all hung up is forgotten, or ended if it has begun and changes nothing.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from knowgrad.web.refusal import Refusal
from knowgrad.web.workers import Crew, Died, Worker

WORKERS = 3
LARGE = 400  # events: a study with more may take seconds to fit
WAITING = 200  # questions in all
GRACE = 3.0  # seconds that a question goes on when nobody waits for it: a page that is loaded again asks the same
Answer = tuple[int, bytes]


@dataclass(eq=False)
class Question:
    """Something to compute about a study. Questions with the same identity have the same answer."""

    study: str
    identity: Hashable
    message: dict[str, Any]
    large: bool = False
    lasting: bool = False
    """Once begun it is finished, because it changes the study."""
    settled: Callable[[Answer | None], None] = lambda answer: None
    """Called with the answer, or with None if there is none, before anybody else gets it."""
    waiting: int = 0
    worker: Worker | None = None
    answer: asyncio.Future[Answer] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Turns:
    """All questions of a server."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self._threads = ThreadPoolExecutor(crew.size, thread_name_prefix="knowgrad-worker")
        self._queues: OrderedDict[str, deque[Question]] = OrderedDict()  # the study whose turn is next comes first
        self._known: dict[Hashable, Question] = {}
        self._running: dict[str, Question] = {}  # by study
        self._tasks: set[asyncio.Task[None]] = set()

    async def answer(self, question: Question) -> Answer:
        """The answer to it, or to the same question that somebody asked before. Cancel it to stop waiting."""
        known = self._known.get(question.identity)
        if known is None:
            if len(self._known) >= WAITING:
                question.settled(None)
                raise Refusal(503, f"expected at most {WAITING} questions to wait, got more; ask again later")
            known = self._known[question.identity] = question
            self._queues.setdefault(question.study, deque()).append(question)
            self._begin()
        known.waiting += 1
        try:
            return await asyncio.shield(known.answer)
        finally:
            known.waiting -= 1
            if not known.waiting and not known.answer.done():
                self._forget(known)

    async def close(self) -> None:
        """End everything."""
        for queue in self._queues.values():
            for question in queue:
                self._settle(question, None)
        self._queues.clear()
        self._crew.kill()
        await asyncio.gather(*self._tasks)
        self._crew.close()
        self._threads.shutdown()

    def _forget(self, question: Question) -> None:
        """Nobody waits for it any more."""
        if question.worker is None:
            self._unqueue(question)
            self._settle(question, None)
        elif not question.lasting:
            asyncio.get_running_loop().call_later(GRACE, self._end, question)

    def _end(self, question: Question) -> None:
        if not question.waiting and not question.answer.done() and question.worker is not None:
            self._known.pop(question.identity, None)  # whoever asks this now asks anew
            question.worker.kill()

    def _unqueue(self, question: Question) -> None:
        queue = self._queues[question.study]
        queue.remove(question)
        if not queue:
            del self._queues[question.study]

    def _begin(self) -> None:
        """Start as many as can be."""
        while self._crew.has_room and (question := self._next()) is not None:
            self._unqueue(question)
            if question.study in self._queues:
                self._queues.move_to_end(question.study)
            self._running[question.study] = question
            question.worker = self._crew.take(question.study)
            task = asyncio.get_running_loop().create_task(self._compute(question, question.worker))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _next(self) -> Question | None:
        large = sum(each.large for each in self._running.values())
        for study, queue in self._queues.items():
            if study not in self._running and not (queue[0].large and large >= self._crew.size - 1):
                return queue[0]
        return None

    async def _compute(self, question: Question, worker: Worker) -> None:
        loop = asyncio.get_running_loop()
        try:
            answer = await loop.run_in_executor(self._threads, worker.answer, question.message)
        except Died as died:
            self._crew.lose(worker)
            self._settle(question, None, died)
        else:
            self._crew.give_back(worker)
            self._settle(question, answer)
        del self._running[question.study]
        self._begin()

    def _settle(self, question: Question, answer: Answer | None, error: Refusal | None = None) -> None:
        question.settled(answer)
        if self._known.get(question.identity) is question:
            del self._known[question.identity]
        if answer is not None:
            question.answer.set_result(answer)
        elif error is not None and question.waiting:
            question.answer.set_exception(error)
        else:
            question.answer.cancel()
