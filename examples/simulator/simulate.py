"""Stands for a simulator that crashes at large flows, hangs at steep angles, and prints more than its result."""

import subprocess
import sys
import time

flow, angle = float(sys.argv[1]), int(sys.argv[2])
print("solver v1.2.3")
if flow > 8:
    sys.exit(f"solver diverged: residual 1e+17 at flow {flow}")
if angle > 70:
    subprocess.run(["sleep", "600"], check=True)  # iterates for ever
time.sleep(1)
print("drag:", (flow - 3) ** 2 + (angle - 25) ** 2 / 100)
print("Done in 1 s")
