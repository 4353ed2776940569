"""How bough writes files: one way for models, pages, pictures, exports and tables.

A file takes its place in one step when it is complete, so that whatever happens leaves the old file or the new one.
What stands in the way of it is an OutputError that names the file and says what to do.
"""

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Self

from bough.errors import OutputError, ParameterError

__all__ = ["Text", "check_output", "hand_over", "is_stream", "write_file", "writing"]

_FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))  # what can only be said of a file written

Output = str | os.PathLike[str]


class Text(str):
    r"""A string that is made to be a file; a notebook shows its size instead of all of it.

    Parameters
    ----------
    text : str
    what : str
        What it is, in a word or two.

    Examples
    --------
    >>> from bough.model.writing import Text
    >>> Text("digraph tree {\n}\n", "DOT text")
    <DOT text: 2 lines, 17 characters>
    """

    what: str

    def __new__(cls, text: str, what: str = "text") -> Self:  # noqa: D102
        made = super().__new__(cls, text)
        made.what = what
        return made

    def __repr__(self) -> str:
        return f"<{self.what}: {len(self.splitlines()):,} lines, {len(self):,} characters>"


def hand_over(text: str, path: Output | None, what: str) -> Text:
    """Return a text, and write it first if there is a path: what every `to_html`, `to_svg`, `to_dot` ... does."""
    if path is not None:
        write_file(path, text, what)
    return Text(text, what)


def write_file(path: Output, data: str | bytes, what: str = "file") -> None:
    """Write a whole file; text in UTF-8.

    Parameters
    ----------
    path : str or path-like
    data : str or bytes
    what : str, default="file"
        What it is, for the error.

    Raises
    ------
    OutputError
        If it cannot be written; what was there is left as it was.
    """
    with writing(path, what) as file:
        file.write(data.encode("utf-8") if isinstance(data, str) else data)


@contextlib.contextmanager
def writing(path: Output, what: str = "file") -> Iterator[BinaryIO]:
    r"""Open a file to be written piece by piece; it is there when the block ends, and not if the block fails.

    A pipe or a device, such as /dev/stdout, has no old content to keep: it is written to as it is.

    Parameters
    ----------
    path : str or path-like
    what : str, default="file"

    Yields
    ------
    binary file

    Raises
    ------
    OutputError
        If it cannot be written, or the disk is full.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from bough.model.writing import writing
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with writing(Path(folder, "answers.csv")) as file:
    ...         done = file.write(b"prediction\n")
    ...     Path(folder, "answers.csv").read_text()
    'prediction\n'
    """
    check_output(path, what)
    try:
        if is_stream(path):
            with _opened(path, what) as file:
                yield file
        else:
            with _replacing(Path(os.path.realpath(path)), path, what) as file:
                yield file
    except OSError as error:
        if error.errno in _FULL:
            raise _refused(path, what, error) from None
        raise


def _opened(path: Output, what: str) -> BinaryIO:
    try:
        return open(path, "wb")  # noqa: PTH123 (a path of bytes has no Path; `writing` closes it)
    except OSError as error:
        raise _refused(path, what, error) from None


@contextlib.contextmanager
def _replacing(target: Path, path: Output, what: str) -> Iterator[BinaryIO]:
    """Write beside the target, and take its place in one step."""
    beside = target.parent / f".bough-{secrets.token_hex(8)}.tmp"
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    except OSError as error:  # of a name that would tell the user nothing
        raise _refused(path, what, error) from None
    try:
        with os.fdopen(handle, "wb") as file:
            _admit(beside, target)
            yield file
            try:
                file.flush()
                os.fsync(file.fileno())
            except OSError as error:
                raise _refused(path, what, error) from None
        try:
            beside.replace(target)
        except OSError as error:
            raise _refused(path, what, error) from None
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    _keep_name(target.parent)


def _admit(beside: Path, target: Path) -> None:
    """Let those read the new file who could read the old one, and nobody else."""
    if not target.exists():
        return
    before = target.stat()
    with contextlib.suppress(OSError, AttributeError):
        os.chown(beside, before.st_uid, before.st_gid)
    with contextlib.suppress(OSError):
        beside.chmod(stat.S_IMODE(before.st_mode))


def _keep_name(folder: Path) -> None:
    """A new name is safe only when the folder is."""
    if hasattr(os, "O_DIRECTORY"):
        with contextlib.suppress(OSError):
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def check_output(path: Output, what: str = "file") -> None:
    """Refuse a place that cannot be written to; call it before long work.

    Parameters
    ----------
    path : str or path-like
    what : str, default="file"
        What is to be written, for the error.

    Raises
    ------
    OutputError
    """
    try:
        name = os.fsdecode(path)
    except TypeError:
        kind = type(path).__name__
        raise ParameterError(f"a {what} is written to a path: a str or path-like is expected, got {kind}.") from None
    if not name or "\0" in name:
        raise ParameterError(f"a {what} cannot be written to {name!r:.80}: this is not the name of a file.")
    place = Path(os.path.realpath(name))
    if is_stream(name) and Path(name).parent.is_dir():
        return
    if place.is_dir():
        raise OutputError(
            errno.EISDIR, f"the {what} cannot be written to {name}: it is a folder; name a file in it.", name
        )
    if not place.parent.is_dir():
        missing = Path(name).parent
        raise OutputError(
            errno.ENOENT, f"the {what} cannot be written to {name}: there is no folder {missing}; make it first.", name
        )
    if not os.access(place.parent, os.W_OK) or (place.exists() and not os.access(place, os.W_OK)):
        raise OutputError(errno.EACCES, f"the {what} cannot be written to {name}: no permission to write there.", name)


def is_stream(path: Output) -> bool:
    """Whether a path names something that cannot be replaced by a file: a device, a pipe, a descriptor of ours."""
    name = os.path.abspath(os.fsdecode(path))  # noqa: PTH100 (what /dev/stdout points to may well be a file)
    if os.name == "posix" and name.startswith(("/dev/", "/proc/")) and not name.startswith("/dev/shm/"):  # noqa: S108
        return True
    place = Path(name)
    return place.exists() and not place.is_file() and not place.is_dir()


def _refused(path: Output, what: str, error: OSError) -> OutputError:
    name = os.fsdecode(path)
    return OutputError(error.errno, f"the {what} cannot be written to {name}: {error.strerror}.", name)
