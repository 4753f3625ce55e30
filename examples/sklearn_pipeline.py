"""A scikit-learn pipeline: as with RandomizedSearchCV, and the spread over the folds counts as noise."""

from scipy.stats import loguniform
from sklearn.datasets import load_breast_cancer
from sklearn.decomposition import PCA
from sklearn.model_selection import train_test_split
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC

import knowgrad as kg
from knowgrad.integrations.sklearn import KnowledgeGradientSearchCV

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)

search = KnowledgeGradientSearchCV(
    Pipeline([("scale", StandardScaler()), ("pca", PCA()), ("svc", SVC())]),
    {
        "scale": [StandardScaler(), MinMaxScaler()],
        "pca__n_components": kg.Int(2, 20),
        "svc__C": loguniform(1e-2, 1e3),
        "svc__gamma": loguniform(1e-4, 1e1),
    },
    n_iter=16,
    batch_size=4,
    cv=3,
    refit="posterior",  # the candidate the model thinks best, not the one with the luckiest folds
    random_state=0,
)
search.fit(X_train, y_train)
print(search.best_params_)
print(f"cross-validated {search.best_score_:.3f}, on the test set {search.score(X_test, y_test):.3f}")
