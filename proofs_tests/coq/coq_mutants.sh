#!/usr/bin/env bash
# coq_mutants.sh HALYARD: why there are two checkers. Each fault of certcheck_mutants.txt is put into halyard-certcheck, which
# judges the same files as halyard-certcheck-coq: certificates of random pairs and their damaged copies (coq_campaign.sh), and
# those of certificate_cases.txt. The two must differ on one: a table says of which, and how the first of them was damaged, and
# what random steps (attack.c) find.
#
# Two faults make no other verdict: that a few bytes may ask for any work (Coq's checker has another limit), and that there
# may be more certificates than obligations (the end of the program is refused then, for the same reason).
set -u
halyard=$(realpath "${1:?usage: coq_mutants.sh HALYARD}") || exit 2
here=$(dirname "$halyard")
cd "$(dirname "$0")" || exit 2
root=$(realpath ../..)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/collect" <<END
#!/bin/sh
cat "\$2" >>"$work/certificates"
exec "$here/halyard-certcheck" "\$@"
END
chmod +x "$work/collect"
HALYARD_CERTCHECK=$work/collect "$halyard" fuzz --seed 1 --pairs 60 --lanes 2 --shrink 0 >/dev/null
"$here/certificate_copies" 1 10 <"$work/certificates" >"$work/bundle" || exit 2
mkdir "$work/cases"
../unit/certcheck/certificate_cases.sh "$work/cases"
while read -r number verdict; do
  [ "$(head -n 1 "$work/cases/$number.cert")" = 'halyard-certificates 2' ] && sed "1a # case $number, $verdict" "$work/cases/$number.cert"
done <"$work/cases/list" >>"$work/bundle"
awk '/^halyard-certificates 2$/ { getline; sub(/ [0-9a-f]*$/, ""); print substr($0, 3) }' "$work/bundle" >"$work/done"
"$here/halyard-certcheck-coq" --each - <"$work/bundle" | cut -d ' ' -f 1 | sed 's/malformed/rejected/' >"$work/ours"

# differ CHECKER: "NUMBER, the first by WHAT (OURS, not THEIRS)": on how many files it accepts what Coq's does not, or the reverse
differ() {
  timeout 300 "$1" <"$work/bundle" 2>/dev/null | cut -d ' ' -f 1 | sed 's/malformed/rejected/' >"$1.said"
  paste -d '|' "$work/done" "$work/ours" "$1.said" | awk -F '|' -v beyond="$work/beyond" '
    BEGIN { while ((getline number <beyond) > 0) skip[number] = 1 }
    $2 != $3 && !(NR in skip) { n++; if (n == 1) first = $1 " (" $2 " by Coq'"'"'s, " ($3 == "" ? "no answer" : $3) " by C)" }
    END { if (n) print n " of " NR " files|" first }'
}
build() { cc -w -std=gnu17 -O1 -o "$2" -I "$1" -I "$root" verdicts.c; } # build FOLDER CHECKER: of FOLDER/certcheck

build "$root" "$work/right" || exit 2
: >"$work/beyond"
timeout 300 "$work/right" <"$work/bundle" | cut -d ' ' -f 1 | sed 's/malformed/rejected/' >"$work/theirs"
paste -d '|' "$work/ours" "$work/theirs" | awk -F '|' '$1 != $2 { print NR }' >"$work/beyond" # the limits of 128 bits
echo "without a fault: beyond the limits of halyard-certcheck $(wc -l <"$work/beyond") of $(wc -l <"$work/done") files"
while read -r name; do
  ../unit/certcheck/certcheck_fault.sh "$name" "$work/$name" && build "$work/$name" "$work/$name/checker" ||
    { echo "coq_mutants: $name does not fit the checker" && exit 2; }
  said=$(differ "$work/$name/checker")
  cc -w -std=gnu17 -O1 -D_GNU_SOURCE -o "$work/$name/attack" -I "$work/$name" -I "$root" attack.c -lm || exit 2
  found=$("$work/$name/attack" 1 20000) || said="${said:-the same verdicts}; random steps: $(grep -m 1 -oE 'step . .* concludes.*|line .* is not worth.*|a step was never.*' <<<"$found" | cut -c 1-60)"
  printf '%-34s %s\n' "$name" "${said:-the same verdicts}"
done < <(sed -nE 's/^= (\w+) .*/\1/p' ../unit/certcheck/certcheck_mutants.txt) | sed -u 's/|/, first: /' | tee "$work/table"
same=$(sed -n 's/ *the same verdicts$//p' "$work/table" | sort | tr '\n' ' ')
echo "$(grep -vc 'the same verdicts$' "$work/table") of $(wc -l <"$work/table") broken checkers differ from the proved one"
[ "$same" = 'CERT_More_Than_Owed CERT_Work_Unlimited ' ]
