"""The command as the shell sees it: exit code, standard output and standard error apart."""

import json

from click.testing import CliRunner

from knowgrad.cli import main

SPACE = """
noise = 0
method = "random"
seed = 1
[space]
x = {low = 0.0, high = 1.0}
act = ["relu", "gelu"]
"""


def knowgrad(*words, code=0):
    """What the command printed; it must end with this exit code, and say on stderr why if that is not 0."""
    done = CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == code, done.output
    if code in (0, 130):
        return done.stdout
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    return done.stderr


def data(*words):
    """Its answer in JSON."""
    return json.loads(knowgrad(*words, "--json"))
