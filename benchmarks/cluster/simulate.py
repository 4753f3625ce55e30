"""W workers in virtual time: evaluations take seconds that are drawn, choices the CPU seconds that they really take.

A worker whose evaluation ends tells the result and asks. Under q-KG it takes a point from the stock, if there is one;
if the stock is low and nobody is choosing, it chooses, for itself, for those who wait and for those who will come, as
`log/crowd` says, and evaluates nothing meanwhile. Under Optuna's samplers every worker chooses for itself, at the same
time as others, on a processor of its own. The time that a database takes is left out: `real` has that.
"""

from __future__ import annotations

import heapq
import math
import time
from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np

from benchmarks.cluster.contenders import Contender, Params
from benchmarks.cluster.durations import Draw
from knowgrad.log.crowd import MOST
from knowgrad.problems import Problem

NOISE = 0.2  # standard deviation, relative to that of the function
Point = tuple[Hashable, Params]


@dataclass
class Outcome:
    """Of one simulation: the share of time spent on evaluations, log10 regrets, and what choices cost."""

    utilisation: float
    regrets: list[float]
    evaluations: int
    choices: int
    longest: float


@dataclass
class Cluster:
    """The state of a simulation; every event is `(time, order, worker, what ended)`."""

    chooser: Contender
    problem: Problem
    draw: Draw
    workers: int
    horizon: float
    rng: np.random.Generator
    sd: float
    events: list[tuple[float, int, int, Point | list[Point]]] = field(default_factory=list)
    stock: deque[Point] = field(default_factory=deque)
    waiting: deque[int] = field(default_factory=deque)
    choosing: bool = False
    busy: float = 0.0
    took: list[float] = field(default_factory=list)
    spent: list[float] = field(default_factory=list)
    running: int = 0
    told: int = 0
    order: int = 0

    def run(self, checkpoints: list[float]) -> Outcome:
        left, regrets = deque(sorted(checkpoints)), []
        for worker in range(self.workers):
            self.ask(0.0, worker)
        while self.events:
            now, _, worker, ended = heapq.heappop(self.events)
            while left and (now > left[0] or now >= self.horizon):
                regrets.append(self.regret())
                left.popleft()
            if now >= self.horizon:
                break
            if isinstance(ended, list):  # a choice
                self.choosing = False
                self.stock.extend(ended)
                self.begin(now, worker)
                self.serve(now)
            else:
                self.running -= 1
                self.told += 1
                self.chooser.tell(ended[0], self.problem(ended[1]) + self.sd * self.rng.standard_normal())
                self.ask(now, worker)
        share = self.busy / (self.workers * self.horizon)
        return Outcome(share, regrets, self.told, len(self.spent), max(self.spent))

    def ask(self, now: float, worker: int) -> None:
        """A worker is free."""
        if not self.chooser.joint:
            self.choose(now, worker, 1)
            return
        if self.stock and (self.choosing or len(self.stock) - 1 >= self.expected()):
            self.begin(now, worker)
        elif self.choosing:
            self.waiting.append(worker)
        else:
            ahead = max(2 * self.expected() - max(len(self.stock) - 1, 0), 0)
            self.choose(now, worker, 1 + min(len(self.waiting) + ahead, MOST))

    def expected(self) -> int:
        """As `crowd.expected` has it, of virtual seconds."""
        if not self.told or not self.spent:
            return 0
        return min(int(self.running * self.spent[-1] / max(float(np.median(self.took[-64:])), 1e-3)), MOST)

    def choose(self, now: float, worker: int, k: int) -> None:
        began = time.process_time()
        points = self.chooser.ask(k)
        self.spent.append(time.process_time() - began)
        self.choosing = self.chooser.joint
        self.push(now + self.spent[-1], worker, points)

    def begin(self, now: float, worker: int) -> None:
        seconds = self.draw(self.rng)
        self.took.append(seconds)
        self.running += 1
        self.busy += max(min(now + seconds, self.horizon) - now, 0.0)
        self.push(now + seconds, worker, self.stock.popleft())

    def serve(self, now: float) -> None:
        """Those who wait, in their order; the first for whom nothing is left chooses."""
        while self.waiting and self.stock:
            self.begin(now, self.waiting.popleft())
        if self.waiting and not self.choosing:
            self.ask(now, self.waiting.popleft())

    def push(self, at: float, worker: int, ended: Point | list[Point]) -> None:
        self.order += 1
        heapq.heappush(self.events, (at, self.order, worker, ended))

    def regret(self) -> float:
        if not self.told:
            return math.nan
        return math.log10(max(self.problem(self.chooser.best()) - self.problem.optimum, 1e-6))
