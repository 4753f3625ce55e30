"""knowgrad for Ray Tune: a search algorithm for `TuneConfig(search_alg=...)`."""

from knowgrad.integrations.hosts import missing

try:
    from knowgrad.integrations.ray.searcher import KnowledgeGradientSearch
except ModuleNotFoundError as error:
    raise missing("ray", "ray[tune]", error) from error

__all__ = ["KnowledgeGradientSearch"]
