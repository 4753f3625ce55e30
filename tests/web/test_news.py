"""Trials that changed since a client last looked: none is left out, and those that stayed are not sent again."""

import knowgrad as kg
from tests.web.serving import client, serving


def test_only_what_changed_is_sent_again(tmp_path):
    study = kg.Study({"x": (0.0, 1.0)}, storage=tmp_path / "a.db", name="s", seed=0)
    for trial in study.ask(3):
        study.tell(trial, 1.0 + trial.number)
    with serving(tmp_path / "a.db") as service:
        api = client(service)

        def look(**query):
            words = "&".join(f"{name}={value}" for name, value in query.items())
            return api.call("GET", f"/api/studies/s/trials?{words}")

        first = look()
        assert [trial["number"] for trial in first["trials"]] == [0, 1, 2]
        assert look(since=first["version"])["trials"] == []
        study.correct(1, 20.0)
        (running,) = study.ask(1)
        second = look(since=first["version"])
        assert [(trial["number"], trial["value"]) for trial in second["trials"]] == [(1, 20.0), (3, None)]
        assert second["total"] == 4
        assert look(since=second["version"])["trials"] == []
        study.tell(running, 5.0)
        assert [trial["number"] for trial in look(since=second["version"])["trials"]] == [3]
        assert [trial["number"] for trial in look(since=first["version"], after=1)["trials"]] == [3]


def test_the_summary_says_what_a_list_needs(tmp_path):
    study = kg.Study({"x": (0.0, 1.0)}, storage=tmp_path / "a.db", name="s", seed=0, direction="maximize")
    with serving(tmp_path / "a.db") as service:
        api = client(service)
        empty = api.call("GET", "/api/studies/s/summary")
        assert (empty["best"], empty["active"]) == (None, None)
        before = study.now
        for trial, value in zip(study.ask(3), (1.0, 9.0, 4.0), strict=True):
            study.tell(trial, value)
        study.fail(study.ask(1)[0], "spilled")
        found = api.call("GET", "/api/studies/s/summary")
        assert found["best"] == 9.0
        assert found["counts"]["complete"] == 3
        assert found["counts"]["failed"] == 1
        assert before - 1 <= found["active"] <= study.now + 1
        study.discard(1, "a slip")
        assert api.call("GET", "/api/studies/s/summary")["best"] == 4.0
        assert all(trial["began"] <= trial["ended"] for trial in api.call("GET", "/api/studies/s/trials")["trials"])
