"""The paper's figures: mean curves with bands of one standard error, and of one standard deviation as in the paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.peers import PEERS
from benchmarks.problems.experiments import RIVALS
from benchmarks.reports.stats import REFERENCE, Anyone, last_batch

STYLES = ("-", "--", ":", "-.")


def available() -> bool:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def draw(path: Path, title: str, group: list[Anyone], measure: str) -> None:
    """One file with both bands, against evaluations, or iterations where batch sizes differ."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    iterations, rows, last = len({one.q for one in group}) > 1, _rows(group), last_batch(group)
    with matplotlib.rc_context({"svg.hashsalt": "knowgrad", "font.size": 9}):
        size = (11, 0.6 + 3.8 * len(rows))
        figure, grid = pyplot.subplots(len(rows), 2, figsize=size, sharey=True, squeeze=False, layout="constrained")
        for axes, (who, contenders) in zip(grid, rows.items(), strict=True):
            for panel, (axis, band) in enumerate(zip(axes, ("standard error", "standard deviation"), strict=True)):
                for i, one in enumerate(contenders):
                    _curve(axis, one, i, panel + 1, last, iterations)
                axis.set_title(f"{title}{who}: mean ± {band}")
                axis.set_xlabel("iterations" if iterations else "evaluations")
                axis.grid(alpha=0.3)
            axes[0].set_ylabel(measure)
            axes[1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, metadata={"Date": None})
        pyplot.close(figure)


def _rows(group: list[Anyone]) -> dict[str, list[Anyone]]:
    """q-KG beside the paper's rivals, beside other libraries, and beside our other methods; alone if there are none."""
    rows: dict[str, list[Anyone]] = {", the paper's rivals": [], ", other libraries": [], ", our other methods": []}
    own = []
    for one in group:
        method = one.method.partition("+")[0]
        if method == REFERENCE:
            own.append(one)
        else:
            rival = method in (*RIVALS, "qkg-paper")
            who = "the paper's rivals" if rival else "other libraries" if method in PEERS else "our other methods"
            rows[f", {who}"].append(one)
    return {who: own + others for who, others in rows.items() if others} or {"": own}


def _curve(axis: Any, one: Anyone, i: int, band: int, last: int, iterations: bool) -> None:
    """Of the runs that reached the last batch; nothing if none did."""
    if not one.count(last):
        return
    points = one.points(last)
    x = list(range(last + 1)) if iterations else one.evaluations(last)
    mean = [point[0] for point in points]
    color, width = f"C{i % 10}", 2.2 if i == 0 else 1.2
    axis.plot(
        x,
        mean,
        color=color,
        linestyle=STYLES[i // 10 % 4],
        linewidth=width,
        zorder=3 - (i > 0),
        label=f"{one.name} ({one.count(last)})",
    )
    low, high = ([m + sign * point[band] for m, point in zip(mean, points, strict=True)] for sign in (-1, 1))
    axis.fill_between(x, low, high, color=color, alpha=0.15 if band == 1 else 0.08, linewidth=0)
