"""Workers that finish at different times: whenever one is free, the next point is chosen with the others in mind."""

import random
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

import knowgrad as kg


def measure(params):
    time.sleep(random.uniform(0.01, 0.05))
    return (params["x"] - 2) ** 2 + (params["y"] + 1) ** 2 + random.gauss(0, 0.3)


study = kg.Study({"x": (-5.0, 5.0), "y": (-5.0, 5.0)}, seed=0)
running = {}
with ThreadPoolExecutor(4) as pool:
    for _ in range(20):
        if len(running) == 4:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                study.tell(running.pop(future), future.result())
        (trial,) = study.ask()  # knows the points that are still running
        running[pool.submit(measure, trial.params)] = trial
for future, trial in running.items():
    study.tell(trial, future.result())
print(study.recommend())
