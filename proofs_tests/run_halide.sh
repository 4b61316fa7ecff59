#!/usr/bin/env bash
# run_halide.sh HALYARD: Halide itself, run by Halyard. First workers that are none, which need no Halide: what crashes, hangs,
# eats memory or prints rubbish is told as such. Then what Halide computes, where its Python bindings are.
# Prints "N passed, N failed, N skipped".
set -u
halyard=$(realpath "${1:?usage: run_halide.sh HALYARD}") || exit 2
cd "$(dirname "$0")/.." || exit 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset HALYARD_PYTHON HALIDE_ROOT HALYARD_HALIDE_SECONDS
passed=0 failed=0 skipped=0
python=/usr/bin/python3
blur=(run apps/box_blur.alg apps/box_blur.sched:tiled -i in=random:40x30:1)

verdict() { # verdict STATUS MESSAGE
  if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED $2" && sed 's/^/    /' "$scratch/said" | head -n 6; fi
}
# says STATUS TEXT ARGUMENT...: what halyard ends with, and a text that it says.
says() {
  local status=$1 text=$2
  shift 2
  timeout 300 "$halyard" "$@" >"$scratch/said" 2>&1 </dev/null
  local was=$?
  [ "$was" = "$status" ] && grep -qF -- "$text" "$scratch/said"
  verdict $? "halyard $*: status $was, not $status, or it does not say \"$text\""
}

# -- workers that are none --

# fake NAME CHANGES: an interpreter, $fake. CHANGES: Python that gets the worker's text as "text" and changes it, or does
# something else.
fake() {
  fake=$scratch/$1
  cat >"$fake" <<END
#!$python
import os, sys
text = sys.argv[4]
$2
os.execv("$python", ["python3", "-E", "-s", "-c", text] + sys.argv[5:])
END
  chmod +x "$fake"
}
no_halide='for old, new in ("    import halide\n", "    halide = None\n"), ("    warm(halide)", "    pass"), ("= version_of(halide)", "= \"14.0.0\""):
    assert old in text
    text = text.replace(old, new)'
# acts WHAT STATUS TEXT: a worker without Halide that does WHAT, some Python, in place of a program.
acts() {
  fake acts "$no_halide
text = text.replace('        carry_out(halide, request, data, to)', r'''        $1''')"
  HALYARD_PYTHON=$fake HALYARD_HALIDE_SECONDS=1 says "$2" "$3" "${blur[@]}" --engine halide
}

HALYARD_PYTHON=/nowhere says 2 'No such file or directory' "${blur[@]}" --engine halide
HALYARD_PYTHON=/nowhere says 2 'apt-get install python3-halide' "${blur[@]}" --engine halide
HALYARD_PYTHON=/bin/true says 2 'ended before it said a word' "${blur[@]}" --engine halide
fake fails 'sys.exit("no room for Python")'
HALYARD_PYTHON=$fake says 2 'ended before it said a word: no room for Python' "${blur[@]}" --engine halide
fake absent 'text = text.replace("import halide", "import halide_that_is_not_there")'
HALYARD_PYTHON=$fake says 2 "No module named 'halide_that_is_not_there'" "${blur[@]}" --engine halide
fake old "$no_halide; text = text.replace('14.0.0', '12.0.1')"
HALYARD_PYTHON=$fake says 2 'this is Halide 12.0.1, and 14 is the oldest that is known' "${blur[@]}" --engine halide
fake chatters "$no_halide; text = text.replace('ready %s', 'hello %s')"
HALYARD_PYTHON=$fake says 2 'answers with something else' "${blur[@]}" --engine halide
fake dies "$no_halide; text = text.replace('    while True:\\n        word', '    while False:\\n        word')"
HALYARD_PYTHON=$fake says 1 'Halide was not reached' "${blur[@]}" --engine halide
HALYARD_HALIDE_SECONDS=soon says 2 "HALYARD_HALIDE_SECONDS is 'soon'" "${blur[@]}" --engine halide

