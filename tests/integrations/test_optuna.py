"""The Optuna sampler: joint batches, pending points, every kind of trial and distribution."""

from __future__ import annotations

import json
import logging
import multiprocessing
import pickle
import threading

import optuna
import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.trial import TrialState, create_trial

import knowgrad as kg
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.integrations.optuna import KnowledgeGradientSampler, export_study, front, import_study, recommend, turns
from knowgrad.integrations.optuna.attributes import publish, published
from knowgrad.integrations.optuna.spaces import SearchSpace, as_distribution, as_parameter
from knowgrad.integrations.optuna.trials import known_trials
from knowgrad.trial import Settings, Trial

optuna.logging.set_verbosity(optuna.logging.ERROR)
XY = {"x": FloatDistribution(0.0, 1.0), "y": FloatDistribution(0.0, 1.0)}


def bowl(params):
    return (params["x"] - 0.3) ** 2 + (params["y"] - 0.7) ** 2


def told(n, **options):
    """A study over x and y with n completed trials of random points, and its sampler."""
    study = optuna.create_study(sampler=KnowledgeGradientSampler(seed=3, **options))
    for i in range(n):
        params = {"x": (0.37 * i) % 1.0, "y": (0.61 * i + 0.2) % 1.0}
        study.add_trial(create_trial(params=params, distributions=XY, value=bowl(params)))
    return study


def direct(study, q, pending=()):
    """What the engine itself answers."""
    done = [Trial(str(t.number), t.number, t.params, "complete", t.value) for t in study.trials if t.value is not None]
    waiting = [Trial(f"p{i}", len(done) + i, params, "pending") for i, params in enumerate(pending)]
    return list(Snapshot(kg.Space({"x": (0.0, 1.0), "y": (0.0, 1.0)}), done + waiting, Settings(3)).suggest(q).params)


def test_a_batch_is_chosen_jointly_and_handed_out_one_by_one():
    study = told(8, batch_size=4)
    expected = direct(study, 4)
    assert [study.ask(XY).params for _ in range(4)] == expected


def test_a_new_result_makes_the_rest_of_a_batch_stale():
    study = told(8, batch_size=3)
    parked = direct(study, 3)[2]
    first, second = study.ask(XY), study.ask(XY)
    study.tell(first, bowl(first.params))
    third = study.ask(XY)
    assert third.params != parked
    known = [*study.trials[:8], study.trials[first.number]]
    done = [Trial(str(t.number), i, t.params, "complete", t.value) for i, t in enumerate(known)]
    pending = Trial("p", 9, second.params, "pending")
    by_number = sorted([*done, pending], key=lambda t: int(t.id) if t.id.isdigit() else second.number)
    space = kg.Space({"x": (0.0, 1.0), "y": (0.0, 1.0)})
    assert third.params == Snapshot(space, by_number, Settings(3)).suggest(3).params[0]


def test_one_at_a_time_knows_what_is_running():
    study = told(8)
    first = study.ask(XY).params
    assert [first] == direct(study, 1)
    assert [study.ask(XY).params] == direct(study, 1, pending=[first])


def test_points_of_running_trials_are_read_from_the_storage_before_optuna_writes_them(tmp_path):
    url = f"sqlite:///{tmp_path}/study.db"
    study = optuna.create_study(storage=url, study_name="s", sampler=KnowledgeGradientSampler(seed=0))
    study.add_trial(create_trial(params={"x": 0.5, "y": 0.5}, distributions=XY, value=1.0))
    running = study.ask()
    point = study.sampler.sample_relative(study, study.trials[-1], XY)
    seen = optuna.load_study(storage=url, study_name="s").get_trials()[running.number]
    assert seen.params == {}
    known = known_trials(SearchSpace.of(XY), [seen], "minimize")
    assert [(trial.state, dict(trial.params)) for trial in known] == [("pending", point)]


def test_what_others_must_know_fits_into_any_database():
    names = [f'a rather "long" name \\ of a parameter, number {i}' for i in range(40)]
    study = optuna.create_study()
    trial = study.ask()
    value = {name: 0.1 * i for i, name in enumerate(names)}
    publish(study, study.trials[0], "point", value)
    attributes = study.trials[trial.number].system_attrs
    assert len(attributes) > 2
    assert max(len(json.dumps(piece)) for piece in attributes.values()) <= 2045
    assert published(attributes, "point") == value


