#!/usr/bin/env bash
# measure_reduction.sh BUILD [-s SECONDS] [-e N] [PATTERN...]: how small do campaigns make what they find?
#
# BUILD is a build with -DHALYARD_MUTANTS=ON. Every N-th fault (default 4) of proofs_tests/mutants/mutants.def that a campaign
# should notice is switched on for a campaign of random pairs that stops at its first finding, or after SECONDS (default
# 30); the finding is shrunk for at most 60 s, as "halyard fuzz" does. PATTERNs pick rows: part of a name, or "FOLDER/".
# Prints for each the funcs and directives of the case and the seconds that shrinking took, then how many have at most 3
# funcs and 4 directives within 60 s (requirement R13: 9 of 10). Exit status 1 if fewer do.
set -u
build=$(realpath "${1:?usage: measure_reduction.sh BUILD [-s SECONDS] [-e N] [PATTERN...]}") || exit 2
shift
seconds=30 every=4
while getopts s:e: option; do
  case $option in
  s) seconds=$OPTARG ;; e) every=$OPTARG ;;
  *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
cd "$(dirname "$0")/.." || exit 2
"$build/halyard" --version | grep -q mutants || { echo "measure_reduction: $build has no mutants (cmake -DHALYARD_MUTANTS=ON)" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

is_wanted() { # is_wanted NAME FOLDER PATTERN...
  local name=$1 folder=$2 pattern
  shift 2
  [ $# = 0 ] && return
  for pattern; do
    case $pattern in
    */) [ "$folder" = "${pattern%/}" ] && return ;;
    *) [[ $name == *$pattern* ]] && return ;;
    esac
  done
  return 1
}

field() { sed -nE "s/^ *\"$1\": \"?([^\",]*).*/\1/p" "$work/finding"; }

number=0 noticed=0 small=0
while IFS='|' read -r name folder lanes; do
  is_wanted "$name" "$folder" "$@" || continue
  [ $((number++ % every)) = 0 ] || continue
  HALYARD_MUTANT=$name timeout $((seconds + 180)) "$build/halyard" fuzz --seed 1 --jobs 1 --time "$seconds" --lanes "$lanes" \
    --stop-at 1 --format json >"$work/said" 2>/dev/null </dev/null
  sed -n '/"findings": \[/,/^    }/p' "$work/said" >"$work/finding" # the first one: failures come first
  grep -q '"failure": true' "$work/finding" || : >"$work/finding"
  if [ ! -s "$work/finding" ]; then
    echo "$name: nothing found in $seconds s"
    continue
  fi
  noticed=$((noticed + 1))
  verdict=large
  if [ "$(field funcs)" -le 3 ] && [ "$(field directives)" -le 4 ] &&
    awk -v s="$(field shrink_seconds)" 'BEGIN { exit !(s <= 62) }'; then # the last candidate may outlast the limit
    verdict=small small=$((small + 1))
  fi
  printf '%-34s %-44s %d funcs, %d directives, %5.1f s  %s\n' "$name" "$(field key)" "$(field funcs)" \
    "$(field directives)" "$(field shrink_seconds)" "$verdict"
done < <(sed -nE 's/^HY_MUTANT_ROW\((\w+), "([^"]*)", "[^"]*", "([^"]*)", .*/\1|\2|\3/p' ../proofs_tests/mutants/mutants.def | grep -v '|-$')
echo "$small of $noticed findings have at most 3 funcs and 4 directives"
[ "$noticed" -gt 0 ] && [ $((10 * small)) -ge $((9 * noticed)) ]
