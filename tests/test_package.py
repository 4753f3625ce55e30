"""What is published: both files build, hold what they should, and work from a folder of their own."""

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_string
from pathlib import Path

import pytest

import knowgrad

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SOURCE = ROOT / "src"


def run(*command, cwd=ROOT):
    done = subprocess.run(list(command), cwd=cwd, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def build(cwd, out, kind):
    """With the builder that pyproject.toml names, without fetching anything."""
    run(sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", out, cwd=cwd)
    (made,) = out.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, made from the sdist as installers do, so that both are tried."""
    folder = tmp_path_factory.mktemp("dist")
    with tarfile.open(build(ROOT, folder, "sdist")) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    (inside,) = (folder / "unpacked").iterdir()
    assert {"README.md", "LICENSE", "CHANGELOG.md", "tests", "docs"} <= {path.name for path in inside.iterdir()}
    return build(inside, folder, "wheel")


def test_the_wheel_has_every_file_of_the_package_and_no_other(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        metadata = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        fields = message_from_string(archive.read(metadata).decode())
    here = {path.relative_to(SOURCE).as_posix() for path in (SOURCE / "knowgrad").rglob("*") if path.is_file()}
    assert names == {name for name in here if "__pycache__" not in name}
    assert "knowgrad/py.typed" in names
    assert set(fields.get_all("Provides-Extra")) == set(PROJECT["optional-dependencies"])
    versions = {line.rpartition(" ")[2] for line in fields.get_all("Classifier") if "Python :: 3." in line}
    assert versions == {"3.11", "3.12", "3.13", "3.14"}


def test_the_wheel_works_where_it_is_installed(wheel, tmp_path):
    """`make package` does the same with pip, and fetches what the package needs."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = "import sys; sys.path.insert(0, sys.argv[1]); import knowgrad as kg; print(kg.__file__)"
    code += "; study = kg.Study({'x': (0.0, 1.0)}); [study.tell(t, t.params['x']) for t in study.ask(4)]"
    said = run(sys.executable, "-I", "-c", code, tmp_path, cwd=tmp_path)
    assert said.startswith(str(tmp_path))


def test_the_extra_all_is_all_of_the_others():
    extras = PROJECT["optional-dependencies"]
    (every,) = extras["all"]
    assert set(re.search(r"\[(.*)\]", every)[1].split(",")) == set(extras) - {"all"}


def test_the_version_is_the_same_everywhere():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.*)$", citation, re.MULTILINE)[1] == PROJECT["version"] == knowgrad.__version__


def test_the_changelog_has_the_usual_form():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    heads = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert heads[0] == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", head) for head in heads[1:])
    kinds = set(re.findall(r"^### (.*)$", text, re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
