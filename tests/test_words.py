"""The documents are readable: spelling, short sentences, words of the field, and figures that come from records."""

import re
import tomllib
from pathlib import Path

from benchmarks.reports import keep, report
from benchmarks.reports.standings import standings
from knowgrad.model.fitted import LIMIT

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]
LONGEST = 30  # words in a sentence of the README
LONGEST_ELSEWHERE = 45  # in one of any other page
BANNED = {  # how it was once said: how it is said in the field
    r"beyond chance": "by more than two standard errors, or: by a 95 % interval",
    r"gone on with": "continued",
    r"is a wonder": "is surprisingly good",
    r"in turns, each time": "expectation maximisation",
    r"what is not known": "uncertainty",
    r"found out\b": "recognised",
    r"mathematics of the next batch|next batch's mathematics": "say what happens",
    r"\blaw of\b|\bthe law\b": "distribution",
    r"by by": "by",
    r"got missing": "missing",
    r"for the \d\. time": "for the third time",
    r"\bby lot\b": "at random",
    r"came to nothing": "failed",
    r"as the model sees it": "by the model",
    r"if need be": "if needed",
    r"to be trusted": "can be trusted",
    r"What becomes of": "what happens to",
    r"\bin earnest\b": "really",
    r"\bcome to (its|an) end\b": "ended",
    r"(storage|server|database) that is away": "that cannot be reached, that is down",
    r"\btaken up again\b": "continued",
    r"\bvery unique\b|\butili[sz]e\b|\bleverag": "use",
}


def prose(text):
    """Without code, tables, comments, pictures and the targets of links; list items and paragraphs apart."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^\|.*$|^#.*$|^    .*$|<!--.*?-->|!\[.*?\]\(.*?\)", "", text, flags=re.MULTILINE)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"^\s*[*-] ", "\n\n", text, flags=re.MULTILINE)
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip()]


def sentences(text):
    return [s for part in prose(text) for s in re.split(r"(?<=[.!?:;])\s+(?=[A-Z`*\[])", part)]


def test_no_sentence_of_the_readme_is_long():
    long = [s for s in sentences(README.read_text(encoding="utf-8")) if len(s.split()) > LONGEST]
    assert long == []


def test_no_sentence_of_a_page_is_very_long():
    long = {}
    for page in (*PAGES, *(ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "RELEASING.md"))):
        said = sentences(page.read_text(encoding="utf-8"))
        long[page.name] = [s for s in said if len(s.split()) > LONGEST_ELSEWHERE]
    assert {name: found for name, found in long.items() if found} == {}


def test_words_are_those_of_the_field():
    found = {}
    for path in (*PAGES, *sorted((ROOT / "src").rglob("*.py"))):
        text = " ".join(path.read_text(encoding="utf-8").split())
        found[str(path)] = {wrong: right for wrong, right in BANNED.items() if re.search(wrong, text)}
    assert {path: words for path, words in found.items() if words} == {}


def test_the_figures_of_the_readme_are_those_of_the_report():
    everything = report.load(keep.KEPT)
    rows = standings(everything)
    text = README.read_text(encoding="utf-8")
    shown = text.partition(report.OPEN)[2].partition(report.CLOSE)[0].strip()
    assert shown == report.for_readme(everything, rows).strip()
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    assert page.splitlines() == "\n".join(report.overview(everything, rows, drawn=True)).splitlines()


def test_the_seconds_of_the_readme_are_those_of_the_page_about_speed():
    text = README.read_text(encoding="utf-8")
    ((seconds, q, n, d, case),) = re.findall(
        r"(\d\.\d+) CPU seconds\*\* for a batch of (\d) with (\d+) noisy results in (\d) .*?--cases \"(.*?)\"",
        text,
        re.DOTALL,
    )
    assert case == f"n={n} q={q}"
    speed = (ROOT / "docs" / "speed.md").read_text(encoding="utf-8")
    assert f'--cases "{case}"' in " ".join(speed.split())
    assert f"{seconds} s with noise" in speed
    assert f"Hartmann{d}, n = {n}, q = {q}" in speed


def test_every_other_number_of_the_readme_is_one_that_something_here_checks():
    """In its sentences; the tables of what one says and of other libraries are code and names of releases."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=3.11"
    assert LIMIT == 1000, "the README says: up to a thousand results"
    assert len(project["dependencies"]) == 2 + 5, "the README says: NumPy, SciPy and five small packages"
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(report.OPEN)
    said = " ".join(prose(before + rest.partition(report.CLOSE)[2]))
    numbers = re.findall(r"(?<![\w.])\d[\d.,]*\d|(?<![\w.])\d", re.sub(r"`[^`]*`", "", said))
    year, release, seconds = "2016", "18 2026", "0.107 4 74 6"  # of the paper, of the releases compared, of the speed
    assert sorted(numbers) == sorted(f"{year} {release} {seconds} 3.11 3.11 3.14".split())


def test_every_command_of_the_readme_leads_somewhere():
    text = README.read_text(encoding="utf-8")
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"\bmake ([a-z][\w-]+)", text)) <= set(targets)
    for module in re.findall(r"python -m (benchmarks[\w.]*)", text):
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), module
    for path in re.findall(r"(?:tests|examples|benchmarks)/[\w/]+\.\w+", text):
        assert (ROOT / path).exists(), path


def test_the_readme_and_the_landing_page_show_the_claim():
    for page, picture in ((README, "docs/pictures/claim.svg"), (ROOT / "docs" / "index.md", "pictures/claim.svg")):
        assert f"]({picture})" in page.read_text(encoding="utf-8")


def test_how_it_works_names_files_and_tests_that_are_there():
    page = (ROOT / "docs" / "how.md").read_text(encoding="utf-8")
    for path, name in re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page):
        assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), name
    for path in re.findall(r"`((?!tests)[\w/]+\.py)`", page):
        assert (ROOT / "src" / "knowgrad" / path).exists(), path


def test_the_pages_of_the_design_name_modules_that_are_there():
    house, symbols = (
        ROOT / "src" / "knowgrad",
        {"Space", "Study", "minimize", "maximize", "sign_of", "best_of", "failure"},
    )
    there = {
        path.relative_to(house).with_suffix("").as_posix() for path in house.rglob("*") if path.suffix in ("", ".py")
    }
    ends = {"/".join(path.split("/")[k:]) for path in there for k in range(path.count("/") + 1)}
    pages = {name: (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("design", "design-parts")}
    for text in pages.values():
        assert set(re.findall(r"`((?:[a-z_]+/)+[a-z_]+)`", text)) - ends - {"tests/recorded"} == set()
    rows = dict(re.findall(r"^\| `(\w+)/` \|(.*)\|$", pages["design"], re.MULTILINE))
    assert set(rows) == {path.parent.name for path in house.glob("*/__init__.py")}
    for package, row in rows.items():
        named = set(re.findall(r"`(\w+)/?`", row.partition("|")[2])) - symbols
        inside = {part for path in there if path.startswith(f"{package}/") for part in path.split("/")}
        assert named - inside - {"__init__"} == set(), package
