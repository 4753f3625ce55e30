"""The paper's own way to maximise q-KG: it converges, and it attains what there is to attain."""

import numpy as np
import pytest

from knowgrad.acquisition.methods.qkg import QKG
from knowgrad.acquisition.methods.qkg_paper import PaperQKG
from knowgrad.acquisition.search.ascent import climb
from knowgrad.acquisition.search.starts import common_scale
from tests.acquisition.domains import CUBE
from tests.acquisition.test_qkg import NONE, question, worth


@pytest.mark.parametrize(("q", "p"), [(1, 0), (2, 3), (4, 0)])
def test_it_attains_what_the_default_attains(q: int, p: int) -> None:
    asked = question(q, pending=CUBE.sample(p, np.random.default_rng(7)) if p else NONE)
    paper, default = (method.propose(asked, np.random.default_rng(0)).Z for method in (PaperQKG(), QKG()))
    assert worth(asked, paper) >= 0.95 * worth(asked, default)


def test_the_ascent_converges_to_a_stationary_point() -> None:
    """From random batches, without any choice among them: all rise, and most end where nothing is left to climb."""
    asked, method = question(2), PaperQKG(steps=600, starts=6)
    prepared = method.prepare(asked, np.random.default_rng(0))
    prepared.Z[:] = np.random.default_rng(1).random(prepared.Z.shape)
    unseen = prepared.on(np.random.default_rng(2).standard_normal((2048, 2)))
    scale = common_scale(asked.model)

    def left(Z: np.ndarray) -> np.ndarray:
        """The share of the local maximum that a quasi-Newton ascent on unseen samples still finds."""
        return 1.0 - unseen.value(Z) / climb(unseen, Z, CUBE, scale, steps=60, tol=1e-9)[1]

    *_, (_, average) = method.ascent(asked, prepared, np.random.default_rng(3))
    assert (unseen.value(average) > unseen.value(prepared.Z)).all()
    assert np.median(left(prepared.Z)) > 0.2
    assert np.median(left(average)) < 0.01
