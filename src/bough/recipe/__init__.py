"""The parts that trees are made by: one module for each question, and the recipe that fills the slots.

Examples
--------
>>> from bough import TreeClassifier
>>> from bough.recipe import ErrorBased, MinRows, Significance
>>> clf = TreeClassifier(stopping=[MinRows(10), Significance(0.05)], pruning=ErrorBased(confidence=0.1))
>>> clf.set_params(stopping__min_rows__min_samples_split=5, missing="fractional").stopping[0]
MinRows(min_samples_split=5)
"""

from bough.recipe.branching import Binary, Grouped, Intervals, Merged, OneLevel, PerLevel
from bough.recipe.covering import NewRule
from bough.recipe.criterion import (
    AbsoluteError,
    ChiSquared,
    Entropy,
    ExpectedCost,
    GainRatio,
    Gini,
    Misclassification,
    SquaredError,
    Twoing,
    Variance,
    WeightedEntropy,
    WeightedGini,
    WorstError,
)
from bough.recipe.draws import JavaDraws, Keyed
from bough.recipe.leaf import Bayes, Laplace, Majority, Mean, Median, MEstimate
from bough.recipe.machine import Machine
from bough.recipe.missing import (
    Delete,
    Fractional,
    LearnedDirection,
    MajorityBranch,
    MostLikely,
    OwnBranch,
    Refuse,
    Stop,
    Surrogates,
)
from bough.recipe.network import Layer
from bough.recipe.part import Part
from bough.recipe.pruning import (
    Auto,
    CostComplexity,
    CrossValidated,
    DescriptionLength,
    ErrorBased,
    MergeLeaves,
    ReducedError,
    SignificantSplits,
    SizePenalty,
)
from bough.recipe.reading import Reading
from bough.recipe.sampling import Sampling
from bough.recipe.search import (
    Conjunctions,
    Curved,
    Discriminant,
    Exhaustive,
    Gradient,
    LinearCombination,
    Network,
    Omnivariate,
    Pairs,
    Perturb,
    Quest,
    SparseLogistic,
    Unbiased,
    Written,
)
from bough.recipe.stopping import (
    ErrorThreshold,
    GainsSoFar,
    GlobalCriterion,
    Layers,
    MajorityShare,
    MaxDepth,
    MaxImpurity,
    MaxLeaves,
    MinDecrease,
    MinGain,
    MinRows,
    Significance,
    Validation,
)
from bough.recipe.user import UserCriterion

__all__ = [
    "AbsoluteError",
    "Auto",
    "Bayes",
    "Binary",
    "ChiSquared",
    "Conjunctions",
    "CostComplexity",
    "CrossValidated",
    "Curved",
    "Delete",
    "DescriptionLength",
    "Discriminant",
    "Entropy",
    "ErrorBased",
    "ErrorThreshold",
    "Exhaustive",
    "ExpectedCost",
    "Fractional",
    "GainRatio",
    "GainsSoFar",
    "Gini",
    "GlobalCriterion",
    "Gradient",
    "Grouped",
    "Intervals",
    "JavaDraws",
    "Keyed",
    "Laplace",
    "Layer",
    "Layers",
    "LearnedDirection",
    "LinearCombination",
    "MEstimate",
    "Machine",
    "Majority",
    "MajorityBranch",
    "MajorityShare",
    "MaxDepth",
    "MaxImpurity",
    "MaxLeaves",
    "Mean",
    "Median",
    "MergeLeaves",
    "Merged",
    "MinDecrease",
    "MinGain",
    "MinRows",
    "Misclassification",
    "MostLikely",
    "Network",
    "NewRule",
    "Omnivariate",
    "OneLevel",
    "OwnBranch",
    "Pairs",
    "Part",
    "PerLevel",
    "Perturb",
    "Quest",
    "Reading",
    "ReducedError",
    "Refuse",
    "Sampling",
    "Significance",
    "SignificantSplits",
    "SizePenalty",
    "SparseLogistic",
    "SquaredError",
    "Stop",
    "Surrogates",
    "Twoing",
    "Unbiased",
    "UserCriterion",
    "Validation",
    "Variance",
    "WeightedEntropy",
    "WeightedGini",
    "WorstError",
    "Written",
]
