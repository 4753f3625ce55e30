"""A space that changes while results come in: identities, what earlier points are, and who sees it."""

import json

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.errors import ArgumentError, ConflictError, MismatchError, SpaceError, StorageError
from knowgrad.space import Space
from knowgrad.storage.memory import Memory
from knowgrad.trial import Event

PLANE = {"x": (0.0, 1.0), "y": (0.0, 1.0)}


def loss(params):
    return (params["x"] - 0.9) ** 2 + (params.get("y", 0.3) - 0.3) ** 2 + 0.2 * (params.get("z", 0.0) - 0.5) ** 2


def searched(n=8, space=None, log=None, **options):
    study = kg.Study(space or PLANE, seed=3, storage=log, **options)
    for trial in study.ask(n):
        study.tell(trial, loss(trial.params))
    return study


def points(trials):
    return [dict(trial.params) for trial in trials]


# What changes nothing.


@pytest.mark.parametrize("method", ["qkg", "qkg-paper", "kg", "ei"])
def test_a_space_changed_back_gives_the_old_suggestions(method):
    one, two = searched(method=method), searched(method=method)
    two.change(x=(-1.0, 3.0))
    two.change(x=(0.0, 1.0))
    assert len(two.changes) == 2
    assert points(one.ask(2)) == points(two.ask(2))
    assert one.recommend().params == two.recommend().params
    assert one.gain(2) == two.gain(2)


def test_a_change_to_what_is_there_is_no_change():
    study = searched()
    before = study.version
    assert study.change(x=(0, 1)).lines == ()
    assert study.change({"y": {"low": 0.0}}).lines == ()
    assert study.version == before


def test_wider_bounds_give_what_a_study_with_these_gives():
    """Where no point is outside, the model sees nothing but the new space."""
    wide = kg.Study({"x": (0.0, 2.0), "y": (0.0, 1.0)}, seed=3)
    study = searched()
    for trial in study.trials:
        wide.add(trial.params, loss(trial.params))
    study.change(x=(0.0, 2.0))
    assert points(study.ask(3)) == points(wide.ask(3))


def test_a_parameter_that_is_new_gives_what_a_study_that_had_it_gives():
    whole = kg.Study({**PLANE, "z": (0.0, 1.0)}, seed=3)
    study = searched()
    for trial in study.trials:
        whole.add({**trial.params, "z": 0.0}, loss(trial.params))
    study.change(z=(0.0, 1.0), earlier={"z": 0.0})
    assert points(study.trials) == points(whole.trials)
    assert points(study.ask(2)) == points(whole.ask(2))


def test_a_parameter_that_is_dropped_gives_what_a_study_without_it_gives():
    line = kg.Study({"x": (0.0, 1.0)}, seed=3)
    study = searched()
    for trial in study.trials:
        line.add({"x": trial.params["x"]}, loss(trial.params))
    study.change(y=None)
    assert set(study.trials[0].params) == {"x", "y"}
    assert points(study.ask(2)) == points(line.ask(2))
    assert study.recommend().mean == line.recommend().mean


# Points outside.


def test_points_outside_still_inform_and_are_neither_asked_nor_recommended():
    study = searched(12)
    narrow = (0.0, 0.5)
    mean = study.predict([{"x": 0.45, "y": 0.3}]).mean[0]
    study.change(x=narrow)
    assert study.predict([{"x": 0.45, "y": 0.3}]).mean[0] == pytest.approx(mean, abs=0.05)
    for trial in study.ask(4):
        assert narrow[0] <= trial.params["x"] <= narrow[1]
    assert study.recommend().params["x"] <= 0.5
    assert study.recommend().params["x"] > 0.4  # only results at larger x say so
    assert study.gain(2) > 0.0


def test_where_all_points_are_outside_there_are_suggestions_and_a_recommendation():
    study = searched(8)
    study.change(x=(2.0, 3.0), y=(2.0, 3.0))
    (trial,) = study.ask()
    assert 2.0 <= trial.params["x"] <= 3.0
    assert 2.0 <= study.recommend().params["y"] <= 3.0


