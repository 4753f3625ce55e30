"""The end of an executor for which no evaluation is to blame."""

from concurrent.futures import BrokenExecutor


class Closed(BrokenExecutor):
    """Somebody closed it. What was running there has not failed: it is given back."""
