#!/usr/bin/env bash
# check_python.sh HALYARD: the Python module as others get it, installed from the build that HALYARD lies in, and moved: its suites
# (test_*.py), the examples of docs/, and what docs/python.md shows. Left out, and counted, where there is no Python, or no NumPy.
set -u
build=$(dirname "$(realpath "${1:?usage: check_python.sh HALYARD}")") || exit 2
cd "$(dirname "$0")/../../.." || exit 2
passed=0 failed=0 skipped=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

skip() { echo "left out: $1" && skipped=$((skipped + 1)); }
tell() { echo "$passed passed, $failed failed, $skipped skipped" && [ "$failed" = 0 ] && exit 0; exit 1; }
try() { # try WHAT COMMAND...: it ends with status 0
  local what=$1
  shift
  if "$@" >"$work/said" 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED $what" && head -n 20 "$work/said" | sed 's/^/    /'; fi
}
says() { # says TEXT COMMAND...: it ends with status 0 and prints TEXT
  local text=$1
  shift
  if "$@" >"$work/said" 2>&1 && grep -qF -- "$text" "$work/said"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED $*: does not say '$text'" && sed 's/^/    /' "$work/said"; fi
}

# Another python3 than Debian's may stand first, which does not see Debian's NumPy.
python=''
for each in python3 /usr/bin/python3; do command -v "$each" >/dev/null && "$each" -c 'import numpy' 2>/dev/null && python=$each && break; done
[ -n "$python" ] || python=$(command -v python3)
[ -n "$python" ] || { skip 'no python3'; tell; }
if nm "$1" 2>/dev/null | grep -qE ' __(asan|tsan|ubsan)_'; then skip 'a sanitizer is built in'; tell; fi
if "$python" -c 'import sys; sys.exit(sys.version_info >= (3, 9))'; then skip 'a python3 before 3.9'; tell; fi
export PYTHONDONTWRITEBYTECODE=1

try 'cmake --install' cmake --install "$build" --prefix "$work/first"
mv "$work/first" "$work/tree" # what is installed can be moved
export PYTHONPATH=$work/tree/lib/python3/dist-packages
unset HALYARD_LIBRARY
try 'declarations that lag behind the header' python/declare.py --check
if "$python" -c 'import numpy' 2>/dev/null; then
  says 'blurred[100, 200] is 20301' "$python" docs/examples/python/blur.py
  says '6 of 6 schedules are proved' "$python" docs/examples/python/chain.py
  says 'out[0] is 4.3125' "$python" docs/examples/python/chain.py
  awk '/^```python$/ { inside = 1; next } /^```$/ { inside = 0 } inside' docs/python.md >"$work/page.py"
  says 'write int(in(x)) or u8(w)' "$python" -W error "$work/page.py"
else
  skip 'no numpy: the examples'
fi
if "$python" -c 'import pyflakes' 2>/dev/null; then
  try 'pyflakes' "$python" -m pyflakes python/*.py python/halyard/*.py proofs_tests/unit/python/*.py docs/examples/python/*.py
else
  skip 'no pyflakes'
fi

if command -v mypy >/dev/null; then # what is offered has types, also what comes from tables
  printf '%s\n' 'import halyard as hl' 'p = hl.Pipeline("p")' 'n: int = p' >"$work/wrong.py"
  checked=(env MYPYPATH="$PYTHONPATH" mypy --cache-dir "$work/mypy" --ignore-missing-imports)
  try 'mypy' "${checked[@]}" docs/examples/python/blur.py python/halyard
  try 'mypy of the second example' "${checked[@]}" docs/examples/python/chain.py
  try 'mypy sees nothing' bash -c '! "$@" || exit 1' - "${checked[@]}" "$work/wrong.py"
else
  skip 'no mypy'
fi

# The suites: one process each, that what one does to the process is no matter of another's.
for suite in proofs_tests/unit/python/test_*.py; do
  timeout 900 "$python" -X dev -W error "$suite" "$build/halyard" >"$work/said" 2>&1
  line=$(tail -n 1 "$work/said")
  if [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2])) skipped=$((skipped + BASH_REMATCH[3]))
    [ "${BASH_REMATCH[2]}" = 0 ] || sed 's/^/    /' "$work/said"
    echo "$(basename "$suite"): $line"
  else
    failed=$((failed + 1)) && echo "FAILED $suite: it ended without a count" && tail -n 20 "$work/said" | sed 's/^/    /'
  fi
done
tell