@pytest.mark.parametrize(
    ("parameter", "inside", "outside", "expected"),
    [
        (kg.Float(0.0, 2.0), 1.0, 5.0, 2.5),
        (kg.Float(1.0, 100.0, log=True), 10.0, 1e4, 2.0),
        (kg.Float(0.0, 1.0, step=0.25), 0.5, 0.6, 0.6),
        (kg.Float(0.0, 1.0, step=0.25), 0.75, -1.0, -1.0),
        (kg.Int(0, 10), 5, 12, 1.2),
        (kg.Int(0, 10, step=5), 5, 7, 0.7),
        (kg.Int(1, 16, log=True), 4, 64, 1.5),
    ],
)
def test_where_a_value_outside_lies(parameter, inside, outside, expected):
    np.testing.assert_array_equal(parameter.spot(inside), parameter.place(parameter.position(inside)))
    assert parameter.spot(outside)[0] == pytest.approx(expected, abs=1e-12)


def test_within_is_the_identity_inside_and_projects_the_rest():
    space = Space({"x": (0.0, 1.0), "k": (0, 4)}, constraints=["x + k <= 4"]).reaching()
    U = np.array([[0.5, 0.5], [1.5, 0.25], [0.2, 0.3], [1.0, 1.0]])
    found = space.within(U)
    assert space.holds(found).all()
    np.testing.assert_array_equal(found[0], U[0])
    assert space.within(U[:1]) is U[:1] or (space.within(U[:1]) == U[:1]).all()
    plain = Space({"x": (0.0, 1.0)})
    assert plain.within(U) is U


def test_running_points_outside_are_believed():
    study = searched(8)
    running = study.ask(3)
    study.change(x=(0.0, 0.2))
    assert all(trial.params["x"] <= 0.2 for trial in study.ask(2))
    for trial in running:
        study.tell(trial, loss(trial.params))
    assert sum(trial.state == "complete" for trial in study.trials) == 11


# Trials, queue, leases.


def test_trials_show_the_value_of_a_new_parameter_and_keep_that_of_a_dropped_one():
    study = searched(4)
    running = study.ask()[0]
    study.enqueue({"x": 0.1, "y": 0.2})
    study.change(z=kg.Int(0, 3), y=None, earlier={"z": 2})
    assert list(study.trials[0].params) == ["x", "z", "y"]
    assert study.trials[running.number].params["z"] == 2
    (queued,) = study.ask()
    assert dict(queued.params) == {"x": 0.1, "z": 2}
    assert dict(study.tell(running, 1.0).params)["z"] == 2


def test_a_dropped_parameter_can_come_back():
    study = searched(4)
    study.change(y=None)
    study.tell(study.ask()[0], 0.5)
    with pytest.raises(SpaceError, match="trial 4: y: expected the value that earlier trials had"):
        study.change(y=(0.0, 1.0))
    study.change(y=(0.0, 1.0), earlier={"y": 0.25})
    assert [trial.params["y"] for trial in study.trials[3:]] == [study.trials[3].params["y"], 0.25]
    assert study.trials[3].params["y"] != 0.25


def test_queued_points_that_no_longer_fit_are_taken_off_the_queue():
    study = searched(4)
    kept, gone = study.enqueue({"x": 0.1, "y": 0.2}), study.enqueue({"x": 0.9, "y": 0.2})
    done = study.change(x=(0.0, 0.5))
    assert done.unqueued == (gone.number,)
    assert "no longer queued: 5" in str(done)
    assert study.trials[gone.number].state == "expired"
    assert [trial.number for trial in study.ask()] == [kept.number]


def test_lost_points_that_no_longer_fit_are_not_offered_again():
    study = searched(4)
    fits, lost = (study.enqueue({"x": x, "y": 0.5}) for x in (0.2, 0.9))
    study.ask(2, lease=0.0)
    study.change(x=(0.0, 0.5), y=None)
    study.reclaim()
    assert study.trials[lost.number].state == study.trials[fits.number].state == "expired"
    assert [(dict(t.params), t.retry_of) for t in study.trials if t.state == "queued"] == [({"x": 0.2}, fits.number)]


# Who sees it.


