#!/usr/bin/env bash
# run_gate.sh HALYARD: 'halyard ship' and 'halyard gate' as a build and its CI use them (docs/gate.md): what ships is the same each time
# and comes as a whole, links into programs, and is refused where it is not what was shipped.
# Prints "N passed, N failed, N skipped".
set -u
halyard=$(realpath "${1:?usage: run_gate.sh HALYARD}") || exit 2
judge=$(dirname "$halyard")/halyard-gate
[ -x "$judge" ] || { echo "run_gate: there is no $judge" >&2; exit 2; }
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
ends() { # ends STATUS TEXT WHAT ARGUMENT...: 'halyard ARGUMENT...' ends so and says so; of a gate, so do all of its reports
  local status=$1 text=$2 what=$3 reports=()
  shift 3
  rm -f told.*
  [[ "$1" = gate && ! "$*" =~ --(markdown|junit|sarif|svr|test-result) ]] &&
    reports=(--markdown told.md --junit told.xml --sarif told.sarif --svr told.svr --test-result told.tests)
  timeout 120 "$halyard" "$@" "${reports[@]}" >said 2>&1 </dev/null
  local was=$?
  [ ${#reports[@]} = 0 ] || python3 "$root/proofs_tests/support/reports_agree.py" "$was" told >agreed || { cp agreed said && bad "$what: its reports say something else"; }
  if [ "$was" != "$status" ]; then bad "$what: status $was, not $status"
  elif ! grep -qF -- "$text" said; then bad "$what: it does not say \"$text\""
  else good; fi
  if [ "$1" = gate ] && is_plain "${@:2}"; then agrees "$was" "$what" "${@:2}" "${reports[@]}"; fi
}

# halyard-gate, wherever a gate is asked for no more than levels 0 and 1: it ends and says, word for word, as 'halyard gate' has just done.
is_plain() { # is_plain ARGUMENT...: is no more asked for?
  local words=0 asks=0
  [[ " $* " != *' --merge '* ]] || return 0
  while [ $# -gt 0 ]; do
    case $1 in
    --verify-only) asks=1 ;;
    --level) asks=1 && shift && [[ "${1-}" =~ ^[01]$ ]] || return 1 ;;
    --rebuild | --baseline | --inputs | --seed | --window | --max-slowdown | --plugin | -p) return 1 ;;
    --allow | --junit | --sarif | --svr | --test-result | --markdown | --second-checker | --shard | --part | --format) shift ;;
    -*) ;;
    *) words=$((words + 1)) ;;
    esac
    shift
  done
  [ $asks = 1 ] && [ $words -le 1 ]
}
without_times() { # without_times FILE...: what two runs of one program say alike
  sed -E 's/[0-9]+ ms\)/N ms)/; s/ time="[0-9.]+"/ time="N"/g; s/[0-9]+\.[0-9]+ \|$/N |/; s/"timeCreated": "[^"]*"/TIME/; s/"seconds": [0-9.e-]+/"seconds": N/; s/^ +[0-9]+\.[0-9e-]+,?$/N/' "$@"
}
agrees() { # agrees STATUS WHAT ARGUMENT...: as what lies in "said", which stays, and in "told.*"
  local was=$1 what=$2 file difference
  rm -rf by_halyard && mkdir by_halyard && for file in said told.*; do [ ! -e "$file" ] || mv "$file" by_halyard; done
  timeout 120 "$judge" "${@:3}" >said 2>&1 </dev/null
  local now=$?
  [ $now = "$was" ] || difference="status $now, not $was"
  for file in said told.md told.xml told.sarif told.svr told.tests; do
    cmp -s <(without_times $file 2>&1) <(cd by_halyard && without_times $file 2>&1) || difference+=" $file is another"
  done
  if [ -z "${difference-}" ]; then good; else bad "$what, by halyard-gate: $difference"; fi
  mv by_halyard/said said
}
# A Python that has the module; HOLDS is empty where none has: then what needs it is skipped.
with_module() { for python in python3 /usr/bin/python3; do "$python" -c "import $1" 2>/dev/null && echo "$python" && return; done; }
HOLDS=$(with_module jsonschema)
holds_schema() { "$HOLDS" "$root/proofs_tests/support/holds_schema.py" "$root/docs/$1.schema.json" "${@:2}"; } # holds_schema NAME FILE [KEY]
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
try 'they are about what ships' "$halyard" check blur/blur.tgt --against plain.cert
"$halyard" show apps/figure1.alg --stage filled >other.tgt
ends 1 'the hash of the target program' 'certificates of another target program' check other.tgt --against plain.cert
ends 0 'identity' 'a schedule of its own' ship apps/box_blur.alg -o plain --name blur_plain
ends 0 'identity' 'a chain that slides by itself' ship apps/box_blur.alg apps/box_blur.sched:strips -o slid --name blur --cache slid_cache
ends 0 'it is what shipped' 'the sources of a chain that slides by itself' gate slid apps/box_blur.alg apps/box_blur.sched:strips --verify-only -v
"$halyard" show apps/box_blur.alg apps/box_blur.sched:strips --stage schedule | grep -v 'slide(\|fold_storage(' >unslid.sched
ends 0 'identity' 'the same but for what slides' ship apps/box_blur.alg unslid.sched -o unslid --name blur --cache slid_cache
ends 6 'the source is another by now' 'a chain that slides, for one that does not' gate unslid apps/box_blur.alg apps/box_blur.sched:strips --verify-only
rm -rf slid unslid slid_cache
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
mkdir dist && echo precious >dist/thesis.tar.gz && (cd dist && sha256sum thesis.tar.gz >SHA256SUMS)
ends 2 'was not written by' 'a folder with sums of its own' ship "${blur[@]}" -o dist --name blur
try 'it is as it was, too' grep -q precious dist/thesis.tar.gz
touch file
ends 2 'HY0714' 'a file of that name' ship "${blur[@]}" -o file
ends 2 'No such file' 'a folder that is nowhere' ship "${blur[@]}" -o no/where
for name in malloc printf floor read class _Blur 2d; do ends 2 "a function cannot be called '$name'" "the name $name" ship "${blur[@]}" -o "$name"; done
# Whatever word a compiler, the headers or the link know: either it is refused, or a header and a program with it are fine.
words=(thread_local char8_t char16_t char32_t wchar_t size_t concept requires co_await co_return co_yield consteval constinit constexpr
  static_assert reinterpret_cast const_cast dynamic_cast static_cast contract_assert typeof typeof_unqual nullptr_t decltype mutable
  noexcept alignas alignof import module final override fortran i386 linux unix _start _end _init _fini _edata edata end etext data_start
  __bss_start environ atexit at_quick_exit main halide_buffer_t halide_filter_metadata_t pipeline text checks regions arguments metadata note
  scalar task internal box_blur_slots blur_argv blur_metadata)
every_word() {
  printf '#include <stdbool.h>\n#include <stdint.h>\n#include "halyard_runtime.h"\n' >known.c
  cc -std=gnu17 -I "$root/include" -E -dD known.c | grep -v '^#.*[/<]' | grep -oE '\b[A-Za-z_][A-Za-z0-9_]*' | grep -v ^__
  nm -g "$(dirname "$halyard")/halyard_runtime.o" | grep ' [TBDR] ' | cut -d ' ' -f 3
  printf '%s\n' "${words[@]}"
}
: >taken.h && : >taken.c && : >free
for name in $(every_word | sort -u); do
  if ! "$halyard" build nowhere.alg -o out --name "$name" 2>&1 | grep -qF "a function cannot be called '$name'"; then
    sed -E "s/HALYARD_BUILT_blur/HALYARD_BUILT_$name/; s/\bblur(_argv|_metadata)?\(/$name\1(/g" blur/blur.h >>taken.h
    echo "void *use_$name[] = {(void *)$name, (void *)${name}_argv, (void *)${name}_metadata};" >>taken.c
    echo "$name" >>free
  fi
done
sed -E 's/^void \*use_(.*)\[\].*/int \1(void) { return 0; } int \1_argv(void) { return 0; } void *\1_metadata(void) { return 0; }/' taken.c >defined.c
(echo '#include "taken.h"' && echo '#include "halyard_runtime.h"' && cat taken.c && echo 'int main(void) { return 0; }') >uses.c
cp uses.c uses.cpp
try 'names that a compiler, the headers or the link know' bash -c "cc -w -c defined.c &&
  for std in c99 gnu17 c2x; do cc -std=\$std -I '$root/include' -I . -Wall -Werror uses.c defined.o -o uses || exit 1; done &&
  { command -v c++ >/dev/null || exit 0; } && for std in c++11 gnu++20 c++2b; do c++ -std=\$std -I '$root/include' -I . -Wall -Werror uses.cpp defined.o -o uses || exit 1; done"
try 'not all names are refused' grep -qx text free
for name in text arguments; do
  try "the name $name" bash -c "'$halyard' build ${blur[*]} -o named --name $name --emit o && [ \"\$(nm named.o | grep -cE ' T $name(_argv|_metadata)?\$')\" = 3 ]"
done
ends 2 "did you mean 'x86-64-v3'" 'an unknown target' ship "${blur[@]}" -o out --target x86-64-w3
ends 2 'has twice' 'a target twice' ship "${blur[@]}" -o out --target host,host
ends 2 'which' 'no folder' ship "${blur[@]}"
echo 'schedule tiled for box_blur { bh.compute_at(nobody, x) }' >wrong.sched
ends 1 'error' 'a schedule that is refused' ship apps/box_blur.alg wrong.sched -o out
full() { # full KIB TARGET TEXT: a disk with room for files of so many KiB
  (trap '' XFSZ; ulimit -f "$1"; "$halyard" ship "${blur[@]}" -o full --name blur --target "$2") >said 2>&1
  if [ $? = 2 ] && grep -q "HY0714.*$3" said && [ ! -e full ]; then good; else bad "a disk with room for $1 KiB"; fi
}
full 16 host "'ar' failed with status 1: .*(files may have 16384 bytes here: ulimit -f)"
full 4 aarch64-linux 'blur.cert.gz: File too large'
full 1 host "nothing can be written in ${TMPDIR:-/tmp}: File too large"
none 'after all that'

# A folder in the place of a file; a disk that is full while the gate looks; a signal while somebody else works.
ends 0 'identity' 'a folder to be replaced' ship "${blur[@]}" -o crowded --name blur
rm crowded/blur.o && mkdir crowded/blur.o && touch crowded/blur.o/photo.png && cp -r crowded was
ends 2 "'blur.o' in it is a folder" 'a folder that has the name of an object' ship "${blur[@]}" -o crowded --name blur
try 'it is as it was, with what is in it' diff -r crowded was
none 'after a folder in a folder'
small() { # small KIB TEXT STATUS WHAT ARGUMENT...: 'halyard gate' where no file may be larger, with the signal of that (XFSZ) as it is
  (ulimit -f "$1"; timeout 120 "$halyard" gate "${@:5}" >said 2>&1)
  local was=$?
  if [ $was = "$3" ] && grep -qF -- "$2" said; then good; else bad "$4: status $was, or it does not say \"$2\""; fi
}
small 4 'they cannot be handed to it: File too large' 3 'certificates that cannot be written' blur --verify-only
small 16 'it cannot be held in memory: File too large' 3 'a shared object that cannot be written' blur --level 2 --allow not-run,no-input
(ulimit -f 16; "$halyard" ship "${blur[@]}" -o full --name blur) >small 2>&1
try 'a small limit, and its signal' grep -qF 'ulimit -f' small
mkdir tools temporary
printf '#!/bin/sh\nsleep 300 &\necho $! >"%s/started"\ntouch "${4%%/*}/more"\nsleep 300\n' "$PWD" >tools/cc && chmod +x tools/cc
cc -shared -fPIC -I "$root/include" "$root/docs/examples/reverse.c" -o reverse.so
for verb in ship build 'ship --plugin ./reverse.so'; do
  rm -f started
  # shellcheck disable=SC2086 # words
  PATH=$PWD/tools:$PATH TMPDIR=$PWD/temporary "$halyard" $verb "${blur[@]}" -o stopped --name blur $([ "$verb" = build ] && echo --emit so) >said 2>&1 </dev/null &
  ours=$!
  for _ in $(seq 600); do [ -s started ] && break || sleep 0.1; done
  try "$verb: TMPDIR is where it works" bash -c 'ls -d temporary/halyard-build-*'
  kill -TERM $ours && wait $ours 2>/dev/null
  try "$verb: a signal ends it" [ $? = 143 ]
  try "$verb: nothing is left behind by a signal" bash -c '[ -z "$(ls temporary)" ] && [ ! -e stopped ] && ! grep -q "^State:.[^ZX]" /proc/$(cat started)/status'
done
none 'after signals'
TMPDIR=$PWD/no/where ends 2 "no temporary folder can be made in $PWD/no/where: No such file or directory" 'no place to work' ship "${blur[@]}" -o out
printf '#!/bin/sh\nprintf "it\\033[31m fails\\nand more\\n"\nexit 3\n' >tools/cc
PATH=$PWD/tools:$PATH ends 2 "'cc -shared' failed with status 3: it\\x1b[31m fails" 'a linker that fails' ship "${blur[@]}" -o out

# -- gate: levels 0 and 1

