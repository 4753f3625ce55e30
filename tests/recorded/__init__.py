"""States of studies, and what a study answered in each when they were recorded: `tests/test_recorded.py` compares.

Only the public interface is used, so that the modules of the package can be moved and rewritten underneath. To
compare two versions to the last digits on a machine other than that of the record, run `python -m tests.recorded` in a
checkout of the older one, and copy its `states.json` to the newer.
"""
