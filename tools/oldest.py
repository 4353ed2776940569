"""Print the lower bound of each dependency as an exact version: the oldest environment that is supported.

The bounds are written once, in pyproject.toml; `.ci/run` installs what this prints into `.venv-oldest`.
"""

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
extras = project["optional-dependencies"]
for requirement in project["dependencies"] + extras["cli"] + extras["plot"] + extras["export"]:
    if not requirement.startswith("polars"):  # the command line needs a newer one than frames from users
        print(re.sub(r">=", "==", requirement))
# The frames that users bring; the test tools themselves may be new.
for requirement in extras["test"]:
    if re.match(r"pandas|polars|pyarrow|duckdb", requirement):
        print(re.sub(r">=", "==", requirement))