ends 0 'level 1, proof: passed' 'what shipped' gate blur --verify-only
ends 0 'level 2, runs: passed' 'its runs' gate blur
ends 0 'level 1, proof: passed' 'a manifest' gate blur/blur.manifest.json --level 1
ends 0 'level 0, identity: passed' 'the same again' gate blur --level 0 --rebuild
printf 'pipeline p(in: u8[1]) {\n  fun unused(x) = in(x) + 1;\n  fun o(x) = in(x);\n}\n' >unused.alg
ends 0 'HY0506' 'a func that nobody needs' ship unused.alg -o warned --name warned
ends 0 'identity: passed' 'such a text, made again' gate warned --level 0 --rebuild
try 'nobody is warned of what others wrote' bash -c "! '$halyard' gate warned --level 0 --rebuild 2>&1 | grep HY0506"
# What decided the obligations is said, and wanted again.
printf 'schedule turned for box_blur {\n  reverse(bv.x, xr);\n}\n' >turned.sched
ends 0 'identity' 'by a plug-in' ship apps/box_blur.alg turned.sched --plugin ./reverse.so --z3-steps 77 -o turned --name blur
ends 0 'level 2, runs: passed' 'what shipped by a plug-in, without it' gate turned
printf 'pipeline reals(a: f32[2]) contract real { fun s(x) = sum(rdom(r = (0, 64)) in a(r, x)); }\n' >reals.alg
printf 'schedule lanes for reals { s_sum.update(0).split(r, ro, ri, 8).rfactor(ri, u).compute_root().update(0).vectorize(u); }\n' >reals.sched
ends 0 'identity' 'sums of floats in another order' ship reals.alg reals.sched -o reals
ends 0 'level 2, runs: passed' 'they are what was proved, bit by bit' gate reals
ends 0 'blur.so: made again, it is the same' 'the same again by a plug-in' gate turned --level 0 --rebuild --plugin ./reverse.so -v
ends 3 "it was made with the plug-in 'reverse.so' of hash" 'the same again without the plug-in' gate turned --level 0 --rebuild
ends 3 "it was made without the plug-in 'reverse.so' of hash" 'the same again with a plug-in that was not there' gate blur --level 0 --rebuild --plugin ./reverse.so
ends 1 '+ plug-in: reverse.so of hash' 'a plug-in more' diff blur turned
try 'a manifest says what decided' grep -q '"z3_steps": 77' turned/blur.manifest.json
ends 0 'level 1, proof: passed' 'a target program by hand, judged' gate by_hand --verify-only
ends 0 'it is what shipped' 'sources as they were' gate blur "${blur[@]}" --level 0 -v
sed 's/256, 32/128, 32/' apps/box_blur.sched >later.sched
ends 6 "what shipped has 'split(bv.s0.x, x, xi, 256);' where it has 'split(bv.s0.x, x, xi, 128);'" 'a later schedule' gate blur apps/box_blur.alg later.sched:tiled --level 0
sed 's/ \/ 3;/ \/ 4;/' apps/box_blur.alg >later.alg
ends 6 "(in(x - 1, y) + in(x, y) + in(x + 1, y))/3" 'a later algorithm' gate blur later.alg apps/box_blur.sched:tiled --level 0
echo 'pipeline p(' >half.alg
echo 'schedule tiled for' >half.sched
: >empty.sched
echo 'target' >half.tgt
ends 2 'cannot be read' 'an algorithm that is none' gate blur half.alg --level 0
ends 2 'cannot be read' 'a schedule that is none' gate blur apps/box_blur.alg half.sched --level 0
ends 2 'cannot be read' 'no schedule at all' gate blur apps/box_blur.alg empty.sched --level 0
ends 2 'cannot be read' 'a target program that is none' gate by_hand half.tgt --level 0
ends 1 'error[HY01' 'to ship an algorithm that is none: as build' ship half.alg -o out

# What ships of a program by hand is what becomes of it: its source is made again.
"$halyard" show "${blur[@]}" --stage filled >hand.tgt
ends 0 'identity' 'a target program by hand, in whole loops' ship hand.tgt -o hand
try 'its loops come in pieces' bash -c '! cmp -s hand.tgt hand/hand.tgt'
ends 0 'the target program: it is what shipped' 'its source' gate hand hand.tgt --level 0 -v
sed 's/ \/ 3;/ \/ 4;/' hand.tgt >later.tgt
if cmp -s hand.tgt later.tgt; then sed -i 's|/3;|/4;|' later.tgt; fi
try 'a later program is another' bash -c '! cmp -s hand.tgt later.tgt'
ends 6 'the target program: the source is another by now: what shipped has' 'a later target program' gate hand later.tgt --level 0
ends 6 'what shipped was made of an algorithm' 'a target program of what had an algorithm' gate blur hand.tgt --level 0
ends 6 'what shipped was made of a target program by hand' 'an algorithm of what had none' gate hand "${blur[@]}" --level 0
echo 'pipeline opened(in: u8[1], n: int) { fun g(x) = in(x); fun o(x) = g(x*n); }' >opened.alg
"$halyard" show opened.alg --stage filled >runtime.tgt
ends 0 'identity' 'a program by hand that every run checks' ship runtime.tgt --unknown runtime -o runtime
ends 0 'the target program: it is what shipped' 'its source, with the checks' gate runtime runtime.tgt -v
# Sixty funcs: some of what the passes make of them Z3 alone decides, and what ships is the program before them.
cat >long.alg <<'TEXT'
pipeline chain(in: u16[2]) {
  fun f[0](x, y) = in(x, y);
  for k in 1..62 fun f[k](x, y) = (f[k - 1](x - 1, y) + f[k - 1](x + 1, y)) / 2;
}
TEXT
echo 'schedule fast for chain { for k in 0..61 f[k].compute_root().vectorize(x, 16); f[62].vectorize(x, 16); }' >long.sched
ends 0 'identity' 'a long pipeline' ship long.alg long.sched -o sixty
ends 0 'level 1, proof: passed' 'each of its claims has a certificate' gate sixty --verify-only

copy() { rm -rf copy && cp -r "${1:-blur}" copy; }
flip() { # flip FILE AT: its bit 0, at a place from the beginning, or from the end
  python3 - "$1" "$2" <<'PY'
import sys
path, at = sys.argv[1], int(sys.argv[2])
data = bytearray(open(path, "rb").read())
data[at if at >= 0 else len(data) + at] ^= 1
open(path, "wb").write(data)
PY
}
for file in $(ls blur); do # one byte of each, at three places
  size=$(stat -c %s "blur/$file")
  for at in 0 $((size / 2)) -2; do
    copy && flip "copy/$file" "$at"
    ends 1 "$file" "$file with another byte at $at" gate copy --level 0
  done
done
for file in $(ls blur | grep -v SHA256SUMS); do
  copy && truncate -s 7 "copy/$file"
  ends 1 "$file" "$file cut off" gate copy --level 0
  copy && rm "copy/$file"
  ends 2 'HY0902' "$file missing" gate copy --level 0
done
copy && rm copy/SHA256SUMS
ends 2 'SHA256SUMS' 'no sums' gate copy
copy && ln -sf /etc/passwd copy/blur.h
ends 2 'symbolic link' 'a link' gate copy
copy && rm copy/blur.h && mkfifo copy/blur.h
ends 2 'no regular file' 'a pipe' gate copy
copy && cp copy/blur.manifest.json copy/second.manifest.json
ends 2 'several files called' 'two manifests' gate copy
ends 2 'has no file called' 'a folder of something else' gate holiday
ends 2 'No such file' 'a folder that is not there' gate nowhere
ends 2 'HY0703' 'no folder at all' gate
ends 2 'is no level' 'a level that is none' gate blur --level 7
ends 2 'is no level' 'a level of gate for tune' tune apps/box_blur.alg --level 3 --estimate x=0:64,y=0:64
ends 3 'HY0915' 'instructions that no window executes' gate blur --level 3 --inputs 12
ends 0 'its instructions compute what the program means' 'level 3' gate blur --level 3 --inputs 12 --allow not-seen
for option in '-p n=3' '--window x=0:9,y=0:9' '--max-slowdown 0.5'; do
  # shellcheck disable=SC2086 # words
  ends 2 "level 4 alone, which --baseline asks for, can use '--" "$option without a baseline" gate blur $option
done
ends 2 "there is none to be '--second-checker'" 'a second checker of level 0' gate blur --level 0 --second-checker coq
ends 2 "cannot be '--level 3'" 'two levels' gate blur --verify-only --level 3
ends 2 '--allow does not know' 'a word that is none' gate blur --allow everything

