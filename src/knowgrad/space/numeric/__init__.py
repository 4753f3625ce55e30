"""The numeric parameters: Float and Int."""

from knowgrad.space.numeric.real import Float
from knowgrad.space.numeric.whole import Int

__all__ = ["Float", "Int"]
