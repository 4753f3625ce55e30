"""Learning curves in Ray Tune: reported results, and trials that are stopped because their rest is not worth it."""

from __future__ import annotations

import pytest
import ray
from ray import tune
from ray.tune.schedulers import TrialScheduler
from ray.tune.search import ConcurrencyLimiter
from ray.tune.search.search_generator import SearchGenerator

import knowgrad as kg
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.errors import ArgumentError
from knowgrad.integrations.ray import KnowledgeGradientScheduler, KnowledgeGradientSearch
from knowgrad.integrations.steps import KEY
from knowgrad.trial import Settings

LAST = 20
TIME = "training_iteration"


def value(x, epochs):
    return (x - 0.3) ** 2 + 0.5 / epochs


@pytest.fixture(scope="module")
def cluster():
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    yield
    ray.shutdown()


def train(config):
    for epoch in range(1, LAST + 1):
        tune.report({"loss": value(config["x"], epoch)})


def test_a_real_run_is_a_learning_curve_and_is_stopped_where_its_rest_is_not_worth_it(cluster, tmp_path):
    search = KnowledgeGradientSearch(seed=0, noise=0, max_t=LAST)
    scheduler = KnowledgeGradientScheduler(n_startup_trials=3)
    tuner = tune.Tuner(
        tune.with_resources(train, {"cpu": 1}),
        param_space={"x": tune.uniform(0.0, 1.0)},
        tune_config=tune.TuneConfig(
            metric="loss",
            mode="min",
            search_alg=search,
            scheduler=scheduler,
            num_samples=7,
            max_concurrent_trials=1,
            reuse_actors=True,
        ),
        run_config=tune.RunConfig(storage_path=str(tmp_path), name="run", verbose=0),
    )
    results = tuner.fit()
    assert results.num_errors == 0
    reached = [result.metrics[TIME] for result in results]
    assert min(reached) < LAST
    trials = list(search._trials.values())
    assert [trial.params[KEY] for trial in trials] == reached
    for trial in trials:
        assert trial.value == value(trial.params["x"], trial.params[KEY])
        assert trial.curve[-1] == (trial.params[KEY], trial.value)
    found = search.recommend()
    assert found.params["x"] == pytest.approx(0.3, abs=0.1)
    assert found.params.keys() == {"x"}


def test_with_a_fidelity_in_the_space_suggestions_choose_it():
    space = kg.Space({"x": (0.0, 1.0), "epochs": kg.Fidelity(1, LAST)})
    search = KnowledgeGradientSearch(space, "loss", "min", seed=0, noise=0)
    search.set_search_properties(None, None, {})
    for name in "abcdefg":
        config = search.suggest(name)
        for epoch in range(1, config["epochs"] + 1):
            going = search.goes_on(name, {"loss": value(config["x"], epoch), TIME: epoch}, startup=3)
            assert epoch < config["epochs"] or not going  # as far as was asked for
            if not going:
                break
        search.on_trial_complete(name, {"loss": value(config["x"], epoch), TIME: epoch, "done": True})
        assert search._trials[name].params == {"x": config["x"], "epochs": epoch}
    assert len({trial.params["epochs"] for trial in search._trials.values()}) > 1
    assert search.recommend().params["epochs"] == LAST


def searching(**options):
    search = KnowledgeGradientSearch(**{"seed": 3, "noise": 0, "max_t": LAST, **options})
    assert search.set_search_properties("loss", "min", {"x": tune.uniform(0.0, 1.0)})
    return search


def report(search, name, epoch, ask=False):
    x = search._trials[name].params["x"]
    result = {"loss": value(x, epoch), TIME: epoch}
    return search.goes_on(name, result) if ask else search.on_trial_result(name, result)


def told(search, points=(0.0, 0.15, 0.5, 0.8, 1.0, 0.33)):
    for i, x in enumerate(points):
        search.add_evaluated_point({"x": x}, value(x, LAST))
        assert search._trials[f"added-{i}"].params == {"x": x, KEY: LAST}
    return search


