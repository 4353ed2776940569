"""Files that are complete or not there at all: written beside their place, then put into it in one step.

Whatever bough writes goes through here: a full disk, an interruption or a crash leaves the old file as it was.
"""

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

__all__ = ["is_stream", "write_file", "writing"]

_FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))


def write_file(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write text, in UTF-8, or bytes; a file that was there is replaced only when the new one is complete.

    Parameters
    ----------
    path : str or path-like
    content : str or bytes

    Raises
    ------
    OSError
        If the file cannot be written; its `filename` is the path that was given.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from bough.model.writing import write_file
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_file(pathlib.Path(folder, "tree.txt"), "all: yes")
    ...     pathlib.Path(folder, "tree.txt").read_text()
    'all: yes'
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    with writing(path) as file:
        file.write(data)


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file to write bytes to; it takes its place when the block ends well, and vanishes if it does not.

    A device, a pipe and what the system lends under a name of its own (`/dev/stdout`) are written to as they are.
    """
    name = os.fspath(path)
    try:
        beside, file = _open(name)
    except OSError as error:  # of a file beside it, whose name would tell the user nothing
        raise _named(error, name) from None
    try:
        with file:
            yield file
            file.flush()
            if beside is not None:
                os.fsync(file.fileno())
        if beside is not None:
            _put(beside, Path(os.path.realpath(name)))
    except BaseException as error:
        if beside is not None:
            with contextlib.suppress(OSError):
                beside.unlink()
        if isinstance(error, OSError) and (error.errno in _FULL or error.filename == os.fspath(beside or "")):
            raise _named(error, name) from None
        raise


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether a path names something that cannot be replaced by a file: a device, a pipe, a descriptor of ours."""
    name = os.path.abspath(path)  # noqa: PTH100 (what /dev/stdout points to may well be a file)
    if os.name == "posix" and name.startswith(("/dev/", "/proc/")) and not name.startswith("/dev/shm/"):  # noqa: S108
        return True
    place = Path(name)
    return place.exists() and not place.is_file() and not place.is_dir()


def _open(name: str) -> tuple[Path | None, BinaryIO]:
    if is_stream(name):
        return None, open(name, "wb")  # noqa: PTH123
    target = Path(os.path.realpath(name))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "this is a folder; name a file in it", name)
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, f"there is no folder {Path(name).parent}", name)
    before = target.stat() if target.exists() else None
    if before is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
    beside = target.parent / f".bough-{secrets.token_hex(8)}.tmp"
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    if before is not None:  # whoever could read the old file, and nobody else, can read the new one
        with contextlib.suppress(OSError, AttributeError):
            os.chown(beside, before.st_uid, before.st_gid)
        with contextlib.suppress(OSError):
            beside.chmod(stat.S_IMODE(before.st_mode))
    return beside, os.fdopen(handle, "wb")


def _put(beside: Path, target: Path) -> None:
    beside.replace(target)
    if hasattr(os, "O_DIRECTORY"):  # the new name is safe only when the folder is
        with contextlib.suppress(OSError):
            folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


def _named(error: OSError, name: str) -> OSError:
    return OSError(error.errno, error.strerror, name)
