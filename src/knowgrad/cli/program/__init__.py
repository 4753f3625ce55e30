"""What `run` and `worker` evaluate: a Python function by its name, or a program by its command line."""
