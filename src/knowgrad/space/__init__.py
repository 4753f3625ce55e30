"""The space: user units to points of the unit cube and back. The only layer that knows user units.

May import: checked, errors, text.
"""

from knowgrad.space.changing import Changing, carried, changing
from knowgrad.space.contexts import Contexts
from knowgrad.space.coordinates import Parameter
from knowgrad.space.lists.candidates import Candidates
from knowgrad.space.lists.written import read_candidates
from knowgrad.space.looks.fidelity import Fidelity
from knowgrad.space.looks.graded import Graded, graded
from knowgrad.space.looks.source import Source
from knowgrad.space.mixtures import Mixture
from knowgrad.space.numeric import Float, Int
from knowgrad.space.parameters import Choice
from knowgrad.space.record import differences
from knowgrad.space.rest import rest_of
from knowgrad.space.scalars import Scalar
from knowgrad.space.space import Params, Space, as_space

__all__ = [
    "Candidates",
    "Changing",
    "Choice",
    "Contexts",
    "Fidelity",
    "Float",
    "Graded",
    "Int",
    "Mixture",
    "Parameter",
    "Params",
    "Scalar",
    "Source",
    "Space",
    "as_space",
    "carried",
    "changing",
    "differences",
    "graded",
    "read_candidates",
    "rest_of",
]
