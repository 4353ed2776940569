"""Parity with Weka: J48 of 3.9.7 (3.6.14 for -R) and Id3 of 3.6.14, in printed trees and class probabilities."""

import numpy as np

import bough
from bough.testing.c45 import cases_of, id3_text, read_tree, tree_text


def test_the_plain_version_gives_the_trees_of_our_own_tables(kept_weka_fits, own_table):
    for fit in kept_weka_fits(own_table):
        model = fit.plain
        assert model.text() == fit.record["text"], fit.learner
        for rows, fitted in ((fit.X, "pred_train"), (fit.masked, "pred_masked")):
            if fitted in fit.record:
                ours = [model.probabilities(case) for case in cases_of(rows)]
                np.testing.assert_allclose(ours, fit.record[fitted], atol=1e-9, err_msg=fit.learner)


def test_fits_on_our_own_tables_are_equal(kept_weka_fits, own_table):
    for fit in kept_weka_fits(own_table):
        assert list(differences(fit, fitted(fit))) == [], fit.learner


def test_every_recorded_fit_is_equal(class_tables, recorded_weka_fits, record_property):
    compared, wrong = 0, []
    for name in class_tables:
        for fit in recorded_weka_fits(name):
            compared += 1
            wrong += [f"{name} {fit.learner}: {what}" for what in differences(fit, fitted(fit))]
    record_property("summary", f"parity with Weka: {compared} fits compared, {len(wrong)} differences")
    assert not wrong, "\n".join(wrong)


def fitted(fit):
    program = "Id3" if fit.learner == "Id3" else "J48"
    return bough.like(program, **fit.arguments).fit(fit.X, fit.y)


def printed(fit, estimator):
    """The tree in Weka's form."""
    binary = "B" in fit.arguments
    root = read_tree(estimator.tree_.kernel, binary=binary)
    if fit.learner == "Id3":
        return id3_text(fit.plain_table, root)
    title = f"J48 {'unpruned' if 'U' in fit.arguments else 'pruned'} tree"
    return tree_text(fit.plain_table, root, title, binary=binary)


def differences(fit, estimator):
    """What differs from the record, as sentences."""
    ours, theirs = printed(fit, estimator), fit.record["text"]
    # Long records were cut off.
    if not (ours == theirs or (len(theirs) >= 400_000 and ours.startswith(theirs[:399_000]))):
        line = next(i for i, (a, b) in enumerate(zip(lines(ours), lines(theirs), strict=False)) if a != b)
        yield f"text, line {line}: {lines(ours)[line]!r} here, {lines(theirs)[line]!r} there"
    sizes = (estimator.get_n_leaves(), len(estimator.tree_))
    recorded = tuple(int(fit.record.get(name, size)) for name, size in zip(SIZES, sizes, strict=True))
    if sizes != recorded:
        yield f"leaves and nodes: {sizes} here, {recorded} there"
    for rows, what in ((fit.X, "pred_train"), (fit.masked, "pred_masked")):
        if what in fit.record:
            order = [estimator.classes_.tolist().index(label) for label in fit.y.cat.categories]
            off = np.abs(estimator.predict_proba(rows)[:, order] - np.array(fit.record[what])).max(axis=1)
            if (off > 1e-9).any():
                yield f"{what}: {(off > 1e-9).sum()} rows differ, by up to {off.max():.3g}"


SIZES = ("num_leaves", "tree_size")


def lines(text):
    return [*text.split("\n"), "end"]
