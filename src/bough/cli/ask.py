"""`bough ask`: the questions of a tree one by one, as in twenty questions, and the answer with its reason."""

import difflib
import math
import re
import string
import sys
from typing import Any

import click

from bough.cli.options import MODEL_FILE, json_option

__all__ = ["command", "run"]

_UNKNOWN = ("?", "don't know", "dont know", "do not know", "unknown")
_BACK = ("<", "back", "undo")
_QUIT = ("q", "quit", "exit")
_YES, _NO = ("y", "yes"), ("n", "no")
_HELP = "Answer with what is offered or with the value itself; ? if you don't know, < to go back, q to stop."
_MOST_LEVELS = 40  # that are listed


@click.command("ask")
@click.argument("model", type=MODEL_FILE)
@json_option
def command(**options: Any) -> None:
    """Ask the questions of the tree in MODEL one by one and say what it answers, and why.

    Only what lies on the way is asked. Answers are read line by line, from the terminal or from a pipe.
    """
    run(**options)


def run(*, model: str, as_json: bool) -> None:
    """Load, ask until the case has come to its end, explain."""
    from bough.cli.explain import facts_of
    from bough.cli.saved import load_model
    from bough.cli.say import print_json, print_text
    from bough.explain.dialogue import Dialogue
    from bough.model.given import tree_of

    talk = Dialogue(tree_of(load_model(model, one=True)))
    terminal = _Terminal(aside=as_json)
    terminal.say(_HELP)
    told = 0
    while talk.question is not None:
        _put(talk.question, talk.n_answers + 1, terminal)
        while not _hear(talk, terminal):
            pass
        told = _say_routes(talk, told, terminal)
    why = talk.explanation()
    if as_json:
        print_json(facts_of(0, why, None))
        return
    terminal.say("")
    print_text(str(why))


class _Terminal:
    """Lines in and out. What is read from a pipe is printed, too, so that the talk can be read afterwards."""

    def __init__(self, *, aside: bool) -> None:
        self._aside = aside
        self._echo = not sys.stdin.isatty()

    def say(self, text: str) -> None:
        from bough.cli.say import print_text

        print_text(text, aside=self._aside)

    def hear(self) -> str:
        """The next line; a talk that breaks off is an error."""
        from bough.errors import ParameterError

        screen = sys.stderr if self._aside else sys.stdout
        screen.write("> ")
        screen.flush()
        line = sys.stdin.readline()
        if not line:
            self.say("")
            raise ParameterError("the answers ended before the questions: answer each, with ? if you don't know.")
        text = line.strip()
        if self._echo:
            self.say(text)
        return text


def _put(question: Any, number: int, terminal: _Terminal) -> None:
    """Print a question with what may be answered."""
    from bough.model.text import share
    from bough.table import format_text

    name = format_text(question.column.name)
    about = f" (in place of {format_text(question.instead)})" if question.instead is not None else ""
    part = f" (for {share(question.share)} of the case)" if question.share < 1 else ""
    head = f"{number}. "
    if question.codes:
        terminal.say(f"\n{head}{name}?{about}{part}")
        _put_levels(question, terminal)
    elif len(question.ways) == 2:
        terminal.say(f"\n{head}{question.ways[0][1]}?{about}{part}  [yes, no or the value]")
    elif question.ways:
        terminal.say(f"\n{head}{name}?{about}{part}  [a letter or the value]")
        for letter, (_, text) in zip(string.ascii_lowercase, question.ways, strict=False):
            terminal.say(f"   {letter}  {text}")
        if len(question.ways) > len(string.ascii_lowercase):
            terminal.say(f"   … {len(question.ways) - len(string.ascii_lowercase)} more, by the value")
    else:
        terminal.say(f"\n{head}{name}?{about}{part}  [the value]")


def _put_levels(question: Any, terminal: _Terminal) -> None:
    texts = _level_texts(question)
    if _are_numbers(texts):  # a number in front of each would be taken for one of them
        terminal.say(f"   one of {', '.join(texts)}")
        return
    for number, text in enumerate(texts[:_MOST_LEVELS], start=1):
        terminal.say(f"   {number}  {text}")
    if len(texts) > _MOST_LEVELS:
        terminal.say(f"   … {len(texts) - _MOST_LEVELS} more, by their names")


