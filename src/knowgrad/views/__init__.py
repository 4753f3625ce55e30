"""What there is to see of a study, as plain numbers: every figure and the web page are drawn from these.

Each view is a function of a `Snapshot` that returns a frozen dataclass in user units. None of them changes the study.

May import: errors, text, trial, space, gp, acquisition, advisor.
"""

from knowgrad.advisor.snapshot import Snapshot
from knowgrad.views.axis import Axis
from knowgrad.views.batch import Batch, batch
from knowgrad.views.calibration import Calibration, calibration
from knowgrad.views.curves import Curve, Curves, curves
from knowgrad.views.fidelity import Looks, looks
from knowgrad.views.gain import Gains, gains
from knowgrad.views.history import History, history
from knowgrad.views.importance import Importance, importance
from knowgrad.views.outcomes import Chances, Fronts, Results, Room, chances, front, results, rooms
from knowgrad.views.parallel import Parallel, parallel
from knowgrad.views.plan import Planned, planned
from knowgrad.views.slices import Plane, Slice, plane, slice_along
from knowgrad.views.surface import Surface, surface

__all__ = [
    "Axis",
    "Batch",
    "Calibration",
    "Chances",
    "Curve",
    "Curves",
    "Fronts",
    "Gains",
    "History",
    "Importance",
    "Looks",
    "Parallel",
    "Plane",
    "Planned",
    "Results",
    "Room",
    "Slice",
    "Snapshot",
    "Surface",
    "batch",
    "calibration",
    "chances",
    "curves",
    "front",
    "gains",
    "history",
    "importance",
    "looks",
    "parallel",
    "plane",
    "planned",
    "results",
    "rooms",
    "slice_along",
    "surface",
]
