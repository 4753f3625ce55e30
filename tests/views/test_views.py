"""Views against numbers worked out by hand, or by another way."""

import math

import numpy as np
import pytest
from scipy.stats import norm

import knowgrad as kg
from knowgrad import views
from knowgrad.errors import ArgumentError, NoDataError
from knowgrad.views.axis import axis_of, grid, number
from knowgrad.views.batch import increments
from knowgrad.views.importance import variance_shares
from knowgrad.views.thin import stops, thinned
from tests.views.studies import SPACE, line, loss, trained


@pytest.fixture(scope="module")
def study():
    return trained()


@pytest.fixture(scope="module")
def snapshot(study):
    return study.snapshot()


def test_a_snapshot_answers_as_the_study_does(study, snapshot):
    assert snapshot.recommendation == study.recommend()
    assert snapshot.gain(2) == study.gain(2)
    plain = line([(float(x), 3.0 * x) for x in range(8)])
    assert plain.snapshot().spread == pytest.approx(np.std([trial.value for trial in plain.trials]))


def test_history_counts_results_and_the_best_so_far():
    study = line([(1.0, 3.0), (2.0, 5.0), (3.0, 1.0), (4.0, 2.0)])
    view = views.history(study.snapshot(), checkpoints=0)
    assert view.value == (3.0, 5.0, 1.0, 2.0)
    assert view.count == (1, 2, 3, 4)
    assert view.best == ((1, 3.0), (3, 1.0), (4, 1.0))
    assert view.recommended == ()
    best = views.history(line([(1.0, 3.0), (2.0, 5.0)], direction="maximize").snapshot(), checkpoints=0).best
    assert best == ((1, 3.0), (2, 5.0))


def test_history_recalls_what_was_recommended(study):
    view = views.history(study.snapshot(), checkpoints=3)
    assert [point.n for point in view.recommended] == [4, 10, 16]
    now = study.recommend()
    assert view.recommended[-1].mean == now.mean
    assert view.recommended[-1].high - view.recommended[-1].low == pytest.approx(2 * norm.ppf(0.975) * now.sd)
    then = kg.Study(SPACE, seed=0, noise=0.05)
    for trial in study.trials[:10]:
        then.add(trial.params, trial.value)
    assert view.recommended[1].mean == pytest.approx(then.recommend().mean)


def test_history_leaves_out_what_failed_and_what_runs():
    study = trained(8, running=2)
    study.fail(study.pending[0], "broke")
    view = views.history(study.snapshot(), checkpoints=1)
    assert view.trial == tuple(range(8))
    assert view.recommended[0].mean == study.recommend().mean


def test_a_long_history_keeps_its_outline():
    values = np.sin(np.arange(10_000) / 700.0)
    keep = thinned(values, 2_000)
    assert len(keep) <= 2_000
    assert np.array_equal(keep, np.unique(keep))
    assert keep[-1] == 9_999
    assert values[keep].max() == values.max()
    assert values[keep].min() == values.min()
    assert np.array_equal(thinned(values[:5], 5), np.arange(5))


def test_stops_are_few_and_end_at_the_last():
    assert stops(100, 4, 3) == [4, 52, 100]
    assert stops(100, 4, 1) == [100]
    assert stops(2, 4, 24) == [2]
    assert stops(0, 4, 24) == []


def test_gains_are_those_of_the_study_at_that_time(study):
    view = views.gains(study.snapshot(), q=2, threshold=0.1, checkpoints=2)
    assert view.n == (4, 16)
    assert view.value[-1] == study.gain(2)
    assert view.sem[-1] == study.gain(2).sem
    assert view.threshold == 0.1


def test_a_batch_is_what_runs_or_what_ask_would_hand_out():
    study = trained(8)
    first = views.batch(study.snapshot(), q=3)
    assert not first.running
    asked = study.ask(3)
    assert [point.params for point in first.points] == [trial.params for trial in asked]
    second = views.batch(study.snapshot())
    assert second.running
    assert [point.trial for point in second.points] == [trial.number for trial in asked]


