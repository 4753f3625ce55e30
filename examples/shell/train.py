"""Stands for any program: options in, a number on the last line out."""

import random
import sys

options = dict(word.removeprefix("--").split("=") for word in sys.argv[1:])
rate, layers, kind = float(options["rate"]), int(options["layers"]), options["kind"]
print("training …")
print("loss", (rate - 0.03) ** 2 * 400 + abs(layers - 5) / 5 + (kind == "plain") + random.gauss(0, 0.1))
