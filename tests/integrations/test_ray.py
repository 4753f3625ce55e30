"""The search algorithm for Ray Tune: real trials, every domain, saving and restoring."""

from __future__ import annotations

import copy
import math

import pytest
import ray
from ray import tune
from ray.tune.search import ConcurrencyLimiter

import knowgrad as kg
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.integrations.ray import KnowledgeGradientSearch
from knowgrad.integrations.ray.domains import TuneSpace
from knowgrad.trial import Settings, Trial

CONFIG = {
    "rate": tune.loguniform(1e-4, 1e-1),
    "model": {"width": tune.randint(1, 65), "kind": tune.choice(["a", ("b", 2)]), "fixed": 7},
    "drop": tune.quniform(0.0, 0.5, 0.1),
}


def loss(config):
    kind = 0.0 if config["model"]["kind"] == ("b", 2) else 1.0
    return (math.log10(config["rate"]) + 2) ** 2 + abs(config["model"]["width"] - 32) / 32 + kind + config["drop"]


def trainable(config):
    if config["model"]["width"] == 13:
        raise ValueError("unlucky")
    tune.report({"loss": loss(config)})


@pytest.fixture(scope="module")
def cluster():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    yield
    ray.shutdown()


def test_a_real_run_with_real_trials(cluster, tmp_path):
    search = KnowledgeGradientSearch(
        seed=0, points_to_evaluate=[{"rate": 0.01, "model": {"width": 13, "kind": "a"}, "drop": 0.0}]
    )
    tuner = tune.Tuner(
        tune.with_resources(trainable, {"cpu": 1}),
        param_space=CONFIG,
        tune_config=tune.TuneConfig(
            metric="loss", mode="min", search_alg=search, num_samples=9, max_concurrent_trials=2, reuse_actors=True
        ),
        run_config=tune.RunConfig(storage_path=str(tmp_path), name="run", verbose=0),
    )
    results = tuner.fit()
    assert len(results) == 9
    assert results.num_errors == 1
    assert all(result.config["model"]["fixed"] == 7 for result in results)
    other = KnowledgeGradientSearch(seed=0)
    other.set_search_properties("loss", "min", CONFIG)
    other.add_evaluated_trials(results._experiment_analysis, "loss")
    assert sum(trial.state == "complete" for trial in other._trials.values()) == 8
    found = search.recommend()
    assert found.params["model"].keys() == {"width", "kind"}
    assert found.best.value == results.get_best_result().metrics["loss"]
    restored = KnowledgeGradientSearch(seed=99)
    restored.set_search_properties("loss", "min", CONFIG)
    restored.set_max_concurrency(2)
    restored.restore_from_dir(str(tmp_path / "run"))
    assert restored.recommend().params == found.params
    assert restored.suggest("next") == search.suggest("next")


def searching(**options):
    search = KnowledgeGradientSearch(**{"seed": 3, **options})
    assert search.set_search_properties("loss", "min", {"x": tune.uniform(0.0, 1.0), "y": tune.uniform(0.0, 1.0)})
    return search


def told(search, n):
    for i in range(n):
        config = search.suggest(f"t{i}")
        search.on_trial_complete(f"t{i}", {"loss": (config["x"] - 0.3) ** 2 + config["y"]})
    return search


def direct(search, q):
    space = kg.Space({"x": (0.0, 1.0), "y": (0.0, 1.0)})
    return list(Snapshot(space, tuple(search._trials.values()), Settings(3)).suggest(q).params)


def test_a_batch_is_chosen_jointly_for_all_free_places():
    search = searching()
    search.set_max_concurrency(3)
    told(search, 7)
    expected = direct(search, 3)
    assert [search.suggest(name) for name in "abc"] == expected


def test_running_trials_are_pending_and_a_result_drops_what_is_left_of_a_batch():
    search = told(searching(batch_size=3), 7)
    _, second, third = direct(search, 3)
    search.suggest("a")
    assert search.suggest("b") == second
    search.on_trial_complete("a", {"loss": 0.1})
    expected = direct(search, 3)[0]
    assert [trial.state for trial in search._trials.values()].count("pending") == 1
    assert search.suggest("c") == expected != third


