"""Functions named on the command line."""

import math

import click
import cloudpickle
import pytest

from knowgrad.cli.program.function import TARGET, Function


def test_a_function_is_found_by_name_and_sent_as_a_name():
    function = Function("math:fsum")
    function.check()
    assert cloudpickle.loads(cloudpickle.dumps(function))([1, 2]) == math.fsum([1, 2])


def test_the_working_directory_comes_first(tmp_path, monkeypatch):
    (tmp_path / "my_objective.py").write_text("def loss(params):\n    return params['x'] + 1\n")
    monkeypatch.chdir(tmp_path)
    assert Function("my_objective:loss")({"x": 1}) == 2


@pytest.mark.parametrize("target", ["no_such_module:f", "math:no_such", "math:pi"])
def test_what_cannot_be_called_is_refused(target):
    with pytest.raises(click.BadParameter, match=target.split(":")[1]):
        Function(target).check()


@pytest.mark.parametrize(
    ("text", "is_target"), [("a.b:c.d", True), ("a:b", True), ("a", False), ("a:", False), ("./a:b", False)]
)
def test_what_a_target_looks_like(text, is_target):
    assert bool(TARGET.fullmatch(text)) is is_target
