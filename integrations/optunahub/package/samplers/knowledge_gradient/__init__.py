from knowgrad.integrations.optuna import KnowledgeGradientSampler, recommend

__all__ = ["KnowledgeGradientSampler", "recommend"]