acts 'os.abort()' 1 'Halide crashed: signal 6'
acts 'os.write(2, b"the end is near"); os.abort()' 1 'the end is near'
acts 'os._exit(3)' 1 'Halide crashed: status 3'
acts 'exec("while True: pass")' 1 'Halide did not end in time' # by the clock, where nothing gets a processor
fake sleeps "$no_halide; text = text.replace('= 2000, 30', '= 2000, 1').replace('        carry_out(halide, request, data, to)', '        time.sleep(1000)')"
HALYARD_PYTHON=$fake HALYARD_HALIDE_SECONDS=1 says 1 'Halide did not end in time: it was stopped by the clock' "${blur[@]}" --engine halide
acts 'bytearray(1 << 60)' 1 'Halide ran out of memory'
acts 'tell(to, b"refused", b"I would rather not")' 1 'Halide refuses: I would rather not'
acts 'tell(to, b"refused", os.environ["MALLOC_PERTURB_"].encode())' 1 'Halide refuses: 165'
acts 'tell(to, b"refused", b"Out of memory (halide_malloc)")' 1 'Halide ran out of memory'
acts 'to.sendall(b"hello, world\n")' 1 'the worker ended, or answered with something else'
acts 'to.sendall(b"output 99999999999\n")' 1 'the worker ended, or answered with something else'
acts 'tell(to, b"output", b"1234")' 1 'the worker ended, or answered with something else'
acts 'tell(to, b"compiled"); tell(to, b"output", b"1234")' 1 'the worker ended, or answered with something else'
acts 'tell(to, b"compiled")' 1 'Halide was not reached'
verify=(verify apps/box_blur.alg apps/box_blur.sched:tiled --cases 4 --with halide)
fake modest "$no_halide
text = text.replace('        carry_out(halide, request, data, to)', '        tell(to, b\"refused\", b\"I would rather not\")')"
HALYARD_PYTHON=$fake says 3 'Halide has computed none of the inputs, so nothing was compared with it; Halide refuses: I would rather not' "${verify[@]}"
fake zeros "$no_halide
text = text.replace('        carry_out(halide, request, data, to)', '''        tell(to, b\"compiled\")
        tell(to, b\"output\", bytes(request[\"runs\"][0][\"outputs\"][0][\"bytes\"]))''')"
HALYARD_PYTHON=$fake says 1 "by the algorithm, but 0 by engine 'halide'" "${verify[@]}"
fake crashes "$no_halide; text = text.replace('        carry_out(halide, request, data, to)', '        os.abort()')"
HALYARD_PYTHON=$fake says 1 "engine 'halide': Halide crashed: signal 6" "${verify[@]}"
HALYARD_PYTHON=/nowhere says 2 'apt-get install python3-halide' "${verify[@]}"
says 2 "nothing is verified --with 'halite'" verify apps/box_blur.alg --with halite
acts 'tell(to, b"compiled", b"x" * 9000000)' 1 'the worker ended, or answered with something else'

# -- campaigns, with workers that are none --

fuzz=(fuzz --against halide --shrink 0 --seed 7)
fake zeros "$no_halide
text = text.replace('        carry_out(halide, request, data, to)', '''        tell(to, b\"compiled\")
        for run in request[\"runs\"]:
            tell(to, b\"output\", bytes(sum(box[\"bytes\"] for box in run[\"outputs\"])))''')"