# forge [note] [keep]: as somebody would who wants to deceive (forge_shipment.py).
forge() { python3 "$root/proofs_tests/support/forge_shipment.py" copy "$@"; }
copy && forge
try 'a forger changes nothing where nothing is to be changed' diff -r copy blur
copy && python3 -c 'import json
m = json.load(open("copy/blur.manifest.json")); m["halyard-manifest"] = 2
open("copy/blur.manifest.json", "w").write(json.dumps(m, indent=2, sort_keys=True) + "\n")' && forge
ends 2 'is of version 2' 'a newer manifest' gate copy
"$halyard" ship apps/box_blur.alg -o default --name blur >/dev/null
copy && cp default/blur.o copy/blur.o && forge
ends 1 'blur.o: it belongs to the identity' 'an object of another folder' gate copy --level 0
copy && cp default/blur.o copy/blur.o && forge note
ends 1 'blur.a: it does not have' 'an archive without the object' gate copy --level 0
"$halyard" ship "${blur[@]}" -o arm --name blur --target aarch64-linux >/dev/null
copy && cp arm/blur.o copy/blur.o && forge note
ends 1 'blur.o: it is for another machine' 'an object for another machine' gate copy --level 0
copy && cp default/blur.tgt copy/blur.tgt && forge note
ends 1 'HY0905' 'the program of another schedule' gate copy --level 1
copy && cp default/blur.cert.gz copy/blur.cert.gz && forge note
ends 1 'blur.cert.gz' 'the certificates of another program' gate copy --level 1
recertify() { gzip -dc blur/blur.cert.gz | sed "$1" | gzip -9n >copy/blur.cert.gz && forge note; }
copy && recertify '0,/^goal .*/s//goal 1/'
ends 1 'HY0905' 'a goal that is another' gate copy --level 1
copy && recertify '0,/^qed/{/^\. /d}'
ends 1 'halyard-certcheck' 'a proof without its end' gate copy --level 1
copy && recertify 's/137/136/'
ends 1 'HY0905' 'an obligation less' gate copy --level 1
copy && recertify '$d'
ends 1 'HY0905' 'certificates without an end' gate copy --level 1
copy && head -c 200000000 /dev/zero | gzip -9n >copy/blur.cert.gz && forge note && sed -i 's/"bytes": 200000000/"bytes": 1000/' copy/blur.manifest.json
ends 1 'blur.manifest.json' 'a bomb' gate copy --level 1
copy && forge note bytes=67108865
ends 3 'unpacked it has 67108865 bytes, says the manifest, and no more than 67108864 are looked at' 'more certificates than are looked at' gate copy --level 1
copy && echo 'target' >copy/blur.tgt && forge note
ends 1 'it is no target program' 'something else than a program' gate copy --level 1
copy && printf '\n' >>copy/blur.tgt && forge note
ends 1 'it is not in its canonical form' 'a program with another form' gate copy --level 1
HALYARD_CERTCHECK=/bin/true ends 1 'halyard-certcheck' 'a judge that says nothing' gate blur --level 1
HALYARD_CERTCHECK=/nowhere ends 2 'cannot be run' 'a judge that is not there' gate blur --level 1
certcheck=$(dirname "$halyard")/halyard-certcheck
ends 0 "$certcheck accepts all" 'a second judge' gate blur --level 1 --second-checker "$certcheck"
ends 1 '/bin/true: it ended with status 0 and said nothing' 'a second judge that says nothing' gate blur --level 1 --second-checker /bin/true
printf '#!/bin/sh\n"%s" "$@" | sed "s/accepted, [0-9]* of/accepted, 99 of/"\n' "$certcheck" >liar && chmod +x liar
ends 1 './liar: ' 'a second judge with another sum' gate blur --level 1 --second-checker ./liar
printf '#!/bin/sh\nwhile :; do :; done\n' >endless && chmod +x endless
printf '#!/bin/sh\nexit 152\n' >exits && chmod +x exits # which a shell says of a child that SIGXCPU ended
ends 1 'HY0905' 'a second judge that ends with status 152' gate blur --level 1 --second-checker ./exits
HALYARD_CERTCHECK_SECONDS=1 ends 3 'error[HY0514]: blur.cert.gz: ./endless: it had not ended after 1 seconds' 'a second judge that does not end' gate blur --level 1 --second-checker ./endless
printf '#!/bin/bash\ntrap "" XCPU\nsleep 300 &\necho $! >"%s/started"\nwhile :; do :; done\n' "$PWD" >stubborn && chmod +x stubborn
HALYARD_CERTCHECK_SECONDS=1 ends 3 'error[HY0514]: blur.cert.gz: ./stubborn: it had not ended after 1 seconds' 'a second judge that ignores its limit' gate blur --level 1 --second-checker ./stubborn
try 'what a judge starts ends with it' bash -c '! grep -q "^State:.[^ZX]" /proc/$(cat started)/status'
ends 2 '/nowhere, which is to judge it, cannot be run' 'a second judge that is not there' gate blur --level 1 --second-checker /nowhere
if [ -x "$certcheck-coq" ]; then ends 0 'halyard-certcheck-coq accepts all' 'the proved judge' gate blur --level 1 --second-checker coq
else skipped=$((skipped + 1)) && echo 'skipped: a second judge: there is no halyard-certcheck-coq'; fi
copy && cp /dev/null evil.c && echo 'int blur(void *in, void *out) { return 0; }' >evil.c && cc -c evil.c -o evil.o && ar qD copy/blur.a evil.o && forge
ends 1 'blur.a: it has 3 members' 'an archive with a member more' gate copy --level 0
copy && (cd copy && ar dD blur.a halyard_runtime.o) && forge
ends 1 'blur.a: it has 1 members' 'an archive without the run-time library' gate copy --level 0
copy && (cd copy && cp ../evil.o halyard_runtime.o && ar rD blur.a halyard_runtime.o && rm halyard_runtime.o) && forge
ends 1 "blur.a: it has 2 members, not the object and the manifest's run-time library" 'an archive with another run-time library' gate copy --level 0
copy && printf '%064d  install.sh\n' 0 >>copy/SHA256SUMS
ends 1 'SHA256SUMS: it has 11 lines' 'sums of a file that does not ship' gate copy --level 0
copy && printf '\0%064d  install.sh' 0 >>copy/SHA256SUMS
ends 1 'SHA256SUMS: it has a NUL byte' 'sums with a NUL' gate copy --level 0
edit() { copy && python3 -c "import json
m = json.load(open('copy/blur.manifest.json')); $1
open('copy/blur.manifest.json', 'w').write(json.dumps(m, indent=2, sort_keys=True) + '\n')" && forge note; } # edit STATEMENT
edit 'row = dict(next(a for a in m["artefacts"] if a["role"] == "header")); row.update(path="blur.tgt.h", target="host"); m["artefacts"].append(row); import shutil; shutil.copy("copy/blur.h", "copy/blur.tgt.h")'
ends 2 'has a target for a file that is no code: "blur.tgt.h"' 'a second header, for a target' gate copy --level 0
edit 'del m["made_by"]["z3"]; m["made_by"]["plugins"] = [{"name": "evil.so", "sha256": "0" * 64}]'
ends 3 "it was made with the plug-in 'evil.so'" 'plug-ins without a version of Z3' gate copy --level 0 --rebuild
edit 'm["artefacts"] = [a for a in m["artefacts"] if a["role"] != "object"]'
ends 1 'there is no object for it' 'a target without an object' gate copy --level 3
edit 'm["content"]["targets"] *= 2'
ends 2 'has a target twice: "host"' 'a target twice' gate copy --level 0
edit 'm["made_by"]["z3_steps"] = 4294967295'
ends 2 'has more "z3_steps" than any Halyard takes' 'too many steps' gate copy --level 0
# Papers, names and numbers that hang together and are not what 'ship' makes.
edit 'a = next(a for a in m["artefacts"] if a["role"] == "header"); a["path"] = "other.h"; import os; os.rename("copy/blur.h", "copy/other.h")'
ends 1 "other.h: 'ship' calls this header 'blur.h'" 'a header of another name' gate copy --level 0
for role in 'target program' certificates header object 'bill of materials'; do
  edit "m['artefacts'] = [a for a in m['artefacts'] if a['role'] != '$role']"
  ends 1 "it lists no $role" "no $role" gate copy --level 0
done
edit '[a.update(target="x86-64-v3") for a in m["artefacts"] if "target" in a]'
ends 1 "it is code for 'x86-64-v3', which is none of the manifest's targets" 'code for a target that is none' gate copy --level 0
edit 'm["content"]["targets"] = []'
ends 1 'it names no target' 'no target' gate copy --level 0
copy && mv copy/blur.manifest.json copy/other.manifest.json && sed -i 's/blur.manifest.json/other.manifest.json/' copy/SHA256SUMS
ends 1 "'ship' calls this manifest 'blur.manifest.json'" 'a manifest of another name' gate copy --level 0
copy && sed -i 's/int blur(/long blur(/' copy/blur.h && forge note
ends 1 'blur.h: it is not the header of this program and manifest' 'a header with another type' gate copy --level 1
ends 1 '+ file: header' 'a header with another type, compared' diff blur copy
copy && sed -i 's/CycloneDX",/CycloneDX", "forged": 1,/' copy/blur.cdx.json && forge note
ends 1 'blur.cdx.json: it is not the bill of materials of this manifest' 'a bill of something else' gate copy --level 0
edit 'm["content"]["versions"]["halyard"] = "0.0.1"' && sed -i 's/Made by halyard 0.1.0/made by 0.0.1/' copy/blur.h && forge note
ends 3 'blur.h: it was made by Halyard 0.0.1, and 0.1.0 makes another header' 'a header of another version' gate copy --level 1
ends 0 'allowed' 'a header of another version, allowed' gate copy --level 1 --allow other-version
for number in obligations count dead; do
  edit "m['content']['certificates']['$number'] += 1"
  ends 1 'blur.manifest.json: it says' "another number of $number" gate copy --level 1
done
edit 'm["content"]["run_time_checks"] = 1'
ends 1 'it says 1 checks at run time, and the program has none' 'checks at run time that are none' gate copy --level 1
edit 'm["content"]["pipeline"] = "sharpen"'
ends 1 "it says that the pipeline is 'sharpen', and it is 'box_blur'" 'a pipeline of another name' gate copy --level 1
edit 'm["content"]["proved"] = False'
ends 1 'it says that the program is not proved, and no claim is open' 'proofs that are denied' gate copy --level 1
edit 'm["content"]["targets"][0]["features"] += ",+more"'
ends 3 'this Halyard has no such target' 'a target with a feature more' gate copy --level 0 --rebuild
copy && python3 -c 'import json
m = json.load(open("copy/blur.manifest.json")); next(a for a in m["artefacts"] if a["role"] == "header")["bytes"] = 300 << 20
open("copy/blur.manifest.json", "w").write(json.dumps(m, indent=2, sort_keys=True) + "\n")' && truncate -s 300M copy/blur.h
ends 1 "blur.h: it is not read: by the manifest's lengths the folder has more than 256 MiB" 'a folder of 300 MiB' gate copy --level 0
copy && truncate -s 5M copy/SHA256SUMS
ends 2 'SHA256SUMS: it is too large' 'sums of 5 MiB' gate copy --level 0
edit 'm["made_by"]["linker"] = "another 1.0"'
ends 3 "it was linked by 'another 1.0', and here is" 'another linker' gate copy --level 0 --rebuild
copy arm && cp "$(dirname "$halyard")/halyard_runtime.o" . && ar rcsD copy/blur.a copy/blur.o halyard_runtime.o && python3 -c 'import hashlib, json
data = bytearray(open("copy/blur.o", "rb").read()); data[16] = 3 # a shared object, says its head
open("copy/blur.so", "wb").write(data)
m = json.load(open("copy/blur.manifest.json")); row = next(a for a in m["artefacts"] if a["role"] == "object")
m["artefacts"] += [row | {"path": "blur.so", "role": "shared object"}, row | {"path": "blur.a", "role": "archive"}]
m["made_by"]["runtime_sha256"] = hashlib.sha256(open("halyard_runtime.o", "rb").read()).hexdigest()
open("copy/blur.manifest.json", "w").write(json.dumps(m, indent=2, sort_keys=True) + "\n")' && forge
ends 1 'blur.so: made again there is no such file' 'a file that nothing was made of' gate copy --level 0 --rebuild
# What hangs together and is of something else.
copy && (cd copy && ar rcsD blur.a blur.o ../halyard_runtime.o) && forge
try 'an archive, made again' diff -r copy blur
copy && python3 "$root/proofs_tests/support/hide_in_archive.py" copy/blur.a evil.o && forge
ends 1 "blur.a: it has 0 members, not the object" 'an object hidden in the table of symbols' gate copy --level 0
copy && cp copy/blur.so copy/blur.o && forge
ends 1 'blur.o: it is no object, but another ELF file' 'a shared object for an object' gate copy --level 0
copy && cp copy/blur.o copy/blur.so && forge
ends 1 'blur.so: it is no shared object, but another ELF file' 'an object for a shared object' gate copy --level 0
"$halyard" ship "${blur[@]}" -o linked --name blur --target x86-64-v2,x86-64-v3 >/dev/null
copy linked && python3 -c 'import json, os
m = json.load(open("copy/blur.manifest.json")); m["artefacts"] = [a for a in m["artefacts"] if a["path"] != "blur-x86-64-v2.so"]; os.unlink("copy/blur-x86-64-v2.so")
open("copy/blur.manifest.json", "w").write(json.dumps(m, indent=2, sort_keys=True) + "\n")' && forge
ends 1 'it lists no shared object for target x86-64-v2' 'one of two shared objects' gate copy --level 0
edit '[os.unlink("copy/" + a["path"]) for a in m["artefacts"] if a["role"] in ("shared object", "archive") for os in [__import__("os")]]; m["artefacts"] = [a for a in m["artefacts"] if a["role"] not in ("shared object", "archive")]'
ends 3 'there is no shared object for it' 'no shared object for a processor that is here' gate copy --allow not-run
"$halyard" ship later.alg apps/box_blur.sched:tiled -o wrong --name blur >said 2>&1
copy && cp wrong/blur.o copy/blur.o && (cd copy && ar rcsD blur.a blur.o ../halyard_runtime.o) && forge note
ends 1 'blur.so (host): it is not what the object becomes when it is linked again' 'an object of another algorithm beside its shared object' gate copy
copy && echo 'nonsense !!' >copy/blur.sched && forge note
ends 1 'blur.sched: algorithm and schedule cannot be read, or are refused' 'a schedule that is none' gate copy
copy && echo '// audited' | cat - blur/blur.alg >copy/blur.alg && forge note
ends 1 'blur.alg: it is not in its canonical form' 'an algorithm with a comment' gate copy
copy && cp plain/blur_plain.sched copy/blur.sched && forge note
ends 1 'blur.tgt: algorithm and schedule become another program' 'the schedule of another program' gate copy
edit 'm["audited_by"] = "me"'
ends 1 'blur.manifest.json: made again of the folder' 'a manifest that says more' gate copy --level 0 --rebuild
TMPDIR=/nonexistent ends 3 'it cannot be made again: no temporary folder can be made in /nonexistent' 'no folder to make it in' gate blur --level 0 --rebuild
ends 0 'identity' 'a program by hand, with few steps of Z3' ship runtime.tgt --unknown runtime --z3-steps 1 -o few
ends 0 'the target program: it is what shipped' 'its source, with as few' gate few runtime.tgt --level 0 -v
{ echo before; "$halyard" gate blur --level 0 --markdown /dev/stdout; } >>log 2>&1
try 'a report to where others write' bash -c 'grep -q before log && grep -q "halyard gate: passed" log && grep -q "level 0" log'
copy && python3 -c 'import json
m = json.load(open("copy/blur.manifest.json")); m["artefacts"][0]["bytes"] += 1
open("copy/blur.manifest.json", "w").write(json.dumps(m, indent=2, sort_keys=True) + "\n")' && (cd copy && sed -i '/manifest.json$/d' SHA256SUMS && sha256sum blur.manifest.json >>SHA256SUMS)
ends 1 'bytes, and there are' 'a manifest with another length' gate copy --level 0
copy && truncate -s 300M copy/blur.so
ends 1 'blur.so: it is not what shipped: it has more than' 'a file that is much longer' gate copy --level 0
copy && cp copy/blur.so copy/blur-fast.so && python3 -c 'import json
m = json.load(open("copy/blur.manifest.json")); row = dict(next(a for a in m["artefacts"] if a["path"] == "blur.so")); row["path"] = "blur-fast.so"
m["artefacts"].append(row); open("copy/blur.manifest.json", "w").write(json.dumps(m, indent=2, sort_keys=True) + "\n")' && forge
ends 2 'has a second file of one role and target: "blur-fast.so"' 'a second shared object for a target' gate copy --level 0
copy && python3 -c 'import json
m = json.load(open("copy/blur.manifest.json")); m["content"]["schedule_name"] = "tiled`\n\n### passed"
open("copy/blur.manifest.json", "w").write(json.dumps(m, indent=2, sort_keys=True) + "\n")' && forge
ends 2 'has a "schedule_name" that is no name' 'a name that is none' gate copy --level 0
copy && cp later.alg copy/blur.alg && forge keep
ends 1 "the folder's algorithm has the hash" 'another algorithm than the identity is of' gate copy --level 0
copy && cp default/blur.tgt copy/blur.tgt && forge keep
ends 1 "the folder's target program has the hash" 'another program than the identity is of' gate copy --level 0
copy && cp later.alg copy/blur.alg && forge note
ends 1 'HY0908' 'another algorithm than what shipped was made of' gate copy --level 0 --rebuild

ends 0 'HY0503' 'what is not proved' ship "$root/proofs_tests/negative/undecided.tgt" --z3-steps 100 --unproved -o opened
ends 3 'HY0906' 'what is not proved, judged' gate opened --level 1
ends 0 'allowed' 'what is not proved, allowed' gate opened --level 1 --allow open

copy && echo 'pipeline p(' >copy/blur.alg && forge note
ends 3 'it cannot be made again: its sources are refused (' 'an algorithm that is none, made again' gate copy --level 0 --rebuild
"$halyard" gate copy --level 0 --rebuild >out 2>err
try 'what is said of it is part of the check' [ "$(grep -c error err)" = 1 ]

# -- level 2: other code in the shared object

wrong_code() { # wrong_code WHAT ALGORITHM TEXT
  copy
  rm -rf wrong && "$halyard" ship "$2" -o wrong --name blur --target host >said 2>&1 && cp wrong/blur.so copy/blur.so && forge note
  ends 1 "$3" "$1" gate copy
}
wrong_code 'code of another algorithm' later.alg 'another value'
sed 's/in(x + 1, y)/in(x + 2, y)/' apps/box_blur.alg >wide.alg
wrong_code 'code that reads farther' wide.alg 'HY0909'
sed 's/u16/u8/' apps/box_blur.alg >narrow.alg
wrong_code 'code of another type' narrow.alg 'HY0909'
# The shipped object behind a function that is at fault in one way.
cat >faulty.c <<'TEXT'
#include "halyard_runtime.h"
int real_argv(void **args);
int blur_argv(void **args) {
  halide_buffer_t *in = args[0], *out = args[1];
  int is_query = out && (!in->host || (!out->host && !out->device));
  if (FAULT == 1 && out && out->dimensions != 2) return 0;
  if (FAULT == 2 && out && out->type.bits != 16) return 0;
  int status = real_argv(args);
  if (status || is_query) {
    if (FAULT == 3 && !status) in->dim[1].extent++;
    if (FAULT == 4 && !status) in->dim[0].min--;
    return FAULT == 5 && status == HALYARD_NEGATIVE_EXTENT ? 0 : status;
  }
  uint16_t *host = (uint16_t *)out->host;
  int wide = out->dim[0].extent, high = out->dim[1].extent, last = (wide - 1) * out->dim[0].stride + (high - 1) * out->dim[1].stride;
  if (!wide || !high) return 0;
  if (FAULT == 6) host[last + (out->dim[0].stride > 0 ? 1 : -1)] ^= 1;   /* beside the last one */
  if (FAULT == 7) host[out->dim[0].stride > 0 ? -1 : 1] ^= 1;            /* before the first one */
  if (FAULT == 8 && wide % 16 == 1) host[last] ^= 1;                     /* in the tail alone */
  if (FAULT == 9 && out->dim[0].min < 0) host[0] ^= 0x8000;              /* left of the origin */
  if (FAULT == 10 && *(uint16_t *)in->host == 0xffff) host[0] += 1;      /* for the greatest value */
  if (FAULT == 11 && high > 40) host[33 * out->dim[1].stride] = 7;       /* in the second tile */
  if (FAULT == 12) *(uint16_t *)in->host ^= 1;                           /* writes to an image */
  if (FAULT == 13 && out->dim[0].stride == 2) host[1] = 0;               /* between elements */
  return FAULT == 14 && wide == 1 ? HALYARD_ERROR : 0;
}
TEXT
objcopy --redefine-sym blur_argv=real_argv blur/blur.o real.o
for fault in $(seq 14); do
  copy && cc -shared -fPIC -O1 -I "$root/include" -DFAULT="$fault" faulty.c real.o "$(dirname "$halyard")/halyard_runtime.o" -o copy/blur.so -pthread -lm 2>said && forge
  ends 1 'blur.so (host): ' "fault $fault in the shared object" gate copy
done
copy && cp later.alg copy/blur.alg && forge note
ends 1 'algorithm and target program have other values' 'another algorithm' gate copy
copy && flip copy/blur.alg 99
ends 1 'blur.alg: nothing is known of what it means: it is not what shipped' 'an algorithm with another byte, run' gate copy
printf '#include <unistd.h>\n__attribute__((constructor)) static void begin(void) { static char zeros[4096]; for (int i = 3; i < 64; i++) (void)!write(i, zeros, sizeof zeros); _exit(0); }\nint blur_argv(void **a) { return 0; }\n' >idle.c
copy && cc -shared -fPIC idle.c -o copy/blur.so && forge note
ends 1 'blur.so' 'an object whose process says that all is well and runs nothing' gate copy
printf '#include <string.h>\n#include <unistd.h>\n__attribute__((constructor)) static void begin(void) { static char sevens[4096]; memset(sevens, 7, sizeof sevens); for (int i = 3; i < 64; i++) (void)!write(i, sevens, sizeof sevens); _exit(0); }\nint blur_argv(void **a) { return 0; }\n' >sevens.c
copy && cc -shared -fPIC sevens.c real.o "$(dirname "$halyard")/halyard_runtime.o" -o copy/blur.so -pthread -lm && forge
ends 1 'its process says what none of this program' 'an object whose process says what cannot be' gate copy
ends 3 'the process that ran them says what none of this program' 'such an object, timed' gate copy --level 0 --baseline blur
printf '#include <stdio.h>\n#include <unistd.h>\nint real_argv(void **args);\nstatic int once;\nint blur_argv(void **args) {\n  pid_t child = once++ ? -1 : fork();\n  if (!child) pause();\n  FILE *file = child > 0 ? fopen("started", "w") : NULL;\n  if (file) fprintf(file, "%%d", child), fclose(file);\n  return real_argv(args);\n}\n' >forks.c
copy && cc -shared -fPIC forks.c real.o "$(dirname "$halyard")/halyard_runtime.o" -o copy/blur.so -pthread -lm && forge
forge elsewhere
ends 0 'level 2, runs: passed' 'an object that starts a process' gate copy
try 'what an object starts ends with it' bash -c '! grep -q "^State:.[^ZX]" /proc/$(cat started)/status'
sed 's/memset(sevens, 7, sizeof sevens)/sevens[4] = 1/' sevens.c >unheard.c # what the process of an emulator may say
copy && cc -shared -fPIC unheard.c real.o "$(dirname "$halyard")/halyard_runtime.o" -o copy/blur.so -pthread -lm && forge
ends 1 'its process says that it ran 0 of 48 inputs' 'an object whose process says that an emulator did not run it' gate copy
# Whatever it writes, unless it is what an honest process says: no yes, no crash, and reports that agree.
cat >babbles.c <<'TEXT'
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
static uint64_t state;
static uint64_t next(void) { return state ^= state << 13, state ^= state >> 7, state ^= state << 17; }
__attribute__((constructor)) static void begin(void) {
  static uint64_t words[1024];
  state = strtoull(getenv("BABBLE_SEED"), 0, 10) * 0x9e3779b97f4a7c15u;
  for (int i = 0; i < 1024; i++) words[i] = next() % 3 ? next() : next() % 9;
  ((int32_t *)words)[0] = (int32_t)(next() % 11) - 2; /* a verdict, or nearly one */
  for (int i = 3; i < 32; i++) (void)!write(i, words, next() % 4 ? sizeof words : next() % sizeof words);
  _exit((int)(next() % 3));
}
int blur_argv(void **a) { return 0; }
TEXT
copy && cc -shared -fPIC babbles.c real.o "$(dirname "$halyard")/halyard_runtime.o" -o copy/blur.so -pthread -lm && forge
for seed in $(seq 12); do
  export BABBLE_SEED=$seed
  "$halyard" gate copy --level 2 --inputs 2 >said 2>&1
  was=$?
  if [ $was = 1 ] || [ $was = 3 ]; then ends $was '' "an object whose process babbles, seed $seed" gate copy --level 2 --inputs 2
  else bad "an object whose process babbles, seed $seed: status $was"; fi
  ends 3 '' "one that babbles, timed, seed $seed" gate copy --level 0 --baseline blur
done
for signal in SIGKILL SIGXCPU; do
  printf '#include <signal.h>\nint blur_argv(void **a) { return raise(%s); }\n' $signal >dies.c
  copy && cc -shared -fPIC dies.c real.o "$(dirname "$halyard")/halyard_runtime.o" -o copy/blur.so -pthread -lm && forge elsewhere
  ends 3 "ended with signal" "an object that ends its process by $signal" gate copy --allow not-run,no-input
done
printf 'int blur_argv(void **a) { for (volatile int i = 0;;) i++; }\n' >endless.c
copy && cc -shared -fPIC endless.c real.o "$(dirname "$halyard")/halyard_runtime.o" -o copy/blur.so -pthread -lm && forge elsewhere
ends 3 'it did not return within 10 s of a processor; input 0, window' 'an object that never returns' gate copy --allow not-run,no-input
printf 'int blur_argv(void **a) { return 0; }\n__attribute__((constructor)) static void begin(void) { for (volatile int i = 0;;) i++; }\n' >endless.c
copy && cc -shared -fPIC endless.c real.o "$(dirname "$halyard")/halyard_runtime.o" -o copy/blur.so -pthread -lm && forge elsewhere
ends 3 'it did not return within 10 s of a processor' 'an object that cannot be loaded to the end' gate copy --allow not-run,no-input
printf '#include <stdio.h>\nint real_argv(void **args);\nint blur_argv(void **args) { puts("{"); fflush(stdout); return real_argv(args); }\n' >loud.c
copy && cc -shared -fPIC loud.c real.o "$(dirname "$halyard")/halyard_runtime.o" -o copy/blur.so -pthread -lm && forge note
try 'an object that prints' bash -c "'$halyard' gate copy --format json 2>/dev/null | python3 -c 'import json, sys; json.load(sys.stdin)'"
copy && cp "$(dirname "$halyard")/halyard-certcheck" copy/blur.so && forge note
ends 1 'blur.so' 'something that is no shared object' gate copy
echo 'pipeline busy(in: u8[1]) { fun o(x) = { int(in(x)); rdom(r = (0, 3000000)) in (x) <- o(x) + r; }; }' >busy.alg
ends 0 'identity' 'a pipeline of many steps' ship busy.alg -o busy
ends 3 'nothing is computed that has a value' 'a pipeline of many steps, run on empty windows alone' gate busy --inputs 12
ends 0 'of 12 were of no use' 'a pipeline of many steps, allowed' gate busy -v --inputs 12 --allow no-input
for i in 0 1; do "$halyard" gate busy --inputs 4 --shard $i/2 --part busy$i.json >said 2>&1; done
ends 3 'nothing is computed that has a value' 'shards on empty windows alone' gate busy --merge busy0.json busy1.json
echo 'pipeline errs(in: u8[1]) { fun o(x) = int(in(x)) / (int(in(x)) - int(in(x))); }' >errs.alg
"$halyard" ship errs.alg -o errs >said 2>&1
ends 3 'nothing is computed that has a value' 'a pipeline of errors alone' gate errs
# The function that C programs call, and what they find in their buffers afterwards.
entry() { # entry OLD CODE: the shared object, whose symbol OLD is called another name, with this code
  objcopy --redefine-sym "$1=other_$1" blur/blur.o entry_real.o && printf '#include "halyard_runtime.h"\n%s\n' "$2" >entry.c
  copy && cc -shared -fPIC -O1 -I "$root/include" entry.c entry_real.o "$(dirname "$halyard")/halyard_runtime.o" -o copy/blur.so -pthread -lm && forge elsewhere
}
entry blur 'int blur(void *in, void *out) { return 0; }'
ends 1 'HY0909' 'a function that does nothing, beside the one that is called by its arguments' gate copy
entry blur ''
ends 1 'it cannot be called: it has no function blur' 'no function of its name' gate copy
entry blur_metadata ''
ends 1 'it cannot be called: it has no function blur_metadata' 'no description' gate copy
while IFS='|' read -r what code; do
  entry blur_argv "int other_blur_argv(void **a); int blur_argv(void **a) { halide_buffer_t *in = a[0], *out = a[1]; int s = other_blur_argv(a); if (!s && out && out->host && in->host) { $code; } return s; }"
  ends 1 "it changes what a buffer's description says" "an object that changes $what" gate copy
done <<'ROWS'
where an image lies|in->dim[0].min++
a stride|out->dim[1].stride = -out->dim[1].stride
flags|out->flags |= 2
where the memory is|out->host = 0
the type|in->type.lanes = 4
ROWS
# A program that owes nothing; one whose sums are written otherwise by whoever has read other texts before.
echo 'pipeline nothing() { fun f() = 3; }' >nothing.alg
ends 0 'identity' 'a program that owes nothing, shipped' ship nothing.alg -o nothing
ends 0 'nothing.cert.gz: there is nothing to prove' 'a program that owes nothing' gate nothing -v
cat >sums.alg <<'TEXT'
pipeline sums(in: i32[2], im: i32[1]) {
  const g1 = clamp(in.height(), 1, 4);
  fun f0(x) = (product(rdom(j0 = (1, 2)) in int(im(x - 2))) * (int(im(x + 1)) * int(repeat_image(in)(x, x))));
  fun f1(x, y) = i16(im(3*y + 1)) + i16(mirror_interior(f0, (1, 2))(3*x + 0)) + i16(in(min(x, 0), y + 1));
}
TEXT
ends 0 'identity' 'sums that are written otherwise, shipped' ship sums.alg -o sums --unproved
ends 0 'sums.tgt: it is what algorithm and schedule become' 'sums that are written otherwise' gate sums -v --rebuild --allow open,no-input
# What is needed of an image depends on where it lies: boxes that are enough are an answer, a smaller one is none.
echo 'pipeline own(in: u16[1]) { fun f(x) = in(clamp(x, min(in.left() + 1, 5), 7)); }' >own.alg
ends 0 'identity' 'a box that depends on itself, shipped' ship own.alg -o own --name blur --unproved
ends 0 'level 2, runs: passed' 'a box that depends on itself' gate own --allow open,no-input
printf '#include "halyard_runtime.h"\nint real_argv(void **a);\nint blur_argv(void **a) { halide_buffer_t *i = a[0]; int asks = i && !i->host && i->dim[0].min < 0, s = real_argv(a); if (asks && !s) i->dim[0].extent--; return s; }\n' >small.c
objcopy --redefine-sym blur_argv=real_argv own/blur.o odd_real.o
copy own && cc -shared -fPIC -O1 -I "$root/include" small.c odd_real.o "$(dirname "$halyard")/halyard_runtime.o" -o copy/blur.so -pthread -lm && forge elsewhere
ends 1 'a bounds query gives another box than the program needs of in: ' 'one that is too small' gate copy --allow open,no-input
# A folder that is replaced while it is read is one of the two.
cc -D_GNU_SOURCE -shared -fPIC "$root/proofs_tests/support/preload/moving_folder.c" -o moving_folder.so && cp -r blur moving && cp -r default moved
try 'a folder that is replaced while it is read' env ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0" LD_PRELOAD="$PWD/moving_folder.so" "$halyard" gate moving --level 0
try 'it has been replaced' diff -r moving default
# Floats of a processor that is odd: its NaNs have other bits, which is the same; or subnormal numbers are 0, which is not.
echo 'pipeline floats(in: f32[1]) { fun f(x) = in(x) + in(x + 1); }' >floats.alg
ends 0 'identity' 'sums of floats' ship floats.alg -o floats --name blur
objcopy --redefine-sym blur_argv=real_argv floats/blur.o odd_real.o
odd() { # odd BITS: what becomes of the bits of each element, "b"
  printf '#include "halyard_runtime.h"\n#include <string.h>\nint real_argv(void **a);\nint blur_argv(void **a) { halide_buffer_t *f = a[1]; int s = real_argv(a);\n  for (int i = 0; !s && f->host && i < f->dim[0].extent; i++) { uint32_t b; uint8_t *at = f->host + 4 * (long)i * f->dim[0].stride; memcpy(&b, at, 4); %s; memcpy(at, &b, 4); }\n  return s; }\n' "$1" >odd.c
  copy floats && cc -shared -fPIC -O1 -I "$root/include" odd.c odd_real.o "$(dirname "$halyard")/halyard_runtime.o" -o copy/blur.so -pthread -lm && forge elsewhere
}
odd 'b ^= (b & 0x7fffffff) > 0x7f800000 ? 0x80000001 : 0' # where the linker is the manifest's the shared object is no longer the object
ends 0 'level 2, runs: passed' 'a NaN with other bits' gate copy -v
odd 'b &= (b & 0x7f800000) ? 0xffffffff : 0x80000000'
ends 1 'it has another value than' 'subnormal floats that are 0' gate copy

# -- objects for other machines, run by an emulator

mkdir broken && for tool in aarch64-linux-gnu-gcc qemu-aarch64; do printf '#!/bin/sh\n[ "$1" = --version ]\n' >broken/$tool; done && chmod +x broken/*
PATH="$PWD/broken:$PATH" ends 3 "blur.o (aarch64-linux): it was not run: 'aarch64-linux-gnu-gcc' failed with status 1" 'a cross compiler that makes nothing' gate arm
PATH="$PWD/broken:$PATH" ends 0 'allowed' 'code for another machine, allowed' gate arm --allow not-run
printf '#!/bin/sh\nexit 1\n' >broken/qemu-aarch64
PATH="$PWD/broken:$PATH" ends 3 "'aarch64-linux-gnu-gcc' or 'qemu-aarch64' cannot be run" 'no emulator' gate arm
PATH="$PWD/broken:$PATH" ends 3 'gcc-aarch64-linux-gnu, libc6-dev-arm64-cross, qemu-user' 'no emulator: what to install' gate arm
emulates() { command -v "$1-gcc" >/dev/null && command -v "$2" >/dev/null; } # emulates TRIPLE EMULATOR
if emulates aarch64-linux-gnu qemu-aarch64; then
  ends 0 'blur.o (aarch64-linux): by an emulator: 48 inputs, 144 runs on 1, 2 and 4 threads' 'code for another machine' gate arm -v
  mkdir tt && { TMPDIR=$PWD/tt "$halyard" gate arm --inputs 2 >said 2>&1 & } && sleep 0.7 && kill -TERM $! 2>/dev/null
  wait $!
  try 'a cross compiler that is ended leaves nothing' rmdir tt
  for i in 0 1; do "$halyard" gate arm --inputs 4 --shard $i/2 --part arm$i.json >said 2>&1; done
  ends 0 'by an emulator: 4 inputs, 12 runs' 'code for another machine, in shards' gate arm -v --merge arm0.json arm1.json
  ends 0 'identity' 'floats for another machine' ship apps/networks/matmul.alg apps/networks/matmul.sched:blocks -o product --target aarch64-linux
  ends 0 'by an emulator: ' "a NaN with another machine's bits" gate product -v --level 2 --inputs 6
  ends 0 'identity' 'divisors that are computed numbers' ship apps/fft/fft.alg apps/fft/fft.sched:batches -o fft --target aarch64-linux
  ends 0 'by an emulator: ' 'divisors that are computed numbers, judged from the canonical texts' gate fft -v --level 2 --inputs 6
  alien() { # alien FAULT: the object, behind code that does as it says first ("a": the arguments, "b": the output)
    printf '#include "halyard_runtime.h"\n#include <signal.h>\n#include <stdlib.h>\n#include <unistd.h>\nint real_argv(void **a);\nint blur_argv(void **a) { halide_buffer_t *b = a[1]; (void)b; %s }\nint blur(void *i, void *o) { void *a[] = {i, o}; return blur_argv(a); }\n' "$1" >alien.c
    copy arm && aarch64-linux-gnu-objcopy --redefine-sym blur_argv=real_argv --redefine-sym blur=real_entry arm/blur.o alien_real.o &&
      aarch64-linux-gnu-gcc -O1 -I "$root/include" -c alien.c -o alien.o &&
      aarch64-linux-gnu-ld -r alien.o alien_real.o -o copy/blur.o && forge elsewhere
  }
  while IFS='|' read -r status text what fault; do
    alien "$fault" || bad "$what: no such object"
    ends "$status" "$text" "for another machine, $what" gate copy --inputs 12 --allow not-run,no-input
  done <<'ROWS'
1|it has another value than|a value that is none|int s = real_argv(a); if (!s && b && b->host && b->dim[0].extent > 3) b->host[0]++; return s;
1|behind the end of|a write behind the output|int s = real_argv(a); if (!s && b && b->host) for (int i = 0; i < 1 << 20; i++) b->host[i] = 0; return s;
1|which is read-only|a write into an image|halide_buffer_t *i = a[0]; if (i && i->host) i->host[0] = 1; return real_argv(a);
1|far from all memory|a read from nowhere|volatile int *p = (int *)0x123450; return *p + real_argv(a);
1|it refuses an input that the program takes, with code -7|a refusal|return -7;
1|does not refuse an output that is NULL|no refusal|return b ? real_argv(a) : 0;
1|it refuses a bounds query|no answer to a query|halide_buffer_t *i = a[0]; return i && !i->host ? -1 : real_argv(a);
1|the emulator that ran it ended with status 7 and said nothing|an end|_exit(7);
1|the emulator that ran it ended with signal 6 and said nothing|an abortion|abort();
3|the emulator that ran it ended with signal 9 and said nothing|being killed|kill(getpid(), SIGKILL); return 0;
1|it executes an instruction that this processor does not have|an instruction that nobody knows|__asm__(".inst 0"); return 0;
1|it traps|a trap|__builtin_trap();
1|it changes what a buffer's description says|other flags|int s = real_argv(a); if (!s && b) b->flags ^= 8; return s;
1|it ends before it is called|an end before its beginning|return real_argv(a); } __attribute__((constructor)) static void begin(void) { _exit(0);
0|by an emulator|what it prints|(void)!write(1, "{}{}{}", 6); return real_argv(a);
ROWS
  copy arm && aarch64-linux-gnu-objcopy --redefine-sym blur_argv=other_argv arm/blur.o copy/blur.o && forge
  ends 1 'it cannot be linked: ' 'for another machine, no function of its name' gate copy
  copy arm && aarch64-linux-gnu-objcopy --redefine-sym blur=other arm/blur.o alien_real.o && echo 'int blur(void *i, void *o) { return 0; }' >alien.c &&
    aarch64-linux-gnu-gcc -c alien.c -o alien.o && aarch64-linux-gnu-ld -r alien.o alien_real.o -o copy/blur.o && forge elsewhere
  ends 1 'HY0909' 'for another machine, a function that does nothing' gate copy --inputs 6 --allow not-run,no-input
  QEMU_CPU=nonsense QEMU_SET_ENV=HALYARD_NUM_THREADS=1 ends 0 'by an emulator: ' 'settings of QEMU, which are not heeded' gate arm --inputs 2 -v
  printf '#!/bin/sh\n[ "$1" != --version ] || exec %s --version\nexit 1\n' "$(command -v qemu-aarch64)" >broken/qemu-aarch64 && rm broken/aarch64-linux-gnu-gcc
  PATH="$PWD/broken:$PATH" ends 3 "'qemu-aarch64' does not run it" 'an emulator that runs nothing' gate arm --inputs 2
  PATH="$PWD/broken:$PATH" ends 0 'allowed' 'an emulator that runs nothing, allowed' gate arm --inputs 2 --allow not-run
  copy arm && echo "INPUT($PWD/arm/blur.o)" >copy/blur.o && forge
  ends 1 'blur.o (aarch64-linux): it is no object for that machine' 'for another machine, a script of a linker' gate copy
else skipped=$((skipped + 27)) && echo 'skipped: objects for 64-bit ARM: aarch64-linux-gnu-gcc or qemu-aarch64 is missing'; fi
if emulates arm-linux-gnueabihf qemu-arm; then
  echo 'schedule vectors for floats { f.vectorize(x, 4); }' >floats.sched
  ends 0 'identity' 'floats for 32-bit ARM' ship floats.alg floats.sched:vectors -o floats32 --target arm-32-linux
  ends 0 'by an emulator: ' 'subnormal floats on 32-bit ARM' gate floats32 -v
  sed -i 's/f32/i32/' floats.alg
  ends 0 'identity' 'whole numbers for 32-bit ARM' ship floats.alg floats.sched:vectors -o whole --target arm-32-linux
  ends 0 'by an emulator: ' 'vectors on 32-bit ARM' gate whole -v
else skipped=$((skipped + 4)) && echo 'skipped: objects for 32-bit ARM: arm-linux-gnueabihf-gcc or qemu-arm is missing'; fi

# -- level 4: the same object, one that does everything five times, and whatever cannot be compared

speed() { # speed STATUS TEXT WHAT ARGUMENT...: ends so, or says that a machine as busy as this one cannot tell, which is skipped
  timeout 300 "$halyard" gate "${@:4}" --level 0 >said 2>&1 </dev/null
  local was=$?
  if [ "$was" = 3 ] && grep -qE 'too noisy|too close' said; then skipped=$((skipped + 1)) && echo "skipped: $3: $(grep -oE 'too (noisy|close)' said)"
  elif [ "$was" = "$1" ] && grep -qF -- "$2" said; then good
  else bad "$3: status $was, not $1, or it does not say \"$2\""; fi
}
cat >five_times.c <<'TEXT'
int real_argv(void **args);
int blur_argv(void **args) {
  for (int i = 0; i < 4; i++) real_argv(args);
  return real_argv(args);
}
TEXT
"$halyard" ship "${blur[@]}" -o before --name earlier >/dev/null
speed 0 'level 4, speed: passed' 'the same object under another name' blur --baseline before --max-slowdown 0.5
copy && cc -shared -fPIC -O1 five_times.c real.o "$(dirname "$halyard")/halyard_runtime.o" -o copy/blur.so -pthread -lm 2>said && forge
speed 5 'HY0911' 'an object that is five times slower' copy --baseline blur
speed 0 'window x=0:640,y=0:480' 'an object that is quicker, with a window of choice' blur --baseline copy --window x=0:640,y=0:480
printf 'int blur_argv(void **args) { return 0; }\n' >nothing.c
rm -rf quick && cp -r copy quick && cc -shared -fPIC -O1 nothing.c real.o "$(dirname "$halyard")/halyard_runtime.o" -o quick/blur.so -pthread -lm && python3 "$root/proofs_tests/support/forge_shipment.py" quick
ends 3 'its speed was not judged: its runs are too short to be measured: ' 'runs that are too short' gate blur --level 0 --baseline quick
ends 2 'HY0716' 'a window that is none' gate blur --level 0 --baseline before --window x=0:640
ends 2 'HY0707' 'a parameter that is none' gate blur --level 0 --baseline before -p radius=3
ends 2 'is not a number from 0 to 100' 'a negative slowdown' gate blur --baseline before --max-slowdown -1
ends 2 'it cannot time' 'a baseline without runs' gate blur --baseline before --verify-only
ends 2 'HY0913' 'a baseline that is not there' gate blur --level 0 --baseline nowhere
flip copy/blur.so 9999
ends 2 'the baseline' 'a baseline with another byte' gate blur --level 0 --baseline copy
ends 3 'has no shared object for it' 'a baseline for another machine' gate blur --level 0 --baseline arm
ends 0 'allowed' 'a baseline for another machine, allowed' gate blur --level 0 --baseline arm --allow not-judged
"$halyard" ship apps/histogram.alg -o other --name blur >/dev/null
ends 3 'takes other parameters or images' 'a baseline of another pipeline' gate blur --level 0 --baseline other
copy && cp "$(dirname "$halyard")/halyard-certcheck" copy/blur.so && forge note
ends 1 'it cannot be loaded' 'something that is no shared object, timed' gate copy --level 0 --baseline blur

# -- several outputs: a buffer for each, with a window of its own

cat >two.alg <<'TEXT'
pipeline two(in: u8[2], k: int) -> (count, f, g) {
  fun f(x, y) = u16(in(x, y)) * 3 + u16(k);
  fun g(x, y) = f(x - 1, y) + f(x + 1, y + 2);
  fun count() = { 0; rdom(r = (0, 5)) in () <- count() + int(g(r, k)); };
}
TEXT
echo 'schedule fast for two { f.split(x, xo, xi, 8).vectorize(xi); g.tile(x, y, xi, yi, 8, 4).parallel(y); }' >two.sched
ends 0 'identity' 'several outputs' ship two.alg two.sched -o two
ends 0 'level 2, runs: passed' 'several outputs, judged' gate two two.alg two.sched --rebuild
cat >calls_two.c <<'TEXT'
#include "halyard_runtime.h"
#include "two/two.h"
int main(void) {
  uint8_t in[12] = {1, 2, 3};
  int64_t count = 0;
  uint16_t f = 0, g = 0;
  halide_dimension_t wide[2] = {{-1, 12, 1, 0}, {0, 9, 0, 0}}, point[2] = {{0, 1, 1, 0}, {0, 1, 1, 0}};
  halide_buffer_t image = {.host = in, .type = {1, 8, 1}, .dimensions = 2, .dim = wide};
  halide_buffer_t a = {.host = (uint8_t *)&count, .type = {0, 64, 1}};
  halide_buffer_t b = {.host = (uint8_t *)&f, .type = {1, 16, 1}, .dimensions = 2, .dim = point}, c = b;
  c.host = (uint8_t *)&g;
  if (two(&image, 1, &a, 0, &c) != HALYARD_NO_BUFFER) return 1;
  if (two(&image, 1, &a, &b, &b) != HALYARD_CONSTRAINT) return 2;
  return two(&image, 1, &a, &b, &c) == 0 && f == 7 && g == 4 + 10 && count ? 0 : 3;
}
TEXT
try 'several outputs, called' bash -c "cc -std=c17 -Wall -Werror -I . -I '$root/include' calls_two.c two/two.a -o calls_two -pthread -lm && ./calls_two 2>/dev/null"
cat >faulty_two.c <<'TEXT'
#include "halyard_runtime.h"
int real_argv(void **args);
int blur_argv(void **args) { /* in, k, count, f, g */
  halide_buffer_t *in = args[0], *f = args[3], *g = args[4];
  if (FAULT == 1 && !g) return 0;
  if (FAULT == 2 && f && g && f->host && f->host == g->host) return 0;
  if (FAULT == 3 && g && g->type.bits != 16) return 0;
  int is_query = !f || !g || !in->host || !f->host || !g->host;
  if (is_query) return real_argv(args);
  if (FAULT == 4) args[3] = g, args[4] = f; /* one in the other's place */
  if (FAULT == 5 && (!f->dim[0].extent || !f->dim[1].extent || !g->dim[0].extent || !g->dim[1].extent)) return 0;
  int status = real_argv(args);
  uint16_t *host = (uint16_t *)g->host;
  if (status || !g->dim[0].extent || !g->dim[1].extent) return status;
  if (FAULT == 6) host[(g->dim[0].extent - 1) * g->dim[0].stride] ^= 1;
  if (FAULT == 7 && g->dim[0].stride == 2 && g->dim[0].extent > 1) host[1] = 0; /* between elements */
  return status;
}
TEXT
"$halyard" ship two.alg two.sched -o pair --name blur >/dev/null
objcopy --redefine-sym blur_argv=real_argv pair/blur.o real_two.o
fault=0
for text in 'an output that is NULL' 'outputs that share memory' 'an output of another type' 'HY0909' 'it has another value' 'at g(' 'between the elements'; do
  fault=$((fault + 1))
  copy pair && cc -shared -fPIC -O1 -I "$root/include" -DFAULT="$fault" faulty_two.c real_two.o "$(dirname "$halyard")/halyard_runtime.o" -o copy/blur.so -pthread -lm 2>said && forge
  ends 1 "$text" "fault $fault in a shared object of several outputs" gate copy
