"""Nothing stored or received is ever unpickled or executed: no module of the package has the means to."""

import ast

import pytest

from tests.test_layers import FILES

# The user's own function goes to the user's own worker processes, by cloudpickle, over a pipe of this process, and its
# results come back over the same pipe.
ALLOWED = {
    "knowgrad.runner.processes": {"cloudpickle", "pickle"},
    "knowgrad.runner.serving": {"cloudpickle", "pickle"},
}
MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve", "code", "codeop", "runpy"}
CALLS = {"eval", "exec", "compile", "__import__", "load_module", "exec_module", "read_pickle"}


def means(source: str) -> set[str]:
    """What in this source could turn data into code."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import():
                found |= {alias.name.split(".")[0] for alias in node.names} & MODULES
            case ast.ImportFrom(module=str(module), level=0):
                found |= {module.split(".")[0]} & MODULES
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in CALLS:
                is_regex = isinstance(node.func, ast.Attribute) and ast.unparse(node.func) == "re.compile"
                found |= set() if is_regex else {name}
            case ast.Call(func=ast.Attribute(value=ast.Name(id="joblib"), attr="load")):
                found.add("joblib.load")
            case ast.keyword(arg="allow_pickle" | "shell", value=ast.Constant(value=True)):
                found.add(f"{node.arg}=True")
    return found


def test_no_module_executes_data():
    found = {module: means(path.read_text(encoding="utf-8")) for module, path in FILES.items()}
    assert {module: able for module, able in found.items() if able} == ALLOWED


@pytest.mark.parametrize(
    "source",
    [
        "import pickle",
        "def f():\n    from pickle import loads",
        "joblib.load(path)",
        "eval(row['data'])",
        "builtins.exec(text)",
        "numpy.load(file, allow_pickle=True)",
        "subprocess.run(text, shell=True)",
        "compile(text, 'x', 'eval')",
    ],
)
def test_each_of_these_would_be_noticed(source):
    assert means(source)
