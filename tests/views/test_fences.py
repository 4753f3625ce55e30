"""What is far from all others, by hand."""

import pytest

from knowgrad.views.fences import fences


@pytest.mark.parametrize(
    "values",
    [
        [1.0, 2.0, 3.0, 4.0, 5.0],
        [1.0, 2.0, 3.0, 4.0, 5.0, 12.0],  # quartiles 2.25 and 4.75: the fence is at 12.25
        [1.0, 2.0, 3.0, 400.0],  # too few to say
        [7.0] * 9 + [8.0],  # nothing to measure by
    ],
)
def test_values_that_lie_together_have_no_fences(values):
    assert fences(values) is None


def test_what_lies_beyond_is_left_out():
    assert fences([1.0, 2.0, 3.0, 4.0, 5.0, 12.5]) == (1.0, 5.0)
    assert fences([-1e9, 1.0, 2.0, 3.0, 4.0, 5.0, 1e9]) == (1.0, 5.0)
