"""All fault scenarios at their full figures: one line each, and a report. `make faults`."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.faults.scenario import CannotRun, Place, Scenario, scenarios
from tests.postgres import Server, programs

ON = {"sqlite": "SQLite", "postgres": "PostgreSQL"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[], help="numbers of scenarios")
    parser.add_argument("--kind", choices=["sqlite", "postgres"], help="only on this kind of database")
    parser.add_argument("--scale", type=float, default=1.0, help="times the full figure")
    parser.add_argument("--out", type=Path, default=Path("results/faults.md"))
    options = parser.parse_args()
    chosen = [each for each in scenarios() if not options.only or each.number in options.only]
    rows, failures = list[str](), 0
    with _server() as server:
        for each in chosen:
            for kind in [kind for kind in each.kinds if options.kind in (None, kind)]:
                verdict, saw, seconds = _run(each, kind, server, max(1, round(options.scale * each.full)))
                failures += verdict == "FAILED"
                seen = saw if verdict == "passed" else f"{verdict}: {saw}"
                rows.append(f"| {each.number} | {each.title} | {ON[kind]} | {seen} | {seconds:.0f} |")
    report = ["| # | harm | on | seen | s |", "|---|---|---|---|---|", *rows]
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text("\n".join(report) + "\n")
    print(f"{len(rows)} runs, {failures} failed; report in {options.out}")
    return 1 if failures else 0


def _run(each: Scenario, kind: str, server: Server | None, n: int) -> tuple[str, str, float]:
    """The verdict, what was seen, and the seconds it took."""
    print(f"{each.number:>3} {kind:8} {each.title} ... ", end="", flush=True)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="knowgrad-faults-") as folder:
        try:
            place = _place(kind, Path(folder), server)
            verdict, saw = "passed", each.run(place, n)
        except CannotRun as reason:
            verdict, saw = "not run", str(reason)
        except Exception as error:  # the others are still to run
            verdict, saw = "FAILED", f"{type(error).__name__}: {error}"
    seconds = time.monotonic() - begun
    print(f"{verdict} after {seconds:.0f} s: {saw}", flush=True)
    return verdict, saw, seconds


def _place(kind: str, folder: Path, server: Server | None) -> Place:
    if kind == "sqlite":
        return Place(kind, f"sqlite:///{folder / 'studies.db'}", folder)
    if server is None:
        raise CannotRun("no PostgreSQL server is installed")
    return Place(kind, server.new_database(), folder, server)


@contextmanager
def _server() -> Iterator[Server | None]:
    installed = programs()
    if installed is None:
        yield None
        return
    server = Server(installed)
    try:
        yield server
    finally:
        server.remove()


if __name__ == "__main__":
    sys.exit(main())
