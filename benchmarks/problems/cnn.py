"""A convolutional network on CIFAR-10: two convolutional layers, two dense ones, softmax; eight hyperparameters.

As in the tutorial that the paper takes its network from, only the dense layers are regularized. The ranges are the
paper's at every scale. A scale says how many images are trained on and tested on, and by what the epochs and the
channels that the hyperparameters name are multiplied; `full` is the paper's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.problems.images import cifar10
from benchmarks.problems.task import Parameter, Params

PARAMETERS = (
    Parameter("batch_size", 10, 1000, integer=True),
    Parameter("epochs", 1, 10, integer=True),
    Parameter("l2", 0.0, 1.0),
    Parameter("learning_rate", 0.0, 1.0),
    Parameter("kernel_size", 2, 10, integer=True),
    Parameter("channels", 10, 1000, integer=True),
    Parameter("hidden_units", 100, 1000, integer=True),
    Parameter("dropout", 0.0, 1.0),
)
CHANCE = 0.9


@dataclass(frozen=True)
class Scale:
    """How much of the full experiment is done."""

    images: int
    tests: int
    epochs: float
    channels: float


SCALES = {
    "full": Scale(50_000, 10_000, 1.0, 1.0),
    "small": Scale(2_000, 1_000, 0.5, 0.03),
    "tiny": Scale(500, 500, 0.1, 0.01),
}


class Network(nn.Module):
    """Each convolution keeps the image's size and is followed by a pooling that halves it."""

    def __init__(self, channels: int, kernel: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, channels, kernel, padding="same")
        self.conv2 = nn.Conv2d(channels, channels, kernel, padding="same")
        self.dense1 = nn.Linear(channels * 8 * 8, hidden)
        self.dense2 = nn.Linear(hidden, hidden)
        self.top = nn.Linear(hidden, 10)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        for conv in (self.conv1, self.conv2):
            x = F.max_pool2d(F.relu(conv(x)), 2)
        x = x.flatten(1)
        for dense in (self.dense1, self.dense2):
            x = self.dropout(F.relu(dense(x)))
        out: Tensor = self.top(x)
        return out


class ConvolutionalNetwork:
    """The same point gives the same error within a run: weights and order of the images come from the seed."""

    parameters = PARAMETERS
    noisy = False
    optimum: float | None = None

    def __init__(self, data: Path | None, scale: Scale, seed: int) -> None:
        self._data, self._scale, self._seed = data, scale, seed

    def evaluate(self, params: Params, k: int) -> tuple[float, float]:
        error = self.truth(params)
        return error, error

    def truth(self, params: Params) -> float:
        torch.set_num_threads(1)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self._seed)
            return self._error(params)

    @cached_property
    def _images(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Training images and labels, test images and labels; pixels standardized per color."""
        train, labels, test, test_labels = (torch.from_numpy(part.copy()) for part in cifar10(self._data))
        if len(train) < self._scale.images:
            raise SystemExit(f"cifar10: this scale trains on {self._scale.images} images, --data has {len(train)}")
        train, test = train[: self._scale.images].float(), test[: self._scale.tests].float()
        mean, sd = train.mean((0, 2, 3), keepdim=True), train.std((0, 2, 3), keepdim=True)
        labels, test_labels = labels[: len(train)].long(), test_labels[: len(test)].long()
        return (train - mean) / sd, labels, (test - mean) / sd, test_labels

    def _error(self, params: Params) -> float:
        images, labels, test, test_labels = self._images
        channels = max(1, round(params["channels"] * self._scale.channels))
        net = Network(channels, params["kernel_size"], params["hidden_units"], params["dropout"])
        if not train(net, images, labels, max(1, round(params["epochs"] * self._scale.epochs)), params):
            return CHANCE
        net.eval()
        with torch.no_grad():
            guesses = torch.cat([net(part).argmax(1) for part in test.split(500)])
        return float((guesses != test_labels).double().mean())


def train(net: Network, images: Tensor, labels: Tensor, epochs: int, params: Params) -> bool:
    """SGD in place, the hidden dense layers with l2 regularization; False if it diverged."""
    dense = [*net.dense1.parameters(), *net.dense2.parameters()]
    others = [*net.conv1.parameters(), *net.conv2.parameters(), *net.top.parameters()]
    groups = [{"params": dense, "weight_decay": params["l2"]}, {"params": others}]
    step = torch.optim.SGD(groups, lr=params["learning_rate"])
    for _ in range(epochs):
        for rows in torch.randperm(len(images)).split(params["batch_size"]):
            step.zero_grad()
            loss = F.cross_entropy(net(images[rows]), labels[rows])
            if not torch.isfinite(loss):
                return False
            loss.backward()  # type: ignore[no-untyped-call]
            step.step()
    return all(bool(torch.isfinite(p).all()) for p in net.parameters())


def make(problem: str, noise: float, seed: int, data: Path | None, scale: str) -> Any:
    if scale not in SCALES:
        raise SystemExit(f"--scale: expected one of {', '.join(SCALES)}, got {scale!r}")
    return ConvolutionalNetwork(data, SCALES[scale], seed)
