"""knowgrad for Ray Tune: a search algorithm for `TuneConfig(search_alg=...)`."""

from knowgrad.integrations.ray.searcher import KnowledgeGradientSearch

__all__ = ["KnowledgeGradientSearch"]