def test_before_any_result_a_batch_is_only_points():
    view = views.batch(kg.Study(SPACE, seed=0).snapshot(), q=2)
    assert len(view.points) == 2
    assert view.points[0].adds is None


def test_what_points_add_sums_to_the_gain_of_the_batch():
    study = trained(12)
    gain = study.gain(3)
    points = views.batch(study.snapshot(), q=3).points
    total = sum(point.adds for point in points)
    assert total == pytest.approx(gain, abs=4 * (gain.sem + sum(point.sem for point in points)))
    assert min(point.adds for point in points) >= -1e-9


def test_a_repeated_exact_measurement_adds_nothing():
    snapshot = line([(1.0, 3.0), (4.0, 1.0), (7.0, 2.0), (9.0, 4.0)], noise=0).snapshot()
    point = snapshot.space.encode({"x": 5.0})
    adds, _ = increments(snapshot, np.array([point, point]))
    assert adds[0] > 0.0
    assert adds[1] == pytest.approx(0.0, abs=1e-4 * adds[0])


def test_axes_have_the_parameters_units():
    space = kg.Space(SPACE | {"odd": [1, "1", None]})
    assert axis_of(space, "lr") == views.Axis("lr", "log", 1e-4, 1e-1)
    assert axis_of(space, "layers") == views.Axis("layers", "linear", 1.0, 5.0)
    assert axis_of(space, "act").labels == ("relu", "gelu")
    assert axis_of(space, "odd").labels == ("1", "'1'", "None")
    assert number(space, "act", "gelu") == 1.0
    values, columns = grid(space, "lr", 4)
    assert values == pytest.approx([1e-4, 1e-3, 1e-2, 1e-1])
    assert columns[:, 0] == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert grid(space, "layers", 50)[0].tolist() == [1, 2, 3, 4, 5]
    assert grid(space, "act", 50)[0].tolist() == [0, 1]


def test_a_slice_passes_through_the_recommendation(snapshot):
    view = views.slice_along(snapshot, "act")
    best = snapshot.recommendation
    here = view.x.index(view.at)
    assert view.axis.labels[here] == best.params["act"] == "gelu"
    assert view.mean[here] == pytest.approx(best.mean)
    assert 0.0 < view.sd[here] < best.sd  # the slice shows what the search goes by
    assert view.mean[1 - here] == pytest.approx(best.mean + 0.5, abs=0.15)
    assert len(view.observed) == 16


def test_a_slice_through_exact_results_hits_them():
    snapshot = line([(0.0, 3.0), (5.0, 1.0), (10.0, 2.0)], noise=0).snapshot()
    view = views.slice_along(snapshot, "x")
    for x, value in ((0.0, 3.0), (5.0, 1.0), (10.0, 2.0)):
        k = view.x.index(x)
        assert view.mean[k] == pytest.approx(value, abs=1e-4)
        assert view.sd[k] == pytest.approx(0.0, abs=1e-3)


def test_outside_the_constraints_a_slice_has_gaps():
    study = kg.Study(kg.Space({"x": (0.0, 1.0), "y": (0.0, 1.0)}, constraints=["x + y <= 1"]), seed=0, noise=0)
    for x, y in ((0.1, 0.2), (0.5, 0.4), (0.3, 0.3), (0.2, 0.6)):
        study.add({"x": x, "y": y}, x + y)
    snapshot = study.snapshot()
    view = views.slice_along(snapshot, "x")
    assert [mean is None for mean in view.mean] == [x + snapshot.recommendation.params["y"] > 1 + 1e-9 for x in view.x]
    plane = views.plane(snapshot, "x", "y")
    for j, y in enumerate(plane.y):
        assert [mean is None for mean in plane.mean[j]] == [x + y > 1 + 1e-9 for x in plane.x]


