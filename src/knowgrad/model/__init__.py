"""From trials to a fitted model, in the units of the model. Imports `space`, `gp` and `trial`; knows no method."""
