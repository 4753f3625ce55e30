"""Studies of several outcomes in every storage: told one by one, by two clients, and read back the same."""

import pytest

import knowgrad as kg
from knowgrad.errors import ConflictError

SPACE = {"x": (0.0, 1.0)}
GOALS = {"objectives": {"yield": "maximize", "price": "minimize"}, "limits": ["mass <= 3"]}


def test_outcomes_of_two_clients_come_together(database) -> None:
    one = kg.Study(SPACE, name="assay", storage=database, **GOALS)
    other = kg.Study(SPACE, name="assay", storage=database, **GOALS)
    first, second = one.ask(2)
    one.tell(first, {"yield": 91.2})
    other.tell(first.id, {"price": (3.1, 0.2)})
    assert other.trials[0].state == "pending"
    one.tell(first, {"mass": 2.5})
    assert {trial.state for trial in other.trials if trial.id == first.id} == {"complete"}
    one.tell(second, {"yield": 80.0, "price": 1.0, "mass": 9.0})
    with pytest.raises(ConflictError):
        other.tell(second.id, {"yield": 81.0})
    other.correct(second.id, {"mass": 1.5})
    assert one.trials == other.trials
    assert one.trials[1].outcomes["mass"].value == 1.5
    assert one.trials[0].outcomes["price"] == (3.1, 0.2)
    again = kg.Study(SPACE, name="assay", storage=database, **GOALS)
    assert again.snapshot().front().points == one.snapshot().front().points
    assert again.snapshot().recommend(chance=0.5).params == one.snapshot().recommend(chance=0.5).params
