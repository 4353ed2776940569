#!/usr/bin/env bash
# What the tests of the page need beyond `make develop`: Chromium from Debian's package, node, and the extra `browser`.
# Installs what is missing; says what it cannot install.
set -euo pipefail
cd "$(dirname "$0")/.."

have() { command -v "$1" >/dev/null 2>&1; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

missing=()
have chromium || have chromium-browser || have google-chrome || [ -n "${BOUGH_BROWSER:-}" ] || missing+=(chromium)
have node || missing+=(nodejs)
if [ "${#missing[@]}" -gt 0 ]; then
  if ! have apt-get; then
    echo "install ${missing[*]} and try again: there is no apt-get here" >&2
    exit 1
  fi
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

if ! .venv/bin/python -c "import axe_playwright_python, playwright" 2>/dev/null; then
  needed=$(.venv/bin/python -c "
import tomllib
with open('pyproject.toml', 'rb') as file:
    print('\n'.join(tomllib.load(file)['project']['optional-dependencies']['browser']))")
  mapfile -t needed <<<"$needed"
  .venv/bin/python -m pip --disable-pip-version-check install --quiet "${needed[@]}"
fi
