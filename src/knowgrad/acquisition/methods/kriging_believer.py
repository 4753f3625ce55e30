"""`kriging-believer`: greedy EI that believes the model (Ginsbourger, Le Riche & Carraro, 2010).

    z_j = argmax EI(z | y(z_i) = μ^(n)(z_i), i < j)

The points already in the batch, and those pending, enter the data with their posterior mean as exact result.
Hyperparameters and prior mean stay as they are. This is how `ei` makes its batches too, so the two are one method:
`ei` is the name for one point at a time, `kriging-believer` that for batches. Batches tend to crowd where the mean is
low, because a believed result never disappoints.
"""

from __future__ import annotations

from dataclasses import dataclass

from knowgrad.acquisition.methods.ei import EI


@dataclass(frozen=True)
class KrigingBeliever(EI):
    """No options; the same points as `EI`."""
