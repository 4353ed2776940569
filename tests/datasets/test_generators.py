"""Complete concepts and random generators: known counts, known best errors, the same seed gives the same rows."""

import csv
import gzip
from itertools import product

import numpy as np
import pytest

from bough import datasets
from bough.datasets.simulated import _DIGITS
from bough.errors import ParameterError

RANDOM = ["led", "waveform", "friedman1", "friedman2", "friedman3", "diagonal", "two_lines", "circle"]


@pytest.mark.parametrize("name", RANDOM)
def test_a_seed_fixes_the_rows(name):
    one, two = (datasets.load(name, n=50, random_state=7) for _ in range(2))
    other = datasets.load(name, n=50, random_state=8)
    for column in one.columns:
        np.testing.assert_array_equal(one.columns[column], two.columns[column])
    assert any((one.columns[column] != other.columns[column]).any() for column in one.columns)


@pytest.mark.parametrize("name", RANDOM)
@pytest.mark.parametrize("n", [0, -1, 2.5, True, "3"])
def test_a_size_must_be_a_count(name, n):
    with pytest.raises(ParameterError, match="n is"):
        datasets.load(name, n=n)


@pytest.mark.parametrize("name", [*RANDOM, "monks", "majority_of_bits"])
@pytest.mark.parametrize("noise", [-0.1, np.nan])
def test_noise_must_be_possible(name, noise):
    with pytest.raises(ParameterError, match="noise is"):
        datasets.load(name, noise=noise)


@pytest.mark.parametrize("name", ["monks", "majority_of_bits", "diagonal", "two_lines", "circle"])
def test_noise_turns_exactly_that_share_of_the_labels(name):
    if name in RANDOM:
        clean, noisy = (datasets.load(name, n=200, noise=noise, random_state=0) for noise in (0, 0.05))
    else:
        clean, noisy = (datasets.load(name, noise=noise, random_state=0) for noise in (0, 0.05))
    assert int((clean.target != noisy.target).sum()) == round(0.05 * len(clean))


def test_monks_1_equals_the_shared_copy(shared):
    with gzip.open(shared / "oracle" / "input" / "monks1_test.csv.gz", "rt", encoding="utf-8") as file:
        expected = sorted(tuple(map(int, row)) for row in list(csv.reader(file))[1:])
    table = datasets.make_monks(1)
    codes = [[table.levels[name].index(v) + 1 for v in column] for name, column in table.data.items()]
    assert sorted(zip(*codes, table.target.tolist(), strict=True)) == expected
    with pytest.raises(ParameterError, match="problem is 4"):
        datasets.make_monks(4)


def test_tic_tac_toe_equals_the_shared_copy_row_by_row(shared):
    with (shared / "data" / "tic_tac_toe.csv").open(encoding="utf-8") as file:
        head, *expected = csv.reader(file)
    table = datasets.make_tic_tac_toe()
    assert list(table.columns) == head
    assert [list(row) for row in zip(*table.columns.values(), strict=True)] == expected


def test_tic_tac_toe_boards_are_the_ends_of_games_that_can_be_played():
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    ends, seen, open_boards = {}, set(), [("b",) * 9]
    while open_boards:
        board = open_boards.pop()
        if board in seen:
            continue
        seen.add(board)
        won = any(board[a] == board[b] == board[c] != "b" for a, b, c in lines)
        x_won = any(board[a] == board[b] == board[c] == "x" for a, b, c in lines)
        if won or "b" not in board:
            ends[board] = "positive" if x_won else "negative"
            continue
        stone = "x" if board.count("x") == board.count("o") else "o"
        open_boards += [(*board[:k], stone, *board[k + 1 :]) for k in range(9) if board[k] == "b"]
    table = datasets.make_tic_tac_toe()
    assert dict(zip(zip(*table.data.values(), strict=True), table.target, strict=True)) == ends


def test_the_best_rule_errs_26_percent_on_led_digits():
    hits = 0.0
    for shown in product("01", repeat=7):
        likelihoods = []
        for marks in _DIGITS:
            wrong = sum(a != b for a, b in zip(shown, marks, strict=True))
            likelihoods.append(0.1**wrong * 0.9 ** (7 - wrong))
        hits += max(likelihoods) / 10
    assert round(1 - hits, 2) == 0.26


def test_led_inverts_segments_as_often_as_asked():
    table = datasets.make_led(20_000, noise=0.1, irrelevant=2, random_state=0)
    shown = np.column_stack(list(table.data.values()))
    ideal = np.array([[mark == "1" for mark in marks] for marks in _DIGITS])[table.target]
    assert abs((shown[:, :7] != ideal).mean() - 0.1) < 0.005
    assert table.feature_names[7:] == ["noise1", "noise2"]
    assert abs(shown[:, 7:].mean() - 0.5) < 0.02


def test_waveforms_without_noise_mix_two_triangles():
    table = datasets.make_waveform(200, noise=0, random_state=0)
    waves = np.column_stack(list(table.data.values()))
    peaks = {1: (11, 15), 2: (11, 7), 3: (15, 7)}
    for wave, label in zip(waves, table.target.tolist(), strict=True):
        pair = np.column_stack([np.maximum(6 - abs(np.arange(1, 22) - peak), 0) for peak in peaks[label]])
        shares, rest, *_ = np.linalg.lstsq(pair, wave, rcond=None)
        assert rest < 1e-20
        assert shares.sum() == pytest.approx(1)


def test_friedman_functions_without_noise():
    x = {k: datasets.load(f"friedman{k}", n=100, noise=0, random_state=0) for k in (1, 2, 3)}
    c = x[1].data
    expected = 10 * np.sin(np.pi * c["x1"] * c["x2"]) + 20 * (c["x3"] - 0.5) ** 2 + 10 * c["x4"] + 5 * c["x5"]
    np.testing.assert_allclose(x[1].target, expected)
    c = x[2].data
    np.testing.assert_allclose(x[2].target, np.sqrt(c["x1"] ** 2 + (c["x2"] * c["x3"] - 1 / (c["x2"] * c["x4"])) ** 2))
    c = x[3].data
    np.testing.assert_allclose(x[3].target, np.arctan((c["x2"] * c["x3"] - 1 / (c["x2"] * c["x4"])) / c["x1"]))


def test_majority_of_bits_is_complete():
    table = datasets.make_majority_of_bits(5)
    words = set(zip(*(column.tolist() for column in table.data.values()), strict=True))
    assert len(words) == 32
    assert int(table.target.sum()) == 16
    with pytest.raises(ParameterError, match="bits is 21"):
        datasets.make_majority_of_bits(21)


def test_no_seed_is_a_fixed_one():
    first, second = (datasets.load("friedman1") for _ in range(2))
    assert np.array_equal(first.target, second.target)
