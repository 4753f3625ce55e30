"""The Python of the README and of the documentation is run as a user would run it: each block a script of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)

# Runs the files it is given one after the other, each as the main program.
RUNNER = "import runpy, sys\nfor path in sys.argv[1:]: runpy.run_path(path, run_name='__main__')"


def blocks(page):
    """The code of a page, by the line it starts at. Scripts that it includes are fenced otherwise, and have tests."""
    text = page.read_text(encoding="utf-8")
    return {text.count("\n", 0, match.start()) + 1: match["code"] for match in BLOCK.finditer(text)}


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda page: page.name)
def test_the_code_of_the_page_runs(page, tmp_path):
    scripts = []
    for line, code in blocks(page).items():
        scripts.append(tmp_path / f"line_{line}.py")
        scripts[-1].write_text(code, encoding="utf-8")
    command = [sys.executable, "-W", "error", "-c", RUNNER, *scripts]
    environment = {**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr


def test_code_comes_before_line_30():
    head = README.read_text(encoding="utf-8").splitlines()[:29]
    assert "```python" in head


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_whatever_is_fenced_otherwise_is_an_example_and_has_a_test(page):
    text = page.read_text(encoding="utf-8")
    fenced = re.findall(r"^``` ?(?:\{\.python\}|py|pycon)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert all(re.fullmatch(r'--8<-- "examples/\w+\.py"\n', code) for code in fenced)
