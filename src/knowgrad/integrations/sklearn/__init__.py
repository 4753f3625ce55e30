"""knowgrad for scikit-learn: a search estimator in the place of `RandomizedSearchCV`."""

from knowgrad.integrations.sklearn.search import KnowledgeGradientSearchCV

__all__ = ["KnowledgeGradientSearchCV"]