def test_half_a_value_is_no_value():
    study = optuna.create_study()
    study.ask()
    publish(study, study.trials[0], "batch", "x" * 5000)
    attributes = study.trials[0].system_attrs
    del attributes["knowgrad:batch:0"]
    assert published(attributes, "batch") is None


def test_threads_get_different_points():
    study = told(8)
    study.optimize(lambda trial: bowl({name: trial.suggest_float(name, 0.0, 1.0) for name in XY}), n_trials=8, n_jobs=4)
    points = {tuple(trial.params.values()) for trial in study.trials}
    assert len(points) == 16
    assert all(trial.state == TrialState.COMPLETE for trial in study.trials)


def test_threads_that_wait_share_one_joint_batch():
    study = told(8)
    expected = direct(study, 3)
    trials = [study.ask() for _ in range(3)]
    for trial in trials[1:]:
        publish(study, study.trials[trial.number], "turn", "waiting")
    assert [{name: trial.suggest_float(name, 0.0, 1.0) for name in XY} for trial in trials] == expected


def work(url, results):
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    exact = KnowledgeGradientSampler(seed=0, noise=0)  # with noise to be learned, a second look may be worth most
    study = optuna.load_study(storage=url, study_name="s", sampler=exact)
    study.optimize(lambda trial: bowl({name: trial.suggest_float(name, 0.0, 1.0) for name in XY}), n_trials=5)
    results.put(len(study.trials))


