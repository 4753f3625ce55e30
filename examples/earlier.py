"""Earlier studies: last month's campaign, on another reactor, tells where to begin."""

import knowgrad as kg


def loss(params, shift=0.0):
    return (params["temperature"] - 70 - 5 * shift) ** 2 / 1000 + (params["flow"] - 2) ** 2 + shift


space = {"temperature": (20.0, 120.0), "flow": (1.0, 5.0)}
last_month = kg.Study(space, noise=0, seed=1, name="reactor A")
last_month.minimize(lambda params: loss(params, shift=1.0), n_trials=20, progress=False)

study = kg.Study(space, noise=0, seed=0, learn_from=[last_month])
study.minimize(loss, n_trials=6, progress=False)
print(study.recommend())
