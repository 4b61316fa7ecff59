#!/usr/bin/env bash
# coq_campaign.sh HALYARD [--seed N] [--certificates N] [--copies N] [--pairs N] [--out DIR]: the two checkers of certificates,
# halyard-certcheck and halyard-certcheck-coq beside HALYARD, judge the same files, until so many certificates (1000) were
# compared, and so many damaged copies (10) of each.
#
# Certificates are those of random pairs of 'halyard fuzz', of the seeds N, N + 1, ... (default 1), so many pairs (100) of each:
# a chunk. certificate_copies writes each certificate as a file of its own, and the damaged copies of that. What differs is kept
# in DIR (default: a scratch folder), one file for each, and the first is shown; a file that halyard-certcheck refuses for want
# of 128 bits (or for its other limits) and halyard-certcheck-coq accepts is kept in DIR/limits. A campaign that was stopped goes
# on with the next chunk when it is called with the same DIR.
set -u
halyard=$(realpath "${1:?usage: coq_campaign.sh HALYARD [OPTION...]}") || exit 2
shift
seed=1 wanted=1000 copies=10 pairs=100 out=
while [ $# -gt 1 ]; do
  case $1 in
  --seed) seed=$2 ;; --certificates) wanted=$2 ;; --copies) copies=$2 ;; --pairs) pairs=$2 ;; --out) out=$2 ;;
  *) echo "coq_campaign: no option is called $1" >&2 && exit 2 ;;
  esac
  shift 2
done
here=$(dirname "$halyard") ours=$(dirname "$halyard")/halyard-certcheck-coq
for tool in halyard-certcheck halyard-certcheck-coq certificate_copies certificate_verdicts; do
  [ -x "$here/$tool" ] || { echo "coq_campaign: there is no $tool beside $halyard (./dev coq builds all of them)" >&2 && exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=${out:-$work/out}
mkdir -p "$out"
touch "$out/chunks"
[ -s "$out/campaign" ] || echo "$copies $pairs" >"$out/campaign"
[ "$(cat "$out/campaign")" = "$copies $pairs" ] || { echo "coq_campaign: $out is a campaign of other copies and pairs" >&2 && exit 2; }

# In place of halyard-certcheck: keeps the certificates and has it judge them.
cat >"$work/collect" <<END
#!/bin/sh
cat "\$2" >>"$work/certificates"
exec "$here/halyard-certcheck" "\$@"
END
chmod +x "$work/collect"

# The file of a bundle: the one that has this number, from 1.
cut_out() { awk -v n="$1" '/^halyard-certificates 2$/ { i++ } i == n { print } i > n { exit }' "$work/bundle"; }

# Of each file "WHAT WAS DONE|OURS|THEIRS", one a line -> the sums, and of what differs "differ NUMBER ..." or "limits NUMBER ...".
compare() {
  awk -F '|' '
    { split($2, ours, " "); split($3, theirs, " "); files++
      a = ours[1] == "accepted"; b = theirs[1] == "accepted"
      sub(/ [0-9a-f]*$/, "", $1); done[$1]++; accepted[$1] += b }
    a == b { if (ours[1] == theirs[1] && ours[2] == theirs[2]) same++; else elsewhere++; next }
    a && $3 ~ /does not fit 128 bits|degree is above 4|too large|too much work|out of range/ { limits++; print "limits", NR, $0; next }
    { differ++; print "differ", NR, $0 }
    END { for (what in done) print "kind", accepted[what] + 0, done[what], what
          print "sums", done["kept"] + 0, files + 0, same + 0, elsewhere + 0, limits + 0, differ + 0 }'
}

chunk() { # chunk SEED: a line "SEED certificates files same elsewhere limits differ" in DIR/chunks
  local what number rest
  : >"$work/certificates"
  HALYARD_CERTCHECK=$work/collect "$halyard" fuzz --seed "$1" --pairs "$pairs" --lanes 2 --shrink 0 >"$work/said" 2>&1 ||
    echo "coq_campaign: halyard fuzz --seed $1: $(grep -m 1 '^failure' "$work/said")" # not what is asked here
  [ -s "$work/certificates" ] || { echo "$1 0 0 0 0 0 0" >>"$out/chunks"; return; } # halyard fuzz asks about some of its pairs only
  "$here/certificate_copies" "$1" "$copies" <"$work/certificates" >"$work/bundle" || exit 2
  "$here/certificate_verdicts" <"$work/bundle" >"$work/theirs" &
  "$ours" --each - <"$work/bundle" >"$work/ours"
  wait $!
  awk '/^halyard-certificates 2$/ { getline; print substr($0, 3) }' "$work/bundle" >"$work/done"
  [ "$(wc -l <"$work/ours") $(wc -l <"$work/theirs")" = "$(wc -l <"$work/done") $(wc -l <"$work/done")" ] ||
    { echo "coq_campaign: seed $1: not as many verdicts as files" && exit 2; }
  sed -n 's/^kept //p' "$work/done" >>"$out/hashes"
  paste -d '|' "$work/done" "$work/ours" "$work/theirs" | compare >"$work/compared"
  while read -r what number rest; do
    case $what in
    limits) [ -d "$out/limits" ] || mkdir "$out/limits" && cut_out "$number" >"$out/limits/$1-$number.cert" && echo "$1-$number $rest" >>"$out/limits/list" ;;
    differ) cut_out "$number" >"$out/$1-$number.cert" && echo "$1-$number $rest" >>"$out/differ" ;;
    kind) echo "$number $rest" >>"$out/kinds" ;;
    sums) echo "$1 $number $rest" >>"$out/chunks" ;;
    esac
  done <"$work/compared"
}

counted() { awk '{ n += $2 } END { print n + 0 }' "$out/chunks"; }
while [ "$(counted)" -lt "$wanted" ]; do
  next=$(awk -v s="$seed" '$1 >= s { s = $1 + 1 } END { print s }' "$out/chunks")
  chunk "$next"
done

[ ! -s "$out/differ" ] || { head -n 1 "$out/differ" && cat "$out/$(head -n 1 "$out/differ" | cut -d ' ' -f 1).cert"; } | head -n 60
awk '{ n[$3 == "" ? $2 : substr($0, index($0, $3))] += $2; a[substr($0, index($0, $3))] += $1 }
  END { for (k in n) printf "  %-28s %9d files, %9d accepted\n", k, n[k], a[k] }' "$out/kinds" | sort
awk -v different="$(sort -u "$out/hashes" | wc -l)" 'NR == 1 { first = $1 } { last = $1; c += $2; f += $3; s += $4; e += $5; l += $6; d += $7 }
  END { printf "seeds %d to %d: %d certificates (%d different), %d files; the same verdict and line of %d, refused by both for another reason first %d, accepted by halyard-certcheck-coq alone, beyond 128 bits, %d; differ %d\n",
          first, last, c, different, f, s, e, l, d; exit d > 0 }' "$out/chunks"
