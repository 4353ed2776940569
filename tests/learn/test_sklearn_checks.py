"""Every estimator keeps scikit-learn's contract, without excuses."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from bough.learn import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CHAIDClassifier,
    ID3Classifier,
    TreeClassifier,
    TreeRegressor,
)
from bough.recipe import CrossValidated, Entropy

AS_RPART = {"min_samples_split": 20, "min_samples_leaf": 7}
ESTIMATORS = [
    CARTClassifier(),
    CARTClassifier(criterion="entropy", pruning=CrossValidated(cv=3), **AS_RPART),
    CARTClassifier(criterion="twoing", missing="stop", pruning=None, **AS_RPART),
    CARTClassifier(criterion="misclassification", missing="majority_branch"),
    CARTRegressor(),
    CARTRegressor(criterion="absolute_error", pruning=None),
    CARTRegressor(criterion="worst_error", max_leaf_nodes=8),
    CARTRegressor(pruning=CrossValidated(cv=3), **AS_RPART),
    C45Classifier(),
    C45Classifier(branching="one_level", leaf="laplace"),
    C45Classifier(pruning=None, criterion=Entropy(threshold_penalty=True, many_valued_share=0.3)),
    CHAIDClassifier(),
    ID3Classifier(),
    ID3Classifier(bins="equal_frequency", missing="fractional"),
    ID3Classifier(bins="equal_width", n_bins=8),
    TreeClassifier(),
    TreeClassifier(branching="per_level", criterion="gain_ratio", pruning="error_based", missing="fractional"),
    TreeClassifier(leaf="laplace", missing="most_likely", stopping=None, pruning=None),
    TreeRegressor(),
    TreeRegressor(criterion="absolute_error", leaf="mean", missing="majority_branch"),
    TreeRegressor(leaf="median", stopping=["max_leaves"], missing="stop"),
    TreeClassifier(missing="refuse"),
]


@parametrize_with_checks(ESTIMATORS)
def test_contract(estimator, check):
    check(estimator)
