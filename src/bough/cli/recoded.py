"""Streams of bytes: in another encoding, read as UTF-8; and those whose beginning was read before."""

import io
from typing import Any

from bough.errors import DataError, ParameterError

__all__ = ["Recoded", "Rest"]


class Recoded:
    """A stream of bytes in another encoding, read as UTF-8."""

    def __init__(self, name: str, stream: Any, encoding: str) -> None:
        self._name, self._encoding = name, encoding
        try:
            self._text = io.TextIOWrapper(stream, encoding=encoding, newline="")
        except LookupError:
            stream.close()
            raise ParameterError(f"--encoding {encoding!r:.60} is none: try latin1, cp1252 or utf-16.") from None

    def __del__(self) -> None:
        if hasattr(self, "_text"):
            self._text.close()

    def read(self, size: int = -1) -> bytes:
        """So many characters in UTF-8, by default all."""
        try:
            return self._text.read(size).encode()
        except UnicodeError as error:
            raise DataError(f"{self._name} is not written in {self._encoding}: {error}.") from error


class Rest(io.RawIOBase):
    """A stream whose beginning was read before."""

    def __init__(self, head: bytes, stream: Any) -> None:
        self._head, self._stream = head, stream

    def readable(self) -> bool:
        """That it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer, and say how far."""
        piece = self._head[: len(buffer)] or self._stream.read(len(buffer))
        self._head = self._head[len(buffer) :]
        buffer[: len(piece)] = piece
        return len(piece)
