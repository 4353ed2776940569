"""Complete tables of a known concept: every case there is, labelled by a rule.

A learner that finds the rule is right everywhere, so the tables measure what a representation can express.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from bough.datasets._build import Array, RandomState, check_size, generator, mislabel, nominal
from bough.datasets.dataset import Dataset
from bough.errors import ParameterError

_MONKS = {
    "head_shape": ("round", "square", "octagon"),
    "body_shape": ("round", "square", "octagon"),
    "is_smiling": ("yes", "no"),
    "holding": ("sword", "balloon", "flag"),
    "jacket_color": ("red", "yellow", "green", "blue"),
    "has_tie": ("yes", "no"),
}


def make_monks(problem: int = 1, *, noise: float = 0.0, random_state: RandomState = None) -> Dataset:
    """The MONK's problems: all 432 robots, labelled by one of three rules.

    1. head and body have the same shape, or the jacket is red;
    2. exactly two of the six columns have their first level;
    3. the jacket is green and the robot holds a sword, or the jacket is not blue and the body no octagon.

    Parameters
    ----------
    problem : {1, 2, 3}, default=1
        Which rule.
    noise : float, default=0.0
        Share of the labels to turn wrong. The training rows published for the third problem had 5 % of them.
    random_state : int, numpy Generator or None, default=None
        Which labels, None a fixed key; nothing is drawn without noise.

    Returns
    -------
    Dataset

    References
    ----------
    .. [1] Thrun, S. B. and others (1991). The MONK's problems: a performance comparison of different learning
       algorithms. Carnegie Mellon University, CMU-CS-91-197.

    Examples
    --------
    >>> from bough.datasets import make_monks
    >>> [int(make_monks(k).target.sum()) for k in (1, 2, 3)]
    [216, 142, 228]
    """
    if problem not in (1, 2, 3):
        raise ParameterError(f"problem is {problem!r}; choose 1, 2 or 3")
    rows = list(product(*_MONKS.values()))
    if problem == 1:
        answer = [head == body or jacket == "red" for head, body, _, _, jacket, _ in rows]
    elif problem == 2:
        firsts = [levels[0] for levels in _MONKS.values()]
        answer = [sum(cell == first for cell, first in zip(row, firsts, strict=True)) == 2 for row in rows]
    else:
        answer = [
            (jacket == "green" and holding == "sword") or (jacket != "blue" and body != "octagon")
            for _, body, _, holding, jacket, _ in rows
        ]
    data = {name: nominal(values) for name, values in zip(_MONKS, zip(*rows, strict=True), strict=True)}
    target = mislabel(np.array(answer, dtype=np.int64), noise, generator(random_state))
    return Dataset("monks", data, target, "monk", f"MONK's problem {problem}: is the robot a monk?", _MONKS)


_SQUARES = tuple(f"{row}_{column}" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right"))
_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def make_tic_tac_toe() -> Dataset:
    """All 958 boards on which a game of tic-tac-toe can end when x moves first; the target says whether x won.

    Returns
    -------
    Dataset
        Levels are b (blank), o and x; the target is positive where x won. Games won by x come first, then those
        won by o, then draws.

    References
    ----------
    .. [1] Aha, D. W. (1991). Incremental constructive induction: an instance-based approach. Proceedings of the
       Eighth International Workshop on Machine Learning, 117-121.

    Examples
    --------
    >>> from bough.datasets import make_tic_tac_toe
    >>> endgame = make_tic_tac_toe()
    >>> len(endgame), int((endgame.target == "positive").sum())
    (958, 626)
    """
    ends = [(board, winner) for board in product("xob", repeat=9) if (winner := _game_over(board)) is not None]
    ends.sort(key=lambda end: "xo-".index(end[1]))
    boards = list(zip(*(board for board, _ in ends), strict=True))
    return Dataset(
        "tic_tac_toe",
        {square: nominal(cells) for square, cells in zip(_SQUARES, boards, strict=True)},
        nominal(["positive" if winner == "x" else "negative" for _, winner in ends]),
        "class",
        "End positions of tic-tac-toe: did x, who moved first, win?",
        {**dict.fromkeys(_SQUARES, ("b", "o", "x")), "class": ("negative", "positive")},
    )


def _game_over(board: tuple[str, ...]) -> str | None:
    """The winner, "-" for a draw, or None if no game ends with this board.

    The last stone ended the game, so the winner moved last and every line of the winner shares a square.
    """
    lead = board.count("x") - board.count("o")
    won = {player: [line for line in _LINES if all(board[k] == player for k in line)] for player in "xo"}
    if won["x"] and won["o"]:
        return None
    for player, after_own_move in (("x", 1), ("o", 0)):
        if won[player]:
            shared = set.intersection(*(set(line) for line in won[player]))
            return player if lead == after_own_move and shared else None
    return "-" if "b" not in board and lead == 1 else None


def make_balance_scale() -> Dataset:
    """All 625 ways to load a scale: to which side does it tip?

    Weights and distances run from 1 to 5; the side with the larger weight times distance goes down.

    Returns
    -------
    Dataset
        The target is L (left), B (balanced) or R (right).

    References
    ----------
    .. [1] Siegler, R. S. (1976). Three aspects of cognitive development. Cognitive Psychology 8, 481-520.

    Examples
    --------
    >>> from bough.datasets import make_balance_scale
    >>> scale = make_balance_scale()
    >>> [int((scale.target == side).sum()) for side in "LBR"]
    [288, 49, 288]
    """
    grid = np.array(list(product(range(1, 6), repeat=4)), dtype=np.int64)
    names = ("left_weight", "left_distance", "right_weight", "right_distance")
    tips = np.sign(grid[:, 0] * grid[:, 1] - grid[:, 2] * grid[:, 3])
    return Dataset(
        "balance_scale",
        {name: grid[:, k].copy() for k, name in enumerate(names)},
        nominal([{1: "L", 0: "B", -1: "R"}[int(tip)] for tip in tips]),
        "class",
        "A scale with two weights at two distances.",
        {"class": ("L", "B", "R")},
    )


def make_majority_of_bits(bits: int = 7, *, noise: float = 0.0, random_state: RandomState = None) -> Dataset:
    """All words of some bits; the target says whether more than half of them are on.

    The shortest tree has to count, so it grows exponentially with the bits: a concept that suits trees badly.

    Parameters
    ----------
    bits : int, default=7
        Length of the words, at most 20; there are ``2 ** bits`` rows.
    noise : float, default=0.0
        Share of the labels to turn wrong.
    random_state : int, numpy Generator or None, default=None
        Which labels, None a fixed key; nothing is drawn without noise.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> from bough.datasets import make_majority_of_bits
    >>> majority = make_majority_of_bits(3)
    >>> majority.target.tolist()
    [0, 0, 0, 1, 0, 1, 1, 1]
    """
    check_size(bits, "bits")
    if bits > 20:
        raise ParameterError(f"bits is {bits}; give at most 20, which are {2**20} rows")
    words = np.arange(2**bits)
    on: list[Array] = [words >> position & 1 == 1 for position in reversed(range(bits))]
    majority = 2 * np.sum(on, axis=0) > bits
    return Dataset(
        "majority_of_bits",
        {f"bit{k + 1}": column for k, column in enumerate(on)},
        mislabel(majority.astype(np.int64), noise, generator(random_state)),
        "majority",
        "Are more than half of the bits on?",
    )
