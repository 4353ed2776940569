#!/usr/bin/env bash
# Prints the folder that holds doctest/doctest.h: the system's, or one unpacked from the Debian package into build/
# (no root needed, nothing global). The only thing the kernel's tests need beyond a compiler and CMake.
set -euo pipefail
cd "$(dirname "$0")/.."

for folder in "${DOCTEST_INCLUDE_DIR:-}" /usr/include /usr/local/include /opt/homebrew/include "$PWD/build/doctest/usr/include"; do
  if [ -n "$folder" ] && [ -f "$folder/doctest/doctest.h" ]; then
    echo "$folder"
    exit 0
  fi
done

if command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null; then
  mkdir -p build/doctest
  # A fresh machine may have no package lists yet; reading them needs root, downloading does not.
  (
    cd build/doctest
    fetch="apt-get -q -o Acquire::Retries=5"
    $fetch download doctest-dev || { $fetch update && $fetch download doctest-dev; }
    dpkg-deb -x doctest-dev_*.deb .
  ) >&2
  echo "$PWD/build/doctest/usr/include"
  exit 0
fi

echo "doctest/doctest.h not found: install doctest (Debian: apt install doctest-dev) or set DOCTEST_INCLUDE_DIR" >&2
exit 1
