"""How long a call waits for a storage that is down or locked: a minute, unless the environment says otherwise."""

import math
import os

from knowgrad.errors import ArgumentError

VARIABLE = "KNOWGRAD_PATIENCE"
PATIENCE = 60.0  # seconds


def patience() -> float:
    """Seconds after which a storage that does not answer is an error."""
    said = os.environ.get(VARIABLE)
    if said is None:
        return PATIENCE
    try:
        seconds = float(said)
    except ValueError:
        seconds = math.nan
    if not seconds >= 0:
        raise ArgumentError(f"{VARIABLE}: expected a number of seconds of at least 0, got {said!r}; set 600, say")
    return seconds
