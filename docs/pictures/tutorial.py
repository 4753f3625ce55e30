"""Runs `docs/tutorial.ipynb` and writes `docs/tutorial.md` with what it prints: `python -m docs.pictures.tutorial`.

The notebook is the source: cells are run one after the other, as a notebook does. `--seeds 0 1 2 3 4` writes nothing,
and prints what the notebook finds with these seeds: what its sentence about other seeds is from.
"""

from __future__ import annotations

import argparse
import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from docs.pictures.gallery import save

FOLDER = Path(__file__).parents[1]
NOTEBOOK = FOLDER / "tutorial.ipynb"
HEAD = "The notebook is `docs/tutorial.ipynb`; what it prints depends a little on the machine."


def cells() -> list[tuple[str, str]]:
    """Kind and text of each cell."""
    found = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    return [(cell["cell_type"], "".join(cell["source"])) for cell in found]


def run(seed: int = 1) -> tuple[list[str], dict[str, Any]]:
    """What each cell of code prints, and the names they leave; with another seed of the study than the notebook's."""
    names: dict[str, Any] = {"__name__": "__main__"}
    printed = []
    for kind, text in cells():
        if kind == "code":
            code = text.replace("kg.Study(space, seed=1)", f"kg.Study(space, seed={seed})")
            with redirect_stdout(io.StringIO()) as out:
                exec(compile(code, str(NOTEBOOK), "exec"), names)
            printed.append(out.getvalue())
    return printed, names


def page(printed: list[str]) -> str:
    """The notebook as a page of the site."""
    parts, left = [], iter(printed)
    for kind, text in cells():
        if kind == "markdown":
            parts.append(text)
            continue
        parts.append(f"``` {{ .python .cell }}\n{text}\n```")
        if said := next(left).rstrip():
            parts.append(f"```text\n{said}\n```")
        if text.startswith("figure ="):
            parts.append("![The posterior along each parameter](pictures/tutorial.svg)")
    return "\n\n".join([parts[0], HEAD, *parts[1:]]) + "\n"


def other(seed: int) -> str:
    """What the recommended settings and the luckiest keep with this seed, and whether the model is trusted."""
    _, names = run(seed)
    study, best, truly = names["study"], names["best"], names["truly"]
    forecast = f"forecast {best.mean:.2f} ± {best.sd:.2f}"
    kept = f"recommended {truly(best.params)} ({forecast}), luckiest {truly(study.best.params)}"
    return f"seed {seed}: {kept}, model {'' if study.diagnostics().trusted else 'not '}trusted"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m docs.pictures.tutorial")
    parser.add_argument("--seeds", type=int, nargs="+", help="only print what these seeds of the study find")
    for each in (chosen := parser.parse_args().seeds) or []:
        print(other(each), flush=True)
    if chosen:
        raise SystemExit
    said, names = run()
    (FOLDER / "tutorial.md").write_text(page(said), encoding="utf-8")
    save(names["figure"], FOLDER / "pictures" / "tutorial.svg", 900, 300)
