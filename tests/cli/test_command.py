"""A program as an objective: what it is given, and what is made of what it prints."""

import json
import math
import sys
import time

import click
import pytest

from knowgrad.cli.program.command import Command
from knowgrad.cli.program.output import read_result

ECHO = (sys.executable, "-c", "import json, sys; print(json.dumps({'value': 0, 'sem': sys.argv[1:]}))")


def arguments(*words, shell=False, **params):
    """What the program gets to see as its arguments."""
    start = " ".join(f"'{word}'" if " " in word else word for word in ECHO[:2]) + ' "$ECHO"' if shell else ECHO
    command = Command((start, *words) if shell else (*start, *words), tuple(params), shell)
    command.check()
    return command(params)[1]


def test_values_are_substituted_as_single_arguments():
    nasty = 'a b\'; rm -rf "$HOME" `id` $(id) *\n{lr}'
    given = arguments("--act={act}", "--lr", "{lr}", "{flag}{none}", act=nasty, lr=1e-05, flag=True, none=None)
    assert given == [f"--act={nasty}", "--lr", "1e-05", "truenull"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs /bin/sh")
def test_a_shell_never_reads_a_value_as_code(monkeypatch):
    monkeypatch.setenv("ECHO", ECHO[2])
    nasty = 'a b\'; echo "$HOME" `id` $(id) *'
    given = arguments("{act}", '"--act={act}!"', '"$(printf %s "{act}")"', shell=True, act=nasty)
    assert given[:2] == [nasty, f"--act={nasty}!"]
    assert "uid=" not in "".join(given)


@pytest.mark.skipif(sys.platform == "win32", reason="needs /bin/sh")
def test_a_shell_has_pipes():
    assert Command(("echo {x} 7 | tr ' ' '\\n' | head -n 1",), ("x",), shell=True)({"x": 0.25}) == 0.25


def test_odd_names_and_braces():
    given = arguments("{learning rate}", "{{x}}", '{"a": {1}}', "{x}", **{"learning rate": 3, "x": 4})
    assert given == ["3", "{x}", '{"a": {1}}', "4"]


@pytest.mark.parametrize(
    ("words", "shell", "said"),
    [
        (["no-such-program", "{x}"], False, "'no-such-program', which is not found"),
        ([sys.executable, "{x}", "{y}"], False, r"got \{y\}; write \{\{y\}\}"),
        ([sys.executable], False, r"expected a placeholder \{x\}"),
        (["echo '{x}'"], True, "outside of single quotes"),
    ],
)
def test_a_command_that_cannot_be_meant_is_refused(words, shell, said):
    with pytest.raises(click.BadParameter, match=said):
        Command(tuple(words), ("x",), shell).check()


def test_a_failing_program_is_a_failure_with_the_end_of_its_stderr():
    script = "import sys; print(1.5); sys.exit('x' * 1000 + ' disk  full\\nat last')"
    reason = Command((sys.executable, "-c", script), ())({}).reason
    assert reason.startswith("exit code 1: xxx")
    assert reason.endswith("x disk full at last")
    assert len(reason) < 550
    killed = Command((sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"), ())({})
    assert killed.reason == "killed by SIGKILL"


def test_only_the_end_of_a_long_output_is_read():
    script = "import sys; sys.stdout.write('1 ' * 10**6); print('\\n0.5')"
    assert Command((sys.executable, "-c", script), ())({}) == 0.5


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5", 0.5),
        ("loss: 0.25\n", 0.25),
        ("epoch 10 loss=-1.5e-3.", -1.5e-3),
        ("3\n7\ndone\n\n", 7.0),
        ("\x1b[32m.5\x1b[0m", 0.5),
        ("loss +2. after 3s", 2.0),
        ("0.9 0.1%", 0.1),
        ("loss inf", math.inf),
        ("-Infinity", -math.inf),
        ("score 0.3\n2026-11-16 10:32:05 done with v1.2.3, 1,234.5 steps, info nano", 0.3),
        ('text\n{"value": 2, "other": [1]}', 2),
        ('{"value": 2, "sem": 0.5}\n', (2, 0.5)),
    ],
)
def test_the_last_number_or_the_last_json_is_the_result(text, value):
    assert read_result(text) == value


def test_not_a_number_is_the_last_number():
    assert math.isnan(read_result("loss 1.0\nloss nan"))
    assert math.isnan(read_result('{"value": NaN}'))


@pytest.mark.parametrize("text", ["", "\n", "done", "1.2.3", '{"loss": 1}', "{1}", "{" * 10_000])
def test_an_output_without_a_result_is_a_failure_that_says_so(text):
    assert "expected a" in read_result(text).reason


@pytest.mark.parametrize("value", [0.1, -1e-300, 1234567890123456, 1e22])
def test_what_json_prints_is_read_exactly(value):
    assert read_result(json.dumps(value)) == value


LONG = 65_536  # characters, as many as are looked at


@pytest.mark.parametrize(
    "text",
    [
        "1" * LONG + "x",
        "1." + "1" * LONG + "x",
        "1e" + "1" * LONG + "x",
        "\x1b[" * (LONG // 2),
        "1-" * (LONG // 2),
    ],
    ids=["digits", "decimals", "exponent", "colors", "dashes"],
)
def test_a_long_line_is_read_in_no_time(text):
    """Reading it again and again for each of its characters would take minutes."""
    began = time.process_time()
    assert "expected a number" in read_result(text).reason
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (" {value}", " " * LONG),
        ("\t{value} {sem}", "\n" * LONG),
        ("loss {value}", "loss" + " " * LONG),
        ("{value} ± {sem}", "1" + " " * LONG),
        ("{value} x", "1" * LONG),
    ],
    ids=["spaces", "lines", "after a word", "after a number", "digits"],
)
def test_a_long_output_is_searched_for_a_pattern_in_no_time(pattern, text):
    began = time.process_time()
    assert "the output: expected" in read_result(text, pattern).reason
    assert time.process_time() - began < 1


def test_a_pattern_may_begin_with_white_space():
    assert read_result("x1  2 \t 3\n", " {value}") == 3.0
    assert read_result("x1  2 \t 3\n", " {value} {sem}") == (2.0, 3.0)
    assert read_result("5-3 m", "{value} m") == -3.0
    assert read_result("21 7", "1 {value}") == 7.0


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        ("loss: {value}", 0.25),
        ("LOSS:  {value}", 0.25),
        ("accuracy = {value} ± {sem}", (0.9, 0.01)),
        ("in {value} s", 0.5),
        ("in {value}s", 0.5),
        (r"loss: (\S+)", 0.25),
        (r"accuracy = (?P<value>[\d.]+) . (?P<sem>[\d.]+)", (0.9, 0.01)),
        (r"^epoch (\d+)", 2.0),
    ],
)
def test_a_pattern_says_which_number_is_the_result(pattern, value):
    text = (
        "epoch 1\nloss: 0.5\nepoch 2\n\x1b[32mloss: 0.25\x1b[0m\naccuracy = 0.9 ± 0.01\nDone in 0.5 s, v1.2.3, in 0.5s"
    )
    assert read_result(text, pattern) == value