def test_processes_that_share_a_study_never_repeat_a_point(tmp_path):
    url = f"sqlite:///{tmp_path}/study.db"
    study = optuna.create_study(storage=url, study_name="s")
    for trial in told(6).trials:
        study.add_trial(trial)
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    workers = [context.Process(target=work, args=(url, results)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    points = [(trial.params["x"], trial.params["y"]) for trial in study.get_trials()]
    assert len(points) == len(set(points)) == 21


def test_a_turn_comes_when_the_one_who_chooses_has_a_point():
    study = optuna.create_study()
    first, second = (study.ask() for _ in range(2))
    publish(study, study.trials[1], "turn", "choosing")
    taken = threading.Event()

    def take():
        with turns.turn(study, study.trials[0], set()):
            taken.set()

    thread = threading.Thread(target=take)
    thread.start()
    assert not taken.wait(0.2)
    publish(study, study.trials[second.number], "point", {"x": 0.5})
    assert taken.wait(10)
    thread.join()
    assert published(study.trials[first.number].system_attrs, "turn") == "choosing"


@pytest.mark.parametrize("state", ["choosing", "choosing 7", "waiting", "waiting 3"])
def test_a_worker_that_died_is_soon_passed_over(monkeypatch, state):
    monkeypatch.setattr(turns, "QUIET", 0.05)
    study = told(6)
    study.ask()
    publish(study, study.trials[-1], "turn", state)
    assert study.ask(XY).params in direct(study, 1)


def test_a_worker_that_is_slow_is_waited_for(monkeypatch):
    """The one who chooses shows signs of life, and so does the one who waits."""
    monkeypatch.setattr(turns, "BEAT", 0.05)
    monkeypatch.setattr(turns, "QUIET", 0.5)
    study = optuna.create_study()
    for _ in range(2):
        study.ask()
    order, given_up = [], set()

    def second():
        with turns.turn(study, study.trials[1], given_up):
            order.append("second")

    with turns.turn(study, study.trials[0], given_up):
        thread = threading.Thread(target=second)
        thread.start()
        assert not thread.join(1.5)
        order.append("first")
        said = [published(trial.system_attrs, "turn") for trial in study.trials]
        assert [words.split()[0] for words in said] == ["choosing", "waiting"]
        assert all(int(words.split()[1]) > 5 for words in said)
        publish(study, study.trials[0], "point", {"x": 0.5})
    thread.join(10)
    assert (order, given_up) == (["first", "second"], set())


def test_a_quick_choice_costs_no_sign_of_life(monkeypatch):
    study = optuna.create_study()
    study.ask()
    written = []
    monkeypatch.setattr(turns, "publish", lambda *args: written.append(args[-1]) or publish(*args))
    with turns.turn(study, study.trials[0], set()):
        pass
    assert written == ["waiting", "choosing"]


@pytest.mark.parametrize(
    ("distribution", "values"),
    [
        (FloatDistribution(-1.0, 2.0), [-1.0, 0.25, 2.0]),
        (FloatDistribution(1e-6, 1.0, log=True), [1e-6, 1e-3, 1.0]),
        (FloatDistribution(0.0, 1.0, step=0.1), [0.0, 0.3, 1.0]),
        (IntDistribution(1, 9), [1, 5, 9]),
        (IntDistribution(1, 9, step=4), [1, 5, 9]),
        (IntDistribution(1, 1000, log=True), [1, 30, 1000]),
        (CategoricalDistribution([None, True, 1.5, "b", 7]), [None, True, 1.5, "b", 7]),
        (CategoricalDistribution([False, "a"]), [False, "a"]),
    ],
)
def test_every_distribution_there_and_back(distribution, values):
    search = SearchSpace.of({"p": distribution})
    for value in values:
        inside = search.encode({"p": value})
        assert inside is not None
        decoded = search.space.decode(search.space.encode(inside))
        back = search.decode(decoded)["p"]
        assert back == pytest.approx(value) if isinstance(value, float) else back is value or back == value
        assert type(back) is type(value)
        assert search.unpack(json.loads(json.dumps(search.pack({"p": value})))) == {"p": value}
    if not isinstance(distribution, CategoricalDistribution):
        assert as_distribution(as_parameter(distribution)) == distribution


def test_values_outside_are_left_out():
    search = SearchSpace.of({"x": FloatDistribution(0.0, 1.0), "c": CategoricalDistribution(["a", "b"])})
    assert search.encode({"x": 1.5, "c": "a"}) is None
    assert search.encode({"x": 0.5, "c": "z"}) is None
    assert search.encode({"x": 0.5}) is None


def trial_of(state, value=None, reports=None, **more):
    return create_trial(
        state=state, value=value, params={"x": 0.5, "y": 0.5}, distributions=XY, intermediate_values=reports, **more
    )


@pytest.mark.parametrize(
    ("trial", "state", "value"),
    [
        (trial_of(TrialState.COMPLETE, 2.5), "complete", 2.5),
        (trial_of(TrialState.COMPLETE, float("inf")), "failed", None),
        (trial_of(TrialState.COMPLETE, 2.5, system_attrs={"constraints": [-1.0, 0.5]}), "failed", None),
        (trial_of(TrialState.COMPLETE, 2.5, system_attrs={"constraints:heat": -1.0}), "complete", 2.5),
        (trial_of(TrialState.FAIL), "failed", None),
        (trial_of(TrialState.PRUNED), "failed", None),
        (trial_of(TrialState.PRUNED, reports={0: 50.0, 1: 2.2}), "complete", 2.2),
        (trial_of(TrialState.PRUNED, reports={0: 1e9}), "complete", 3.0),
        (trial_of(TrialState.PRUNED, reports={0: -1e9}), "complete", 2.0),
    ],
)
def test_what_becomes_of_a_trial(trial, state, value):
    done = [trial_of(TrialState.COMPLETE, number) for number in (1.0, 2.0, 3.0)]
    if state == "complete" and trial.state == TrialState.COMPLETE:
        done = []
    (*_, found) = known_trials(SearchSpace.of(XY), [*done, trial], "minimize")
    assert (found.state, found.value) == (state, value)


def test_pruned_trials_when_more_is_better():
    done = [trial_of(TrialState.COMPLETE, number) for number in (1.0, 2.0, 3.0)]
    pruned = trial_of(TrialState.PRUNED, reports={0: 100.0})
    assert known_trials(SearchSpace.of(XY), [*done, pruned], "maximize")[-1].value == 2.0


def test_a_standard_error_told_with_a_trial():
    trial = trial_of(TrialState.COMPLETE, 1.0, user_attrs={"sem": 0.25})
    assert known_trials(SearchSpace.of(XY), [trial], "minimize")[0].sem == 0.25


def test_maximizing_is_minimizing_upside_down():
    lower = told(8)
    upper = optuna.create_study(direction="maximize", sampler=KnowledgeGradientSampler(seed=3))
    for trial in lower.trials:
        upper.add_trial(create_trial(params=trial.params, distributions=XY, value=-trial.value))
    assert upper.ask(XY).params == lower.ask(XY).params
    assert recommend(upper).mean == pytest.approx(-recommend(lower).mean)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_the_same_seed_gives_the_same_points(n_jobs):
    def run():
        study = optuna.create_study(sampler=KnowledgeGradientSampler(seed=7))
        trials = []
        for _ in range(3):
            batch = [study.ask(XY) for _ in range(n_jobs)]
            study.sampler.reseed_rng()
            for trial in batch:
                study.tell(trial, bowl(trial.params))
            trials += [trial.params for trial in batch]
        return trials

    assert run() == run()


def test_a_pickled_sampler_goes_on():
    study = told(8)
    copy = told(8)
    copy.sampler = pickle.loads(pickle.dumps(study.sampler))
    assert copy.ask(XY).params == study.ask(XY).params


def test_conditional_parameters_are_drawn_at_random_and_the_log_says_so_once(caplog):
    def objective(trial):
        x = trial.suggest_float("x", 0.0, 1.0)
        return x + (trial.suggest_float("deep", 0.0, 1.0) if trial.number % 2 else 0.0)

    study = optuna.create_study(sampler=KnowledgeGradientSampler(seed=0))
    with caplog.at_level(logging.WARNING):
        study.optimize(objective, n_trials=6)
    assert [record.message.split(":")[0] for record in caplog.records] == ["parameter 'deep' is drawn at random"]


def test_a_range_that_is_too_wide_for_the_model_is_drawn_at_random_and_the_log_says_why(caplog):
    study = optuna.create_study(sampler=KnowledgeGradientSampler(seed=0))
    with caplog.at_level(logging.WARNING):
        study.optimize(lambda trial: trial.suggest_int("n", 1, 2**63) + trial.suggest_float("x", 0, 1), n_trials=3)
    assert [record.message.split(":")[0] for record in caplog.records] == ["parameter 'n' is drawn at random"]
    assert "2**62" in caplog.text


@pytest.mark.parametrize(
    ("name", "suggested"),
    [
        ("x", lambda trial: trial.suggest_float("x", 0.0, 2.0)),  # wider: never drawn again
        ("x", lambda trial: trial.suggest_float("x", 0.0, 0.01)),
        ("x", lambda trial: trial.suggest_float("x", 0.0, 1.0, step=0.25)),
        ("x", lambda trial: trial.suggest_float("x", 0.5, 0.5)),  # drawn by nobody
        ("n", lambda trial: trial.suggest_int("n", 1, 12)),
        ("n", lambda trial: trial.suggest_int("n", 1, 9, step=2)),
        ("k", lambda trial: len(trial.suggest_categorical("k", ["a"]))),  # other lists of options Optuna refuses
    ],
)
@pytest.mark.parametrize("said", [True, False])
def test_what_is_suggested_otherwise_than_declared_is_said_in_the_log_once(name, suggested, said, caplog):
    space = {"x": (0.0, 1.0), "n": kg.Int(1, 9), "k": ["a", "b"]}
    sampler = KnowledgeGradientSampler(seed=0, space=space, warn_independent_sampling=said)
    study = optuna.create_study(sampler=sampler)
    with caplog.at_level(logging.WARNING):
        study.optimize(lambda trial: float(suggested(trial)), n_trials=5)
    (record,) = caplog.records
    assert record.message.startswith(f"parameter {name!r}: expected ")
    assert "make both the same" in record.message


def test_what_is_suggested_as_declared_is_not_in_the_log(caplog):
    forms = {"x": kg.Float(0.0, 1.0, step=0.3), "n": kg.Int(1, 9, log=True), "k": ["a", "b"], "m": kg.Int(1, 8, step=3)}
    study = optuna.create_study(sampler=KnowledgeGradientSampler(seed=0, space=forms))

    def objective(trial):
        trial.suggest_categorical("k", ["a", "b"])
        return trial.suggest_float("x", 0.0, 0.9, step=0.3) + trial.suggest_int("n", 1, 9, log=True) * (
            trial.suggest_int("m", 1, 7, step=3)
        )

    with caplog.at_level(logging.WARNING):
        study.optimize(objective, n_trials=3)
    assert not caplog.records


def test_many_objectives_are_sampled_at_random_and_the_log_says_so(caplog):
    study = optuna.create_study(directions=["minimize"] * 4, sampler=KnowledgeGradientSampler(seed=0))
    with caplog.at_level(logging.WARNING):
        study.optimize(lambda trial: (trial.suggest_float("x", 0, 1), 1.0, 2.0, 3.0), n_trials=3)
    assert [record.message[:32] for record in caplog.records] == ["q-KG chooses for up to 3 objecti"]
    with pytest.raises(kg.errors.ArgumentError, match="at most 3 objectives"):
        recommend(study)


def test_two_objectives_and_a_constraint_are_searched_for_their_front():
    def objective(trial):
        x, y = trial.suggest_float("x", 0, 1), trial.suggest_float("y", 0, 1)
        trial.set_user_attr("heat", x * y - 0.2)
        return (x - 0.5) ** 2 + (y - 0.3) ** 2, 1 - x

    sampler = KnowledgeGradientSampler(seed=0, constraints_func=lambda trial: [trial.user_attrs["heat"]])
    study = optuna.create_study(directions=["minimize", "minimize"], sampler=sampler)
    study.optimize(objective, n_trials=10)
    found = front(study)
    assert len(found) > 3
    assert all(point.params["x"] * point.params["y"] <= 0.22 for point in found)
    assert recommend(study, at={"objective 1": "<= 0.3"}).outcomes["objective 1"][0] <= 0.31
    taken = import_study(study)
    assert str(taken.goals) == "minimize objective 0, minimize objective 1, constraint 0 <= 0"
    back = export_study(taken, optuna.storages.InMemoryStorage(), "back")
    assert [trial.values for trial in back.trials] == [trial.values for trial in study.trials]
    again = import_study(back)
    assert [trial.outcomes for trial in again.trials] == [trial.outcomes for trial in taken.trials]


def test_an_independent_sampler_is_asked_for_the_rest():
    sampler = KnowledgeGradientSampler(seed=0, independent_sampler=optuna.samplers.TPESampler(seed=1))
    study = optuna.create_study(sampler=sampler)
    study.optimize(lambda trial: trial.suggest_float("x", 0, 1), n_trials=1)
    again = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=1))
    again.optimize(lambda trial: trial.suggest_float("x", 0, 1), n_trials=1)
    assert study.best_params == again.best_params


