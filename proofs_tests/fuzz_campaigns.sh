#!/usr/bin/env bash
# fuzz_campaigns.sh HALYARD: campaigns of random pairs as a user runs them. They find nothing, are the same bytes wherever
# and however they run, survive being killed, a full disk and corrupt files, and the cases of bugs found earlier stay mended.
# FUZZ_PAIRS sets how many pairs the fixed mix has (400).
set -u
halyard=$(realpath "${1:?usage: fuzz_campaigns.sh HALYARD}") || exit 2
cases=$(realpath "$(dirname "$0")")/cases
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
passed=0 failed=0

fuzz() { timeout 600 "$halyard" fuzz "$@" >out 2>err </dev/null; }
expect() { # expect NAME STATUS COMMAND...: and, with TEXT set, that it is said
  local name=$1 want=$2 status
  shift 2
  "$@"
  status=$?
  if [ "$status" != "$want" ]; then
    printf 'FAILED %s: status %s, not %s\n' "$name" "$status" "$want"
    tail -n 12 out err 2>/dev/null | cut -c1-300 | sed 's/^/    /'
  elif [ -n "${text:-}" ] && ! grep -qF -- "$text" out err; then
    printf 'FAILED %s: nothing says "%s"\n' "$name" "$text"
    tail -n 5 out err | sed 's/^/    /'
  else
    passed=$((passed + 1))
    return
  fi
  failed=$((failed + 1))
}
same() { diff -r "$1" "$2" >out 2>err; }
says() { local text=$1; shift; expect "$@"; }

# -- nothing is found, and the bytes are the same
expect 'the fixed mix finds nothing' 0 fuzz --seed 2026 --pairs "${FUZZ_PAIRS:-400}" --lanes mix --jobs 2
quick=(--seed 7 --pairs 700 --lanes 1)
expect 'one process' 0 fuzz "${quick[@]}" --out one
expect 'two processes' 0 fuzz "${quick[@]}" --out two --jobs 2
expect 'the same bytes by one process and by two' 0 same one two
for shard in 0 1; do expect "shard $shard" 0 fuzz "${quick[@]}" --shard $shard/2 --out shard$shard; done
says '700 pairs' 'shards are joined' 0 fuzz --merge shard0 shard1 --out whole
expect 'joined shards have the results of the whole' 0 same one/results whole/results
expect 'joining twice is joining once' 0 fuzz --merge shard0 shard1 shard0 --out again
expect 'the same' 0 same whole again

# -- killed at any moment
(exec "$halyard" fuzz "${quick[@]}" --out killed >/dev/null 2>&1) &
for _ in {1..1200}; do [ -s killed/results ] && break; sleep 0.05; done # until it has written something
kill -KILL $! && wait $! 2>/dev/null
printf 'block 1 00000000 0:1' >>killed/results # and while it wrote a line
says 'torn or corrupt' 'it goes on' 0 fuzz "${quick[@]}" --out killed --resume
expect 'with the same bytes' 0 same one killed
sed -i '2s/:/;/' killed/results
says 'torn or corrupt' 'a corrupt line is done again' 0 fuzz "${quick[@]}" --out killed --resume
expect 'with the same bytes again' 0 same one killed

# -- folders that will not do
says 'holds a campaign already' 'a folder in use' 2 fuzz "${quick[@]}" --out one
says 'another seed' 'another campaign' 2 fuzz --seed 8 --pairs 10 --lanes 1 --out one --resume
says 'cannot make the folder' 'no such place' 2 fuzz --pairs 10 --out /nowhere/at/all
says 'cannot make the folder' 'a file in the way' 2 fuzz --pairs 10 --out one/results
says 'there is no campaign here' 'joining nothing' 2 fuzz --merge .
says 'another seed' 'joining strangers' 2 bash -c "'$halyard' fuzz --seed 9 --pairs 64 --lanes 1 --out nine >out 2>&1
  '$halyard' fuzz --merge one nine >out 2>err"