HALYARD_PYTHON=$fake says 1 'failure halide-none-differs' "${fuzz[@]}" --pairs 24
HALYARD_PYTHON=$fake says 1 'failure halide-none-differs' "${fuzz[@]}" --pairs 32 -j 2 --out "$scratch/whole"
HALYARD_PYTHON=$fake says 1 'failure halide-none-differs' "${fuzz[@]}" --pairs 32 --shard 0/2 --out "$scratch/first"
HALYARD_PYTHON=$fake says 1 'failure halide-none-differs' "${fuzz[@]}" --pairs 32 --shard 1/2 --out "$scratch/second"
HALYARD_PYTHON=/nowhere says 1 'failure halide-none-differs' fuzz --merge "$scratch/first" "$scratch/second" --out "$scratch/merged"
cmp -s <(cut -d ' ' -f 2- "$scratch/whole/results") <(cut -d ' ' -f 2- "$scratch/merged/results")
verdict $? 'a campaign in two shards, merged, is another one than the whole'
cp -r "$scratch/first" "$scratch/again"
head -c 40 "$scratch/first/results" >"$scratch/again/results" # as if it had been killed
HALYARD_PYTHON=$fake says 1 'failure halide-none-differs' "${fuzz[@]}" --pairs 32 --shard 0/2 --resume --out "$scratch/again"
cmp -s "$scratch/first/results" "$scratch/again/results"; verdict $? 'a campaign that was killed and resumed ends otherwise'
HALYARD_PYTHON=$fake says 1 'halide (differs)' replay "$scratch/whole/halide-none-differs.case"
HALYARD_PYTHON=/nowhere says 2 'apt-get install python3-halide' replay "$scratch/whole/halide-none-differs.case"
fake crashes "$no_halide; text = text.replace('        carry_out(halide, request, data, to)', '        os.abort()')"
HALYARD_PYTHON=$fake says 1 'failure halide-none-crashes' "${fuzz[@]}" --pairs 12
fake declines "$no_halide; text = text.replace('        carry_out(halide, request, data, to)', '        tell(to, b\"refused\", b\"Error: not today, 17\")')"
HALYARD_PYTHON=$fake says 3 'declined-none-not_today' "${fuzz[@]}" --pairs 12
fake stumbles "$no_halide; text = text.replace('        carry_out(halide, request, data, to)', '        tell(to, b\"refused\", b\"Internal Error at /x/Lower.cpp:12 triggered\")')"
HALYARD_PYTHON=$fake says 1 'failure halide-none-internal_Lower.cpp:12' "${fuzz[@]}" --pairs 12
fake refuses "$no_halide; text = text.replace('        carry_out(halide, request, data, to)', '        tell(to, b\"refused\", b\"Error: Generated function does not pass LLVMs verifyFunction.\")')"
HALYARD_PYTHON=$fake says 1 'failure halide-none-internal_Generated_function' "${fuzz[@]}" --pairs 12
fake stops "$no_halide; text = text.replace('        carry_out(halide, request, data, to)', '        tell(to, b\"refused\", b\"Error: Error: \\\\n\")')"
HALYARD_PYTHON=$fake says 1 'failure halide-none-internal' "${fuzz[@]}" --pairs 12
HALYARD_PYTHON=/nowhere says 2 'apt-get install python3-halide' "${fuzz[@]}" --pairs 12
says 2 "no campaign goes --against 'halite'" fuzz --against halite

# -- Halide --

