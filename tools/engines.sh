#!/usr/bin/env bash
# What the tests of exports in real engines need beyond `make develop`: a C compiler, node, Java and a PostgreSQL server
# from Debian's packages, and the extra `engines`. Installs what is missing; says what it cannot install.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/install.sh

missing=()
have cc || missing+=(gcc libc6-dev)
have node || missing+=(nodejs)
have java || missing+=(default-jre-headless)
have postgres || compgen -G "/usr/lib/postgresql/*/bin/postgres" >/dev/null || missing+=(postgresql)
from_debian "${missing[@]}"
from_extra engines "duckdb, jpmml_evaluator, onnxruntime, psycopg, pypmml"
