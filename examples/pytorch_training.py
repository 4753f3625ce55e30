"""A PyTorch training loop: learning rate, width and dropout of a small network."""

import math

import torch
from torch import nn

import knowgrad as kg

torch.set_num_threads(1)
X = torch.linspace(-2, 2, 128).unsqueeze(1)
Y = torch.sin(3 * X) + 0.1 * torch.randn(X.shape, generator=torch.Generator().manual_seed(0))
train, valid = slice(0, None, 2), slice(1, None, 2)


def validation_loss(params):
    """Noisy: weights and dropout are drawn anew each time."""
    net = nn.Sequential(
        nn.Linear(1, params["width"]), nn.Tanh(), nn.Dropout(params["dropout"]), nn.Linear(params["width"], 1)
    )
    optimizer = torch.optim.Adam(net.parameters(), lr=params["lr"])
    for _ in range(60):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(X[train]), Y[train])
        loss.backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        value = nn.functional.mse_loss(net(X[valid]), Y[valid]).item()
    return math.log10(value)


if __name__ == "__main__":
    space = {
        "lr": kg.Float(1e-4, 1e0, log=True),
        "width": kg.Int(4, 128, log=True),
        "dropout": kg.Float(0.0, 0.5, step=0.1),
    }
    best = kg.minimize(validation_loss, space, n_trials=24, batch_size=3, seed=0, progress=False)
    print(best)
