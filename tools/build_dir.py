"""Print the folder in which the extension was built for this interpreter (it holds compile_commands.json)."""

import sys
from pathlib import Path

folders = sorted(Path("build").glob(f"cp{sys.version_info.major}{sys.version_info.minor}-*/compile_commands.json"))
if not folders:
    sys.exit("the extension has not been built: run `make develop`")
print(folders[-1].parent)
