"""Where heavy questions are taken in: which are the same, and whether anybody still waits for them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Hashable
from functools import partial

import anyio
from starlette.types import Receive

from knowgrad.errors import KnowgradError
from knowgrad.web import api
from knowgrad.web.api import Call
from knowgrad.web.hub import Desk, Hub
from knowgrad.web.keys import Keys
from knowgrad.web.operations import Operation
from knowgrad.web.present import encoded
from knowgrad.web.refusal import Refusal, refusal_of
from knowgrad.web.turns import LARGE, WORKERS, Answer, Question, Turns
from knowgrad.web.workers import Crew

READERS = 8  # threads that look something up: those who tell results never wait for them


class Counter:
    """The part of the service that lives in its event loop."""

    def __init__(self, hub: Hub) -> None:
        self._hub, self._keys = hub, Keys()
        self.readers: anyio.CapacityLimiter
        self.long_bodies: anyio.CapacityLimiter
        self._turns: Turns

    def open(self) -> None:
        self.readers, self.long_bodies = anyio.CapacityLimiter(READERS), anyio.CapacityLimiter(1)
        self._turns = Turns(Crew(self._hub.storage, WORKERS))

    async def close(self) -> None:
        await self._turns.close()

    async def answer(self, operation: Operation, call: Call, receive: Receive) -> Answer:
        """The answer to a heavy question, unless its client hangs up first."""
        try:
            desk, version = await anyio.to_thread.run_sync(_found, call, limiter=self.readers)
            if operation.run is api.suggest and "key" in call.body:
                numbers = self._keys.claim(desk.uid, call.body)
                if numbers is not None:
                    found = await anyio.to_thread.run_sync(api.suggested, call, numbers, limiter=self.readers)
                    return operation.status, encoded(found)
        except KnowgradError as error:
            raise refusal_of(error) from error
        return await _unless_gone(self._turns, self._question(operation, call, desk, version), receive)

    def _question(self, operation: Operation, call: Call, desk: Desk, version: int) -> Question:
        message = {
            "operation": operation.name,
            "path": call.path | {"study": desk.uid},
            "query": call.query,
            "body": call.body,
        }
        # What was asked before a change is not the answer to what is asked after it.
        identity: Hashable = (version, json.dumps(message, sort_keys=True))
        question = Question(desk.uid, identity, message, large=version > LARGE)
        if operation.run is api.suggest:
            question.lasting = True
            question.identity = (desk.uid, call.body["client_id"], call.body["key"]) if "key" in call.body else object()
            if "key" in call.body:
                question.settled = partial(self._settled, desk.uid, call.body)
        return question

    def _settled(self, uid: str, body: dict[str, object], answer: Answer | None) -> None:
        done = answer is not None and answer[0] == 200
        numbers = [trial["number"] for trial in json.loads(answer[1])["trials"]] if done and answer else None
        self._keys.settle(uid, body, numbers)


def _found(call: Call) -> tuple[Desk, int]:
    return call.hub.still(lambda: (call.desk, call.desk.study.version))


async def _unless_gone(turns: Turns, question: Question, receive: Receive) -> Answer:
    waiting = asyncio.ensure_future(turns.answer(question))
    leaving = asyncio.ensure_future(_gone(receive))
    try:
        await asyncio.wait((waiting, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            raise Refusal(408, "expected the client to wait for the answer, and it hung up")
        return waiting.result()
    finally:
        waiting.cancel()
        leaving.cancel()


async def _gone(receive: Receive) -> None:
    """Until the client hangs up."""
    while (await receive())["type"] != "http.disconnect":
        pass
