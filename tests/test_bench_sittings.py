"""A campaign of one version grows over several sittings, and nothing of another version gets in."""

import json

import numpy as np
import pytest

from benchmarks.campaigns.paper import options, specs
from benchmarks.campaigns.spec import Spec
from benchmarks.records import read_json, recorded, write_json
from benchmarks.reports import figures, keep, report, sittings
from tests.test_bench_paper import fake

OURS = {"knowgrad": "0.1.0+c0ffee", "numpy": "2"}
THEIRS = {"optuna": "5.0.0", "adapter": "ad", "numpy": "2"}


def sitting(out, method, seeds, commit="aaa", **other):
    """As `benchmarks.paper` leaves it."""
    versions = THEIRS if method == "optuna-gp" else OURS
    for seed in seeds:
        spec, rng = Spec("noisy", "branin", method, 4, seed, 4), np.random.default_rng(seed)
        path = spec.path(out)
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [{**fake(spec, b, 0.0, rng), "commit": commit, "versions": versions, **other} for b in range(5)]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    known = read_json(out / "noisy" / "methods.json")
    write_json(out / "noisy" / "methods.json", {**known, method: {"versions": versions}})


@pytest.fixture
def places(tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "available", lambda: False)
    (tmp_path / "kept").mkdir()
    return tmp_path / "results", tmp_path / "next", tmp_path / "kept"


def test_every_kept_run_is_of_the_campaign():
    """Once there is one; until then all of ours in one experiment are of one version."""
    assert sittings.strays(keep.KEPT) == []


def test_two_sittings_make_one_campaign_that_replaces_what_was_kept(places, tmp_path):
    out, folder, kept = places
    (kept / "noisy.earlier.jsonl").write_text('{"problem": "branin"}\n')
    (kept / "xgboost.json").write_text("{}\n")
    sitting(out, "qkg", (0, 1))
    assert sittings.take(out, folder, kept) == "noisy 2"
    sitting(tmp_path / "second", "qkg", (2,), commit="bbb")
    sitting(tmp_path / "second", "optuna-gp", (0, 1, 2), commit="bbb")
    assert sittings.take(tmp_path / "second", folder, kept) == "noisy 6"
    assert read_json(folder / sittings.NOTE) == {"knowgrad": "0.1.0+c0ffee", "commits": ["aaa", "bbb"]}
    report.main(["--publish", str(folder), "--kept", str(kept), "--docs", str(tmp_path / "docs")])
    assert sittings.strays(kept) == []
    assert not folder.exists()
    assert sorted(path.name for path in kept.iterdir()) == [sittings.NOTE, "noisy.json", "noisy.jsonl", "xgboost.json"]
    assert "knowgrad 0.1.0+c0ffee at commit aaa and bbb;" in (tmp_path / "docs" / "results" / "noisy.md").read_text()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"versions": {**OURS, "knowgrad": "0.1.0+0ff1ce"}}, "of one version"),
        ({"versions": {**OURS, "numpy": "3"}}, "with other libraries"),
        ({"commit": "aaa+"}, "1 runs of no commit"),
        ({"commit": ""}, "1 runs of no commit"),
        ({"best": {"value": 7.0, "regret": 7.0}}, "begins with another value"),
    ],
)
def test_a_run_that_does_not_belong_is_refused_and_changes_nothing(places, tmp_path, change, reason):
    out, folder, kept = places
    sitting(out, "qkg", (0, 1))
    sittings.take(out, folder, kept)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    more = tmp_path / "more"
    sitting(more, "qkg", (2,), **change)
    if "best" in change:
        sitting(more, "qei", (0,), **change)
    with pytest.raises(SystemExit, match=reason):
        sittings.take(more, folder, kept)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [("c0ffee", "0ff1ce", "is of version 0.1.0+0ff1ce"), ('"aaa"', '"bbb"', "ran at commit bbb")],
)
def test_a_run_that_is_slipped_in_later_is_found(places, old, new, reason):
    out, folder, kept = places
    sitting(out, "qkg", (0, 1))
    sittings.take(out, folder, kept)
    sittings.publish(folder, kept)
    first, second = (kept / "noisy.jsonl").read_text().splitlines()
    (kept / "noisy.jsonl").write_text(f"{first}\n{second.replace(old, new)}\n")
    (stray,) = sittings.strays(kept)
    assert reason in stray


def test_a_sitting_leaves_out_what_was_done(places):
    out, folder, kept = places
    sitting(out, "qkg", (0, 2))
    sittings.take(out, folder, kept)
    here = {"qkg": OURS, "optuna-gp": THEIRS}
    assert sittings.done("noisy", here, folder, kept) == {("branin", "", "qkg", 4, seed, 4) for seed in (0, 2)}
    asked = options(["noisy", "--runs", "3", "--problems", "branin", "--methods", "qkg", "--batches", "4"])
    done = sittings.done("noisy", here, folder, kept)
    assert [s.seed for s in specs(asked, ["qkg"]) if s.key not in done] == [1]
    with pytest.raises(SystemExit, match=r"runs of qkg with \{'numpy': '2'\}: install"):
        sittings.done("noisy", {"qkg": {**OURS, "numpy": "3"}}, folder, kept)


def test_runs_of_other_libraries_count_in_the_next_campaign(places, tmp_path):
    out, folder, kept = places
    sitting(out, "qkg", (0,))
    sitting(out, "optuna-gp", (0,))
    sittings.take(out, folder, kept)
    sittings.publish(folder, kept)
    new = {**OURS, "knowgrad": "0.2.0+beef"}
    here = {"qkg": new, "optuna-gp": THEIRS}
    assert sittings.done("noisy", here, folder, kept) == {("branin", "", "optuna-gp", 4, 0, 4)}
    assert sittings.done("noisy", {"optuna-gp": {**THEIRS, "adapter": "other"}}, folder, kept) == set()
    second = tmp_path / "second"
    sitting(second, "optuna-gp", ())
    sitting(second, "qkg", (0,), commit="bbb", versions=new)
    assert sittings.take(second, folder, kept) == "noisy 2"
    assert [line["commit"] for line in recorded(folder / "noisy.jsonl")] == ["aaa", "bbb"]


def test_other_code_may_not_go_on(places, monkeypatch):
    out, folder, kept = places
    monkeypatch.setattr(sittings, "commit", lambda: "bbb")
    sittings.ready(folder)
    sitting(out, "qkg", (0,))
    sittings.take(out, folder, kept)
    with pytest.raises(SystemExit, match=r"of version 0.1.0\+c0ffee, .* git worktree add \.\./campaign aaa"):
        sittings.ready(folder)
    monkeypatch.setattr(sittings, "fingerprint", lambda: "0.1.0+c0ffee")
    sittings.ready(folder)
    monkeypatch.setattr(sittings, "commit", lambda: "bbb+")
    with pytest.raises(SystemExit, match="no changes beside it"):
        sittings.ready(folder)
