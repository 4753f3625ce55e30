"""Figures with few lines, each labelled where it ends: curves of what was reached, and all peers at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

from benchmarks.reports.names import shown
from benchmarks.reports.stats import REFERENCE, Anyone, last_batch
from benchmarks.screens import follow_the_screen

# Okabe & Ito's colors, which stay apart for every kind of color vision; the first is q-KG's.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#555555")
LINES = 5  # at most, q-KG among them
WIDE = 4  # panels, up to which two stand beside each other; of more, three
STYLE = {"svg.hashsalt": "knowgrad", "svg.fonttype": "none", "font.size": 10, "font.family": "sans-serif"}


def available() -> bool:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def curves(path: Path, panels: dict[str, Sequence[Anyone]], measure: str) -> None:
    """One panel for each problem: means with bands of one standard error."""
    pyplot, context = _pyplot()
    columns = min(2 if len(panels) <= WIDE else 3, len(panels))
    rows = -(-len(panels) // columns)
    width, height = (5.2, 3.1) if columns < 3 else (4.4, 2.7)
    with context:
        figure, grid = pyplot.subplots(rows, columns, figsize=(width * columns, height * rows), squeeze=False)
        for axis, (problem, group) in zip(grid.flat, panels.items(), strict=False):
            iterations, last = len({one.q for one in group}) > 1, last_batch(group)
            lines = [_curve(axis, one, i, last, iterations) for i, one in enumerate(group) if one.count(last)]
            _label(axis, lines)
            axis.set_title(problem, loc="left", fontweight="bold")
            axis.set_xlabel("batches" if iterations else "evaluations")
            if axis in grid[:, 0]:
                axis.set_ylabel(fill(measure, 28))
        for axis in grid.flat[len(panels) :]:
            axis.remove()
        _save(figure, path)


def chosen(group: Sequence[Anyone], others: Sequence[Anyone]) -> list[Anyone]:
    """q-KG and the few of the others that end lowest."""
    last = last_batch(group)
    done = sorted((one for one in others if one.count(last)), key=lambda one: one.points(last)[last][0])
    own = [one for one in group if one.method == REFERENCE and one.count(last)]
    return [*own, *done[: max(LINES - len(own), 0)]]


def _curve(axis: Any, one: Anyone, i: int, last: int, iterations: bool) -> tuple[float, float, str, str]:
    """Where the line ends, its label and its color."""
    points, color = one.points(last), COLORS[i % len(COLORS)]
    x = list(range(last + 1)) if iterations else one.evaluations(last)
    mean = [point[0] for point in points]
    axis.plot(x, mean, color=color, linewidth=2.4 if i == 0 else 1.3, zorder=3 - (i > 0))
    low, high = ([m + sign * point[1] for m, point in zip(mean, points, strict=True)] for sign in (-1, 1))
    axis.fill_between(x, low, high, color=color, alpha=0.15, linewidth=0)
    label = f"q = {one.q}" if iterations else shown(one.name).replace("`", "").replace("knowgrad (q-KG)", "q-KG")
    return x[-1], mean[-1], label, color


def _label(axis: Any, lines: Sequence[tuple[float, float, str, str]]) -> None:
    """Beside the ends of the lines, none on top of another."""
    axis.spines[["top", "right"]].set_visible(False)
    axis.grid(alpha=0.25)
    low, high = axis.get_ylim()
    heights, least = [], 0.075 * (high - low)
    for _, y, _, _ in sorted(lines, key=lambda line: line[1]):
        heights.append(max(y, heights[-1] + least) if heights else y)
    for (x, _, text, color), y in zip(sorted(lines, key=lambda line: line[1]), heights, strict=True):
        axis.annotate(
            text, (x, y), xytext=(5, 0), textcoords="offset points", color=color, va="center", annotation_clip=False
        )


def ratios(path: Path, rows: Sequence[tuple[str, dict[str, tuple[float, float, float]]]]) -> None:
    """For each peer, how many times the regret of q-KG it is left with: the geometric mean over problems with its
    interval, for exact and for noisy results."""
    pyplot, context = _pyplot()
    with context:
        figure, axis = pyplot.subplots(figsize=(8.5, 0.9 + 0.42 * len(rows)))
        for kind, color, marker, shift in (("exact", COLORS[0], "o", -0.12), ("noisy", COLORS[1], "s", 0.12)):
            found = [(i + shift, row[kind]) for i, (_, row) in enumerate(rows) if kind in row]
            y = [at for at, _ in found]
            mean, low, high = ([10 ** ratio[k] for _, ratio in found] for k in range(3))
            axis.hlines(y, low, high, color=color, linewidth=2)
            axis.plot(mean, y, marker, color=color, label=f"{kind} results")
        axis.axvline(1.0, color="#555555", linewidth=1)
        axis.set_xscale("log")
        axis.set_yticks(range(len(rows)), [name for name, _ in rows])
        axis.set_ylim(len(rows) - 0.5, -0.5)
        axis.set_xlim(left=min(0.3, axis.get_xlim()[0]))
        axis.set_xlabel("times the regret of knowgrad (1: the same; to the right: worse)")
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(alpha=0.25, axis="x")
        axis.xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}" if x >= 1 else f"{x:g}")
        axis.legend(frameon=False, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2)
        _save(figure, path)


def _pyplot() -> tuple[Any, Any]:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot, matplotlib.rc_context(STYLE)


def _save(figure: Any, path: Path) -> None:
    from matplotlib import pyplot

    path.parent.mkdir(parents=True, exist_ok=True)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    follow_the_screen(path)
