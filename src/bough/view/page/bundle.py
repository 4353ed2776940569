"""The modules of the page as one script, and the page as one file that may load nothing.

A module becomes a function that returns what it exports; what it imports are constants of that function. The modules
keep to what is read here: imports of names from modules of the folder, and exports of declarations.
"""

import base64
import hashlib
import html
import re
from functools import cache
from importlib.resources import files

__all__ = ["assemble", "bundle"]

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([a-z]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) (\w+))", re.MULTILINE)
_ENTRY = "app"
_NO_SCRIPT = "<noscript>This page draws a decision tree by a script of its own; scripts are switched off.</noscript>"


def _read(name: str) -> str:
    return (files("bough.view") / "web" / name).read_text(encoding="utf-8")


@cache
def bundle(entry: str = _ENTRY) -> str:
    """Return the modules that `entry` needs as one script, each after those that it imports."""
    sources: dict[str, str] = {}
    order: list[str] = []
    stack = [(entry, False)]
    while stack:
        name, ready = stack.pop()
        if ready:
            order.append(name)
        elif name not in sources:
            sources[name] = _read(f"{name}.js")
            stack.append((name, True))
            stack += [(needed, False) for _, needed in _IMPORT.findall(sources[name])]
    return '"use strict";\n' + "".join(_as_function(name, sources[name]) for name in dict.fromkeys(order))


def _as_function(name: str, source: str) -> str:
    exported = ", ".join(_EXPORT.findall(source))
    body = _IMPORT.sub(lambda found: f"const {{{found[1].replace(' as ', ': ')}}} = module_{found[2]};\n", source)
    return f"const module_{name} = (() => {{\n{_EXPORT.sub('', body)}return {{ {exported} }};\n}})();\n"


def assemble(
    data: str, *, entry: str = _ENTRY, style: str = "style.css", title: str = "Decision tree", body: str = _NO_SCRIPT
) -> str:
    """Return the page as one text; `data` is JSON without any character that ends a script, `body` is HTML."""
    script, style = bundle(entry), _read(style)
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{html.escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n"
        f'<script type="application/json" id="bough-data">{data}</script>\n'
        f'<script type="module">{script}</script>\n</body>\n</html>\n'
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
