"""The leaves of J48's trees, minimised: no more rules and literals than were found before, each with its proof."""

import pytest

from bough.model.rules.cubes import minimise


@pytest.mark.parametrize(
    ("name", "leaves", "rules", "literals"),
    [
        ("titanic", 10, 5, 9),
        ("car", 131, 40, 174),
        ("tic_tac_toe", 90, 50, 207),
        ("heart", 30, 29, 105),
        ("diabetes", 20, 19, 58),
    ],
)
def test_leaves_become_few_rules(name, leaves, rules, literals, records, request, j48_leaves):
    source = records if name in records.names else request.getfixturevalue("shared_records")
    space, given = j48_leaves(*source.table(name))
    assert len(given) == leaves
    found = [
        minimise([cube for cube, answer in given if answer == own], space) for own in sorted({a for _, a in given})
    ]
    assert {one.how for one in found} == {"exact"}
    assert all(one.proof.holds for one in found)
    cubes = [cube for one in found for cube in one.cubes]
    assert len(cubes) == rules
    assert sum(mask != axis.full for cube in cubes for mask, axis in zip(cube, space, strict=True)) == literals
