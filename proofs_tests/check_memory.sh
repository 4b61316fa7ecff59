#!/usr/bin/env bash
# check_memory.sh HALYARD [SHARE]: every verb, with one request for memory refused (proofs_tests/support/preload/failing_malloc.c).
# It must end by itself: with status 0 where it can do without, else with 1 or 2 and a message; no signal, and nothing left
# behind but the whole output file (it may have been the summary after it that had no memory). SHARE: how many requests of each command fail in turn, evenly spread (15; "all" for all).
set -u
halyard=$(realpath "${1:?usage: check_memory.sh HALYARD [SHARE]}")_beside_llvm || exit 2 # what LLVM asks for is not refused
[ -x "$halyard" ] || { echo "check_memory: there is no $halyard"; exit 2; }
share=${2:-15}
preload=$(dirname "$halyard")/libfailing_malloc.so
cd "$(dirname "$0")/../apps" || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
# A sanitizer has allocators of its own, which refuse to be second.
if nm "$halyard" 2>/dev/null | grep -qE ' __(asan|tsan)_init$'; then echo 'left out: a sanitizer is built in'; echo '0 passed, 0 failed, 1 skipped'; exit 0; fi

starve() { # starve N COMMAND...: the N-th request fails
  local at=$1 status why=''
  shift
  rm -rf "$work/out" && mkdir "$work/out"
  LD_PRELOAD=$preload FAILING_MALLOC_AT=$at timeout 60 "$halyard" "$@" >"$work/said" 2>"$work/errors" </dev/null
  status=$?
  case $status in
  0) ;;
  1 | 2) grep -q . "$work/errors" || why='nothing on standard error' ;;
  *) why="status $status" ;;
  esac
  if [ -n "$(ls -A "$work/out")" ] && ! diff -r "$work/out" "$work/good" >/dev/null; then
    why="${why:+$why; }left behind: $(ls -A "$work/out")"
  fi
  if [ -z "$why" ]; then passed=$((passed + 1)) && return; fi
  failed=$((failed + 1))
  echo "FAILED request $at of halyard $*: $why"
  head -n 3 "$work/errors" | sed 's/^/    /'
}

while read -r -a command; do
  command=("${command[@]/OUT/$work/out}")
  rm -rf "$work/out" "$work/good" && mkdir "$work/out"
  LD_PRELOAD=$preload FAILING_MALLOC_COUNT=$work/count "$halyard" "${command[@]}" >"$work/said" 2>&1 </dev/null
  cp -r "$work/out" "$work/good"
  count=$(cat "$work/count" 2>/dev/null || echo 0)
  if [ "$count" -lt 50 ]; then failed=$((failed + 1)) && echo "FAILED halyard ${command[*]}: only $count requests were seen"; fi
  step=$((count / (share == 0 ? count : ${share/all/$count}))) && [ "$step" -ge 1 ] || step=1
  for ((at = 1; at <= count; at += step)); do starve "$at" "${command[@]}"; done
done <<'END'
check figure1.alg figure1.sched:tiled --certificates OUT/certificates
run box_blur.alg box_blur.sched:tiled -i in=ramp:40x30 -o OUT/out.png
run histogram.alg histogram.sched:plain -i in=ramp:40x30 -o OUT/out.npy --engine tgt
run scene.alg --engine alg --window x=0:8,y=0:8 -o OUT/out.png
show box_blur.alg box_blur.sched:tiled --stage llvm
check box_blur.alg ../proofs_tests/negative/bound_negative.sched
verify box_blur.alg box_blur.sched:plain
END
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
