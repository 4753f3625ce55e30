"""The search estimator: scikit-learn's own checks, and what it adds to `RandomizedSearchCV`."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.datasets import load_iris, make_regression
from sklearn.decomposition import PCA
from sklearn.dummy import DummyRegressor
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import KFold, RandomizedSearchCV, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import knowgrad as kg
from knowgrad.integrations.sklearn import KnowledgeGradientSearchCV
from knowgrad.integrations.sklearn.distributions import as_indexed

X, Y = load_iris(return_X_y=True)
R, T = make_regression(60, 5, noise=20.0, random_state=0)
ALPHA = {"alpha": kg.Float(1e-3, 1e3, log=True)}


class Cheap(Ridge):
    """Whose score is best where least is done."""

    def score(self, X, y, sample_weight=None):
        return super().score(X, y) + 1.0 / self.max_iter


def search(**options):
    return KnowledgeGradientSearchCV(Ridge(), ALPHA, **{"n_iter": 6, "cv": 3, "random_state": 0, **options})


# scikit-learn expects these two of its own searches to fail as well.
def expected_failures(estimator):
    return {
        "check_supervised_y_2d": "DataConversionWarning not caught",
        "check_requires_y_none": "Doesn't fail gracefully",
    }


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(
    [
        KnowledgeGradientSearchCV(Ridge(), ALPHA, n_iter=2, cv=2, error_score="raise", random_state=0),
        KnowledgeGradientSearchCV(
            Pipeline([("pca", PCA()), ("ridge", Ridge())]),
            {"ridge__alpha": [0.1, 1.0]},
            n_iter=2,
            cv=2,
            error_score="raise",
            random_state=0,
        ),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_s_checks(estimator, check):
    check(estimator)


def test_the_fitted_attributes_are_those_of_randomized_search():
    options = {"n_iter": 3, "cv": 3, "random_state": 0, "return_train_score": True}
    theirs = RandomizedSearchCV(Ridge(), {"alpha": stats.loguniform(1e-3, 1e3)}, **options).fit(R, T)
    ours = KnowledgeGradientSearchCV(Ridge(), {"alpha": stats.loguniform(1e-3, 1e3)}, **options).fit(R, T)
    public = {name for name in vars(theirs) if name.endswith("_") and not name.startswith("_")}
    assert public <= set(vars(ours))
    assert ours.cv_results_.keys() == theirs.cv_results_.keys()
    assert ours.best_params_ == ours.cv_results_["params"][ours.best_index_]
    assert ours.best_score_ == max(ours.cv_results_["mean_test_score"])
    assert ours.predict(R).shape == theirs.predict(R).shape


def test_a_pipeline_with_a_choice_of_steps():
    pipeline = Pipeline([("scale", StandardScaler()), ("svc", SVC())])
    space = {
        "scale": [StandardScaler(), MinMaxScaler(), "passthrough"],
        "svc__C": stats.loguniform(1e-2, 1e3),
        "svc__gamma": kg.Float(1e-4, 1e1, log=True),
    }
    found = KnowledgeGradientSearchCV(pipeline, space, n_iter=16, batch_size=4, cv=3, random_state=0).fit(X, Y)
    assert found.best_score_ > 0.95
    assert found.score(X, Y) > 0.95
    assert len(found.cv_results_["params"]) == 16
    assert found.recommendation_.params.keys() == space.keys()
    assert any(found.recommendation_.params["scale"] is option for option in space["scale"])


def test_clone_and_pickle():
    made = search(noise="learned", batch_size=2)
    copy = clone(made)
    assert copy.get_params()["param_distributions"] == ALPHA
    fitted = pickle.loads(pickle.dumps(copy.fit(R, T)))
    np.testing.assert_array_equal(fitted.predict(R), made.fit(R, T).predict(R))
    assert fitted.recommendation_.params == made.recommendation_.params


def test_the_same_random_state_gives_the_same_candidates():
    first, second = (search(n_iter=8).fit(R, T).cv_results_["params"] for _ in range(2))
    assert first == second
    assert first != search(n_iter=8, random_state=1).fit(R, T).cv_results_["params"]


def test_the_spread_over_the_folds_is_the_noise():
    made = search().fit(R, T)
    spread = np.array([0.3, 0.3, 0.3])
    assert made._sems(spread) == pytest.approx([0.3 / np.sqrt(3)] * 3)
    assert made._sems(np.array([0.0, 0.4, 0.4]))[0] > 0
    assert search(noise="learned").fit(R, T)._sems(spread) == [None] * 3


@pytest.mark.parametrize("refit", [True, "posterior"])
def test_what_is_refitted_is_at_the_target_of_a_fidelity(refit):
    space = {"alpha": kg.Float(1e-3, 1e3, log=True), "max_iter": kg.Fidelity(1, 500)}
    found = KnowledgeGradientSearchCV(Cheap(), space, n_iter=8, cv=3, random_state=0, refit=refit).fit(R, T)
    tried = [candidate["max_iter"] for candidate in found.cv_results_["params"]]
    assert set(tried) > {500}
    assert found.cv_results_["params"][int(np.argmax(found.cv_results_["mean_test_score"]))]["max_iter"] < 500
    assert found.best_params_["max_iter"] == found.recommendation_.params["max_iter"] == 500


def test_refit_by_the_posterior_mean_prefers_a_likely_candidate_to_a_lucky_one():
    class Lucky(Ridge):
        """Ridge, but one candidate is lucky by far more than its neighbours allow."""

        def score(self, X, y):
            return -abs(np.log10(self.alpha)) + (4.0 if 20 < self.alpha < 100 and len(y) % 2 else 0.0)

    options = {"n_iter": 14, "cv": KFold(3), "noise": 2.0}
    lucky = KnowledgeGradientSearchCV(Lucky(), ALPHA, random_state=0, **options).fit(R[:58], T[:58])
    likely = KnowledgeGradientSearchCV(Lucky(), ALPHA, random_state=0, refit="posterior", **options).fit(R[:58], T[:58])
    assert lucky.cv_results_["params"] == likely.cv_results_["params"]
    assert abs(np.log10(likely.best_params_["alpha"])) < abs(np.log10(lucky.best_params_["alpha"]))
    assert likely.best_score_ == likely.cv_results_["mean_test_score"][likely.best_index_]
    assert likely.best_estimator_.alpha == likely.best_params_["alpha"]


def test_several_metrics_are_all_reported_and_one_is_optimized():
    options = {"scoring": ["r2", "neg_mean_absolute_error"], "n_iter": 6}
    found = search(refit="neg_mean_absolute_error", **options).fit(R, T)
    assert found.multimetric_
    assert found.recommendation_.best.value == max(found.cv_results_["mean_test_neg_mean_absolute_error"])
    assert not hasattr(search(refit=False, **options).fit(R, T), "best_estimator_")


@pytest.mark.parametrize("batch_size", [1, 4])
def test_a_candidate_that_cannot_be_fitted_is_a_failed_trial(batch_size):
    class Fragile(Ridge):
        def fit(self, X, y):
            if self.alpha > 1.0:
                raise ValueError("too stiff")
            return super().fit(X, y)

    made = KnowledgeGradientSearchCV(Fragile(), ALPHA, n_iter=9, batch_size=batch_size, cv=2, random_state=0)
    with pytest.warns((FitFailedWarning, UserWarning), match="fits failed|non-finite"):
        found = made.fit(R, T)
    assert found.best_params_["alpha"] <= 1.0
    assert found.recommendation_.params["alpha"] <= 1.5


def test_a_model_that_can_never_be_fitted_is_an_error():
    with pytest.warns(FitFailedWarning), pytest.raises(ValueError, match="fits failed"):
        KnowledgeGradientSearchCV(Ridge(), {"alpha": (-2.0, -1.0)}, n_iter=3, cv=2, random_state=0).fit(R, T)


def test_a_small_space_is_searched_once_and_not_again():
    space = {"strategy": ["mean", "median"], "constant": [None, 1.0, 2.0]}
    found = KnowledgeGradientSearchCV(DummyRegressor(), space, n_iter=20, batch_size=2, cv=2, random_state=0).fit(R, T)
    assert len({repr(params) for params in found.cv_results_["params"]}) == len(found.cv_results_["params"]) == 6


def test_constraints_between_parameters_hold():
    model = make_pipeline(StandardScaler(), LogisticRegression())
    space = kg.Space(
        {"logisticregression__C": (0.1, 10.0), "logisticregression__tol": (1e-4, 1e-1)},
        constraints=["logisticregression__C + 100 * logisticregression__tol <= 8"],
    )
    found = KnowledgeGradientSearchCV(model, space, n_iter=8, cv=2, random_state=0).fit(X, Y)
    for params in found.cv_results_["params"]:
        assert params["logisticregression__C"] + 100 * params["logisticregression__tol"] <= 8 + 1e-9


def test_every_form_of_a_parameter():
    indexed = as_indexed(
        {
            "a": stats.uniform(1.0, 2.0),
            "b": stats.loguniform(1e-3, 1e2),
            "c": stats.randint(2, 10),
            "d": kg.Int(1, 5),
            "e": (0.5, 1.5),
            "f": ["x", None],
            "g": np.logspace(-1, 1, 3),
            "h": ("l1", "l2"),
            "i": ((1, 1), (1, 2)),
            "j": stats.poisson(30),
            "k": stats.expon(scale=10),
            "l": [np.array([1, 2]), np.array([3])],
            "m": [1, 1],
        }
    )
    assert indexed.space.parameters["a"] == kg.Float(1.0, 3.0)
    assert indexed.space.parameters["b"] == kg.Float(1e-3, 1e2, log=True)
    assert indexed.space.parameters["c"] == kg.Int(2, 9)
    assert indexed.space.parameters["e"] == kg.Float(0.5, 1.5)
    assert indexed.space.parameters["j"] == kg.Int(15, 48)
    params = {
        "a": 1.5,
        "b": 0.1,
        "c": 3,
        "d": 2,
        "e": 1.0,
        "f": 1,
        "g": 2,
        "h": 1,
        "i": 0,
        "j": 20,
        "k": 0.5,
        "l": 1,
        "m": 1,
    }
    meant = indexed.decode(params)
    assert meant.pop("k") == pytest.approx(10 * np.log(2))  # the median
    np.testing.assert_array_equal(meant.pop("l"), [3])
    kept = {name: value for name, value in params.items() if name not in "kl"}
    assert meant == {**kept, "f": None, "g": 10.0, "h": "l2", "i": (1, 1), "m": 1}


def test_a_distribution_that_can_only_be_drawn_from():
    class Drawn:
        def __init__(self, draw):
            self.draw = draw

        def rvs(self, random_state):
            return self.draw(random_state)

    indexed = as_indexed(
        {
            "skewed": Drawn(lambda rng: rng.exponential()),
            "whole": Drawn(lambda rng: rng.randint(10**6)),
            "few": Drawn(lambda rng: rng.choice(["a", "b"])),
        }
    )
    meant = indexed.decode({"skewed": 0.5, "whole": 0.5, "few": 1})
    assert meant["skewed"] == pytest.approx(np.log(2), abs=0.1)
    assert meant["whole"] == pytest.approx(5e5, rel=0.1)
    assert isinstance(meant["whole"], int)
    assert set(indexed.options["few"]) == {"a", "b"}


def test_of_a_list_of_dicts_the_best_gets_the_candidates():
    spaces = [{"alpha": kg.Float(1e-3, 1e3, log=True)}, {"alpha": [1e6, 1e7], "fit_intercept": [False]}]
    found = KnowledgeGradientSearchCV(Ridge(), spaces, n_iter=14, cv=3, random_state=0).fit(R, T)
    params = found.cv_results_["params"]
    assert len(params) == 14
    assert sum("fit_intercept" in each for each in params) <= 2
    assert found.best_params_["alpha"] <= 1e3
    assert found.recommendation_.params.keys() == {"alpha"}
    assert found.recommendation_.best.value == max(found.cv_results_["mean_test_score"])
    likely = KnowledgeGradientSearchCV(Ridge(), spaces, n_iter=14, cv=3, random_state=0, refit="posterior").fit(R, T)
    assert likely.cv_results_["params"] == params
    assert likely.best_params_ == params[likely.best_index_]


def test_a_list_of_dicts_is_one_space_with_conditions():
    wide, rate = stats.loguniform(1e-2, 1e2), stats.expon(scale=10)
    joint = as_indexed(
        [
            {"kernel": ["linear"], "C": wide, "tol": [1, 2]},
            {"kernel": ["rbf"], "C": stats.loguniform(1e-2, 1e2), "gamma": rate, "tol": [1, 2]},
            {"kernel": ["poly", "sigmoid"], "C": wide, "gamma": stats.expon(scale=10), "tol": [2, 3]},
        ]
    )
    assert joint.space == kg.Space(
        {
            "dict": [0, 1, 2],
            "C": kg.Float(1e-2, 1e2, log=True),
            "tol": kg.Choice([0, 1], when={"dict": [0, 1]}),
            "gamma": kg.Float(0.001, 0.999, when={"dict": [1, 2]}),
            "kernel": kg.Choice([0, 1], when={"dict": [2]}),
            "tol (2)": kg.Choice([0, 1], when={"dict": [2]}),
        }
    )
    assert joint.decode({"dict": 0, "C": 1.0, "tol": 1}) == {"kernel": "linear", "C": 1.0, "tol": 2}
    found = joint.decode({"dict": 2, "C": 1.0, "gamma": 0.5, "kernel": 1, "tol (2)": 1})
    assert found == {"kernel": "sigmoid", "C": 1.0, "gamma": pytest.approx(10 * np.log(2)), "tol": 3}


def test_conditions_within_dicts_name_the_options():
    tree = {"kind": ["tree", "dart", None], "drop": kg.Float(0.0, 1.0, when={"kind": ["dart", None]})}
    alone = as_indexed(tree)
    assert alone.space.parameters["drop"] == kg.Float(0.0, 1.0, when={"kind": [1, 2]})
    both = as_indexed([{"kind": ["flat", "flatter"]}, tree])
    assert both.space.parameters["drop"] == kg.Float(0.0, 1.0, when={"dict": [1], "kind (2)": [1, 2]})
    assert both.decode({"dict": 1, "kind (2)": 2, "drop": 0.5}) == {"kind": None, "drop": 0.5}
    with pytest.raises(kg.errors.SpaceError, match="parameter 'kind': expected one of"):
        as_indexed({**tree, "drop": kg.Float(0.0, 1.0, when={"kind": "oak"})})


def test_what_is_learned_in_one_dict_counts_in_the_others():
    class Bowl(Ridge):
        def score(self, X, y):
            return -((np.log10(self.alpha) - 0.5) ** 2) - 0.01 * self.fit_intercept

    alpha = kg.Float(1e-3, 1e3, log=True)
    spaces = [{"alpha": alpha, "fit_intercept": [True]}, {"alpha": alpha, "fit_intercept": [False], "tol": (0.1, 0.2)}]
    found = KnowledgeGradientSearchCV(Bowl(), spaces, n_iter=14, cv=2, random_state=0, noise=0).fit(R, T)
    assert np.log10(found.recommendation_.params["alpha"]) == pytest.approx(0.5, abs=0.1)
    assert not found.recommendation_.params["fit_intercept"]
    assert "tol" in found.recommendation_.params


def test_a_space_that_is_evaluated_as_a_whole_is_so_at_once_and_in_order():
    made = KnowledgeGradientSearchCV(Ridge(), [{"alpha": [1.0, 10.0]}, {"alpha": kg.Int(3, 4)}], n_iter=4, cv=2)
    assert [each["alpha"] for each in made.fit(R, T).cv_results_["params"]] == [1.0, 10.0, 3, 4]


def test_warnings_of_all_batches_come_once_and_those_of_estimators_pass():
    class Odd(Ridge):
        def fit(self, X, y):
            if self.alpha > 30 and y[0] == T[0]:  # in two of three folds
                raise ValueError("too stiff")
            if 1 < self.alpha < 30:
                warnings.warn("halfway", UserWarning, stacklevel=2)
            return super().fit(X, y)

        def score(self, X, y):
            return np.nan if self.alpha < 1e-2 else super().score(X, y)

    made = KnowledgeGradientSearchCV(Odd(), ALPHA, n_iter=10, cv=KFold(3), batch_size=1, random_state=0)
    with pytest.warns() as caught:
        found = made.fit(R, T)
    said = [str(each.message) for each in caught]
    assert sum("non-finite" in text for text in said) == 1
    failed = [text for text in said if "fits failed out of a total of" in text]
    stiff = sum(each["alpha"] > 30 for each in found.cv_results_["params"])
    assert len(failed) == (1 if stiff else 0)
    assert stiff
    assert "halfway" in said


def test_an_empty_iterator_of_folds_is_scikit_learn_s_error():
    made = KnowledgeGradientSearchCV(Ridge(), ALPHA, n_iter=3, cv=iter([]), n_jobs=2)
    with pytest.raises(ValueError, match="No fits were performed"):
        made.fit(R, T)


@pytest.mark.parametrize("form", ["auto", [], 3])
def test_what_is_no_range_is_refused(form):
    with pytest.raises(kg.errors.SpaceError, match="parameter 'alpha': expected a list of options"):
        KnowledgeGradientSearchCV(Ridge(), {"alpha": form}).fit(R, T)


def test_the_search_finds_what_the_folds_reward():
    found = KnowledgeGradientSearchCV(SVC(), {"C": kg.Float(1e-3, 1e3, log=True)}, n_iter=12, cv=3, random_state=0)
    found.fit(X, Y)
    grid = max(cross_val_score(SVC(C=c), X, Y, cv=3).mean() for c in np.logspace(-3, 3, 13))
    assert found.best_score_ >= grid - 0.01


def test_a_limit_on_another_score_holds_for_what_is_refitted():
    scoring = {"r2": "r2", "small": lambda estimator, X, y: -float(np.abs(estimator.coef_).sum())}
    options = {"n_iter": 10, "batch_size": 5, "cv": 3, "random_state": 0, "scoring": scoring, "refit": "r2"}
    free = KnowledgeGradientSearchCV(Ridge(), {"alpha": kg.Float(1e-3, 1e3, log=True)}, **options).fit(R, T)
    most = 0.5 * float(free.cv_results_["mean_test_small"][free.best_index_])
    options["limits"] = [f"small >= {most}"]
    held = KnowledgeGradientSearchCV(Ridge(), {"alpha": kg.Float(1e-3, 1e3, log=True)}, **options).fit(R, T)
    assert held.cv_results_["mean_test_small"][held.best_index_] >= most
    assert held.best_params_["alpha"] > free.best_params_["alpha"]
    assert held.recommendation_.outcomes.keys() == {"r2", "small"}
    assert clone(held).limits == options["limits"]
    options["limits"] = ["other >= 1"]
    with pytest.raises(kg.errors.ArgumentError, match="expected one of the scores"):
        KnowledgeGradientSearchCV(Ridge(), {"alpha": kg.Float(1e-3, 1e3, log=True)}, **options).fit(R, T)