def test_everybody_who_shares_the_log_sees_it_at_the_next_look(tmp_path):
    where = tmp_path / "studies.db"
    ours = searched(6, log=where, name="one")
    theirs = kg.Study(PLANE, storage=where, name="one")
    theirs.recommend()
    ours.change(x=(0.0, 2.0), z=(0.0, 1.0), earlier={"z": 0.0}, by="ann", reason="the best is at the edge")
    (trial,) = theirs.ask()
    assert set(trial.params) == {"x", "y", "z"}
    assert theirs.space == ours.space == kg.Study.load(where).space
    assert theirs.recommend().params == ours.recommend().params
    (change,) = theirs.changes
    assert (change.by, change.reason, change.trials) == ("ann", "the best is at the edge", 6)
    assert theirs.enqueue({"x": 1.5, "y": 0.5, "z": 0.5}).state == "queued"
    resumed = kg.Study(PLANE, storage=where, name="one")  # a worker whose script still has the old space
    assert resumed.space == ours.space
    with pytest.raises(MismatchError, match=r"x: recorded Float\(0.0, 2.0\), now Float\(0.0, 9.0\)[^~]*study.change"):
        kg.Study({"x": (0.0, 9.0), "y": (0.0, 1.0), "z": (0.0, 1.0)}, storage=where, name="one")


def test_points_that_were_checked_against_the_space_before_are_checked_again():
    log = Memory()
    one, two = kg.Study(PLANE, seed=0, storage=log), kg.Study(PLANE, seed=0, storage=log)
    two.trials  # noqa: B018  it has read the log
    one.change(x=(2.0, 3.0))
    with pytest.raises(SpaceError, match=r"expected a value between 2.0 and 3.0"):
        two.enqueue({"x": 0.5, "y": 0.5})
    with pytest.raises(SpaceError, match=r"expected a value between 2.0 and 3.0"):
        one.add({"x": 0.5, "y": 0.5}, 1.0)
    assert two.add_many([{"x": 2.5, "y": 0.5, "value": 1.0}, {"x": 0.5, "y": 0.5, "value": 1.0}]).added[0].value == 1.0
    assert len(one.trials) == 1


def test_points_computed_for_the_space_before_are_computed_again():
    log = Memory()
    one, two = kg.Study(PLANE, seed=0, storage=log), kg.Study(PLANE, seed=0, storage=log)
    suggest, calls = one._suggest, []

    def changed_meanwhile(known, q):
        calls.append(q)
        found = suggest(known, q)
        if len(calls) == 1:
            two.change(x=(2.0, 3.0))
        return found

    one._suggest = changed_meanwhile
    assert all(2.0 <= trial.params["x"] <= 3.0 for trial in one.ask(2))
    assert calls == [2, 2]


def test_a_run_goes_on_in_the_new_space():
    study = kg.Study({"x": (0.0, 1.0)}, seed=1)
    seen = []

    def objective(params):
        seen.append(params["x"])
        if len(seen) == 6:
            study.change(x=(0.0, 3.0))
        return (params["x"] - 2.0) ** 2

    found = study.minimize(objective, n_trials=14)
    assert max(seen[:6]) <= 1.0 < max(seen[6:])
    assert found.params["x"] == pytest.approx(2.0, abs=0.1)


def test_a_copy_has_the_changes_and_what_is_outside(tmp_path):
    study = searched(6)
    study.change(x=(0.0, 0.5), z=(0.0, 1.0), earlier={"z": 0.0})
    study.enqueue({"x": 0.1, "y": 0.2, "z": 0.5})
    copy = study.copy(tmp_path / "copy.db", name="copy")
    assert points(copy.trials) == points(study.trials)
    assert (copy.space, [each.lines for each in copy.changes]) == (study.space, [each.lines for each in study.changes])
    assert copy.recommend().params == study.recommend().params
    with pytest.warns(UserWarning, match="not in the new space"):
        assert len(study.copy(space=study.space).trials) < len(study.trials)


def test_a_log_of_a_newer_format_is_refused_wherever_it_says_so():
    log = Memory()
    searched(2, log=log)
    log.append([Event("unheard-of", {"format": 99})])
    with pytest.raises(StorageError, match="format 4 or less, got 99"):
        kg.Study.load(log)


