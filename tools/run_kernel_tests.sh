#!/usr/bin/env bash
# Runs a kernel test program with sanitizer options that make any finding a failure. ThreadSanitizer of older
# compilers cannot start under strong address randomisation, so that it is switched off where the system allows.
set -euo pipefail

export ASAN_OPTIONS="detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1:allocator_may_return_null=0"
export UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1"
export TSAN_OPTIONS="halt_on_error=1:second_deadlock_stack=1"

if command -v setarch >/dev/null && setarch "$(uname -m)" -R true 2>/dev/null; then
  exec setarch "$(uname -m)" -R "$@"
fi
exec "$@"
