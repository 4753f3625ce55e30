"""knowgrad for scikit-learn: a search estimator in the place of `RandomizedSearchCV`."""

from knowgrad.integrations.hosts import missing

try:
    from knowgrad.integrations.sklearn.search import KnowledgeGradientSearchCV
except ModuleNotFoundError as error:
    raise missing("sklearn", "scikit-learn", error) from error

__all__ = ["KnowledgeGradientSearchCV"]
