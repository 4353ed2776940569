"""`bough ask`: played through in a pseudo-terminal and by a pipe, with every step once not known, and back again."""

import io
import json
import os
import subprocess
import sys

import pytest

from bough.datasets import load as load_data
from bough.learn import load
from bough.table import format_label

ROWS = {"penguins": 200, "play_tennis": 5, "heart": 3}


@pytest.fixture
def ask(bough, monkeypatch):
    """Play answers from a pipe."""

    def play(model, *answers, options=()):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
        return bough("ask", model, *options)

    return play


@pytest.fixture
def fit(bough, request):
    """Fit a tree to a table and return its file, the model, and one row."""

    def make(name, *options):
        if name == "heart":
            table = request.getfixturevalue("shared") / "data" / "heart.csv"
            assert bough("fit", table, "-t", "disease", "--folds", "0", *options)[0] == 0
        else:
            table = name
            assert bough("fit", name, "-t", load_data(name).target_name, "--folds", "0", *options)[0] == 0
        out = bough("explain", "model.json", table, "--row", ROWS[name], "--json")[1]
        return "model.json", load("model.json"), json.loads(out)[0], table

    return make


def row_of(table, number):
    import polars as pl

    frame = load_data(table).xy("polars")[0] if isinstance(table, str) else pl.read_csv(table).drop("disease")
    return frame.row(number - 1, named=True)


def questions(out):
    """The columns that were asked for, in order: what stands behind the numbers."""
    return [line for line in out.splitlines() if line[:1].isdigit() and ". " in line]


class Player:
    """Standard input that answers what was asked last, from a row; some answers, by their numbers, are not known."""

    def __init__(self, capsys, names, row, unknown=()):
        self.capsys, self.names, self.row, self.unknown = capsys, names, row, unknown
        self.seen, self.n_answers = "", 0

    def isatty(self):
        return False

    def readline(self):
        self.seen += self.capsys.readouterr().out
        asked = questions(self.seen)[-1].partition(" (in place")[0]
        name = max((name for name in self.names if f" {name}" in asked), key=len)
        self.n_answers += 1
        value = self.row[name]
        return "?\n" if self.n_answers - 1 in self.unknown or value is None else f"{value}\n"


@pytest.fixture
def play(bough, capsys, monkeypatch):
    """Play a row through; return what was printed and the number of answers."""

    def run(fitted, row, unknown=()):
        player = Player(capsys, fitted.schema_.names, row, unknown)
        monkeypatch.setattr(sys, "stdin", player)
        status, out, _ = bough("ask", "model.json")
        assert status == 0
        return player.seen + out, player.n_answers

    return run


@pytest.mark.parametrize(("name", "options"), [("penguins", ()), ("play_tennis", ("-a", "c45")), ("heart", ())])
def test_played_through_with_every_step_once_not_known(play, fit, name, options):
    """Text 0, line 31 and text 2, line 28: twenty questions; each may go without an answer."""
    _, fitted, facts, table = fit(name, *options)
    row = row_of(table, ROWS[name])
    out, steps = play(fitted, row)
    assert out.splitlines()[-1] == facts["text"]
    assert 1 <= steps <= fitted.get_depth()
    for unknown in range(steps):
        out, _ = play(fitted, row, (unknown,))
        assert out.splitlines()[-1].startswith("The answer is ")
        assert " is missing" in out
    out, _ = play(fitted, row, range(60))
    assert out.splitlines()[-1] == str(fitted.explain(dict.fromkeys(row)))


def test_levels_by_number_or_name_back_and_wrong_answers(ask, fit):
    model, fitted, *_ = fit("play_tennis", "-a", "c45")
    levels = fitted.schema_.columns[0].levels
    sunny = levels.index("Sunny") + 1
    status, out, _ = ask(model, "Suny", "", sunny, "<", "sunny", "back", "<", "Overcast")
    assert status == 0
    assert (
        "Outlook has no level 'Suny'. Did you mean Sunny? Answer with a level or its number, ? if you don't know."
        in out
    )
    assert out.count("1. Outlook?") == 3
    assert out.count("2. Humidity?") == 2
    assert "This is the first question." in out
    assert [f"   {n}  {format_label(level)}" in out for n, level in enumerate(levels, 1)] == [True] * len(levels)
    assert out.splitlines()[-1] == str(fitted.explain({"Outlook": "Overcast"}))


def test_numbers_by_yes_no_or_value(ask, fit):
    model, *_ = fit("penguins")
    by_word = ask(model, "y", "No", *"?" * 9)[1]
    by_value = ask(model, "200", "abc", "inf", "50.5", *"?" * 9)[1]
    assert "'inf' is no answer here: expected a finite number." in by_value
    assert "'abc' is no answer here: expected what is offered, or a number." in by_value
    for out in (by_word, by_value):
        assert "The answer is Chinstrap" in out
        assert "because flipper_length_mm <= 206.5 and bill_length_mm > 43.35." in out
    assert "1. flipper_length_mm <= 206.5?  [yes, no or the value]" in by_word


