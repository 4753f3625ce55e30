"""Heavy questions: each study in its turn, the same question once, and nothing that nobody waits for."""

import asyncio
import threading

import pytest

import knowgrad as kg
from knowgrad.web import turns
from knowgrad.web.hub import Hub
from knowgrad.web.refusal import Refusal
from knowgrad.web.turns import Question, Turns
from knowgrad.web.workers import Crew, Died, Worker


class Hand:
    """A worker that answers when it is told to."""

    def __init__(self):
        self.study, self.asked, self.go, self.killed = None, [], threading.Event(), False

    def answer(self, message):
        self.asked.append(message["name"])
        assert self.go.wait(20)
        if self.killed:
            raise Died
        return 200, message["name"].encode()

    def kill(self):
        self.killed = True
        self.go.set()

    def close(self):
        self.kill()


class Hands(Crew):
    """A crew of these."""

    def __init__(self, size):
        super().__init__("", size)
        self.made = []

    def take(self, study):
        if not self._free:
            self.made.append(Hand())
            self._free.append(self.made[-1])
        return super().take(study)

    @property
    def asked(self):
        return [name for hand in self.made for name in hand.asked]

    def answer(self, name):
        """Let the hand that has this answer it."""
        hand = next(each for each in self.made if each.asked and each.asked[-1] == name)
        hand.go.set()


def question(study, name, **options):
    return Question(study, (study, name), {"name": name}, **options)


async def until(holds):
    async with asyncio.timeout(20):
        while not holds():
            await asyncio.sleep(0.005)


def held(size, scenario):
    """Run the scenario with so many workers."""

    async def run():
        crew = Hands(size)
        made = Turns(crew)
        try:
            await scenario(made, crew)
        finally:
            await made.close()

    asyncio.run(run())


def test_a_study_has_one_worker_and_the_others_get_their_turn():
    async def scenario(made, crew):
        asks = [asyncio.create_task(made.answer(question("busy", f"b{i}"))) for i in range(5)]
        await until(lambda: crew.asked == ["b0"])
        small = asyncio.create_task(made.answer(question("small", "s")))
        await until(lambda: sorted(crew.asked) == ["b0", "s"])
        crew.answer("s")
        assert await small == (200, b"s")
        for task in asks:
            task.cancel()

    held(2, scenario)


def test_large_studies_leave_a_worker_to_the_small():
    async def scenario(made, crew):
        for i in range(3):
            asyncio.create_task(made.answer(question(f"large {i}", f"l{i}", large=True)))  # noqa: RUF006
        await until(lambda: len(crew.asked) == 2)
        small = asyncio.create_task(made.answer(question("small", "s")))
        await until(lambda: "s" in crew.asked)
        assert sorted(crew.asked) == ["l0", "l1", "s"]
        crew.answer("s")
        assert await small == (200, b"s")
        crew.answer("l0")
        await until(lambda: "l2" in crew.asked)

    held(3, scenario)


def test_the_same_question_is_computed_once():
    async def scenario(made, crew):
        asks = [asyncio.create_task(made.answer(question("s", "q"))) for _ in range(8)]
        await until(lambda: crew.asked == ["q"])
        asks.pop().cancel()
        crew.answer("q")
        assert await asyncio.gather(*asks) == [(200, b"q")] * 7
        assert crew.asked == ["q"]

    held(3, scenario)


def test_what_nobody_waits_for_is_never_begun():
    async def scenario(made, crew):
        first = asyncio.create_task(made.answer(question("s", "first")))
        await until(lambda: crew.asked == ["first"])
        told = []
        left = [asyncio.create_task(made.answer(question("s", f"q{i}", settled=told.append))) for i in range(4)]
        await asyncio.sleep(0)
        stays = asyncio.create_task(made.answer(question("s", "stays")))
        await asyncio.sleep(0)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        assert told == [None] * 4
        crew.answer("first")
        assert await first == (200, b"first")
        assert await stays == (200, b"stays")
        assert crew.asked == ["first", "stays"]

    held(1, scenario)


@pytest.mark.parametrize("lasting", [False, True])
def test_what_was_begun_is_ended_unless_it_changes_the_study(monkeypatch, lasting):
    monkeypatch.setattr(turns, "GRACE", 0.01)

    async def scenario(made, crew):
        told = []
        task = asyncio.create_task(made.answer(question("s", "q", lasting=lasting, settled=told.append)))
        await until(lambda: crew.asked == ["q"])
        task.cancel()
        if lasting:
            await asyncio.sleep(0.1)
            crew.answer("q")
        await until(lambda: told)
        assert told == [(200, b"q") if lasting else None]
        assert crew.made[0].killed is not lasting
        again = asyncio.create_task(made.answer(question("s", "again")))
        await until(lambda: "again" in crew.asked)
        crew.answer("again")
        assert await again == (200, b"again")

    held(1, scenario)


def test_too_many_are_turned_away(monkeypatch):
    monkeypatch.setattr(turns, "WAITING", 2)

    async def scenario(made, crew):
        asks = [asyncio.create_task(made.answer(question("s", f"q{i}"))) for i in range(2)]
        await until(lambda: crew.asked == ["q0"])
        with pytest.raises(Refusal, match="ask again later") as caught:
            await made.answer(question("s", "q2"))
        assert caught.value.status == 503
        for task in asks:
            task.cancel()

    held(1, scenario)


def test_a_process_answers_refuses_and_dies(tmp_path):
    worker = Worker(str(tmp_path / "none.db"))
    ask = {"operation": "recommend", "path": {"study": "s"}, "query": {}, "body": {}}
    try:
        status, content = worker.answer(ask)
        assert (status, b"StorageError" in content) == (503, True)
        worker.kill()
        with pytest.raises(Died):
            worker.answer(ask)
    finally:
        worker.close()


def test_a_service_announces_its_choices_where_several_clients_are_at_work(tmp_path):
    """As processes do that share a study: from then on points are chosen ahead."""
    storage = str(tmp_path / "studies.db")
    kg.Study({"x": (0.0, 1.0)}, name="s", storage=storage, seed=0)
    desk = Hub(storage).desk("s")

    def turns_so_far():
        return sum(event.kind == "turn" for event in desk.study._log.storage.read())

    desk.suggest(1, "one")
    assert turns_so_far() == 0
    desk.suggest(1, "other")
    assert turns_so_far() == 1
