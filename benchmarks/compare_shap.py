"""Shapley values of one tree, by bough and by shap's TreeExplainer, in one run on one thread each.

    pip install shap
    python benchmarks/compare_shap.py

Binary trees of several sizes are grown by bough and handed to shap node by node, so that both explain the same tree on
the same rows. Printed are the medians of the times, their ratio (above 1: bough is faster) and the largest difference
between the values of the two.
"""

import argparse
import statistics
import time

import numpy as np

import bough


def table(rows, columns, seed):
    """Numbers, with a target that asks several of them."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns))
    y = X[:, 0] + X[:, 1] * X[:, 2] + np.where(X[:, 3] > 0, X[:, 4], -X[:, 5]) + 0.3 * rng.normal(size=rows)
    return X, y


def as_shap(estimator):
    """The tree as shap reads it: arrays of a binary tree with thresholds, low to the left."""
    import shap

    arrays = estimator.tree_.arrays
    nodes = estimator.tree_.n_nodes
    inner = np.diff(arrays.child_begin) > 0
    first = arrays.split_begin[:-1][inner]
    left, right = np.full(nodes, -1), np.full(nodes, -1)
    left[inner] = arrays.children[arrays.child_begin[:-1][inner]]
    right[inner] = arrays.children[arrays.child_begin[:-1][inner] + 1]
    features, thresholds = np.full(nodes, -2), np.zeros(nodes)
    features[inner] = arrays.split_column[first]
    thresholds[inner] = arrays.split_payload[first].view(np.float64)
    if estimator.tree_.is_classifier:
        values = estimator.tree_.probabilities(np.arange(nodes, dtype=np.int32))
    else:
        values = arrays.value.reshape(-1, 1)
    tree = {
        "children_left": left.astype(np.int32),
        "children_right": right.astype(np.int32),
        "children_default": left.astype(np.int32),
        "features": features.astype(np.int32),
        "thresholds": thresholds,
        "values": np.array(values),
        "node_sample_weight": np.array(arrays.weight),
    }
    return shap.TreeExplainer({"trees": [tree]})


def seconds(call, repeats):
    """The median time of some calls, and the last result."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - start)
    return statistics.median(times), result


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--rows", type=int, default=2000, help="rows to explain")
    options = parser.parse_args()
    cases = [  # name, training rows, columns, classes, smallest leaf
        ("regression, small", 2_000, 8, 0, 50),
        ("regression", 20_000, 10, 0, 20),
        ("regression, deep", 20_000, 30, 0, 3),
        ("two classes", 20_000, 14, 2, 10),
        ("five classes", 20_000, 14, 5, 10),
    ]
    print(f"{'tree':<20}{'leaves':>8}{'depth':>7}{'bough s':>10}{'shap s':>10}{'ratio':>8}{'differ':>10}")
    for name, rows, columns, classes, leaf in cases:
        X, y = table(rows, columns, seed=1)
        if classes:
            y = np.digitize(y, np.quantile(y, np.linspace(0, 1, classes + 1)[1:-1]))
        kind = bough.CARTClassifier if classes else bough.CARTRegressor
        model = kind(pruning=None, min_samples_leaf=leaf, min_samples_split=2 * leaf, max_surrogates=0, n_jobs=1)
        model.fit(X, y)
        told = np.array(X[: options.rows])
        ours, found = seconds(lambda m=model, t=told: m.shap_values(t), options.repeats)
        explainer = as_shap(model)
        theirs, expected = seconds(
            lambda e=explainer, t=told: e.shap_values(t, check_additivity=False), options.repeats
        )
        differ = float(np.abs(found - np.asarray(expected).reshape(found.shape)).max())
        print(
            f"{name:<20}{model.get_n_leaves():>8}{model.get_depth():>7}{ours:>10.4f}{theirs:>10.4f}"
            f"{theirs / ours:>8.1f}{differ:>10.1e}",
            flush=True,
        )


if __name__ == "__main__":
    main()
