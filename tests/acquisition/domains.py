"""Plain domains for tests of the acquisition layer."""

import numpy as np

from knowgrad.space import Float, Int, Space

CUBE = Space({f"x{i}": Float(0.0, 1.0) for i in range(3)})
CORNER = Space({f"x{i}": Float(0.0, 1.0) for i in range(3)}, constraints=["x0 + x1 <= 0.8"])
BALL = Space(
    {f"x{i}": Float(0.0, 1.0) for i in range(3)},
    feasible=lambda params: sum((v - 0.5) ** 2 for v in params.values()) <= 0.16,
)
LEVELS = Space({"x0": Float(0.0, 1.0), "x1": Int(0, 4), "x2": Float(0.0, 1.0, step=0.25)})
ALL = {"cube": CUBE, "corner": CORNER, "ball": BALL, "levels": LEVELS}


def assert_inside(domain: Space, Z: np.ndarray) -> None:
    np.testing.assert_array_equal(domain.snap(Z), Z)
    assert domain.contains(Z).all()
