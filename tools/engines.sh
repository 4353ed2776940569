#!/usr/bin/env bash
# What the tests of exports in real engines need beyond `make develop`: a C compiler, node, Java and a PostgreSQL server
# from Debian's packages, and the extra `engines`. Installs what is missing; says what it cannot install.
set -euo pipefail
cd "$(dirname "$0")/.."

have() { command -v "$1" >/dev/null 2>&1; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

missing=()
have cc || missing+=(gcc libc6-dev)
have node || missing+=(nodejs)
have java || missing+=(default-jre-headless)
have postgres || compgen -G "/usr/lib/postgresql/*/bin/postgres" >/dev/null || missing+=(postgresql)
if [ "${#missing[@]}" -gt 0 ]; then
  if ! have apt-get; then
    echo "install ${missing[*]} and try again: there is no apt-get here" >&2
    exit 1
  fi
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

if ! .venv/bin/python -c "import duckdb, onnxruntime, psycopg, pypmml" 2>/dev/null; then
  needed=$(.venv/bin/python -c "
import tomllib
with open('pyproject.toml', 'rb') as file:
    print('\n'.join(tomllib.load(file)['project']['optional-dependencies']['engines']))")
  mapfile -t needed <<<"$needed"
  .venv/bin/python -m pip --disable-pip-version-check install --quiet "${needed[@]}"
fi
