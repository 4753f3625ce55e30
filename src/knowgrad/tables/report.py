"""What became of the rows of a table."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from knowgrad.text import one_line
from knowgrad.trial import Trial

LISTED = 20  # rows that are shown one by one


@dataclass(frozen=True, slots=True)
class Refused:
    """A row that was not added."""

    row: int
    """0, 1, 2, … without the header."""
    where: str
    """The same for people: the row as a spreadsheet counts it, or as Python does."""
    reason: str

    def __str__(self) -> str:
        return f"{self.where}: {one_line(self.reason)}"


@dataclass(frozen=True, slots=True)
class Added:
    """What `add_many` did: the rows added, those refused with the reason, those that were there already."""

    added: tuple[Trial, ...]
    refused: tuple[Refused, ...]
    known: tuple[Refused, ...]
    """Rows that repeat a result of the study: importing a table again adds only what is new."""
    ignored: tuple[str, ...]
    """Columns that mean nothing here."""
    doubtful: Mapping[int, str] = field(default_factory=dict)
    """Trials that were added and look like mistakes, by number, with the reason."""

    def __len__(self) -> int:
        return len(self.added)

    def __str__(self) -> str:
        said = f"{len(self.added)} added"
        if self.added:
            first, last = self.added[0].number, self.added[-1].number
            said += f" (trial {first})" if first == last else f" (trials {first} to {last})"
        said += f", {len(self.refused)} refused"
        if self.known:
            said += f", {len(self.known)} there already"
        if self.ignored:
            said += f"; columns ignored: {', '.join(map(one_line, self.ignored))}"
        doubts = [f"trial {number} may be a mistake: {why}" for number, why in self.doubtful.items()]
        return "\n".join([said, *doubts, *_listed(self.refused), *_listed(self.known, 3)])


def _listed(rows: tuple[Refused, ...], most: int = LISTED) -> list[str]:
    more = len(rows) - most
    return [str(row) for row in rows[:most]] + ([f"… and {more} more such rows"] if more > 0 else [])
