"""Ray Tune with q-KG as its search algorithm."""

import math
import random

import ray
from ray import tune

from knowgrad.integrations.ray import KnowledgeGradientSearch


def train(config):
    loss = (math.log10(config["lr"]) + 2) ** 2 + abs(config["width"] - 64) / 64 + (config["act"] == "relu")
    tune.report({"loss": loss + random.gauss(0, 0.1)})


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    search = KnowledgeGradientSearch(seed=0)
    tuner = tune.Tuner(
        train,
        param_space={
            "lr": tune.loguniform(1e-4, 1e-1),
            "width": tune.qrandint(16, 128, 16),
            "act": tune.choice(["relu", "gelu"]),
        },
        tune_config=tune.TuneConfig(
            metric="loss", mode="min", search_alg=search, num_samples=8, max_concurrent_trials=2, reuse_actors=True
        ),
        run_config=tune.RunConfig(verbose=0),
    )
    results = tuner.fit()
    print("luckiest trial:", results.get_best_result().config)
    print("recommended:   ", search.recommend())
    ray.shutdown()
