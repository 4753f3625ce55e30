"""A pipeline with a bug in the first version of its objective: the run stops at once, and the study is unharmed."""

from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ShuffleSplit, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import knowgrad as kg

X, y = load_iris(return_X_y=True)
study = kg.Study({"C": kg.Float(1e-4, 1e2, log=True), "scale": [True, False]}, direction="maximize", seed=0)
study.add({"C": 1.0, "scale": True}, 0.96, sem=0.01)  # known from before
study.enqueue({"C": 0.01, "scale": True})  # to be tried first


def accuracy(params, trial):
    steps = [StandardScaler()] if params["scale"] else []
    model = make_pipeline(*steps, LogisticRegression(C=params["c"], max_iter=10_000))  # the bug: it is "C"
    scores = cross_val_score(model, X, y, cv=ShuffleSplit(8, test_size=0.3, random_state=trial.seed))
    return scores.mean(), scores.std() / len(scores) ** 0.5


def corrected(params, trial):
    return accuracy({**params, "c": params["C"]}, trial)


def watch(study, trial):
    print(f"trial {trial.number}: C = {trial.params['C']:.3g}, scaled: {trial.params['scale']}: {trial.value:.3f}")


try:
    study.maximize(accuracy, n_trials=12, progress=False)
except kg.errors.ObjectiveError as error:
    print(str(error).splitlines()[0])
    print([trial.state for trial in study.trials if trial.state == "failed"], "no failure was recorded")

best = study.maximize(corrected, n_trials=12, callbacks=[watch], catch=(), progress=False)
print(best)
