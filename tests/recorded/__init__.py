"""States of studies, and what a study answered in each when they were recorded: `tests/test_recorded.py` compares.

Only the public interface is used, so that the modules of the package can be moved and rewritten underneath.
"""
