"""knowgrad: batch Bayesian optimization with the parallel knowledge gradient."""