# What is refused, with nothing changed.


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"x": (1.0, 0.0)}, "change: x: Float needs low < high"),
        ({"x": "wide"}, "change: x: expected Float, Int, Choice"),
        ({"nothing": None}, "expected a parameter to drop"),
        ({"new": (0.0, 1.0)}, r"trial 0: new: expected the value that earlier trials had, got none; pass earlier="),
        ({"new": (0.0, 1.0), "earlier": {"x": 1.0}}, "earlier: expected parameters that are new"),
        ({"new": ["a", "b"], "earlier": {"new": "c"}}, r"new: expected one of \['a', 'b'\], got 'c'; keep the options"),
        ({"kind": ["a"]}, r"trial \d: kind: expected one of \['a'\]"),
        (
            {"x": kg.Float(0.1, 1.0, log=True)},
            r"trial 4: x: expected a value above 0",
        ),
        ({"kind": None, "constraints": ["kind + x <= 1"]}, "change: .*kind.*pass constraints="),
    ],
)
def test_what_makes_no_sense_is_refused(how, message):
    study = kg.Study({**PLANE, "kind": ["a", "b"]}, seed=0)
    for trial in study.ask(4):
        study.tell(trial, 1.0)
    study.add({"x": 0.0, "y": 0.5, "kind": "b"}, 1.0)
    before = study.version
    with pytest.raises(SpaceError, match=message):
        study.change(**how)
    assert study.version == before


def test_an_average_keeps_its_contexts():
    study = kg.Study({"x": (0.0, 1.0), "place": ["a", "b"]}, over={"place": {"a": 1, "b": 1}}, seed=0)
    study.change(place=["a", "b", "c"])
    assert study.over == {"place": [["a", 0.5], ["b", 0.5]]}
    with pytest.raises(ArgumentError, match="over"):
        study.change(place=None)


def test_lists_of_candidates_and_mixtures_are_refused():
    with pytest.raises(SpaceError, match="list of candidates; copy"):
        kg.Study(kg.Candidates([{"x": 1.0}, {"x": 2.0}])).change(x=(0.0, 1.0))
    mixed = kg.Study({"m": kg.Mixture(["a", "b", "c"]), "t": (0.0, 1.0)})
    with pytest.raises(SpaceError, match="outside of mixtures"):
        mixed.change(a=(0.0, 0.5))
    mixed.change(t=(0.0, 2.0))
    (trial,) = mixed.ask()
    assert sum(trial.params[name] for name in "abc") == pytest.approx(1.0)


def test_the_same_key_is_done_once():
    study = searched(2)
    first = study.change(x=(0.0, 2.0), key="k", by="ann")
    study.change(x=(0.0, 3.0))
    assert study.change(x=(0.0, 2.0), key="k", by="ann") == first
    assert study.space.parameters["x"].high == 3.0
    with pytest.raises(ConflictError, match="take another key"):
        study.change(x=(0.0, 2.0), key="k", by="bob")


def test_names_of_other_arguments_go_in_a_mapping():
    study = kg.Study({"reason": (0.0, 1.0), "x": (0, 5)}, seed=0)
    study.change({"reason": (0.0, 2.0)}, x=(0, 9), reason="wider")
    assert study.changes[0].lines == ("reason: Float(0.0, 1.0) → Float(0.0, 2.0)", "x: Int(0, 5) → Int(0, 9)")


def test_conditional_spaces_change_where_earlier_trials_keep_what_exists():
    study = kg.Study({"mixer": ["vane", "disc"], "speed": kg.Float(0.0, 1.0, when={"mixer": "vane"})}, seed=0)
    for trial in study.ask(6):
        study.tell(trial, 1.0)
    study.change(mixer=["vane", "disc", "jet"], speed=(0.0, 2.0), flow=kg.Float(0.0, 1.0, when={"mixer": "jet"}))
    assert study.space.names == ("mixer", "speed", "flow")
    assert len(study.ask(2)) == 2
    with pytest.raises(SpaceError, match=r"got another condition|expected the value"):
        study.change(speed=kg.Float(0.0, 2.0, when={"mixer": "disc"}))


def test_tables_show_what_was_dropped_and_know_their_own_rows():
    study = searched(4)
    rows = [{"x": t.params["x"], "y": t.params["y"], "value": t.value} for t in study.trials]
    study.change(y=None)
    assert "params_y" in study.to_dataframe().columns
    report = study.add_many([{"x": row["x"], "value": row["value"]} for row in rows])
    assert (len(report.added), len(report.known)) == (0, 4)
    json.dumps(study.space.to_dict())


def test_a_parameter_that_was_dropped_is_not_recommended():
    study = kg.Study({"x": (0.0, 1.0), "y": (0.0, 1.0)}, seed=0)
    study.add({"x": 0.5, "y": 0.5}, 1.0)
    study.change(y=None)
    assert study.recommend().params == {"x": 0.5}
    assert study.predict([study.recommend().params]).mean.shape == (1,)
