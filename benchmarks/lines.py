"""Results as JSON lines in one file: a comparison that was stopped goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

Line = dict[str, Any]
Job = TypeVar("Job", bound=tuple[Any, ...])


def gathered(
    out: Path, key: tuple[str, ...], wanted: Iterable[Job], work: Callable[[Job], list[Line]], processes: int
) -> list[Line]:
    """All lines of the file, after the wanted jobs that were not in it; a line tells its job by the names of `key`."""
    out.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    done = {tuple(line[name] for name in key) for line in lines}
    jobs = [job for job in wanted if job not in done]
    with ProcessPoolExecutor(processes) as pool, out.open("a") as file:
        for i, found in enumerate(pool.map(work, jobs), 1):
            file.write("".join(json.dumps(line) + "\n" for line in found))
            file.flush()
            lines += found
            print(f"\r{i} of {len(jobs)}", end="", flush=True)
    print()
    return lines