def test_a_plane_holds_its_slices(snapshot):
    plane, across = views.plane(snapshot, "lr", "act"), views.slice_along(snapshot, "act")
    i = int(np.argmin(np.abs(np.log(np.array(plane.x) / plane.at[0]))))
    assert plane.at[1] == across.at
    assert [row[i] for row in plane.mean] == pytest.approx(list(across.mean), abs=0.1)
    assert len(plane.mean) == len(plane.y) == 2
    assert len(plane.mean[0]) == len(plane.x)
    assert len(plane.tried) == 16


def test_unknown_or_repeated_parameters_are_refused(snapshot):
    for names in (("lr", "lr"), ("lr", "nothing")):
        with pytest.raises(ArgumentError, match="expected different ones of"):
            views.plane(snapshot, *names)


def test_the_surface_is_the_exact_knowledge_gradient():
    """One parameter, no noise to learn: KG by brute force on a grid."""
    snapshot = line([(1.0, 3.0), (4.0, 1.0), (7.0, 2.0), (9.0, 4.0)], noise=0.1).snapshot()
    view = views.surface(snapshot, "x")
    post, noise = snapshot.model.model[0], snapshot.model.noise[0]
    U = np.linspace(0.0, 1.0, 401)[:, None]
    mean, sd = post.mean(U), []
    for k in (20, 60, 100):
        z = snapshot.space.encode({"x": view.x[k]})[None]
        slope = post.cov(U, z)[:, 0] / math.sqrt(post.var(z)[0] + noise(z)[0][0])
        levels = norm.ppf((np.arange(4001) + 0.5) / 4001)
        sd.append(mean.min() - (mean[:, None] + slope[:, None] * levels).min(axis=0).mean())
    scale = snapshot.spread
    for k, expected in zip((20, 60, 100), sd, strict=True):
        assert view.value[0][k] == pytest.approx(scale * expected, rel=0.05, abs=1e-5)


def test_beside_a_running_point_the_same_point_is_worth_less():
    data = [(1.0, 3.0), (4.0, 1.0), (7.0, 2.0), (9.0, 4.0)]
    alone, beside = line(data, noise=0.1), line(data, noise=0.1)
    free = views.surface(alone.snapshot(), "x")
    best = int(np.argmax(free.value[0]))
    beside.enqueue({"x": free.x[best]})
    beside.ask()
    taken = views.surface(beside.snapshot(), "x")
    assert taken.running == ((free.x[best],),)
    assert taken.value[0][best] < 0.5 * free.value[0][best]


def test_where_many_points_are_running_one_more_adds_little():
    study = line([(1.0, 3.0), (4.0, 1.0), (7.0, 2.0), (9.0, 4.0)], noise=0.1)
    free = views.surface(study.snapshot(), "x")
    for x in np.linspace(0.0, 10.0, 40):
        study.enqueue({"x": x})
    study.ask(40)
    view = views.surface(study.snapshot(), "x")
    assert len(view.running) == 40
    assert max(view.value[0]) < 0.2 * max(free.value[0])


def test_variance_shares_of_a_linear_function():
    space = kg.Space({"a": (0.0, 1.0), "b": (0.0, 1.0), "c": ["p", "q"], "d": (0.0, 1.0)})
    weight = np.array([1.0, 2.0, 3.0 / math.sqrt(0.5), 0.0, 0.0])  # on the columns: c has two
    shares = variance_shares(lambda U: U @ weight, space, np.random.default_rng(0))
    variances = np.array([1 / 12, 4 / 12, 9 / 4, 0.0])  # of a uniform number, and of a coin
    assert shares == pytest.approx(variances / variances.sum(), abs=0.02)


def test_variance_shares_count_what_acts_together_in_both():
    space = kg.Space({"a": (-1.0, 1.0), "b": (-1.0, 1.0)})
    shares = variance_shares(lambda U: (2 * U[:, 0] - 1) * (2 * U[:, 1] - 1), space, np.random.default_rng(0))
    assert shares == pytest.approx([1.0, 1.0], abs=0.05)
    assert variance_shares(lambda U: np.ones(len(U)), space, np.random.default_rng(0)).tolist() == [0.0, 0.0]


