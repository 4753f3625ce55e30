"""A Dask cluster: the same call as on one machine, with the client as the executor. Here the cluster is local."""

import random

from distributed import Client, LocalCluster

import knowgrad as kg


def simulate(params):
    return (params["x"] - 1) ** 2 + (params["y"] - 2) ** 2 + random.gauss(0, 0.2)


if __name__ == "__main__":
    space = {"x": (-5.0, 5.0), "y": (-5.0, 5.0)}
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        best = kg.minimize(simulate, space, n_trials=16, workers=2, executor=client, seed=0, progress=False)
    print(best)
