#!/usr/bin/env bash
# coq_figures.sh HALYARD: how long the proofs take to build, from nothing and when nothing has changed; how fast
# halyard-certcheck-coq judges the certificates of apps/ and of larger programs (bench/generate.sh), in seconds of the processor;
# how much memory it takes for each byte of a file. Target: 50,000 certificates a second of apps/, after reading.
set -u
halyard=$(realpath "${1:?usage: coq_figures.sh HALYARD}") || exit 2
cd "$(dirname "$0")/../.." || exit 2
ours=$(dirname "$halyard")/halyard-certcheck-coq
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

TIMEFORMAT='%R s, %U s of the processor'
for what in 'from nothing' 'when nothing has changed'; do
  spent=$({ time proofs_tests/coq/build_coq.sh "$work/built" >"$work/said" 2>&1; } 2>&1) || { cat "$work/said"; exit 1; }
  echo "proofs, extraction and checker built $what: $spent"
done

certificates() { # certificates NAME CHECK-ARGUMENT...: "$work/NAME.cert"
  local name=$1
  shift
  "$halyard" check "$@" --certificates "$work/$name.cert" >/dev/null || exit 1
}
row() { # row TITLE FILE...: the sums of all
  local title=$1 file
  shift
  for file; do
    "$ours" --quiet --time "$file" >"$work/said" || exit 1
    echo "$(wc -c <"$file") $(grep -c '^certificate ' "$file") $(grep -cE '^[a-z.] ' "$file") $(grep -oE '(read|checked) in [0-9.]+' "$work/said" | grep -oE '[0-9.]+' | tr '\n' ' ')" \
      "$({ /usr/bin/env python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)' "$ours" --quiet "$file"; })"
  done | awk -v title="$title" '{ bytes += $1; all += $2; steps += $3; read += $4; checked += $5; if ($6 > most) { most = $6; of = $1 } }
    END { printf "%-14s %6.1f MB %7d certificates %8d steps: %7.0f certificates and %8.0f steps a second, %6.0f certificates with reading; %.0f bytes of memory for each byte\n",
            title, bytes / 1e6, all, steps, all / checked * 1e3, steps / checked * 1e3, all / (read + checked) * 1e3, most / of }'
}

for alg in apps/*.alg apps/*/*.alg; do
  sched=${alg%.alg}.sched
  [ -f "$sched" ] || sched=
  certificates "app-$(basename "$alg" .alg)" "$alg" ${sched:+"$sched"}
done
row apps "$work"/app-*.cert
for shape in 'chain 50' 'chain 100' 'chain 200' 'pyramid 10' 'pyramid 20' 'pyramid 50'; do
  bench/generate.sh $shape >"$work/generated.alg"
  certificates generated "$work/generated.alg"
  row "$shape" "$work/generated.cert"
done
