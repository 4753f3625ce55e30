"""scikit-learn's own tests of its searches, with `KnowledgeGradientSearchCV` in the place of `RandomizedSearchCV`."""

import inspect
from unittest.mock import patch

import pytest
import sklearn.model_selection

from knowgrad.integrations.sklearn import KnowledgeGradientSearchCV

with patch.object(sklearn.model_selection, "RandomizedSearchCV", KnowledgeGradientSearchCV):
    from sklearn.model_selection.tests import test_search as theirs

pytestmark = pytest.mark.filterwarnings("ignore")  # scikit-learn has filters of its own

NOT_OURS = {
    "test_search_with_2d_array": "asserts which three of four candidates RandomizedSearchCV draws with random_state=0",
    "test_array_api_search_cv_classifier": "needs other array libraries, and is skipped there without them",
}


def concerns(test):
    source = inspect.getsource(test)
    return "RandomizedSearchCV" in source or "_searchcv_callback_test_cases" in source


OURS = {name: test for name, test in vars(theirs).items() if name.startswith("test_") and concerns(test)}
globals().update({name: test for name, test in OURS.items() if name not in NOT_OURS})


def test_the_suite_is_there_and_what_is_left_out_is_part_of_it():
    assert len(OURS) >= 20
    assert theirs.RandomizedSearchCV is KnowledgeGradientSearchCV
    assert NOT_OURS.keys() <= OURS.keys()