def test_asking_again_for_the_same_trial_gives_the_same_config():
    search = told(searching(), 3)
    assert search.suggest("a") == search.suggest("a")


@pytest.mark.parametrize(
    ("domain", "parameter"),
    [
        (tune.uniform(-1.0, 2.0), kg.Float(-1.0, 2.0)),
        (tune.loguniform(1e-3, 1.0), kg.Float(1e-3, 1.0, log=True)),
        (tune.quniform(0.0, 1.0, 0.25), kg.Float(0.0, 1.0, step=0.25)),
        (tune.qloguniform(0.5, 64.0, 0.5), kg.Float(0.5, 64.0, log=True)),
        (tune.randint(0, 10), kg.Int(0, 9)),
        (tune.lograndint(1, 100), kg.Int(1, 99, log=True)),
        (tune.qrandint(2, 10, 2), kg.Int(2, 10, step=2)),
        (tune.qrandint(3, 11, 4), kg.Int(4, 8, step=4)),
        (tune.qlograndint(8, 512, 8), kg.Int(8, 512, log=True)),
    ],
)
def test_every_domain_has_the_same_range_as_tune_draws_from(domain, parameter):
    space = TuneSpace.of({"p": domain})
    assert space.indexed.space.parameters["p"] == parameter
    drawn = domain.sample(size=200)
    assert all(space.params({"p": value}) for value in drawn)
    ends = [space.rounded({"p": parameter.low})["p"], space.rounded({"p": parameter.high})["p"]]
    assert ends[0] <= min(drawn)
    assert max(drawn) <= ends[1]


def test_values_on_a_log_scale_are_rounded_as_tune_rounds_them():
    space = TuneSpace.of({"a": tune.qloguniform(0.5, 64.0, 0.5), "b": tune.qlograndint(8, 512, 8)})
    assert space.rounded({"a": 0.8, "b": 19}) == {"a": 1.0, "b": 16}
    assert isinstance(space.rounded({"a": 0.8, "b": 19})["b"], int)


@pytest.mark.parametrize("domain", [tune.randn(0, 1), tune.sample_from(lambda spec: 1), tune.grid_search([1, 2])])
def test_what_is_no_range_is_refused(domain):
    with pytest.raises(kg.errors.SpaceError, match="expected"):
        TuneSpace.of({"p": domain})


def test_a_declared_space_with_constraints():
    search = KnowledgeGradientSearch(
        kg.Space({"x": (0.0, 1.0), "y": (0.0, 1.0)}, constraints=["x + y <= 1"]), metric="loss", mode="max", seed=0
    )
    assert not search.set_search_properties("loss", "max", {"x": tune.uniform(0.0, 1.0)})
    assert search.set_search_properties(None, None, {"constant": 1})
    for i in range(8):
        config = search.suggest(str(i))
        assert config["x"] + config["y"] <= 1 + 1e-9
        search.on_trial_complete(str(i), {"loss": config["x"], "loss_sem": 0.1})
    assert search.recommend().params["x"] > 0.9
    assert {trial.sem for trial in search._trials.values()} == {0.1}


def test_outcomes():
    search = searching()
    for name in "abcd":
        search.suggest(name)
    search.on_trial_complete("a", {"loss": 1.5})
    search.on_trial_complete("b", {"loss": math.nan})
    search.on_trial_complete("c", None, error=True)
    search.on_trial_complete("d", {"other": 1.0})
    search.on_trial_complete("a", {"loss": 9.0})
    search.add_evaluated_point({"x": 0.5, "y": 0.5}, 2.5)
    assert [(t.state, t.value) for t in search._trials.values()] == [
        ("complete", 1.5),
        ("failed", None),
        ("failed", None),
        ("failed", None),
        ("complete", 2.5),
    ]