done
"$halyard" ship two.alg -o two_plain --name earlier >/dev/null
sed 's/(count, f, g)/(f, count, g)/' two.alg >turned.alg
"$halyard" ship turned.alg -o turned --name two >/dev/null
speed 0 'g.x=0:64,g.y=0:48' 'several outputs, timed' two --baseline two_plain --max-slowdown 9 --window f.x=0:9,f.y=0:9,g.x=0:64,g.y=0:48
ends 2 'HY0716' 'a window that says nothing of an output' gate two --level 0 --baseline two_plain --window f.x=0:9,f.y=0:9
ends 3 'takes other parameters' 'a baseline with other outputs' gate two --level 0 --baseline turned

# -- an output of several values: a buffer for each, all of one window

cat >values.alg <<'TEXT'
pipeline values(in: u8[2]) -> (f, f_1) {
  fun f(x) = { (in(x, 0), 0); rdom(r = (1, 3)) in (x) <- (in(x, r), r) if in(x, r) > f(x)[0]; };
  fun f_1(x) = u16(f(x)[1]) * 3 + u16(f(x + 1)[0]);
}
TEXT
echo 'schedule fast for values { f.vectorize(x, 4); f_1.split(x, xo, xi, 8).parallel(xo); }' >values.sched
ends 0 'identity' 'an output of several values' ship values.alg values.sched -o values
ends 0 'level 2, runs: passed' 'an output of several values, judged' gate values values.alg values.sched --rebuild
try 'the names of its buffers, of which one is taken' grep -q 'arg_f_0, struct halide_buffer_t \*arg_1_f, struct halide_buffer_t \*arg_f_1)' values/values.h
echo 'pipeline plain(in: u8[1]) { fun f(x) = (in(x) + 1, u16(in(x)) * 3); }' >plain_values.alg
echo 'schedule fast for plain { f.vectorize(x, 8, shift); }' >plain_values.sched
ends 0 'identity' 'two values, plainly' ship plain_values.alg plain_values.sched -o plain_values
ends 0 'level 3, translation: passed' 'two values, by their instructions' gate plain_values --level 3
cat >calls_values.c <<'TEXT'
#include "halyard_runtime.h"
#include "values/values.h"
int main(void) {
  uint8_t in[4][4] = {{1, 9, 3, 5}, {2, 8, 3, 6}, {7, 1, 4, 5}, {0, 0, 5, 5}}, most[3] = {0};
  int64_t where[3] = {0};
  uint16_t after[3] = {0};
  halide_dimension_t image[2] = {{0, 4, 1, 0}, {0, 4, 4, 0}}, a[1] = {{0, 3, 1, 0}}, b[1] = {{0, 3, 1, 0}}, c[1] = {{0, 3, 1, 0}};
  halide_buffer_t of = {.host = in[0], .type = {1, 8, 1}, .dimensions = 2, .dim = image};
  halide_buffer_t f_0 = {.host = most, .type = {1, 8, 1}, .dimensions = 1, .dim = a};
  halide_buffer_t f_1 = {.host = (uint8_t *)where, .type = {0, 64, 1}, .dimensions = 1, .dim = b};
  halide_buffer_t g = {.host = (uint8_t *)after, .type = {1, 16, 1}, .dimensions = 1, .dim = c};
  b[0].min = 1;
  if (values(&of, &f_0, &f_1, &g) != HALYARD_CONSTRAINT) return 1;
  if (values(&of, &f_1, &f_0, &g) != HALYARD_BAD_TYPE) return 2;
  f_1.host = 0;
  if (values(&of, &f_0, &f_1, &g) || b[0].min || b[0].extent != 3 || where[0]) return 3;
  f_1.host = (uint8_t *)where;
  if (values(&of, &f_0, &f_1, &g)) return 4;
  return most[0] == 7 && most[1] == 9 && most[2] == 5 && where[0] == 2 && where[1] == 0 && where[2] == 3 && after[0] == 6 + 9 ? 0 : 5;
}
TEXT
try 'an output of several values, called' bash -c "cc -std=c17 -Wall -Werror -I . -I '$root/include' calls_values.c values/values.a -o calls_values -pthread -lm && ./calls_values 2>/dev/null"
cat >faulty_values.c <<'TEXT'
#include "halyard_runtime.h"
int real_argv(void **args);
int blur_argv(void **args) { /* in, f.0, f.1, f_1 */
  halide_buffer_t *in = args[0], *a = args[1], *b = args[2], *c = args[3];
  if (!a || !b || !c || !in->host || !a->host || !b->host || !c->host) return real_argv(args);
  if (FAULT == 1 && a->dimensions == 1 && b->dimensions == 1 && a->dim[0].min != b->dim[0].min) return 0;
  int status = real_argv(args);
  if (FAULT == 2 && !status && b->dim[0].extent) ((int64_t *)b->host)[0] ^= 1;
  return status;
}
TEXT
"$halyard" ship values.alg values.sched -o valued --name blur >/dev/null
objcopy --redefine-sym blur_argv=real_argv valued/blur.o real_values.o
fault=0
for text in 'values of one output with windows of their own' 'at f.1('; do
  fault=$((fault + 1))
  copy valued && cc -shared -fPIC -O1 -I "$root/include" -DFAULT="$fault" faulty_values.c real_values.o "$(dirname "$halyard")/halyard_runtime.o" -o copy/blur.so -pthread -lm 2>said && forge
  ends 1 "$text" "fault $fault in a shared object with an output of several values" gate copy
