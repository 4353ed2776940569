"""Text of users made harmless for the languages that drawings are written in: XML, DOT and Mermaid."""

import html

__all__ = ["dot", "mermaid", "xml"]


def xml(text: str) -> str:
    r"""Return text for an element or an attribute of XML; what XML cannot hold becomes U+FFFD.

    Examples
    --------
    >>> from bough.view.escape import xml
    >>> xml('a < b & "c"')
    'a &lt; b &amp; &quot;c&quot;'
    """
    return html.escape("".join(char if _in_xml(ord(char)) else "\ufffd" for char in text), quote=True)


def _in_xml(code: int) -> bool:
    return code in (0x9, 0xA, 0xD) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000


def dot(text: str) -> str:
    r"""Return a quoted string of the DOT language that shows the text as it is, line breaks included.

    Examples
    --------
    >>> from bough.view.escape import dot
    >>> print(dot('say "no\\N"'))
    "say \"no\\N\""
    """
    shown = text.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "").replace("\0", "\ufffd")
    shown = "".join("\ufffd" if 0xD800 <= ord(char) <= 0xDFFF else char for char in shown)
    # An ampersand starts an entity in labels, such as &lt;, which would be shown as another character.
    return '"' + shown.replace("&", "&amp;").replace("\n", "\\n") + '"'


def mermaid(text: str) -> str:
    """Return a quoted string of Mermaid that shows the text as it is: all but letters, digits and spaces as numbers.

    Examples
    --------
    >>> from bough.view.escape import mermaid
    >>> mermaid("age <= 3")
    '"age #60;#61; 3"'
    """
    return '"' + "".join(_mermaid_char(char) for char in text) + '"'


def _mermaid_char(char: str) -> str:
    if char == "\n":
        return "<br>"
    if char in " .,-_" or char.isalnum():
        return char
    code = ord(char)
    return f"#{code};" if _in_xml(code) and code >= 0x20 else "\ufffd"
