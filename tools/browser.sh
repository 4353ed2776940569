#!/usr/bin/env bash
# What the tests of the page need beyond `make develop`: Chromium from Debian's package, node, and the extra `browser`.
# Installs what is missing; says what it cannot install.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/install.sh

missing=()
have chromium || have chromium-browser || have google-chrome || [ -n "${BOUGH_BROWSER:-}" ] || missing+=(chromium)
have node || missing+=(nodejs)
from_debian "${missing[@]}"
from_extra browser "axe_playwright_python, playwright"