def test_a_declared_space_keeps_its_constraints_from_the_first_trial_on():
    space = kg.Space({"x": (0.0, 1.0), "y": (0.0, 1.0), "kind": ["a", "b"]}, constraints=["x + y <= 0.5"])
    study = optuna.create_study(sampler=KnowledgeGradientSampler(seed=0, space=space))

    def objective(trial):
        x, y = trial.suggest_float("x", 0.0, 1.0), trial.suggest_float("y", 0.0, 1.0)
        return -x - y + (trial.suggest_categorical("kind", ["a", "b"]) == "a")

    study.optimize(objective, n_trials=12)
    assert all(trial.params["x"] + trial.params["y"] <= 0.5 + 1e-9 for trial in study.trials)
    found = recommend(study)
    assert found.params["kind"] == "b"
    assert found.params["x"] + found.params["y"] <= 0.5 + 1e-9


def test_noise_is_a_function_of_the_users_values():
    seen = set()

    def noise(params):
        seen.add(params["kind"])
        return 0.1

    study = optuna.create_study(sampler=KnowledgeGradientSampler(seed=0, noise=noise))
    study.optimize(lambda t: t.suggest_float("x", 0, 1) + len(t.suggest_categorical("kind", ["a", "bb"])), n_trials=8)
    assert seen == {"a", "bb"}


