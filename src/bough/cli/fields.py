"""The fields of the rows of separated text, of any length.

The csv module of Python refuses a field of more than 128 KB, by a limit that holds for the whole process.
"""

from collections.abc import Iterable, Iterator

__all__ = ["fields_of"]


def fields_of(lines: Iterable[str], separator: str) -> Iterator[tuple[int, list[str]]]:
    r"""The rows, each with the number of its last line: fields between separators, those in quotes as csv reads them.

    A field that begins with a quote goes on over separators and line ends up to the next single quote, two quotes stand
    for one, and quotes inside of other fields are plain characters. An empty line has no fields.

    Parameters
    ----------
    lines : iterable of str
        With their line ends.
    separator : str
        One character.

    Examples
    --------
    >>> list(fields_of(['a;"b;""c', 'd"\n', '\n'], ";"))
    [(2, ['a', 'b;"cd']), (3, [])]
    """
    row: list[str] = []
    quoted: list[str] | None = None  # the pieces of a quoted field that is not closed yet
    number = 0
    for number, line in enumerate(lines, start=1):
        text = line.rstrip("\r\n")
        if quoted is None and '"' not in line:
            yield number, text.split(separator) if text else []
            continue
        place = 0
        while True:
            if quoted is None and text.startswith('"', place):
                quoted, place = [], place + 1
            if quoted is None:
                begun = ""
            else:
                place = _quoted(line, place, quoted)
                if place < 0:
                    break
                begun, quoted = "".join(quoted), None
            end = text.find(separator, place)
            row.append(begun + text[place : end if end >= 0 else None])
            if end < 0:
                yield number, row
                row = []
                break
            place = end + 1
    if quoted is not None:
        yield number, [*row, "".join(quoted)]


def _quoted(line: str, place: int, pieces: list[str]) -> int:
    """Collect a quoted field from a place on; return the place after its last quote, -1 if it is in another line."""
    while True:
        end = line.find('"', place)
        if end < 0:
            pieces.append(line[place:])
            return -1
        pieces.append(line[place:end])
        place = end + 1
        if not line.startswith('"', place):
            return place
        pieces.append('"')
        place += 1