def test_levels_that_are_numbers_are_answered_as_they_are(ask, bough, tmp_path):
    (tmp_path / "t.csv").write_text("grade,y\n" + "1,a\n2,a\n3,b\n" * 8)
    assert bough("fit", "t.csv", "-t", "y", "--nominal", "grade", "--folds", "0")[0] == 0
    status, out, _ = ask("model.json", "7", "3")
    assert status == 0
    assert "   one of 1, 2, 3" in out
    assert "grade has no level '7'. Answer with a level, ? if you don't know." in out
    assert "The answer is b" in out


def test_quitting_ending_and_json(ask, fit):
    model, *_ = fit("play_tennis", "-a", "c45")
    status, out, err = ask(model, "q")
    assert (status, out.splitlines()[-1], err) == (0, "Stopped.", "")
    status, _, err = ask(model)
    assert status == 2
    assert err == "bough: the answers ended before the questions: answer each, with ? if you don't know.\n"
    status, out, err = ask(model, "Overcast", options=["--json"])
    assert status == 0
    assert json.loads(out)["answer"] == "Yes"
    assert "1. Outlook?" in err


def test_a_model_that_takes_no_missing_value_asks_again(ask, fit):
    model, *_ = fit("play_tennis", "-a", "id3")
    status, out, _ = ask(model, "?", "Overcast")
    assert status == 0
    assert "The model takes no missing value, and it needs 'Outlook' here." in out


def test_what_is_no_tree_is_refused(ask, fit, monkeypatch):
    model, fitted, *_ = fit("play_tennis", "-a", "c45")

    class Rules:
        kind = "rules"
        inputs, answer, target = fitted.model_.inputs, fitted.model_.answer, "Play"
        read = predict = predict_proba = program = to_content = from_content = print

    fitted.__dict__["model_"] = Rules()
    monkeypatch.setattr("bough.cli.saved.of_saved", lambda saved: fitted)
    status, _, err = ask(model, "1")
    assert status == 2
    assert "this needs a tree; a model of the kind 'rules' is none" in err


pty = pytest.importorskip("pty", reason="pseudo-terminals are those of Unix")


class Terminal:
    """A command in a terminal of its own."""

    # The terminal becomes that of the session: Ctrl-C is a signal to it, even if a shell started us with it ignored.
    CODE = (
        "import fcntl, signal, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
        "signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from bough.cli.main import main; main(sys.argv[1:])"
    )

    def __init__(self, *arguments):
        self.screen, inside = pty.openpty()
        command = [sys.executable, "-c", self.CODE, *arguments]
        self.process = subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside, start_new_session=True)
        os.close(inside)
        self.seen = ""

    def until(self, text):
        """Read until something is printed; or to the end."""
        while text is None or text not in self.seen:
            try:
                piece = os.read(self.screen, 4096)
            except OSError:  # the end of a terminal on Linux
                piece = b""
            if not piece:
                break
            self.seen += piece.decode()
        seen, self.seen = self.seen, ""
        return seen

    def type(self, text):
        os.write(self.screen, text.encode())

    def end(self):
        told = self.until(None)
        os.close(self.screen)
        return told, self.process.wait()


def test_a_talk_in_a_terminal(fit):
    """As a person sees it: what is typed is shown once, questions wait, and the answer comes last."""
    model, fitted, *_ = fit("play_tennis", "-a", "c45")
    talk = Terminal("ask", model)
    assert "1. Outlook?" in talk.until("> ")
    talk.type("Rain\n")
    seen = talk.until("> ")
    assert seen.count("Rain") == 1
    assert "2. Wind?" in seen
    talk.type("<\n")
    assert "1. Outlook?" in talk.until("> ")
    talk.type("?\n")
    assert "the case goes on in parts" in talk.until("> ")
    for _ in range(2):
        talk.type("?\n")
    told, status = talk.end()
    assert status == 0
    nothing = str(fitted.explain(dict.fromkeys(fitted.schema_.names)))
    assert nothing in told.replace("\r\n", "\n")


def test_an_interrupt_ends_a_talk_in_one_line(fit):
    model, *_ = fit("play_tennis", "-a", "c45")
    talk = Terminal("ask", model)
    talk.until("> ")
    talk.type("\x03")
    told, status = talk.end()
    assert status == 1
    assert told.strip().splitlines()[-1] == "bough: interrupted"


def test_help_names_what_is_asked(bough):
    status, out, _ = bough("ask", "--help")
    assert status == 0
    assert "one by one" in " ".join(out.split())
