"""knowgrad for Ray Tune: a search algorithm for `TuneConfig(search_alg=...)`, and a scheduler that asks it."""

from knowgrad.integrations.hosts import missing

try:
    from knowgrad.integrations.ray.scheduler import KnowledgeGradientScheduler
    from knowgrad.integrations.ray.searcher import KnowledgeGradientSearch
except ModuleNotFoundError as error:
    raise missing("ray", "ray[tune]", error) from error

__all__ = ["KnowledgeGradientScheduler", "KnowledgeGradientSearch"]
