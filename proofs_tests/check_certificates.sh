#!/usr/bin/env bash
# check_certificates.sh HALYARD [CERTCHECK]: certificates from the outside, through the two programs. Where
# HALYARD_CERTIFICATES names a folder, those of programs are left there, for check_coq.sh to have judged once more.
#
#   programs   every obligation of every app and golden program that is proved has a certificate (an obligation of
#              numbers that fit has one for each number), and halyard-certcheck, which shares no code with Halyard,
#              accepts all of them
#   claims     those of golden/pair.cert are what is written of pair.alg, formula by formula, and its proofs are accepted
#   tampering  a file of which a proof is cut out, or a fact weakened, it does not accept
#   by hand    certificate_cases.txt: exit status and reason of each
#   coverage   every branch of certcheck/*.c was taken by the files by hand, both ways
#   steps      what random steps conclude from what is so, is so, and lines are worth what the document says (attack.c);
#              each step is accepted and refused at least once, and each kind of line is there
#   document   the example of docs/certificates.md is accepted
set -u
halyard=$(realpath "${1:?usage: check_certificates.sh HALYARD}") || exit 2
certcheck=$(realpath "${2:-$(dirname "$halyard")/halyard-certcheck}") || exit 2
cd "$(dirname "$0")/.." || exit 2
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 obligations=0 certificates=0
wrong() { echo "$1"; failed=1; }

# -- programs ---------------------------------------------------------------------------------------------------------

program() { # program ALG [SCHED]: all of it is proved, and all proofs are accepted
  local name="${*##*/}" one
  "$halyard" check "$@" --format json --certificates "$work/all" >"$work/said" 2>"$work/errors" ||
    { wrong "$name: not proved: $(head -n 1 "$work/errors")"; return; }
  "$certcheck" "$work/all" >"$work/verdicts" || wrong "$name: $(grep -v accepted "$work/verdicts" | head -n 2)"
  # Of each schedule: obligations, proved, without a certificate; and different ids "SCHEDULE/NUMBER" in the file.
  count() { grep -oE "^      \"$1\": ?[0-9]+" "$work/said" | grep -oE '[0-9]+$' | awk '{ n += $1 } END { print n + 0 }'; }
  one=$(sed -n 's,^certificate \([^ ]*/[0-9]*\).*,\1,p' "$work/all" | sort -u | wc -l)
  [ "$(count obligations)" -gt 0 ] && [ "$(count proved)" = "$(count obligations)" ] &&
    [ "$(count without_certificate)" = 0 ] && [ "$one" = "$(count obligations)" ] ||
    wrong "$name: $(count obligations) obligations, $(count proved) proved, $one with certificates"
  obligations=$((obligations + $(count obligations))) certificates=$((certificates + $(count certificates)))
  [ -z "${HALYARD_CERTIFICATES-}" ] || mv "$work/all" "$HALYARD_CERTIFICATES/$(tr / _ <<<"$*").cert"
}

for alg in apps/*.alg apps/*/*.alg; do
  sched=${alg%.alg}.sched
  if [ -f "$sched" ]; then program "$alg" "$sched"; else program "$alg"; fi