def _hear(talk: Any, terminal: _Terminal) -> bool:
    """Read one answer; False if it was none, which is said."""
    from bough.errors import BoughError

    question, text = talk.question, terminal.hear()
    word = text.lower()
    try:
        code = _code_of(question, text) if question.codes else None
        if code is not None:
            talk.tell(code)
        elif word in _QUIT:
            terminal.say("Stopped.")
            raise click.exceptions.Exit(0)
        elif word in _BACK:
            if not talk.back():
                terminal.say("This is the first question.")
                return False
        elif word in _UNKNOWN:
            talk.do_not_know()
        elif question.codes:
            terminal.say(_no_level(question, text))
            return False
        else:
            branch = _branch_of(question, word)
            if branch is None:
                talk.tell(_number(question.column, text))
            else:
                talk.choose(branch)
    except BoughError as error:
        told = str(error)
        terminal.say(told[:1].upper() + told[1:])
        return False
    return True


def _say_routes(talk: Any, told: int, terminal: _Terminal) -> int:
    """Say how the case went on where a value is not known, as far as it was not said yet."""
    routes = talk.routes
    for text in routes[told:]:
        terminal.say(f"   {text}.")
    return len(routes)


def _level_texts(question: Any) -> list[str]:
    from bough.table import format_label

    return [format_label(question.column.levels[code], quoted=False) for code in question.codes]


def _are_numbers(texts: list[str]) -> bool:
    return any(re.fullmatch(r"[+-]?[\d.]+", text) for text in texts)


def _code_of(question: Any, text: str) -> int | None:
    """The level that is meant: by its name, or by its number in the list."""
    texts = _level_texts(question)
    for given in (text, text.lower()):
        for code, known in zip(question.codes, texts, strict=True):
            if given in (known, known.lower()):
                return int(code)
    if text.isdecimal() and not _are_numbers(texts) and 1 <= int(text) <= min(len(texts), _MOST_LEVELS):
        return int(question.codes[int(text) - 1])
    return None


def _no_level(question: Any, text: str) -> str:
    texts = _level_texts(question)
    near = difflib.get_close_matches(text, texts, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    unknown = "" if question.needed else ", ? if you don't know"
    numbered = "" if _are_numbers(texts) else " or its number"
    return f"{question.column.name} has no level {text!r:.60}.{hint} Answer with a level{numbered}{unknown}."


def _branch_of(question: Any, word: str) -> int | None:
    """The branch that is meant by yes or no, or by a letter; None for anything else."""
    ways = question.ways
    if len(ways) == 2:
        return int(ways[0][0]) if word in _YES else int(ways[1][0]) if word in _NO else None
    place = string.ascii_lowercase.find(word) if len(word) == 1 else -1
    return int(ways[place][0]) if 0 <= place < len(ways) else None


def _number(column: Any, text: str) -> Any:
    """A number or time as it is typed, as the model has it."""
    import polars as pl

    from bough.cli.levels import fit_to_schema
    from bough.errors import BoughError, ParameterError
    from bough.table import Schema, encode_rows, missing_rows

    what = "a number" if column.dtype in ("float64", "float32", "int64", "uint64") else f"a {column.dtype}"
    try:
        frame = pl.DataFrame({column.name: [text]}, schema={column.name: pl.String})
        read = encode_rows(Schema((column,)), fit_to_schema(frame, [column], text=True, before=0))[0]
    except BoughError:
        raise ParameterError(f"{text!r:.60} is no answer here: expected what is offered, or {what}.") from None
    if missing_rows(read).any():
        raise ParameterError(f"expected what is offered, or {what}; ? if you don't know.")
    value = read.data[0].item()
    if value in (math.inf, -math.inf):
        raise ParameterError(f"{text!r:.60} is no answer here: expected a finite number.")
    return value
