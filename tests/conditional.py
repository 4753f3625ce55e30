"""Spaces with conditions, drawn at random: any kinds of parents and children, nested, with constraints."""

import numpy as np

import knowgrad as kg
from knowgrad.errors import EmptyDomainError, SpaceError


def _parameter(rng, when):
    match int(rng.integers(6)):
        case 0:
            return kg.Float(-1.0, float(rng.uniform(-0.5, 3)), when=when)
        case 1:
            return kg.Float(1e-3, float(10 ** rng.uniform(-2, 3)), log=True, when=when)
        case 2:
            return kg.Float(0.0, 1.0, step=float(rng.choice([0.1, 0.25, 0.5])), when=when)
        case 3:
            return kg.Int(int(rng.integers(-3, 1)), int(rng.integers(2, 9)), when=when)
        case 4:
            return kg.Int(1, int(rng.integers(2, 2000)), log=True, when=when)
    options = ["a", "b", 3, 2.5, True, None][: int(rng.integers(1, 7))]
    return kg.Choice(options, when=when)


def _test(rng, name, parameter):
    """A condition on a parameter, in one of the forms that a user may write."""
    if isinstance(parameter, kg.Choice):
        count = int(rng.integers(1, len(parameter.options) + 1))
        chosen = [parameter.options[i] for i in rng.permutation(len(parameter.options))[:count]]
        return {name: chosen if count > 1 or rng.random() < 0.5 else chosen[0]}
    low, high = parameter.low, parameter.high
    bound = float(rng.uniform(low, high))
    if isinstance(parameter, kg.Int):
        bound = round(bound)
        if rng.random() < 0.3:
            return {name: [bound]}
    sign = str(rng.choice(["<=", ">=", "<", ">"]))
    return f"{name} {sign} {bound}" if rng.random() < 0.7 else f"{low} <= {name} <= {bound}"


def conditional_space(seed):
    """A space that can be made; what would never exist, or leaves no point, is drawn again."""
    rng = np.random.default_rng(seed)
    while True:
        params, names = {}, [f"p{i}" for i in range(int(rng.integers(2, 8)))]
        for i, name in enumerate(names):
            parents = [str(p) for p in rng.permutation(names[:i])[: int(rng.integers(3))]]
            when = [_test(rng, p, params[p]) for p in parents] or None
            params[name] = _parameter(rng, when[0] if when and len(when) == 1 else when)
        params = {name: params[name] for name in rng.permutation(names)}
        numeric = [name for name, p in params.items() if not isinstance(p, kg.Choice)]
        constraints = (
            [" + ".join(numeric[:2]) + f" <= {rng.uniform(1, 4)}"] if len(numeric) > 1 and rng.random() < 0.4 else []
        )
        try:
            return kg.Space(params, constraints=constraints)
        except (SpaceError, EmptyDomainError):
            continue
