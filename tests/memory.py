"""How much room a call takes."""

import tracemalloc
from collections.abc import Callable


def peak(call: Callable[[], object]) -> int:
    """Bytes that the call had allocated at its height, NumPy's included."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
