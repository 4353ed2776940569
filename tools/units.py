"""Print the units that a build folder compiles of this project, largest first, so that the last ones are short.

    python tools/units.py build/reading

A unit that includes the files of a folder counts as large as they are many; other people's sources are left out, and
so is the main program of the tests, which is other people's too.
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Print one path a line."""
    commands = json.loads((ROOT / sys.argv[1] / "compile_commands.json").read_text(encoding="utf-8"))
    units = [(Path(command["directory"]) / command["file"]).resolve() for command in commands]
    ours = [
        unit for unit in units if unit.is_relative_to(ROOT) and ".venv" not in unit.parts and unit.name != "main.cpp"
    ]
    for unit in sorted(ours, key=lambda unit: -unit.read_text(encoding="utf-8").count("#include")):
        print(unit)
    return 0


if __name__ == "__main__":
    sys.exit(main())