done

# -- reports

ends 0 '' 'reports' gate blur --junit junit.xml --sarif report.sarif --markdown report.md
try 'JUnit' python3 -c 'import xml.etree.ElementTree as tree
suites = tree.parse("junit.xml").getroot()
assert sum(int(s.get("tests")) for s in suites) == len(suites.findall(".//testcase")) > 20
assert not suites.findall(".//failure")'
try 'SARIF' python3 -c 'import json
run = json.load(open("report.sarif"))["runs"][0]
assert run["results"] == []'
try 'Markdown' grep -qF '### halyard gate: passed' report.md
SOURCE_DATE_EPOCH=1000000000 ends 0 '' 'statements' gate blur --svr svr.json --test-result tests.json
try 'a simple verification result' python3 -c 'import hashlib, json
s = json.load(open("svr.json"))
assert s["_type"] == "https://in-toto.io/Statement/v1" and s["predicateType"] == "https://in-toto.io/attestation/svr/v0.1"
assert s["predicate"]["properties"] == ["HALYARD_G0_IDENTITY", "HALYARD_G1_PROVED", "HALYARD_G2_SHARED_OBJECT_RUNS"]
assert s["predicate"]["timeCreated"] == "2001-09-09T01:46:40Z"
assert {x["name"] for x in s["subject"]} >= {"blur.o", "blur.a", "blur.so"}
for x in s["subject"]: assert hashlib.sha256(open("blur/" + x["name"], "rb").read()).hexdigest() == x["digest"]["sha256"]'
try 'a test result' python3 -c 'import json
p = json.load(open("tests.json"))["predicate"]
assert p["result"] == "PASSED" and len(p["passedTests"]) > 20 and p["failedTests"] == p["warnedTests"] == []'
ends 3 '' 'statements of what is undecided' gate blur --level 3 --inputs 1 --svr svr.json --test-result tests.json
try 'undecided is no property, and fails' python3 -c 'import json
assert "HALYARD_G3_TRANSLATION" not in json.load(open("svr.json"))["predicate"]["properties"]
assert json.load(open("tests.json"))["predicate"]["result"] == "FAILED"'
ends 0 '' 'statements of what is allowed' gate blur --level 3 --inputs 1 --allow not-seen,not-shown --svr svr.json --test-result tests.json
try 'allowed is a warning, and no property' python3 -c 'import json
assert "HALYARD_G3_TRANSLATION" not in json.load(open("svr.json"))["predicate"]["properties"]
p = json.load(open("tests.json"))["predicate"]
assert p["result"] == "WARNED" and p["warnedTests"]'
copy && flip copy/blur.h 9 && flip copy/blur.so 9999
ends 1 '' 'reports of what is wrong' gate copy --junit junit.xml --sarif report.sarif --markdown report.md
try 'JUnit, wrong' python3 -c 'import xml.etree.ElementTree as tree
suites = tree.parse("junit.xml").getroot()
assert sum(int(s.get("failures")) for s in suites) == len(suites.findall(".//failure")) == 2
assert {f.get("type") for f in suites.findall(".//failure")} == {"HY0903"}
assert len(suites.findall(".//skipped")) == 1' # what was not run
try 'SARIF, wrong' python3 -c 'import json
run = json.load(open("report.sarif"))["runs"][0]
rules = {r["id"] for r in run["tool"]["driver"]["rules"]}
assert {r["ruleId"] for r in run["results"]} == rules == {"HY0903", "HY0910"}
assert {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in run["results"]} == {"copy/blur.h", "copy/blur.so"}
assert len({r["partialFingerprints"]["halyard/v1"] for r in run["results"]}) == 3'
cp report.sarif before.sarif && flip copy/blur.h 8
ends 1 '' 'reports again' gate copy --sarif report.sarif
try 'fingerprints survive edits' python3 -c 'import json
prints = lambda path: [r["partialFingerprints"] for r in json.load(open(path))["runs"][0]["results"]]
assert prints("report.sarif") == prints("before.sarif")'
try 'Markdown, wrong' grep -qF '| 0 | bytes | blur.so | wrong |' report.md
ends 1 '' 'statements of what is wrong' gate copy --svr svr.json --test-result tests.json
try 'what is wrong has no properties' python3 -c 'import json
assert json.load(open("svr.json"))["predicate"]["properties"] == []
p = json.load(open("tests.json"))["predicate"]
assert p["result"] == "FAILED" and "level 0, bytes: blur.so" in p["failedTests"]'
ends 2 'HY0714' 'a report that cannot be written' gate blur --level 0 --junit no/where.xml
rm -f one.xml
ends 2 'HY0714' 'one of two reports that cannot be written' gate blur --level 0 --junit one.xml --svr no/where.svr
try 'then there is none' [ ! -e one.xml ]
"$halyard" gate copy --format json >answer.json 2>said
try 'JSON' python3 -c 'import json
answer = json.load(open("answer.json"))
gate = answer["gate"]
assert answer["status"] == 1 and gate["verdict"] == "wrong" and [l["level"] for l in gate["levels"]] == [0, 1, 2]
assert {c["verdict"] for c in gate["checks"]} == {"passed", "wrong", "undecided"}'
if [ -n "$HOLDS" ]; then
  try 'JSON is as its schema says' holds_schema gate answer.json gate
  "$halyard" gate blur --level 3 --inputs 4 --format json >answer.json 2>said
  try 'JSON of what is undecided is, too' holds_schema gate answer.json gate
  for folder in blur several by_hand arm opened turned; do try "the manifest of $folder is as its schema says" holds_schema manifest $folder/*.manifest.json; done
  copy && sed -i 's/"proved": true/"proved": 1/' copy/blur.manifest.json && ! holds_schema manifest copy/blur.manifest.json 2>/dev/null
  try 'what is not so is noticed' [ $? = 0 ]
else skipped=$((skipped + 9)) && echo 'skipped: no Python here has jsonschema'; fi
# Reports that would be written over something, before anything is judged.
copy && cp -r copy was_copy && ln -s copy/blur.h linked.h && ln copy/blur.tgt hard.tgt
clash() { ends 2 "$1" "$2" gate copy --level 0 "${@:3}"; } # clash TEXT WHAT ARGUMENT...
clash "--junit and --sarif write both into" 'two reports in one file' --junit one --sarif ./../"$(basename "$PWD")"/one
clash "--junit would take the place of a file that shipped," 'a report in the place of an object' --junit copy/blur.o
clash "a file that shipped," 'a report in the place of the manifest' --markdown copy/../copy/blur.manifest.json
clash "a file that shipped," 'a report in the place of the sums' --svr copy/SHA256SUMS
clash "a file that shipped," 'a report behind a link' --sarif linked.h
clash "a file that shipped," 'a report under another name of a file' --test-result hard.tgt
clash "a file that shipped," "a report in the place of the baseline's manifest" --baseline blur --part blur/blur.manifest.json
cp apps/box_blur.alg source.alg && cp apps/box_blur.sched source.sched
ends 2 'what is read,' 'a report in the place of the algorithm' gate copy source.alg source.sched:tiled --level 0 --junit source.alg
ends 2 'what is read,' 'a report in the place of the schedule' gate copy source.alg source.sched:tiled --level 0 --junit source.sched
try 'nothing was written over' bash -c 'diff -r copy was_copy && cmp source.alg apps/box_blur.alg && cmp source.sched apps/box_blur.sched && [ ! -e one ]'
cp "$(dirname "$halyard")/halyard-certcheck" checker
ends 2 'the second checker,' 'a report in the place of the second checker' gate copy --level 1 --second-checker ./checker --junit checker
clash 'a plug-in,' 'a report in the place of a plug-in' --plugin ./reverse.so --junit reverse.so
ends 0 '' 'two reports to a device' gate copy --level 0 --junit /dev/null --sarif /dev/null
ends 0 '' 'reports beside each other, again' gate copy --level 0 --junit one.xml --sarif two.json --part three.json
ends 0 '' 'the same, which are there' gate copy --level 0 --junit one.xml --sarif two.json --part three.json
# Names that a terminal obeys, that break lines, that end cells.
evil=$(printf 'x\033[31m\r\n| a | \xc2\x9b')
copy && mv copy/blur.manifest.json "copy/$evil.manifest.json"
ends 1 'x\x1b[31m\x0d\x0a| a | \xc2\x9b.manifest.json' 'a manifest with a name that a terminal obeys' gate copy --level 0 --markdown report.md -v
try 'no report has a control character' python3 -c 'import re
for path in ("said", "report.md"): assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", open(path).read()), path
assert all(line.count("|") in (0, 5, 6) for line in open("report.md").read().replace("\\|", "").split("\n"))'
edit 'm["made_by"]["plugins"] = [{"name": "\u001b[31m\r\nlevel 2, runs: passed" + "\u00e4" * 700, "sha256": "0" * 64}]'
ends 3 "it was made with the plug-in '\x1b[31m\x0d\x0alevel 2" 'a plug-in with a name that a terminal obeys' gate copy --level 0 --rebuild --markdown report.md
try 'neither has one of a plug-in' python3 -c 'import re
for path in ("said", "report.md"): assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", open(path, encoding="utf-8").read()), path'
ends 1 '+ plug-in: \x1b[31m' 'and no difference' diff blur copy
rm -rf wrong && "$halyard" ship later.alg apps/box_blur.sched:tiled -o wrong --name blur >said 2>&1 && copy && cp wrong/blur.so copy/blur.so && forge note elsewhere
ends 1 'HY0909' 'a counterexample' gate copy --sarif report.sarif
try 'SARIF follows it' python3 -c 'import json
result = json.load(open("report.sarif"))["runs"][0]["results"][0]
steps = [(s["location"]["physicalLocation"]["artifactLocation"]["uri"], s["location"]["message"]["text"]) for s in result["codeFlows"][0]["threadFlows"][0]["locations"]]
assert [s[0] for s in steps] == ["copy/blur.alg", "copy/blur.alg", "copy/blur.so"], steps
assert "window x=" in steps[0][1] and "the program means" in steps[1][1] and "the shipped object computes" in steps[2][1], steps
assert steps[1][1].split(" at ")[1] == steps[2][1].split(" at ")[1] and steps[1][1].split()[3] != steps[2][1].split()[4], steps'
"$halyard" gate copy --format json >answer.json 2>said
[ -z "$HOLDS" ] || try 'JSON of a counterexample is as its schema says' holds_schema gate answer.json gate
PATH="$PWD/broken:$PATH" ends 3 'HY0910' 'something to do' gate arm --sarif report.sarif
ends 6 'HY0907' 'what to do' gate blur later.alg apps/box_blur.sched:tiled --level 0 --sarif report.sarif
try 'SARIF says what to do' grep -qF 'What to do: ' report.sarif
none 'after all that'

# -- shards: what they say together is what the whole says

ends 0 '' 'two targets' ship "${blur[@]}" -o shards --name blur --target x86-64-v2,host
question=(shards "${blur[@]}" --level 3 --inputs 10 --seed 7)
allow='not-seen,not-run,not-shown'
"$halyard" gate "${question[@]}" --allow $allow --format json >whole.json 2>said
for i in 0 1 2; do "$halyard" gate "${question[@]}" --shard $i/3 --part part$i.json >said 2>&1; done
"$halyard" gate shards --merge part2.json part0.json part1.json --allow $allow --format json >merged.json 2>said
try 'the whole and its shards' python3 -c 'import json
def read(path):
    gate = json.load(open(path))
    for level in gate["gate"]["levels"]: del level["seconds"]
    return gate
whole, merged = read("whole.json"), read("merged.json")
assert whole == merged and len(whole["gate"]["levels"]) == 4 and whole["status"] == 0, (whole, merged)'
ends 0 'allowed' 'reports of shards' gate shards --merge part?.json --allow $allow --junit junit.xml --sarif report.sarif
try 'no case of shards twice' python3 -c 'import xml.etree.ElementTree as tree
cases = [(c.get("classname"), c.get("name")) for c in tree.parse("junit.xml").getroot().findall(".//testcase")]
assert len(cases) > 30 and len(set(cases)) == len(cases)'
for i in 0 1 2 3 4; do
  want=$([ $i -lt 2 ] && echo 'level 2, runs: passed' || echo "level 2, runs: nothing looked at: all of it is other shards' work")
  ends 0 "$want" "shard $i of 5, of two inputs" gate blur --inputs 2 --shard $i/5 --part few$i.json --markdown report.md --svr svr.json
done
try 'what looked at nothing has no property' bash -c '! grep -q SHARED_OBJECT_RUNS svr.json && grep -qF "| 2 | other shards'"'"' |" report.md'
"$halyard" gate blur --inputs 2 --shard 4/5 --format json >answer.json 2>said
[ -z "$HOLDS" ] || try 'JSON of a shard without work is as its schema says' holds_schema gate answer.json gate
try 'it says what others do' python3 -c 'import json
gate = json.load(open("answer.json"))["gate"]
assert [l["level"] for l in gate["levels"]] == [0] and [l["level"] for l in gate["other_shards"]] == [1, 2]'
"$halyard" gate blur --inputs 2 --format json >whole.json 2>said
"$halyard" gate blur --merge few?.json --format json >merged.json 2>said
try 'the whole and more shards than inputs' python3 -c 'import json
def read(path):
    gate = json.load(open(path))
    for level in gate["gate"]["levels"]: del level["seconds"]
    return gate
whole, merged = read("whole.json"), read("merged.json")
assert whole == merged and len(whole["gate"]["levels"]) == 3 and whole["status"] == 0, (whole, merged)'
ends 3 'HY0915' 'shards that leave something open' gate shards --merge part?.json
ends 2 'shard 1/3 is missing' 'a shard that is missing' gate shards --merge part0.json part2.json --allow $allow
ends 2 'are both shard 0/3' 'a shard twice' gate shards --merge part0.json part0.json part2.json
ends 2 'is about the identity' 'shards of another folder' gate blur --merge part?.json
"$halyard" gate "${question[@]}" --seed 8 --shard 1/3 --part other.json >said 2>&1
ends 2 'were asked different questions' 'shards of other questions' gate shards --merge part0.json other.json part2.json
head -c 300 part1.json >cut.json
ends 2 'is not JSON' 'a part that was cut off' gate shards --merge part0.json cut.json part2.json
ends 2 'is no part of a gate' 'something else than a part' gate shards --merge part0.json merged.json part2.json
ends 2 'No such file' 'a part that is not there' gate shards --merge part0.json nothing.json part2.json
for path in /nosuch/part.json part0.json; do
  what=$([ $path = part0.json ] && echo '--merge part0.json' || echo "--level 0 --part $path")
  # shellcheck disable=SC2086 # words
  ends 2 '' "a report of $what" gate shards $what --markdown report.md --svr svr.json --test-result tests.json --junit junit.xml
  try "what is refused is in every report: $what" python3 -c 'import json
assert "halyard gate: malformed" in open("report.md").read()
assert json.load(open("svr.json"))["predicate"]["properties"] == [] and json.load(open("tests.json"))["predicate"]["result"] == "FAILED"
assert "failures=\"0\"" not in open("junit.xml").read().split("\n")[1]'
done
ends 2 'wants the parts' 'no parts' gate shards --merge
ends 2 'It cannot use '"'--level'" 'parts, and another level' gate shards --merge part?.json --level 1
ends 2 'It cannot use '"'--rebuild'" 'parts, and a rebuild' gate shards --merge part?.json --rebuild
for i in 0 1; do "$halyard" gate shards nope.alg --level 1 --shard $i/2 --part nope$i.json >said 2>&1; done
ends 2 'the sources: as they are given they cannot be read' 'shards without their sources' gate shards --merge nope0.json nope1.json
ends 2 'cannot be read' 'reports without the sources' gate blur nope.alg --level 1 --junit junit.xml --svr svr.json --test-result tests.json --markdown report.md
try 'they do not say that all is well' bash -c 'grep -q "failures=\"1\"" junit.xml && grep -q FAILED tests.json && ! grep -q G0_IDENTITY svr.json && grep -q malformed report.md'
echo 'schedule tiled for box_blur { bh.compute_at(nobody, x); }' >refused.sched
ends 1 'HY0907' 'sources that are refused' gate blur apps/box_blur.alg refused.sched --level 0
ends 2 'cannot be read' 'sources that do not parse' gate blur apps/box_blur.alg wrong.sched --level 0
ends 2 'the baseline: it is none, or what is asked of it' 'a baseline that is not there, as a check' gate blur --level 0 --baseline nowhere
ends 2 '--shard takes I/N' 'a shard that is none' gate shards --shard 3/3
ends 2 '--shard takes I/N' 'too many shards' gate shards --shard 0/2000
ends 2 'HY0714' 'a part that cannot be written' gate shards --level 0 --shard 0/3 --part no/where.json
flip shards/blur.h 9
ends 1 'HY0903' 'shards of a folder that has changed since' gate shards --merge part?.json --allow $allow
flip shards/blur.h 9 && cp -r shards copy_of_shards && printf '\n' >>copy_of_shards/SHA256SUMS
ends 1 'HY0916' 'shards of a folder with other sums' gate copy_of_shards --merge part?.json
copy && cp later.alg copy/blur.alg && forge note
for i in 0 1; do "$halyard" gate copy --shard $i/2 --part wrong$i.json >said 2>&1; done
ends 1 'algorithm and target program have other values' 'shards of what is wrong' gate copy --merge wrong0.json wrong1.json
none 'after shards'

# -- the cache: found again, judged again, the same bytes

found='from the cache: its certificates were checked again'
keep() { ends "$1" "$2" "$3" ship "${blur[@]}" -o kept --name blur --cache cache "${@:4}"; } # keep STATUS TEXT WHAT ARGUMENT...
same() { try "$1: the same bytes" diff -r kept blur; }
misses() { # misses WHAT ARGUMENT...: it is made, not found
  ends 0 'identity' "$1" ship "${@:2}" -o other_kept --cache cache
  if grep -qF -e "$found" -e HY0917 said; then bad "$1 is found, or something else under its key"; else good; fi
}
entry() { echo cache/??/$(printf '%64s' '' | tr ' ' '?'); }
rm -rf kept
misses 'what was never made' "${blur[@]}" --name blur
keep 0 "$found" 'what was made before' && same 'found'
sed 's/;/ ;  \/\/ a comment/' apps/box_blur.alg >commented.alg
ends 0 "$found" 'the same, written otherwise' ship commented.alg apps/box_blur.sched:tiled -o kept --name blur --cache cache
misses 'another schedule' "${blur[0]}" apps/box_blur.sched:strips --name blur
misses 'another algorithm' later.alg apps/box_blur.sched:tiled --name blur
misses 'another name' "${blur[@]}" --name blue
misses 'another target' "${blur[@]}" --name blur --target x86-64-v2
misses 'two targets' "${blur[@]}" --name blur --target x86-64-v2,aarch64-linux
misses 'the two, turned' "${blur[@]}" --name blur --target aarch64-linux,x86-64-v2
misses 'a target program by hand' blur/blur.tgt --name blur
misses 'a target program by hand, again' blur/blur.tgt --name blur
misses 'what every run checks' opened.alg --unknown runtime --name opened
cp -r other_kept open_kept
ends 0 "$found" 'what every run checks, again' ship opened.alg --unknown runtime -o other_kept --name opened --cache cache
try 'it is what was made' diff -r open_kept other_kept
ends 1 'error' 'what is refused' ship apps/box_blur.alg wrong.sched -o other_kept --cache cache
HALYARD_CACHE_DIR=cache ends 0 "$found" 'a cache of the environment' ship "${blur[@]}" -o kept --name blur
rm -rf cache && keep 0 identity 'a cache that is gone' && only=$(entry)
for file in blur.o blur.so blur.h blur.tgt blur.cert.gz blur.manifest.json SHA256SUMS; do
  flip "$only/$file" 40
  keep 0 'HY0917' "$file of the cache with another byte" && same "$file of the cache with another byte"
  keep 0 "$found" "$file of the cache, mended"
done
rm "$only/blur.h" && keep 0 'HY0917' 'a file of the cache that is missing' && same 'a file of the cache that is missing'
touch "$only/photo.png" && rm "$only/blur.h" && keep 0 'HY0917' 'something else in the cache' && same 'something else in the cache'
refill() { rm -rf "$only" && cp -r "$1" "$only"; }
mkdir photos && touch photos/a.png && rm -rf "$only" && ln -s "$PWD/photos" "$only"
keep 0 'it is no folder' 'a link under its key' && same 'a link under its key'
try 'what the link leads to is as it was' [ -e photos/a.png ]
mkdir -p elsewhere/$(printf '%064d' 7) && touch elsewhere/$(printf '%064d' 7)/a.png && ln -s "$PWD/elsewhere" cache/zz && mv cache/zz cache/0f
HALYARD_CACHE_MIB=0 keep 0 '' 'a link in the cache'
try 'what that leads to is as it was' bash -c '[ -e elsewhere/*7/a.png ]'
rm -f cache/0f
refill_forged() { forge note && refill copy && keep 0 "$1" "$2" && same "$2"; } # refill_forged TEXT WHAT
copy && sed -i 's/int blur(/long blur(/' copy/blur.h && refill_forged 'HY0917' 'another header'
copy && python3 -c 'import json, os
m = json.load(open("copy/blur.manifest.json")); m["artefacts"] = [a for a in m["artefacts"] if a["role"] != "shared object"]; os.unlink("copy/blur.so")
open("copy/blur.manifest.json", "w").write(json.dumps(m, indent=2, sort_keys=True) + "\n")' && refill_forged 'it was made of something else' 'no shared object'
refill plain && keep 0 'it was made of something else' 'the folder of another schedule under its key' && same 'the folder of another schedule under its key'
copy && recertify '0,/^goal .*/s//goal 1/' && refill copy && keep 0 'HY0917' 'certificates of something else' && same 'certificates of something else'
copy && recertify '0,/^qed/{/^\. /d}' && refill copy && keep 0 'halyard-certcheck' 'certificates that prove nothing' && same 'certificates that prove nothing'
copy && cp default/blur.o copy/blur.o && forge && refill copy && keep 0 'HY0917' 'the object of another schedule' && same 'the object of another schedule'
HALYARD_CERTCHECK=/nowhere keep 0 'HY0917' 'a cache without a judge' && same 'a cache without a judge'
touch no_folder
ends 0 'HY0917' 'a cache that is a file' ship "${blur[@]}" -o kept --name blur --cache no_folder && same 'a cache that is a file'
ends 0 'HY0917' 'a cache in no folder' ship "${blur[@]}" -o kept --name blur --cache no/where && same 'a cache in no folder'
rm -rf cache
for i in $(seq 8); do "$halyard" ship "${blur[@]}" -o "beside$i" --name blur --cache cache >"beside$i.said" 2>&1 & done
wait
try 'eight at once' bash -c 'for i in $(seq 8); do diff -r beside$i blur || exit 1; done; ! grep -h HY0917 beside*.said'
keep 0 "$found" 'what eight made' && same 'what eight made'
touch -d '2 days ago' "$only" && mkdir cache/photos && touch cache/photo.png cache/photos/a.png && mkdir "${only%/*}/.halyard-ship-left" && touch -d '2 days ago' "${only%/*}/.halyard-ship-left"
HALYARD_CACHE_MIB=0 misses 'a cache without room' later.alg apps/box_blur.sched:tiled --name blur
try 'what was not used for longest is gone, and nothing else' bash -c "[ ! -e $only ] && [ -e cache/photo.png ] && [ -e cache/photos/a.png ] && [ ! -e ${only%/*}/.halyard-ship-left ]"
ends 0 "$found" 'what was made last stays' ship later.alg apps/box_blur.sched:tiled -o kept --name blur --cache cache
HALYARD_CACHE_MIB=some ends 2 'HALYARD_CACHE_MIB' 'room that is no number' ship "${blur[@]}" -o kept --name blur
none 'after the cache'

