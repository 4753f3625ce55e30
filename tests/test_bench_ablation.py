"""The ablation of q-KG's safeguards: names, a tiny run, and resuming."""

import json
from dataclasses import fields

from benchmarks.campaigns import ablation
from benchmarks.peers.ours import with_options
from knowgrad.acquisition.methods.qkg import QKG


def test_every_safeguard_is_an_option_that_is_on_by_default() -> None:
    switches = {field.name for field in fields(QKG) if field.default is True}
    assert set(ablation.SAFEGUARDS) == switches
    for variant, off in ablation.VARIANTS.items():
        method = with_options(ablation.method(variant))
        assert method == (QKG(**dict.fromkeys(off, False)) if off else "qkg")


def test_options_are_read_as_python_writes_them() -> None:
    assert with_options("qkg:samples=128,verify_minimum=False") == QKG(samples=128, verify_minimum=False)
    assert with_options("ei") == "ei"


def test_a_tiny_run_prints_paired_differences_and_is_not_run_again(tmp_path, capsys) -> None:
    out = tmp_path / "ablation.jsonl"
    arguments = ["--runs", "2", "--batches", "1", "--settings", "noise-free/branin", "--out", str(out)]
    ablation.main(arguments)
    table = capsys.readouterr().out
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(lines) == 2 * len(ablation.VARIANTS)
    assert {len(line["regret"]) for line in lines} == {2}
    starts = {(line["seed"], line["regret"][0]) for line in lines}
    assert len(starts) == 2, "all variants begin a seed with the same points"
    assert "| noise-free/branin | without noise_lower_bound | 2 | same | same |" in table
    assert table.count("| noise-free/branin |") == len(ablation.VARIANTS)
    ablation.main(arguments)
    assert len(out.read_text().splitlines()) == len(lines)
    assert capsys.readouterr().out.splitlines()[-1] == table.splitlines()[-1]


def test_the_difference_is_paired_and_has_its_standard_error() -> None:
    full = {0: {"regret": [0.0, -1.0]}, 1: {"regret": [0.0, -3.0]}}
    worse = {0: {"regret": [0.0, -0.5]}, 1: {"regret": [0.0, -2.0]}}
    assert ablation.compared(full, full, 1) == "−2.00"
    assert ablation.compared(worse, full, 1) == "+0.75 ± 0.25"
    assert ablation.compared(dict(full), full, 1) == "same"
