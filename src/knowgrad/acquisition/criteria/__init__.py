"""What a batch is worth: values with their gradients, and the mathematics behind them. They search for nothing.

May import: gp, the problem and the target of its own package.
"""
