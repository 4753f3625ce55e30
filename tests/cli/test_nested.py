"""Values are never read as code by an interpreter on the command line that is known for it."""

import shlex
import sys

import click
import pytest

import knowgrad as kg
from knowgrad.cli.program.command import Command
from knowgrad.cli.program.nested import is_safe
from tests.cli.console import knowgrad

CODE = [
    "sh -c 'echo {x}'",
    "/bin/bash -lc 'echo {x}' name",
    "bash -euo pipefail -c 'echo {x}'",
    "bash -c -o pipefail 'echo {x}'",
    "bash +x -c 'echo {x}'",
    "fish --command='echo {x}'",
    "env A=1 nice -n 5 timeout 5 sh -c 'echo {x}'",
    "find . -exec sh -c 'echo {x}' ;",
    "xargs -n 1 sh -c 'echo {x}'",
    "env -S 'run {x}'",
    "ssh host run --act {x}",
    "su me -c 'run {x}'",
    "flock -w 5 lock -c 'run {x}'",
    "sbatch --wrap='run {x}'",
    "sbatch --wrap 'run {x}'",
    "python3.12 -c 'print({x})'",
    "python -W ignore -Ic 'print({x})'",
    "perl -ne 'print {x}'",
    "perl -l -e '{x}'",
    "perl '-eprint {x}'",
    "node -pe '{x}'",
    "node --eval='{x}'",
    "matlab -batch 'f({x})'",
    "awk '{x}' file",
    "awk -F , -v a=1 '{x}'",
    "sed -n 's/{x}/a/'",
    "make ACT={x}",
]
ARGUMENTS = [
    """sh -c 'echo "$1"' sh {x}""",
    "bash run.sh {x}",
    "bash run.sh -c {x}",
    "python train.py -c {x}",
    "python -m train -c {x}",
    "python -c 'import sys' {x}",
    "perl -e 'print @ARGV' {x}",
    "node train.js -e {x}",
    "awk -f program.awk {x}",
    "awk -v a={x} 1 file",
    "sed -e s/a/b/ {x}",
    "sed s/a/b/ {x}",
    "env ACT={x} ./train",
    "timeout 5 ./train --act={x}",
    "flock lock ./train {x}",
]


def check(words, *, shell=False, risky=("x",)):
    Command(tuple(words), ("x",), shell, frozenset(risky))._check_code()


@pytest.mark.parametrize("line", CODE)
def test_a_value_inside_of_code_is_refused(line):
    with pytest.raises(click.BadParameter, match=r"pass it as an argument, as in: sh -c 'echo \"\$1\"' sh \{x\}"):
        check(shlex.split(line))
    check(shlex.split(line), risky=())  # a number is no code


@pytest.mark.parametrize("line", ARGUMENTS)
def test_a_value_as_an_argument_is_fine(line):
    check(shlex.split(line))


@pytest.mark.parametrize("line", ['sh -c "echo {x}"', 'seq 3 | bash -c "cat; echo {x}" > out', 'eval "{x}"'])
def test_a_shell_in_the_script_of_a_shell_is_refused_too(line):
    with pytest.raises(click.BadParameter, match="could be code there"):
        check([line], shell=True)


def test_a_script_of_a_shell_may_have_values():
    check(["""sh -c 'echo "$1"' sh {x}; python train.py {x} | tail -n 1"""], shell=True)
    check(["echo it's {x}"], shell=True)  # of quotes that do not match, the shell has more to say


@pytest.mark.parametrize("value", ["relu", "a/b.csv", "-O2", "x=1:2,3@4%5+6", "", 0.5, -1, True, None])
def test_names_and_numbers_are_safe(value):
    assert is_safe(value)


@pytest.mark.parametrize(
    "value", ["$(touch pwned)", "`id`", "a b", "a;b", "'", '"', "a\nb", "#", "*", "é", "~", "\\", "{a,b}"]
)
def test_what_could_be_code_is_not(value):
    assert not is_safe(value)


@pytest.mark.skipif(sys.platform == "win32", reason="needs sh")
def test_a_choice_does_not_reach_a_nested_shell(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "space.toml").write_text(
        'method = "random"\n[space]\nx = ["$(touch pwned)", "b"]\ny = ["relu", "gelu"]\n'
    )
    run = ("run", "space.toml", "--trials", 4, "--storage", "s.db", "--")
    assert "could be code there" in knowgrad(*run, "sh", "-c", "echo {y} {x} 1", code=2)
    assert not (tmp_path / "s.db").exists()
    knowgrad(*run, "sh", "-c", 'echo {y} "$1" | wc -c', "sh", "{x}")
    assert {trial.state for trial in kg.Study.load("s.db").trials} == {"complete"}
    assert not (tmp_path / "pwned").exists()