def test_the_scheduler_decides_as_worth_continuing_does():
    search = told(searching())
    search.suggest("a")
    answers = [report(search, "a", epoch, ask=True) for epoch in range(1, 9)]
    trial = search._trials["a"]
    assert len(trial.curve) == 8
    space = kg.Space({"x": (0.0, 1.0), KEY: kg.Fidelity(1, LAST, log=True)})
    direct = Snapshot(space, tuple(search._trials.values()), Settings(3, noise=0)).continuing(trial, {KEY: LAST})
    assert answers[-1] == direct.is_worth_it
    assert all(answers[2:3] + answers[4:7])  # it is decided after one, two, four, eight reports


def test_a_run_that_cannot_be_good_is_stopped_where_it_stands():
    search = told(searching())
    search._first = [{"x": 0.95}]
    search.suggest("queued")
    assert all(report(search, "queued", epoch, ask=True) for epoch in range(1, 9))  # what the user asked for
    search._trials["bad"] = search._trials.pop("queued").but(id="bad", source="", curve=())
    assert not all(report(search, "bad", epoch, ask=True) for epoch in range(1, 5))
    search.on_trial_complete("bad", {"loss": value(0.95, 4), TIME: 4})
    assert search._trials["bad"].params == {"x": 0.95, KEY: 4}
    assert search._trials["bad"].state == "complete"


def test_a_run_that_ends_by_itself_is_a_whole_one():
    search = told(searching())
    search.suggest("a")
    report(search, "a", 1)
    x = search._trials["a"].params["x"]
    search.on_trial_result("a", {"loss": value(x, 5), TIME: 5, "done": True})
    search.on_trial_complete("a", {"loss": value(x, 5), TIME: 5, "done": True})
    assert search._trials["a"].params[KEY] == LAST
    assert search._trials["a"].curve == ((1, value(x, 1)), (5, value(x, 5)))


def test_curves_are_saved_and_restored(tmp_path):
    search = told(searching())
    search.suggest("a")
    report(search, "a", 1), report(search, "a", 2)
    search.save(str(tmp_path / "state.json"))
    other = searching(seed=99)
    other.restore(str(tmp_path / "state.json"))
    assert other._trials == search._trials
    assert other.suggest("b") == search.suggest("b")


def test_without_a_fidelity_nothing_changes():
    plain, same = (KnowledgeGradientSearch(seed=3) for _ in range(2))
    for search in (plain, same):
        search.set_search_properties("loss", "min", {"x": tune.uniform(0.0, 1.0)})
        search.suggest("a")
    same.on_trial_result("a", {"loss": 1.0, TIME: 1})
    assert plain._trials == same._trials
    with pytest.raises(ArgumentError, match="max_t"):
        same.goes_on("a", {"loss": 1.0, TIME: 1})


def test_the_scheduler_finds_its_search_and_refuses_another():
    class Controller:
        search_alg = SearchGenerator(ConcurrencyLimiter(told(searching()), max_concurrent=2))

    class Named:
        trial_id = "a"

    search = Controller.search_alg.searcher.searcher
    search.suggest("a")
    scheduler = KnowledgeGradientScheduler()
    x = search._trials["a"].params["x"]
    assert scheduler.on_trial_result(Controller, Named, {"loss": value(x, LAST), TIME: LAST}) == TrialScheduler.STOP
    Controller.search_alg = object()
    with pytest.raises(ArgumentError, match="KnowledgeGradientSearch"):
        scheduler.on_trial_result(Controller, Named, {})
    with pytest.raises(ArgumentError, match="grace_period"):
        KnowledgeGradientScheduler(grace_period=-1)
    with pytest.raises(ArgumentError, match="limits"):
        KnowledgeGradientSearch(max_t=5, limits=["latency <= 1"])
