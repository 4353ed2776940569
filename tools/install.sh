# Sourced by the scripts that install what some tests need beyond `make develop`; run from the root of the clone.

have() { command -v "$1" >/dev/null 2>&1; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

# from_debian PACKAGE...: Debian's packages, which are known to be missing.
from_debian() {
  [ "$#" -gt 0 ] || return 0
  if ! have apt-get; then
    echo "install $* and try again: there is no apt-get here" >&2
    return 1
  fi
  as_root apt-get -o Acquire::Retries=5 update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=5 install -y -qq --no-install-recommends "$@" >/dev/null
}

# from_extra EXTRA IMPORTS: the requirements of an extra of pyproject.toml, unless its modules can be imported.
from_extra() {
  .venv/bin/python -c "import $2" 2>/dev/null && return 0
  local needed
  needed=$(.venv/bin/python -c "
import tomllib
with open('pyproject.toml', 'rb') as file:
    print('\n'.join(tomllib.load(file)['project']['optional-dependencies']['$1']))")
  mapfile -t needed <<<"$needed"
  .venv/bin/python -m pip --disable-pip-version-check install --quiet "${needed[@]}"
}
