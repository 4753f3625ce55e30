"""Finitely many points, and a model that sees nothing worth its cost among them."""

from dataclasses import replace

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.acquisition.methods.qkg import QKG
from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.search.posterior_minimum import lowest_mean
from knowgrad.acquisition.search.sure import is_sure, when_sure
from knowgrad.advisor.about import about
from knowgrad.advisor.prices import prices

ROWS = [{"a": float(i)} for i in range(12)]
SPACE = {"row": kg.Candidates(ROWS), "by": kg.Source(["low", "high"], target="high", cost=[0.1, 1.0])}


def value(params):
    return (params["a"] - 7.2) ** 2


def asked(high):
    """The question of a study that has seen all rows cheaply, and some of them at the target."""
    study = kg.Study(SPACE, seed=0, noise=0)
    for by, rows in (("low", range(12)), ("high", high)):
        for i in rows:
            study.add({"a": float(i), "by": by}, value(ROWS[i]), check=False)
    moment = study.snapshot()
    subject, found = about(moment), moment.model
    domain = subject.domain(moment)
    cost = prices(moment, domain).searched
    none = moment.data.points[:0]
    question = Question(found.model, found.noise, domain, none, 1, target=subject.target, cost=cost)
    return study, question


def test_the_best_point_is_verified_at_the_target():
    study, question = asked([0, 11, 5])
    answer = QKG()._proposed(question, np.random.default_rng(0))
    assert is_sure(question, answer)
    low = lowest_mean(question.model, question.domain, np.random.default_rng(1), question.target)
    found = when_sure(question, answer, lambda rest: answer, np.random.default_rng(1))
    np.testing.assert_array_equal(found.Z, question.target.expand(low[None]))
    assert study.space.decode(found.Z[0]) == {"a": 7.0, "by": "high"}
    assert study.ask()[0].params == {"a": 7.0, "by": "high"}


def test_then_deviations_are_widened_and_means_are_not():
    _, question = asked([0, 11, 5, 7])
    seen = []

    def propose(rest):
        seen.append(rest)
        return QKG()._proposed(rest, np.random.default_rng(0))

    answer = QKG()._proposed(question, np.random.default_rng(0))
    when_sure(question, answer, propose, np.random.default_rng(1))
    U = question.domain.enumerate(100)
    for k, rest in enumerate(seen, 1):
        np.testing.assert_allclose(rest.model[0].mean(U), question.model[0].mean(U), atol=1e-9)
        np.testing.assert_allclose(rest.model[0].s2, 4.0**k * question.model[0].s2)


@pytest.mark.parametrize("said", [{"last": True}, {"cost": None}])
def test_elsewhere_q_kg_is_left_alone(said):
    _, question = asked([0, 11, 5])
    other = replace(question, **said)
    assert not is_sure(other, QKG()._proposed(question, np.random.default_rng(0)))
