"""The file of recorded answers: first what the arithmetic rested on, then a line per state."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.recorded.arithmetic import arithmetic
from tests.recorded.replay import answers
from tests.recorded.states import STATES

RECORD = Path(__file__).with_name("states.json")


def write(path: Path = RECORD) -> None:
    """Record what a study answers in every state."""
    lines = [f"{json.dumps(name)}: {json.dumps(answers(state))}" for name, state in STATES.items()]
    states = ",\n".join(lines)
    path.write_text(f'{{"arithmetic": {json.dumps(arithmetic())},\n"states": {{\n{states}\n}}}}\n', encoding="utf-8")


def read(path: Path = RECORD) -> dict[str, Any]:
    return dict(json.loads(path.read_text(encoding="utf-8")))
