"""`Turns`: what processes that ask at once say to each other in the log: whose turn it is to choose, and who waits."""

import secrets
from typing import Any

from knowgrad.log.leases import terms
from knowgrad.log.ledger import Ledger, holds
from knowgrad.log.log import Log
from knowgrad.storage import Clock
from knowgrad.trial import Event

TURN = 5.0  # seconds a turn lasts at least, when whoever announced it dies
LONGEST = 1.0  # seconds to sleep at a time while somebody chooses
WAIT = 30.0  # seconds that somebody who waits is counted on


class Turns:
    """The turns of one process, by its ticket."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self.ticket = secrets.token_hex(8)
        self.spent = 0.0
        """Seconds that its last choice took."""

    def renew_ticket(self) -> None:
        """In a child, which is another asker."""
        self.ticket = secrets.token_hex(8)

    def is_taken(self, ledger: Ledger, now: Clock) -> bool:
        """Is somebody else choosing?"""
        ticket = ledger.ticket
        if ticket is None or ticket["ticket"] == self.ticket:
            return False
        return holds(ticket["lease"], ticket["deadline"], now())

    def until_offered(self, ledger: Ledger) -> float:
        """Seconds until whoever is choosing will probably have points for others; 0 if nobody can say."""
        if ledger.ticket is None:
            return 0.0
        begun: float = ledger.ticket["deadline"] - ledger.ticket["lease"]
        return min(max(begun + ledger.spent - self._log.storage.now(), 0.0), LONGEST)

    def announce(self) -> bool:
        """Say that it is our turn; False if somebody was faster."""
        ours = False

        def decide(ledger: Ledger, now: Clock) -> list[Event]:
            nonlocal ours
            ours = not self.is_taken(ledger, now)
            return [self.turn(ledger, now)] if ours else []

        self._log.commit(decide)
        return ours

    def turn(self, ledger: Ledger, now: Clock) -> Event:
        """It is our turn, for so long."""
        lasts = max(TURN, 3 * self.spent, 3 * ledger.spent)
        return Event("turn", {"ticket": self.ticket, **terms(lasts, now())})

    def wait(self, q: int, ledger: Ledger) -> None:
        """Say that we wait for points, if that is not known."""
        said = ledger.waiting.get(self.ticket)
        if said is None or not holds(said["lease"], said["deadline"], self._log.storage.now()):
            ours = {"ticket": self.ticket, "q": q}
            self._log.commit(lambda ledger, now: [Event("waits", {**ours, **terms(WAIT, now())})])

    def ended(self, ledger: Ledger, is_announced: bool) -> dict[str, Any]:
        """In a crowd: whose turn or wait ends with the points handed out, and how long they took to compute."""
        if is_announced:
            return {"ticket": self.ticket, "spent": self.spent}
        is_ours = ledger.ticket is not None and ledger.ticket["ticket"] == self.ticket
        return {"ticket": self.ticket} if is_ours or self.ticket in ledger.waiting else {}
