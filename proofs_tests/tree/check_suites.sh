#!/usr/bin/env bash
# Every suite that a *_test.c defines has its row in suites.def, so that it runs, and every row has its suite.
set -u
cd "$(dirname "$0")/.." || exit 2
differences=$(diff <(sed -nE 's/^Suite \*([a-z0-9_]+)_suite\(void\) *\{.*/\1/p' -- $(find . -name '*_test.c') | sort) \
  <(sed -nE 's/^HY_SUITE\(([a-z0-9_]+)\).*/\1/p' suites.def | sort) | grep '^[<>]')
[ -z "$differences" ] && exit 0
echo 'suites without a row in suites.def (<), rows without a suite or twice (>):'
echo "$differences"
exit 1
