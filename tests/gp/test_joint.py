import numpy as np

from knowgrad.gp.joint import Joint
from tests.numeric import check_gradient, smooth_posterior

RNG = np.random.default_rng


def test_the_joint_law_is_the_posteriors() -> None:
    post, F, Z = smooth_posterior(), RNG(0).random((2, 3)), RNG(1).random((4, 3, 3))
    joint = Joint(post, F)
    mu, C = joint.whole(joint.forward(Z))
    for i, z in enumerate(Z):
        W = np.vstack([F, z])
        np.testing.assert_allclose(mu[i, 0], post.mean(W), atol=1e-12)
        np.testing.assert_allclose(C[i], post.cov(W, W), atol=1e-12)


def test_derivatives_come_back_to_the_batch() -> None:
    post, F, z = smooth_posterior(), RNG(0).random((2, 3)), RNG(1).random((3, 3))
    weights = post.alpha + 0.1 * RNG(2).standard_normal((4, len(post.X)))
    joint = Joint(post, F, weights)
    a, S = RNG(3).standard_normal((4, 5)), RNG(4).standard_normal((5, 5))

    def value(z: np.ndarray) -> np.ndarray:
        mu, C = joint.whole(joint.forward(z[None]))
        return np.sum(a * mu[0]) + np.sum(S * C[0])

    gradient = joint.whole_vjp(joint.forward(z[None]), a[None], 0.5 * (S + S.T)[None])[0]
    check_gradient(value, gradient, z)
