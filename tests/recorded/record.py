"""Files of recorded answers: first what the arithmetic rested on, then a line per state.

There is one for each arithmetic that the answers were recorded with, all by the same version of the package. States of
a method that was changed since are recorded anew, in some files with another arithmetic: these are their "elsewhere".
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.recorded.arithmetic import arithmetic
from tests.recorded.replay import answers
from tests.recorded.states import STATES

FOLDER = Path(__file__).parent


def write(path: Path) -> None:
    """Record what a study answers in every state."""
    lines = [f"{json.dumps(name)}: {json.dumps(answers(state))}" for name, state in STATES.items()]
    states = ",\n".join(lines)
    path.write_text(f'{{"arithmetic": {json.dumps(arithmetic())},\n"states": {{\n{states}\n}}}}\n', encoding="utf-8")


def records() -> list[dict[str, Any]]:
    return [dict(json.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("*.json"))]


def nearest() -> tuple[dict[str, Any], bool]:
    """The record of this arithmetic and True; of none, the first and False."""
    found, here = records(), arithmetic()
    same = [record for record in found if record["arithmetic"] == here]
    return (same or found)[0], bool(same)