def test_the_recommendation_of_a_study_that_another_sampler_made():
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0))
    study.optimize(
        lambda t: (
            bowl({"x": t.suggest_float("x", 0, 1), "y": t.suggest_float("y", 0, 1)})
            + (t.suggest_categorical("kind", [None, True]) is None)
        ),
        n_trials=30,
    )
    found = recommend(study)
    assert found.params["kind"] is True
    assert bowl(found.params) < bowl(study.best_params)
    assert dict(found.best.params) == study.best_params


def test_a_recommendation_needs_a_result():
    with pytest.raises(kg.errors.NoDataError, match="recommend: expected"):
        recommend(optuna.create_study())


def test_enqueued_trials_are_pending_points_too():
    study = told(8)
    study.enqueue_trial({"x": 0.25, "y": 0.5})
    study.ask()
    assert [study.ask(XY).params] == direct(study, 1, pending=[{"x": 0.25, "y": 0.5}])


def test_hyperband_shows_a_sampler_part_of_a_study():
    pruner = optuna.pruners.HyperbandPruner(max_resource=9)
    study = optuna.create_study(sampler=KnowledgeGradientSampler(seed=0), pruner=pruner)

    def objective(trial):
        x = trial.suggest_float("x", 0, 1)
        for step in range(9):
            trial.report(x + 1 / (step + 1), step)
            if trial.should_prune():
                raise optuna.TrialPruned
        return x

    study.optimize(objective, n_trials=10)
    assert len(study.trials) == 10
