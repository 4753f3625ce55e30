"""What a batch is worth: values with their gradients, and the mathematics behind them. They search for nothing."""
