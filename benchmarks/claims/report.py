"""From judged states to tables: intervals, gains, noise, and the rules of what to recommend."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from benchmarks.claims.problems import KINDS
from benchmarks.records import Record
from benchmarks.reports.stats import difference

NINETY = 1.6448536269514722
MIDDLE = 5  # batches: early is before, late from then on
SMALL = 1e-9  # of the spread: differences below it are rounding
FLOOR = 1e-4  # of the spread: regrets below it are as good as none
MANY = 3.0  # spreads
WORSE = 1.1  # a regret so many times another is worse
PEERS = ("best observed", "lowest mean among tried")


def holds(line: Record) -> bool:
    """Is the true value in the 90 % interval?"""
    return bool(abs(line["true"] - line["mean"]) <= NINETY * line["sd"] + SMALL * line["spread"])


def kinds(lines: Iterable[Record]) -> dict[str, list[Record]]:
    """By kind, and all of them at the end."""
    lines = list(lines)
    parts = {kind: [line for line in lines if line["kind"] == kind] for kind in KINDS}
    return {kind: part for kind, part in parts.items() if part} | {"all": lines}


def by_search(lines: Iterable[Record]) -> dict[tuple[str, int], list[Record]]:
    found: dict[tuple[str, int], list[Record]] = {}
    for line in sorted(lines, key=lambda line: line["batch"]):
        found.setdefault((line["problem"], line["seed"]), []).append(line)
    return found


def gains(lines: Iterable[Record]) -> tuple[float, float]:
    """Realised over said, of the sums over each search: the ratio of their means, and the median over searches.

    Sums are in spreads of the results at the start. In the mean each counts up to three of them, either way: a function
    may drop by hundreds of spreads, and one search would decide.
    """
    pairs = []
    for states in by_search(lines).values():
        said = sum(line["gain"] for line in states[:-1])
        pairs.append(np.array([said, states[0]["true"] - states[-1]["true"]]) / states[0]["spread"])
    said, realised = np.array(pairs).T
    mean = np.clip(realised, -MANY, MANY).sum() / np.clip(said, -MANY, MANY).sum()
    return float(mean), float(np.median(realised / said))


def share(lines: Iterable[Record], of: Callable[[Record], bool] = holds) -> str:
    found = [of(line) for line in lines]
    return f"{np.mean(found):.0%}" if found else "–"


def noise_holds(line: Record) -> bool:
    low, high = line["noise_interval"]
    return bool(low <= line["noise"] <= high)


def claims(lines: list[Record]) -> str:
    """By kind: does the interval hold, early and late, trusted and not; the gains; the noise."""
    rows = [
        "| kind | states | interval holds | early | late | trusted | not | gain, mean | gain, median | noise holds |",
        "|---|---:|" + "---:|" * 8,
    ]
    for kind, part in kinds(lines).items():
        parts = (
            part,
            [line for line in part if line["batch"] < MIDDLE],
            [line for line in part if line["batch"] >= MIDDLE],
            [line for line in part if line["trusted"]],
            [line for line in part if not line["trusted"]],
        )
        mean, median = gains(part)
        noisy = [line for line in part if line["noise_interval"] is not None and line["noise"] > 0.0]
        cells = [*map(share, parts), f"{mean:.2f}", f"{median:.2f}", share(noisy, noise_holds)]
        rows.append(f"| {kind} | {len(part)} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def log_regrets(part: list[Record], rule: str) -> dict[tuple[str, int], float]:
    """The mean over the batches of each search."""
    return {
        key: float(np.mean([np.log10(max(line["regret"][rule], FLOOR * line["spread"])) for line in states[1:]]))
        for key, states in by_search(part).items()
    }


def worse(part: list[Record], rule: str, than: str) -> str:
    """In how many states after the start a regret is worse than another."""

    def much(line: Record) -> bool:
        one, other = (line["regret"][name] for name in (rule, than))
        return bool(one > WORSE * other + SMALL * line["spread"])

    return share((line for line in part if line["batch"]), much)


def rules(lines: list[Record]) -> str:
    """By kind and rule: the mean log10 regret against the best observed point, and how often it is worse by 10 %."""
    names = list(lines[0]["regret"])
    rows = ["| kind | " + " | ".join(names) + " |", "|---|" + "---:|" * len(names)]
    for kind, part in kinds(lines).items():
        base = np.array(list(log_regrets(part, PEERS[0]).values()))
        means = [np.mean(np.array(list(log_regrets(part, name).values())) - base) for name in names]
        cells = [f"{mean:+.3f}; {worse(part, name, PEERS[0])}" for mean, name in zip(means, names, strict=True)]
        rows.append(f"| {kind} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def steps_back(lines: list[Record], rule: str = "recommended") -> list[str]:
    """Problems on which a rule is worse than one of the peers by a paired 95 % interval of the mean log10 regret."""
    found = []
    for problem in dict.fromkeys(line["problem"] for line in lines):
        part = [line for line in lines if line["problem"] == problem]
        for peer in PEERS:
            one, other = ({seed: v for (_, seed), v in log_regrets(part, name).items()} for name in (rule, peer))
            gap = difference(one, other)
            if gap is not None and gap.verdict == "worse":
                found.append(f"{problem}: {gap.mean:+.3f} ({gap.low:+.3f} to {gap.high:+.3f}) against {peer}")
    return found


def report(lines: list[Record]) -> str:
    back = steps_back(lines)
    parts = [claims(lines), rules(lines), "Worse by an interval: " + ("; ".join(back) if back else "on no problem")]
    return "\n\n".join(parts)