done
golden=proofs_tests/golden
for alg in "$golden"/*.alg; do
  if [ -f "${alg%.alg}.sched" ]; then program "$alg" "${alg%.alg}.sched"; fi
  program "$alg"
done
program apps/box_blur.alg $golden/bounds.sched
program apps/figure1.alg $golden/specialize.sched
for tgt in "$golden"/*.tgt; do # those that the golden suite has checked, as proved
  grep -q '^//\$ check' "$tgt" && ! grep -q '^//? status' "$tgt" && program "$tgt"
done

# -- claims -----------------------------------------------------------------------------------------------------------

claims() { # claims FILE: of each certificate its first line, its facts and its goal, in full (decision D64)
  awk '$1 ~ /^[0-9]+$/ { if ($2 == "int") t[$1] = $3; else if ($2 == "unknown") t[$1] = $4
                         else { t[$1] = "(" $2; for (i = 3; i <= NF; i++) t[$1] = t[$1] " " t[$i]; t[$1] = t[$1] ")" } }
       $1 == "certificate"
       $1 == "facts" || $1 == "goal" { printf "%s", $1; for (i = 2; i <= NF; i++) printf " %s", t[$i]; print "" }' "$1"
}
"$certcheck" --quiet "$golden/pair.cert" >"$work/said" || wrong "pair.cert: $(head -n 1 "$work/said")"
"$halyard" check "$golden/pair.alg" --certificates "$work/pair" >/dev/null
diff <(claims "$golden/pair.cert") <(claims "$work/pair") >"$work/said" || wrong "pair.cert claims something else: $(head -n 4 "$work/said")"

# -- tampering --------------------------------------------------------------------------------------------------------

# The proof of the first certificate cut out; the facts of all taken away; every ">= 1" made a ">= 0"; the file cut in half.
"$halyard" check apps/figure1.alg apps/figure1.sched:tiled --certificates "$work/one" >/dev/null
"$halyard" show apps/figure1.alg apps/figure1.sched:tiled --stage filled >"$work/one.tgt"
awk '/^certificate/ { n++ } n == 1 && !/^(certificate|facts|goal)/ { next } { print }' "$work/one" >"$work/cut"
sed 's/^facts .*/facts/' "$work/one" >"$work/bare"
sed '4s/int 1/int -1000000/' "$work/one" >"$work/weak"
head -c $(($(wc -c <"$work/one") / 2)) "$work/one" >"$work/half"
: >"$work/empty"
for broken in cut bare weak half empty; do
  cmp -s "$work/one" "$work/$broken" && wrong "$broken: the file is as before"
  timeout 20 "$certcheck" "$work/$broken" >"$work/verdicts" 2>&1
  status=$?
  [ "$status" = 1 ] || [ "$status" = 2 ] || wrong "$broken: status $status: $(tail -n 1 "$work/verdicts")"
done

# -- by hand ----------------------------------------------------------------------------------------------------------

mkdir "$work/cases"
proofs_tests/unit/certcheck/certificate_cases.sh "$work/cases"

run_cases() { # run_cases CERTCHECK
  local number verdict reason said status want
  while read -r number verdict reason; do
    said=$(timeout 20 "$1" "$work/cases/$number.cert" 2>&1)
    status=$?
    case $verdict in accepted*) want=0 ;; rejected*) want=1 ;; *) want=2 ;; esac
    [ "$status" = "$want" ] && [[ $said == *"$reason"* ]] || wrong "case $number, $verdict $reason: $status: $said"
  done <"$work/cases/list"
}
run_cases "$certcheck"

# -- coverage ---------------------------------------------------------------------------------------------------------

compiler=$(command -v gcc-12 || command -v gcc) gcov=$(command -v gcov-12 || command -v gcov)
if [ -n "$compiler" ] && [ -n "$gcov" ]; then
  (
    cd "$work" && "$compiler" -O0 --coverage -I "$root" -o covered "$root"/certcheck/*.c || exit 1
    ./covered; ./covered --wrong; ./covered a b; ./covered nowhere; ./covered .; ./covered /dev/stdin < <(cat one)
    printf 'halyard-certificates 2\nend 0' >unended; ./covered unended
    printf 'halyard-certificates 2\nend 0\n\0\n' >nul; ./covered nul
    ./covered --quiet --time one; ./covered --program one.tgt one; ./covered --program <(:) one; head -c 60 one >rest; ./covered --program rest one; ./covered --program nowhere one
    ./covered --program; ./covered one >/dev/full
  ) >/dev/null 2>&1
  run_cases "$work/covered"
  for file in certcheck floats reader main; do
    (cd "$work" && "$gcov" -b -c covered-$file.gcda) >"$work/coverage" 2>&1
    grep -q '^Taken at least once:100.00%' "$work/coverage" ||
      wrong "not every branch of certcheck/$file.c is tested: $(grep -E '^(Lines|Taken)' "$work/coverage" | head -n 2 | tr '\n' ' ')"
  done
fi

# -- random steps -----------------------------------------------------------------------------------------------------

"${compiler:-cc}" -O1 -fsanitize=undefined -fno-sanitize-recover -std=gnu17 -D_GNU_SOURCE -I "$root" -o "$work/attack" proofs_tests/coq/attack.c -lm &&
  "$work/attack" 1 20000 >"$work/said" || wrong "random steps: $(head -n 60 "$work/said")"
cat "$work/said"

# -- document ---------------------------------------------------------------------------------------------------------

awk '/^```certificates$/ { on = 1; next } /^```$/ { on = 0 } on' docs/certificates.md >"$work/example" 2>/dev/null
"$certcheck" "$work/example" >"$work/verdicts" 2>&1 || wrong "the example of docs/certificates.md: $(tail -n 1 "$work/verdicts")"

echo "$obligations obligations, $certificates certificates, $(wc -l <"$work/cases/list") files by hand"
exit $failed
