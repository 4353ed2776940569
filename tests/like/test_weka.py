"""`bough.like("Id3")`: Weka's Id3 has no options, and neither numbers nor regression."""

import pytest

import bough


def test_id3_refuses_numbers():
    clf = bough.like("Id3")
    assert isinstance(clf, bough.ID3Classifier)
    with pytest.raises(bough.errors.DataError, match="numeric"):
        clf.fit({"x": [1.0, 2.0]}, ["a", "b"])


def test_id3_has_no_arguments():
    with pytest.raises(TypeError, match="no argument"):
        bough.like("Id3", C=0.1)
    with pytest.raises(bough.errors.ParameterError, match="contradicts"):
        bough.like("Id3", "regression")