# -- halyard-gate: levels 0 and 1 where neither LLVM nor Z3 is. ("ends" compares it with 'halyard gate' at every row that asks for no more.)

try 'it is linked with neither LLVM nor Z3, nor what they are written in' bash -c "ldd '$judge' | grep -q libjansson && ! ldd '$judge' | grep -iE 'LLVM|z3|stdc[+][+]'"
try 'it looks for neither while it runs' bash -c "! strings -a '$judge' | grep -E 'libLLVM|libz3|libhalyard'"
mkdir by_itself && cp "$judge" "$certcheck" by_itself
try 'it needs nothing but halyard-certcheck beside it' bash -c "env -i by_itself/halyard-gate blur | grep -qF 'halyard-certcheck accepts all'"
rm by_itself/halyard-certcheck
itself() { # itself STATUS TEXT WHAT ARGUMENT...: 'halyard-gate ARGUMENT...', without anything beside it, ends so and says so
  timeout 120 by_itself/halyard-gate "${@:4}" >said 2>&1 </dev/null
  local was=$?
  if [ $was = "$1" ] && grep -qF -- "$2" said; then good; else bad "$3: status $was, not $1, or it does not say \"$2\""; fi
}
itself 2 'halyard-certcheck, which is to judge it, cannot be run' 'nothing beside it' blur
itself 0 'level 0, identity: passed' 'level 0 needs nothing' blur --level 0
HALYARD_CERTCHECK=$certcheck itself 0 'level 1, proof: passed' 'a checker elsewhere' blur
itself 2 "write 'halyard-gate DIR'" 'halyard-gate of nothing' --verify-only
itself 0 'halyard-gate ' 'its version' --version
itself 0 'as '"'halyard gate --verify-only'"' does' 'its help' --help
for option in --rebuild '--baseline default' '--max-slowdown 1' '-p n=1' '--window x=0:9' '--inputs 3' '--seed 7' '--z3-steps 9' '--limit-ms 9' '--plugin ./reverse.so'; do
  name=${option%% *} && name=${name/#-p/--param}
  # shellcheck disable=SC2086 # words
  itself 2 "heed '$name'" "halyard-gate $option" blur $option
  # shellcheck disable=SC2086 # words
  itself 2 "use 'halyard gate'" "who can, of $option" blur $option
  try "halyard-gate --help says nothing of $name" bash -c "! by_itself/halyard-gate --help | grep -qE -- '$name( |\$)'"
done
itself 2 "judges levels 0 and 1, and not '--level 2'" 'level 2 of halyard-gate' blur --level 2
itself 2 "judges levels 0 and 1, and not '--level 3'" 'level 3 of halyard-gate' blur --verify-only --level 3
itself 2 "no sources, such as 'apps/box_blur.alg'" 'sources for halyard-gate' blur "${blur[@]}"
itself 2 'is no level' 'a level that is none, of halyard-gate' blur --level 7
itself 2 "unknown option '--levle'" 'an option that is none, of halyard-gate' blur --levle 1
itself 2 "cannot write 'no/where.xml'" 'a refused option is told before anything is written' blur --level 0 --junit no/where.xml
itself 2 "heed '--rebuild'" 'what it cannot heed comes first' blur --rebuild --junit refused.xml
try 'then there is no report' [ ! -e refused.xml ]
# What it says unasked is what 'halyard gate --verify-only' says; and so are parts, JSON, and what is unusual.
same_answer() { # same_answer WHAT ARGUMENT... [-- SHELL]: both end and say the same; SHELL (of "$@") is how they are called, else as they are
  local what=$1 arguments=() how='"$@"' one two
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do arguments+=("$1") && shift; done
  [ $# = 0 ] || how=$2
  timeout 120 bash -c "$how" - "$halyard" gate "${arguments[@]}" --verify-only >one.out 2>one.err </dev/null
  one=$?
  timeout 120 bash -c "$how" - "$judge" "${arguments[@]}" >said 2>two.err </dev/null
  two=$?
  if [ $one = $two ] && cmp -s <(without_times one.out) <(without_times said) && cmp -s <(without_times one.err) <(without_times two.err); then good
  else cat two.err >>said && bad "$what: status $two after $one, or other words"; fi
}
for folder in blur several by_hand arm opened turned sixty two runtime linked copy nowhere holiday warned/warned.manifest.json; do
  same_answer "halyard-gate $folder" $folder
  same_answer "halyard-gate $folder, as JSON" $folder --format json -v
done
same_answer 'what is not proved, allowed, by halyard-gate' opened --allow open
same_answer 'a word that is none' blur --allow everything
same_answer 'an option that is none, as JSON' blur --levle 1 --format json
same_answer 'a bad environment' blur -- 'HALYARD_NUM_THREADS=some "$@"'
same_answer 'a bad limit' blur -- 'HALYARD_CERTCHECK_SECONDS=0 "$@"'
same_answer 'certificates that cannot be handed over' blur -- 'ulimit -f 4; "$@"'
same_answer 'standard output closed' blur --sarif closed.sarif -- '"$@" >&-'
same_answer 'standard input and error closed' blur --sarif closed.sarif -- '"$@" <&- 2>&-'
same_answer 'all of them closed' blur --sarif closed.sarif -- '"$@" <&- >&- 2>&-'
try 'nothing is printed into a report' python3 -c 'import json; assert json.load(open("closed.sarif"))["runs"]'
same_answer 'a full disk' blur -- '"$@" >/dev/full'
same_answer 'a report on a full disk' blur --junit /dev/full
same_answer 'a part that cannot be written, of halyard-gate' blur --part no/where.json
same_answer 'a shard that is none, of halyard-gate' blur --shard 3/3
for text in '' '{' '[]' '{"halyard-manifest": 1}' '{"halyard-manifest": 1e400}' '{"halyard-manifest": 1, "halyard-manifest": 1}' "\"$(printf '\\u0000')\"" '{"a": "\ud800"}'; do
  copy && printf '%s' "$text" >copy/blur.manifest.json
  same_answer "a manifest that is $text" copy
done
copy && printf '[%.0s' $(seq 5000) >copy/blur.manifest.json
same_answer 'a manifest of brackets' copy
"$halyard" gate blur --verify-only --shard 0/2 --part whole0.json >said 2>&1
"$judge" blur --shard 0/2 --part alone0.json >said 2>&1
"$judge" blur --shard 1/2 --part alone1.json >said 2>&1
try 'parts of both are the same' cmp <(without_times whole0.json) <(without_times alone0.json)
ends 0 'level 1, proof: passed' 'parts of both, joined' gate blur --merge whole0.json alone1.json
[ -z "$HOLDS" ] || { "$judge" blur --format json >answer.json 2>said; try 'its JSON is as its schema says' holds_schema gate answer.json gate; }

# -- diff

"$halyard" ship apps/box_blur.alg later.sched:tiled -o later --name blur >said 2>&1
ends 0 'nothing changed' 'a folder and itself' diff blur blur
ends 1 '+ directive: split(bv.s0.x, x, xi, 128);' 'another schedule' diff blur later
ends 1 '- obligation: ' 'obligations that went' diff blur default
ends 1 '+ algorithm: ' 'another algorithm' diff blur wrong
copy && flip copy/blur.so 100
ends 2 'HY0903' 'a folder with another byte' diff blur copy
ends 2 'HY0902' 'no folder' diff nowhere blur
ends 2 "takes two shipped folders" 'one folder' diff blur

# -- recipes: docs/examples/gate, with make and with CMake (which gets its settings from nowhere else)

cp -r "$root/docs/examples/gate" example
make_example() { make -s -C example CC=cc HALYARD="$halyard" HALYARD_INCLUDE="$root/include" "$@"; }
if command -v make >/dev/null; then
  try 'make' make_example main gate
  try 'its program' example/main
  try 'its reports' test -s example/blur.xml -a -s example/edges.md
  # What a reviewer sees (docs/gate.md shows it): hashes and times are left out, for they are another machine's.
  sed 's/, 256, 32/, 128, 32/' example/blur.sched >example/later.sched
  sed 's|rows(x, y + 1)) / 3|rows(x, y + 1)) / 4|' example/blur.alg >example/later.alg
  cp -r example/blur example/byte && flip example/byte/blur-x86-64-v2.so 9999
  for change in 'schedule blur blur.alg later.sched:tiled' 'algorithm blur later.alg blur.sched:tiled' 'byte byte blur.alg blur.sched:tiled'; do
    read -r what folder sources <<<"$change"
    (cd example && "$halyard" gate "$folder" $sources --markdown "$what.md") >said 2>&1
    sed -E 's/[0-9a-f]{16,64}/HASH/g; s/[0-9]+\.[0-9]+ \|$/SECONDS |/; s/[0-9]+ bytes/N bytes/; s/were [0-9]+\)/were N)/' example/$what.md >seen
    try "what a reviewer sees of another $what" diff seen "$root/docs/examples/gate/seen/$what.md"
  done
  flip example/blur/blur-x86-64-v2.so 5000
  if make_example gate >said 2>&1; then bad 'make with another byte'; elif grep -q 'HY0903.*blur-x86-64-v2.so' said; then good; else bad 'make with another byte'; fi
  try 'make clean' make_example clean
else skipped=$((skipped + 8)) && echo 'skipped: no make here'; fi
configure() { cmake -S example -B built -DHalyard_DIR="$root/cmake" -DHALYARD_EXECUTABLE="$halyard" -DCMAKE_C_COMPILER="$(command -v cc)"; }
try 'cmake' configure
try 'cmake --build' cmake --build built
try 'ctest -L gate' ctest --test-dir built -L gate
try 'ctest' ctest --test-dir built -R main
flip built/blur.shipped/blur.tgt 100
if ctest --test-dir built -R gate_blur$ >said 2>&1; then bad 'ctest with another byte'; else good; fi
sed -i 's/, 256, 32/, 128, 32/' example/blur.sched
if ctest --test-dir built -R gate_blur$ >said 2>&1; then bad 'ctest with a later schedule'; else good; fi
try 'cmake builds again' cmake --build built
try 'ctest after that' ctest --test-dir built -R gate_blur$
sed -i 's/ALGORITHM blur.alg/ALGORITM blur.alg/' example/CMakeLists.txt
if configure >said 2>&1; then bad 'a misspelt keyword'; elif grep -q 'write ALGORITHM file.alg' said; then good; else bad 'a misspelt keyword'; fi
yaml=$(with_module yaml)
if [ -n "$yaml" ]; then try 'workflow files' "$yaml" -c 'import yaml
for name in ("github", "gitlab"): assert yaml.safe_load(open(f"example/{name}.yml"))'
else skipped=$((skipped + 1)) && echo 'skipped: no Python here has yaml'; fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
