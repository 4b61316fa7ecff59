#!/usr/bin/env bash
# run_gate.sh HALYARD: 'halyard ship' and 'halyard gate' as a build and its CI use them (docs/gate.md): what ships is the same each time
# and comes as a whole, links into programs, and is refused where it is not what was shipped.
# Prints "N passed, N failed, N skipped".
set -u
halyard=$(realpath "${1:?usage: run_gate.sh HALYARD}") || exit 2
root=$(realpath "$(dirname "$0")/..")
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
ln -s "$root/apps" apps
passed=0 failed=0 skipped=0
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)) && echo "FAILED $1" && head -n 6 said 2>/dev/null | sed 's/^/    /'; }
try() { # try WHAT COMMAND...
  local what=$1
  shift
  if "$@" >said 2>&1; then good; else bad "$what"; fi
}
ends() { # ends STATUS TEXT WHAT ARGUMENT...: 'halyard ARGUMENT...' ends so and says so
  local status=$1 text=$2 what=$3
  shift 3
  timeout 120 "$halyard" "$@" >said 2>&1 </dev/null
  local was=$?
  if [ "$was" != "$status" ]; then bad "$what: status $was, not $status"
  elif ! grep -qF -- "$text" said; then bad "$what: it does not say \"$text\""
  else good; fi
}
none() { # none WHAT: nothing half-written is left
  if [ -z "$(find . -name '.halyard*')" ]; then good; else bad "$1: $(find . -name '.halyard*') is left behind"; fi
}

blur=(apps/box_blur.alg apps/box_blur.sched:tiled)

# -- ship

ends 0 'identity' 'a folder' ship "${blur[@]}" -o blur
mkdir -p deep/er
try 'the same bytes in another folder' bash -c "cd deep/er && '$halyard' ship ../../apps/box_blur.alg ../../apps/box_blur.sched:tiled -o blur && diff -r blur ../../blur"
try 'sha256sum agrees' bash -c 'cd blur && sha256sum --quiet -c SHA256SUMS'
try 'nothing that is not listed' bash -c 'cd blur && [ "$(ls | grep -v SHA256SUMS | sort)" = "$(cut -c 67- SHA256SUMS)" ]'
try 'keys are sorted' python3 -c 'import json
text = open("blur/blur.manifest.json").read()
assert text == json.dumps(json.loads(text), indent=2, sort_keys=True) + "\n"'
try 'the bill of materials has what ships' python3 -c 'import json
bill = json.load(open("blur/blur.cdx.json"))
sums = dict(reversed(line.split()) for line in open("blur/SHA256SUMS"))
files = {c["name"]: c["hashes"][0]["content"] for c in bill["components"] if c["type"] == "file"}
assert bill["bomFormat"] == "CycloneDX" and len(files) == 8 and all(sums[name] == is_ for name, is_ in files.items())'
try 'the object names the identity' bash -c 'strings -a blur/blur.o | grep -qF "blur $(sed -nE "s/^  \"identity\": \"(.*)\",/\1/p" blur/blur.manifest.json)"'
try 'the certificates are read without Halyard' bash -c "gzip -dc blur/blur.cert.gz >plain.cert && '$(dirname "$halyard")/halyard-certcheck' --quiet plain.cert"
try 'they are about what ships' "$halyard" check blur/blur.alg blur/blur.sched --against plain.cert
ends 0 'identity' 'a schedule of its own' ship apps/box_blur.alg -o plain --name blur_plain
cat >both.c <<'TEXT'
#include "blur/blur.h"
#include "halyard_runtime.h"
#include "plain/blur_plain.h"
int main(void) { return blur(0, 0) == HALYARD_NO_BUFFER && blur_plain(0, 0) == HALYARD_NO_BUFFER ? 0 : 1; }
TEXT
try 'two schedules in one program' bash -c "cc -std=c17 -Wall -Werror -I . -I '$root/include' both.c blur/blur.a plain/blur_plain.a -o both -pthread -lm && ./both 2>/dev/null"
try 'a program has both notes' bash -c '[ "$(strings -a both | grep -cE "^blur(_plain)? [0-9a-f]{64}$")" = 2 ]'
ends 0 'blur-aarch64-linux.o' 'several targets' ship "${blur[@]}" -o several --name blur --target x86-64-v2,x86-64-v3,aarch64-linux
ends 0 'identity' 'a folder that was shipped is replaced' ship "${blur[@]}" -o several --name blur
try 'nothing of the earlier one is left' diff -r several blur
ends 0 'identity' 'a target program by hand' ship blur/blur.tgt -o by_hand
try 'it has no algorithm' bash -c '! ls by_hand | grep -qE "[.](alg|sched)$"'

mkdir holiday && touch holiday/photo.png
ends 2 "'photo.png' in it was not written by 'halyard ship'" 'a folder with something else' ship "${blur[@]}" -o holiday --name blur
try 'it is as it was' bash -c '[ "$(ls holiday)" = photo.png ]'
touch file
ends 2 'HY0714' 'a file of that name' ship "${blur[@]}" -o file
ends 2 'No such file' 'a folder that is nowhere' ship "${blur[@]}" -o no/where
ends 2 'a function cannot be called' 'a name that is taken' ship "${blur[@]}" -o malloc
ends 2 "did you mean 'x86-64-v3'" 'an unknown target' ship "${blur[@]}" -o out --target x86-64-w3
ends 2 'has twice' 'a target twice' ship "${blur[@]}" -o out --target host,host
ends 2 'which' 'no folder' ship "${blur[@]}"
echo 'schedule tiled for box_blur { bh.compute_at(nobody, x) }' >wrong.sched
ends 1 'error' 'a schedule that is refused' ship apps/box_blur.alg wrong.sched -o out
full() { # full KIB TARGET TEXT: a disk with room for files of so many KiB
  (trap '' XFSZ; ulimit -f "$1"; "$halyard" ship "${blur[@]}" -o full --name blur --target "$2") >said 2>&1
  if [ $? = 2 ] && grep -q "HY0714.*$3" said && [ ! -e full ]; then good; else bad "a disk with room for $1 KiB"; fi
}
full 16 host "'ar' cannot be run, or failed"
full 4 aarch64-linux 'blur.cert.gz: File too large'
full 1 host 'nothing can be written in /tmp'
none 'after all that'

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
