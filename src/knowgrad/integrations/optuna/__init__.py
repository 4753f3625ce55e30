"""knowgrad for Optuna: a sampler, a recommendation beside `study.best_trial`, and studies carried over and back."""

from knowgrad.integrations.optuna.recommendation import recommend
from knowgrad.integrations.optuna.sampler import KnowledgeGradientSampler
from knowgrad.integrations.optuna.transfer import export_study, import_study

__all__ = ["KnowledgeGradientSampler", "export_study", "import_study", "recommend"]