@pytest.mark.parametrize(
    ("pattern", "text"),
    [("loss: {value}", "no loss"), ("loss: {value}", "loss: 1,234.5"), (r"loss: (\w+)", "loss: low"), ("x{value}", "")],
)
def test_an_output_that_does_not_fit_the_pattern_is_a_failure(pattern, text):
    assert "the output: expected" in read_result(text, pattern).reason


@pytest.mark.parametrize(("pattern", "said"), [("loss", "place of the number"), ("loss (", "regular expression")])
def test_a_pattern_that_cannot_be_meant_is_refused(pattern, said):
    with pytest.raises(click.BadParameter, match=said):
        Command((sys.executable, "{x}"), ("x",), result=pattern).check()


CONDITIONAL = ("--booster={booster}", "--drop", "{drop}", "--eta={eta}", "{drop}", "-v", "--", "{drop}")


def test_words_of_what_does_not_exist_are_left_out():
    command = Command((*ECHO, *CONDITIONAL), ("booster", "drop", "eta"), sometimes={"drop": "d", "eta": "e"})
    command.check()
    every = {"booster": "dart", "drop": 0.5, "eta": 0.1}
    assert command(every)[1] == ["--booster=dart", "--drop", "0.5", "--eta=0.1", "0.5", "-v", "--", "0.5"]
    assert command({"booster": "tree", "eta": 0.1})[1] == ["--booster=tree", "--eta=0.1", "-v", "--"]
    assert command({"booster": "linear"})[1] == ["--booster=linear", "-v", "--"]


def test_a_word_that_would_take_others_with_it_is_refused():
    with pytest.raises(click.BadParameter, match=r"in a word of its own.*split it"):
        Command((*ECHO, "{booster},{drop}"), ("booster", "drop"), sometimes={"drop": "d"}).check()
    Command(
        (*ECHO, "{booster}", "{eta},{drop}"), ("booster", "drop", "eta"), sometimes={"drop": "d", "eta": "d"}
    ).check()


@pytest.mark.skipif(sys.platform == "win32", reason="needs /bin/sh")
def test_in_a_shell_what_does_not_exist_is_empty():
    script = Command(("test -z {drop} && echo {x}",), ("x", "drop"), shell=True, sometimes={"drop": "d"})
    script.check()
    assert script({"x": 0.25}) == 0.25
    assert "exit code" in script({"x": 0.25, "drop": 0.5}).reason
