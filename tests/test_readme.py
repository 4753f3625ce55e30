"""The README's Python is run as a user would run it: each block a script of its own, in an empty directory."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"
TEXT = README.read_text(encoding="utf-8")
BLOCKS = [
    pytest.param(match["code"], id=f"line {TEXT.count(chr(10), 0, match.start()) + 1}")
    for match in re.finditer(r"^```python\n(?P<code>.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
]


@pytest.mark.parametrize("code", BLOCKS)
def test_the_readme_s_code_runs(code, tmp_path):
    script = tmp_path / "example.py"
    script.write_text(code, encoding="utf-8")
    command = [sys.executable, "-W", "error", script.name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


def test_code_comes_before_line_30():
    head = TEXT.splitlines()[:29]
    assert "```python" in head