def test_what_is_missing_is_named():
    with pytest.raises(kg.errors.ArgumentError, match="space: expected"):
        KnowledgeGradientSearch().suggest("a")
    with pytest.raises(kg.errors.ArgumentError, match="mode: expected"):
        KnowledgeGradientSearch({"x": (0.0, 1.0)}).suggest("a")
    with pytest.raises(kg.errors.NoDataError, match="run the Tuner first"):
        searching().recommend()


def test_saved_is_json_and_restored_is_the_same(tmp_path):
    search = told(searching(points_to_evaluate=[{"x": i / 8, "y": 0.5} for i in range(8)]), 6)
    search.suggest("open")
    path = tmp_path / "state"
    search.save(str(path))
    assert path.read_text(encoding="utf-8").startswith('{"seed": 3')
    restored = searching(seed=5)
    restored.restore(str(path))
    assert restored._trials == search._trials
    assert all(isinstance(trial, Trial) for trial in restored._trials.values())
    assert restored.suggest("queued") == search.suggest("queued") == {"x": 7 / 8, "y": 0.5}
    assert restored.suggest("next") == search.suggest("next")


# What Ray's own tests ask of every searcher; its wheel does not bring them.

TUNE = {"x": tune.uniform(0.0, 5.0), "mixed": [1, tune.uniform(2, 3), {"deep": tune.randint(0, 9), "fixed": 7}]}


def tuned(config=TUNE):
    search = KnowledgeGradientSearch(seed=0)
    assert search.set_search_properties("m", "max", config)
    return search


def test_a_domain_within_a_list_leaves_the_list_whole():
    config = tuned().suggest("a")
    assert 0 <= config["x"] <= 5
    first, second, third = config["mixed"]
    assert first == 1
    assert 2 <= second <= 3
    assert third["fixed"] == 7
    assert third["deep"] in range(9)
    search = tuned()
    search.add_evaluated_point(config, 1.0)
    assert search.recommend().params == config


def test_values_that_are_none_and_reports_after_the_end_do_no_harm():
    search = ConcurrencyLimiter(tuned(), max_concurrent=2)
    assert [search.suggest(name) is None for name in "abc"] == [False, False, True]
    search.on_trial_complete("a", {"m": math.inf})
    search.on_trial_complete("b", {"m": -math.inf})
    search.on_trial_complete("b", {"m": 1.0})
    search.on_trial_result("b", {"m": 2.0})
    search.on_trial_complete("nobody", {"m": 2.0})
    assert [trial.state for trial in search.searcher._trials.values()] == ["failed", "failed"]
    assert search.suggest("d") is not None


def test_a_copy_is_a_searcher_of_its_own():
    search = tuned()
    other = copy.deepcopy(search)
    other.add_evaluated_point(other.suggest("a"), 1.0)
    assert not search._trials
    assert search.suggest("a") == tuned().suggest("a")


def test_a_searcher_is_saved_to_a_folder_and_restored(tmp_path):
    search = tuned()
    search.on_trial_complete("a", {"m": search.suggest("a")["x"]})
    search.save_to_dir(str(tmp_path))
    again = tuned()
    again.restore_from_dir(str(tmp_path))
    assert again.suggest("b") == search.suggest("b")


def test_a_limit_on_another_metric_is_modelled(tmp_path):
    space = {"x": (0.0, 1.0), "y": (0.0, 1.0)}
    search = KnowledgeGradientSearch(space, metric="loss", mode="min", seed=0, limits=["heat <= 0.5"])
    for i in range(8):
        config = search.suggest(str(i))
        result = {"loss": -config["x"], "heat": config["x"], "heat_sem": 0.001}
        search.on_trial_complete(str(i), result if i else {"loss": 1.0})
    assert search._trials["0"].reason == "no heat"
    found = search.recommend()
    assert found.outcomes["heat"][0] <= 0.5
    assert found.chance >= 0.9
    search.save(str(tmp_path / "state.json"))
    again = KnowledgeGradientSearch(space, metric="loss", mode="min", seed=0, limits=["heat <= 0.5"])
    again.restore(str(tmp_path / "state.json"))
    assert again._trials == search._trials
