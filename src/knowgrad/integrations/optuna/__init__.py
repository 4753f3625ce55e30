"""knowgrad for Optuna: a sampler and a pruner, a recommendation, and studies carried over and back."""

from knowgrad.integrations.hosts import missing

try:
    from knowgrad.integrations.optuna.pruner import KnowledgeGradientPruner
    from knowgrad.integrations.optuna.recommendation import front, recommend
    from knowgrad.integrations.optuna.sampler import KnowledgeGradientSampler
    from knowgrad.integrations.optuna.storages import load_study
    from knowgrad.integrations.optuna.transfer import export_study, import_study
except ModuleNotFoundError as error:
    raise missing("optuna", "optuna", error) from error

__all__ = [
    "KnowledgeGradientPruner",
    "KnowledgeGradientSampler",
    "export_study",
    "front",
    "import_study",
    "load_study",
    "recommend",
]
