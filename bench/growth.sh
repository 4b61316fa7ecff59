#!/usr/bin/env bash
# growth.sh BIN: how the time of "every obligation decided, with a certificate" grows with a program, and how fast
# certificates are checked again, in seconds of one processor. BIN holds halyard and halyard-certcheck; the programs are
# text from generate.sh. Targets: Figure 1 in 0.5 s, a chain of 20 in 3 s, a pyramid of 100 in 10 s, 50,000 checks a second.
set -u
bin=$(realpath "${1:?usage: growth.sh BIN}") || exit 2
cd "$(dirname "$0")/.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '%-18s %6s %12s %13s %9s %12s %9s %14s %16s\n' program funcs obligations certificates 'check s' 'with files s' MB \
  'certcheck s' 'checks/s (read)'

TIMEFORMAT='%U %S'
seconds() { # seconds COMMAND...: of the processor, children included; what it prints goes to "$work/said"
  local spent
  spent=$({ time "$@" >"$work/said" 2>&1; } 2>&1) || { cat "$work/said" >&2; exit 1; }
  awk '{ printf "%.3f", $1 + $2 }' <<<"$spent"
}
# Of the schedules themselves, whose keys stand six columns in.
number() { grep -oE "^      \"$1\": ?[0-9]+" "$work/all" | grep -oE '[0-9]+$' | awk '{ n += $1 } END { print n + 0 }'; }

row() { # row NAME LIMIT ALG [SCHED]
  local name=$1 limit=$2 plain with check rate funcs
  shift 2
  funcs=$(grep -c '^  fun ' "$1")
  plain=$(seconds "$bin/halyard" check "$@") || exit 1
  with=$(seconds "$bin/halyard" check "$@" --format json --certificates "$work/certificates") || exit 1
  mv "$work/said" "$work/all"
  [ "$(number without_certificate)" = 0 ] && [ "$(number proved)" = "$(number obligations)" ] || echo "$name: not all proved"
  check=$(seconds "$bin/halyard-certcheck" --quiet --time "$work/certificates") || exit 1
  rate=$(sed -nE 's/.*: ([0-9]+) certificates per second \(([0-9]+) with.*/\1 (\2)/p' "$work/said")
  printf '%-18s %6s %12s %13s %9s %12s %9.1f %14s %16s' "$name" "$funcs" "$(number obligations)" "$(number certificates)" \
    "$plain" "$with" "$(awk -v b="$(wc -c <"$work/certificates")" 'BEGIN { print b / 1e6 }')" "$check" "$rate"
  if [ "$limit" != - ]; then awk -v a="$with" -v b="$limit" 'BEGIN { printf "  target %s s: %s", b, a <= b ? "met" : "MISSED" }'; fi
  echo
}

made() { # made SHAPE FUNCS LIMIT [schedule]
  bench/generate.sh "$1" "$2" >"$work/$1.alg"
  if [ "${4-}" ]; then
    bench/generate.sh "$1" "$2" schedule >"$work/$1.sched"
    row "$1 $2 tiled" "$3" "$work/$1.alg" "$work/$1.sched"
  else
    row "$1 $2" "$3" "$work/$1.alg"
  fi
}

row 'figure 1' 0.5 apps/figure1.alg apps/figure1.sched
for n in 5 10; do made chain $n -; done
made chain 20 3
for n in 50 100 200; do made chain $n -; done
for n in 5 10; do made chain $n - schedule; done
made chain 20 3 schedule
made chain 40 - schedule
for n in 5 10 20 50; do made pyramid $n -; done
made pyramid 100 10
for n in 5 10 20 30; do made pyramid $n - schedule; done
