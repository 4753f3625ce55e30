"""The paper's figures: mean curves with bands of one standard error, and of one standard deviation as in the paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.stats import Contender, last_batch, spread

STYLES = ("-", "--", ":", "-.")


def available() -> bool:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def draw(path: Path, title: str, group: list[Contender], measure: str) -> None:
    """One file with both bands, against evaluations, or iterations where batch sizes differ."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    iterations = len({one.q for one in group}) > 1
    with matplotlib.rc_context({"svg.hashsalt": "knowgrad", "font.size": 9}):
        figure, axes = pyplot.subplots(1, 2, figsize=(11, 4.2), sharey=True, layout="constrained")
        for panel, (axis, band) in enumerate(zip(axes, ("standard error", "standard deviation"), strict=True)):
            for i, one in enumerate(group):
                _curve(axis, one, i, panel + 1, last_batch(group), iterations)
            axis.set_title(f"{title}: mean ± {band}")
            axis.set_xlabel("iterations" if iterations else "evaluations")
            axis.grid(alpha=0.3)
        axes[0].set_ylabel(measure)
        axes[1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, metadata={"Date": None})
        pyplot.close(figure)


def _curve(axis: Any, one: Contender, i: int, band: int, last: int, iterations: bool) -> None:
    """Of the runs that reached the last batch; nothing if none did."""
    curves = list(one.reaching(last).values())
    if not curves:
        return
    points = [spread(column) for column in zip(*(curve[: last + 1] for curve in curves), strict=True)]
    x = list(range(last + 1)) if iterations else one.evaluations[: last + 1]
    mean = [point[0] for point in points]
    color, width = f"C{i % 10}", 2.2 if i == 0 else 1.2
    axis.plot(x, mean, color=color, linestyle=STYLES[i // 10 % 4], linewidth=width, label=f"{one.name} ({len(curves)})")
    low, high = ([m + sign * point[band] for m, point in zip(mean, points, strict=True)] for sign in (-1, 1))
    axis.fill_between(x, low, high, color=color, alpha=0.15 if band == 1 else 0.08, linewidth=0)