mkdir corrupt && printf 'halyard campaign 1\nversion: 9\n' >corrupt/campaign
says 'another version' 'a description of another version' 2 fuzz --merge corrupt
head -c 500 /dev/urandom >corrupt/campaign
expect 'a description of noise' 2 fuzz --merge corrupt
cp -r one noise && head -c 3000 /dev/urandom >noise/results
says "torn or corrupt" "results of noise" 2 fuzz --merge noise
expect 'a full disk' 2 bash -c "ulimit -f 0; '$halyard' fuzz ${quick[*]} --out full 2>&1 | cat >/dev/null; exit \${PIPESTATUS[0]}"
expect 'leaves nothing half written' 1 bash -c 'ls full/.halyard-* full/campaign 2>/dev/null | grep -q .'
expect 'and goes on when there is room' 0 fuzz "${quick[@]}" --out full --resume
expect 'to the same bytes' 0 same one full

says 'none of 1 pairs was judged' 'a campaign that judged nothing' 3 fuzz --seed 15 --pairs 1 --lanes 1

# -- the command line
says '--lanes takes' 'unknown lanes' 2 fuzz --lanes 7 --pairs 1
says 'I below N' 'a shard that is none' 2 fuzz --shard 3/3 --pairs 1
says "no directive 'spilt'" 'an unknown directive' 2 fuzz --directive spilt --pairs 1
says 'takes no files' 'a file' 2 fuzz apps --pairs 1
expect 'a favourite' 0 fuzz --directive fuse --pairs 64 --lanes 1 --seed 5
says '"failures": 0' 'JSON' 0 fuzz --pairs 8 --lanes 1 --format json
expect 'no choices' 0 fuzz --choices /dev/null --lanes 1
head -c 600 /dev/urandom >bytes
expect 'any choices' 0 fuzz --choices bytes --lanes 1

# -- case files
judge() { timeout 300 "$halyard" "$@" >out 2>err </dev/null; }
cat >bad.case <<'END'
halyard case 1
refused: yes
input: 5 window 0:7 2:5 params 1 2 0 0
--- algorithm
pipeline p(w: int) {
  fun f0(x, y) = x + w;
  fun f1(x, y) = { f0(x - 1, y) + f0(x + 1, y); rdom(r = (0, 3)) in (x, y) <- f1(x, y) + f0(x, r); };
  fun f2(x, y) = f1(x, y - 1) * f1(x, y + 1);
}
--- schedule
  split(f2.s0.x, xo, xi, 4);
  split(f2.s0.y, yo, yi, 2);
  swap(f2.s0.yi);
  compute_at(f1, f2.s0.yo);
END
says 'accepted' 'a case that fails' 1 judge replay bad.case
says 'smaller' 'is made smaller' 1 judge reduce bad.case
expect 'to one func and no directive' 0 bash -c '[ "$(grep -c "fun " bad.case.reduced)" = 1 ] && [ -z "$(sed "1,/^--- schedule/d" bad.case.reduced)" ]'
says 'accepted' 'and fails as before' 1 judge replay bad.case.reduced
grep -v refused bad.case >good.case
says 'nothing' 'a case that is well' 0 judge replay good.case --lanes 1,2,3,4,5
says 'nothing to keep' 'is not reduced' 0 judge reduce good.case
for n in 0 10 40 90 150; do
  head -c $n bad.case >cut.case
  says 'cannot be read' "a case cut off after $n bytes" 2 judge replay cut.case
done
head -c 5000 /dev/urandom >noise.case
says 'cannot be read' 'a case of noise' 2 judge replay noise.case
sed 's/window 0:7/window 0:-7/' bad.case >odd.case
says 'malformed' 'a window of negative length' 2 judge replay odd.case
sed 's/^refused/relation: none such\nrefused/' bad.case >odd.case
says 'unknown relation' 'an unknown relation' 2 judge replay odd.case
says 'cannot be read' 'no case' 2 judge replay nosuch.case
expect 'a full disk under reduce' 2 bash -c "'$halyard' reduce bad.case -o /dev/full >out 2>err"
sed 's/0:7/0:99999999999/' bad.case >odd.case
says 'more than 1000000 points' 'an absurd window' 2 judge replay odd.case

# -- bugs found by campaigns, mended; "# expect: WHAT" in a case's head is what replay says of it today, and "# status: N" how it ends (0)
for case in "$cases"/*.case; do
  is=$(sed -n '/^---/q; s/^# expect: //p' "$case")
  status=$(sed -n '/^---/q; s/^# status: //p' "$case")
  [ -f "$case" ] && is=${is:-nothing} && says ".case: $is" "$(basename "$case")" "${status:-0}" judge replay "$case"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