def test_importance_ranks_what_rules_and_what_does_nothing(study, snapshot):
    view = views.importance(snapshot)
    assert view.names[0] == "lr"
    assert dict(zip(view.names, view.share, strict=True))["layers"] < 0.1
    scales = study.diagnostics().length_scales
    assert view.relevance == tuple(scales[name].relevance for name in view.names)


def test_parallel_places_results_on_their_axes():
    study = kg.Study(SPACE, seed=0)
    study.add({"lr": 1e-2, "layers": 3, "act": "gelu"}, 2.0)
    study.add({"lr": 1e-4, "layers": 1, "act": "relu"}, 1.0)
    view = views.parallel(study.snapshot())
    assert view.value == (2.0, 1.0)  # the best last, on top
    assert view.rows[0] == pytest.approx((2 / 3, 0.5, 1.0))
    assert view.rows[1] == pytest.approx((0.0, 0.0, 0.0))


def test_many_parallel_lines_become_fewer_and_keep_the_best():
    study = line([(x, x) for x in np.linspace(0, 10, 1_000)])
    view = views.parallel(study.snapshot())
    assert len(view.rows) <= 400
    assert view.n_observed == 1_000
    assert view.value[-200:] == tuple(sorted((t.value for t in study.trials), reverse=True)[-200:])


def test_calibration_is_leaving_one_out():
    data = [(1.0, 3.0), (4.0, 1.0), (7.0, 2.0), (9.0, 4.0), (5.0, 1.5)]
    snapshot = line(data, noise=0.3).snapshot()
    view = views.calibration(snapshot)
    post = snapshot.model.observed[0]
    K = post.L @ post.L.T
    for i in range(len(data)):
        rest = [j for j in range(len(data)) if j != i]
        weights = np.linalg.solve(K[np.ix_(rest, rest)], K[rest, i])
        mean = post.m + weights @ (post.y[rest] - post.m)
        sd = math.sqrt(K[i, i] - K[i, rest] @ weights)
        assert view.predicted[i] == pytest.approx(snapshot.model.units.value(mean))
        assert view.sd[i] == pytest.approx(snapshot.model.units.deviation(mean, sd))
        assert view.z[i] == pytest.approx((post.y[i] - mean) / sd)
    assert sorted(view.expected) == pytest.approx(norm.ppf((np.arange(5) + 0.5) / 5))
    assert view.inside_95 == np.mean(np.abs(view.z) <= norm.ppf(0.975))


def test_views_of_too_little_say_so():
    with pytest.raises(NoDataError, match="at least 3 results, got 1"):
        views.calibration(line([(1.0, 2.0)]).snapshot())
    with pytest.raises(NoDataError, match="at least one result"):
        views.importance(kg.Study(SPACE).snapshot())


def test_maximizing_shows_values_as_they_are():
    study = kg.Study(SPACE, direction="maximize", seed=0, noise=0.05)
    for trial in study.ask(12):
        study.tell(trial, -loss(trial.params))
    view = views.slice_along(study.snapshot(), "lr")
    assert view.recommended == pytest.approx(study.recommend().mean)
    assert max(mean for mean in view.mean if mean is not None) <= view.recommended + 0.02


def test_cheap_looks_are_not_the_best_so_far():
    study = kg.Study({"x": (0.0, 1.0), "epochs": kg.Fidelity(1, 9)}, seed=0, noise=0)
    for x, epochs, value in ((0.1, 1, -5.0), (0.2, 9, 3.0), (0.3, 4, -7.0), (0.4, 9, 2.0), (0.5, 1, -9.0)):
        study.add({"x": x, "epochs": epochs}, value, check=False)
    assert views.history(study.snapshot(), checkpoints=0).best == ((2, 3.0), (4, 2.0), (5, 2.0))