"$python" -E -s proofs_tests/second/halide_rows.py check >"$scratch/said" 2>&1
verdict $? 'the rows of docs/halide.md are those of halide_rows.txt'
"$python" -E -s proofs_tests/second/halide_found.py check >"$scratch/said" 2>&1
verdict $? 'a program of docs/halide_found.md without a line that says what came'
if "$python" -c 'import halide' 2>/dev/null; then
  same() { # same ARGUMENT...: native code and Halide give the same bytes
    "$halyard" run "$@" >"$scratch/native" 2>&1 && "$halyard" run "$@" --engine halide >"$scratch/said" 2>&1 &&
      grep -q checksum "$scratch/said" && cmp -s "$scratch/native" "$scratch/said"
    verdict $? "halyard run $*: native code and Halide differ"
  }
  same apps/box_blur.alg -i in=random:40x30:1
  same apps/box_blur.alg apps/box_blur.sched:tiled -i in=random:300x200:7@-5,9
  printf "pipeline a(in: u8[2]) { fun o(x, y) = in(x, y) / 2; }\n" >"$scratch/wraps.alg"
  printf "schedule s for a { in.in(o).compute_at(o, y); }\n" >"$scratch/wraps.sched"
  same "$scratch/wraps.alg" "$scratch/wraps.sched" -i in=random:40x30:1
  says 0 '  halide              24' verify proofs_tests/golden/export_values.alg --with halide
  says 0 '  halide              24' verify proofs_tests/golden/export_loops.alg proofs_tests/golden/export_loops.sched --with halide
  for name in tuples_values tuples_poison export_tuples export_shifts export_parameters; do
    says 0 '  halide              24' verify "proofs_tests/golden/$name.alg" --with halide --cases 24
  done
  for name in all first second; do
    says 0 '  halide               8' verify proofs_tests/golden/inline_tuples.alg "proofs_tests/golden/inline_tuples.sched:$name" --with halide --cases 8
  done
  for name in halide_abs halide_output outputs outputs_empty parameter_range; do
    says 0 '  halide               8        0' verify "proofs_tests/golden/$name.alg" --with halide --cases 8
  done
  says 1 'halide-compute_at-differs' fuzz --against halide --seed 508 --pairs 45 --shrink 0 --out "$scratch/found"
  says 1 'by Halide' replay "$scratch/found/halide-compute_at-differs.case"
  says 0 'unusable' replay proofs_tests/unit/fuzz/halide_bound_too_small.case
  "$python" "$scratch/found/halide-compute_at-differs.py" >"$scratch/said" 2>&1
  grep -qE "([1-9][0-9]*) of \1 points differ" "$scratch/said"; verdict $? 'the program of a finding does not show it by itself'
  grep -q '^# Halide 14' "$scratch/found/halide-compute_at-differs.md"; verdict $? 'a finding has no text for the tracker'
  says 1 'Halide has nothing that means what this does: sin' verify apps/figure1.alg --with halide
  says 2 'machine code carries no errors' "${blur[@]}" --engine halide --mode strict
  says 1 'coordinates, boxes or int parameters leave +-2^20' run apps/box_blur.alg -i in=random:40x30:1@2000000,0 --engine halide
  "$python" -E -s proofs_tests/second/halide_boundaries.py "$halyard" >"$scratch/said" 2>&1
  verdict $? 'boundary conditions are those of Halide'
  "$python" -E -s proofs_tests/second/halide_operators.py "$halyard" >"$scratch/said" 2>&1
  verdict $? 'derived operators are those of Halide'
  "$python" -E -s proofs_tests/second/halide_rows.py "$halyard" >"$scratch/said" 2>&1
  verdict $? 'the rows of docs/halide.md are so'
  "$python" -E -s proofs_tests/second/halide_found.py >"$scratch/said" 2>&1
  case $? in
  77) skipped=$((skipped + 1)) && echo 'skipped: another version of Halide than docs/halide_found.md speaks of' ;;
  *) grep -q ' 0 failed' "$scratch/said"; verdict $? 'what docs/halide_found.md says of a program is not so' ;;
  esac
  cat >"$scratch/slides.py" <<'END'
import sys
import halide as hl
def build():
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = hl.i32(7)
    g[x, y] = f[x, x] * f[2, y]
    f.compute_at(g, y)
    f.store_root()
    return g
out = hl.Buffer(hl.Int(32), [1, 1])
build().realize(out)
print("%d of 1 points differ" % (out[0, 0] != 49))
sys.exit(out[0, 0] != 49)
END
  sed 's/^    f.store_root()/    f.store_root(); f.compute_root()/' "$scratch/slides.py" >"$scratch/stays.py"
  for pair in 'slides a window slides' 'stays as meant by itself'; do
    said=$("$python" -E -s proofs_tests/second/halide_explain.py --program "$scratch/${pair%% *}.py")
    [ "$said" = "${pair#* }" ]; verdict $? "a failure that is explained otherwise: $said"
  done
  "$python" -E -s proofs_tests/second/halide_cpp.py "$halyard" >"$scratch/said" 2>&1
  case $? in
  77) skipped=$((skipped + 1)) && echo 'skipped: no <Halide.h> or no g++ here (apt-get install libhalide14-0-dev g++)' ;;
  *) grep -q ' 0 failed' "$scratch/said"; verdict $? 'programs in C++ are those in Python' ;;
  esac
  proofs_tests/second/halide_bench.sh "$halyard" >"$scratch/said" 2>&1
  case $? in
  77) skipped=$((skipped + 1)) && echo 'skipped: no <Halide.h> or no g++ here, or a build with a sanitizer (apt-get install libhalide14-0-dev g++)' ;;
  *) grep -q ' 0 failed' "$scratch/said"; verdict $? 'the benchmark against Halide: halide_bench.sh says why' ;;
  esac
else
  skipped=$((skipped + 31)) && echo 'skipped: no Halide here (apt-get install python3-halide)'
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
