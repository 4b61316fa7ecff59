#!/usr/bin/env bash
# check_certificates.sh HALYARD: every proved obligation of apps/ has a certificate, and halyard-certcheck, which shares no
# code with Halyard, accepts all of them; a file of which a proof is cut out, or a fact weakened, it does not accept.
set -u
halyard=$(realpath "${1:?usage: check_certificates.sh HALYARD}") || exit 2
certcheck=$(dirname "$halyard")/halyard-certcheck
cd "$(dirname "$0")/../apps" || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
wrong() { echo "$1"; failed=1; }

for alg in *.alg; do
  "$halyard" check "$alg" "${alg%.alg}.sched" --certificates "$work/all" >"$work/said" || wrong "$alg: not proved"
  "$certcheck" "$work/all" >"$work/verdicts" || wrong "$alg: $(grep -v accepted "$work/verdicts" | head -n 2)"
  grep -qE ' ([1-9][0-9]*) of \1 certificates accepted' "$work/verdicts" || wrong "$alg: $(tail -n 1 "$work/verdicts")"
  grep -q ' 0 missing' "$work/said" || wrong "$alg: $(grep missing "$work/said")"
done

# The proof of the first certificate cut out; the facts of all taken away; every ">= 1" made a ">= 0"; the file cut in half.
"$halyard" check figure1.alg figure1.sched:tiled --certificates "$work/one" >/dev/null
awk '/^certificate/ { n++ } n == 1 && !/^(certificate|facts|goal)/ { next } { print }' "$work/one" >"$work/cut"
sed 's/^facts .*/facts/' "$work/one" >"$work/bare"
sed '3s/int 1/int -1000000/' "$work/one" >"$work/weak"
head -c $(($(wc -c <"$work/one") / 2)) "$work/one" >"$work/half"
: >"$work/empty"
for broken in cut bare weak half empty; do
  cmp -s "$work/one" "$work/$broken" && wrong "$broken: the file is as before"
  timeout 20 "$certcheck" "$work/$broken" >"$work/verdicts" 2>&1
  status=$?
  [ "$status" = 1 ] || [ "$status" = 2 ] || wrong "$broken: status $status: $(tail -n 1 "$work/verdicts")"
done
exit $failed
