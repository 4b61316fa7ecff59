#!/usr/bin/env bash
# The include rule: who may include whom. Prints every violation; exit status 1 if there is one. Each room sees those above it in
# this list that its row names, never one below: there is no circle. The judge never sees the judged. No folder of sources or
# suites has more than 40 entries side by side, and no function more than 60 lines, but where a switch gives each case its own.
# Each file begins with a comment that says what it is for, but where the header beside a .c file has it.
#
#   base                       no Halide words
#   tables                     semantics/*.def: operators, types, rules, errors
#   value expr alg storage text tgt schedule format   the rooms of semantics/, each sees those before it
#   tape                       expressions as straight-line code, for the two fast interpreters
#   alg_interp tgt_interp      semantics, tape
#   lower sched bounds passes  semantics
#   plugin                     sched
#   autosched                  semantics, sched: schedules found; what compiles, runs and proves them is a call of its caller
#   oracle                     bounds; inside: prover, then certificate and z3, then what decides, then fill
#   codegen                    semantics
#   engines                    the interpreters, codegen
#   validate                   engines, sched, bounds, oracle: what judges directives
#   halyard                    all of these
#   gate                       what ships, and its judge; inside: manifest (files), shards, interface (the C header), inspect (levels 0 and 1: neither codegen nor Z3),
#                              then ship, cache (what was shipped, found again) and trial (level 2 on), which see halyard; tile (the judge of level 3: semantics alone, and
#                              LLVM's reader in one file) and remake, which makes again what it judges
#   library                    halyard, and of gate the header of what ships: include/halyard.h
#   lsp                        halyard and what it sees: a server for editors
#   export                     semantics: programs for other compilers
#   halide                     semantics: Halide in a process of its own
#   fuzz                       halyard and what it sees, autosched; inside: change, then pairs, judge, campaign
#   review                     fuzz and what it sees
#   cli                        everything; inside: images, then session, reports, tune, typing, verbs
#   bench, proofs_tests        everything; certcheck: nothing else of ours
#
# And one door for each foreign library: z3.h in oracle/z3, LLVM in codegen/ and in
# gate/tile/ir_read.c, PNG, TIFF and JPEG in cli/images/, JSON in cli/session/ and lsp/, JSON and
# zlib in gate/manifest/, check in proofs_tests/.
set -u
cd "$(dirname "$0")/.." || exit 2

folders='semantics tape alg_interp tgt_interp lower sched autosched plugin bounds oracle passes codegen engines validate halyard library gate lsp export halide fuzz review cli
  bench certcheck proofs_tests'

list_includes() { # "file:line:included" for every include of a file of ours, or of a library with a door
  # shellcheck disable=SC2086 # words
  grep -rnoE --include='*.[ch]' --include='*.def' '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<][^">]+[">]' $folders |
    sed -E 's/:[[:space:]]*#[[:space:]]*include[[:space:]]*["<]/:/; s/[">]$//'
}

# From paths on standard input: each folder that holds a source or a script itself and has more than 40 entries.
list_crowded() {
  awk -F/ '
    {
      folder = $1
      for (i = 2; i <= NF; i++) {
        if (!((folder, $i) in seen)) { seen[folder, $i] = 1; entries[folder]++ }
        if (i == NF && $i ~ /\.(c|h|def|sh|py)$/) sources[folder] = 1
        folder = folder "/" $i
      }
    }
    END {
      for (folder in sources)
        if (entries[folder] > 40) { printf "%s: %d entries side by side: give some of them a room (40 at most)\n", folder, entries[folder]; bad = 1 }
      exit bad
    }'
}

# Of C files, as clang-format leaves them: each function of more than 60 lines and without a switch.
list_long() { # list_long FILE...
  awk '
    function over() {
      if (FNR - start < 60 || has_switch) return
      printf "%s:%d: a function of %d lines: 60 can be seen at once\n", FILENAME, start, FNR - start + 1
      bad = 1
    }
    FNR == 1 { inside = 0 }
    !inside && /^[a-zA-Z_].*\(.*\{$/ && !/= \{$/ { inside = 1; start = FNR; has_switch = 0; next }
    !inside && /^[a-zA-Z_].*\([^;{}]*$/ { opens = FNR; next }
    !inside && /^  .*\) \{$/ && opens { inside = 1; start = opens; has_switch = 0; next }
    inside && /^ *switch \(/ { has_switch = 1 }
    inside && /^\}/ { over(); inside = 0; opens = 0 }
    END { exit bad }' "$@"
}

# A name means one type everywhere. The checker, which shares nothing, and other people's headers have names of their own.
list_twice() { # list_twice FILE...
  awk '
    function define(name) {
      if (name !~ /^hy_/) return
      if (name in place && place[name] != FILENAME) { printf "%s:%d: %s is a type of %s, too: give one of them another name\n", FILENAME, FNR, name, place[name]; bad = 1 }
      place[name] = FILENAME
    }
    FNR == 1 { open = 0 }
    /^typedef (struct|enum|union)( [a-z_0-9]+)? *\{$/ { open = 1 }
    open && /^\} [a-z_0-9]+;/ { sub(/^\} /, ""); sub(/;.*/, ""); define($0); open = 0; next }
    /^typedef (enum|struct|union) .*\} [a-z_0-9]+;/ { name = $0; sub(/.*\} /, "", name); sub(/;.*/, "", name); define(name); next }
    /^typedef HY_VEC\(.*\) [a-z_0-9]+;/ { name = $0; sub(/.*\) /, "", name); sub(/;.*/, "", name); define(name) }
    END { exit bad }' "$@"
}

# Of these files: each that begins, but for preprocessor lines, with something else than a comment. For a .c file the header beside it
# that is called alike, if it is among them, may have the comment.
list_headless() { # list_headless FILE...
  awk '
    FNR == 1 { continues = 0 }
    continues || /^[ \t]*#/ { continues = /\\$/; next }
    !NF { next }
    { has_head[FILENAME] = /^[ \t]*\/[\/*]/; nextfile }
    END {
      for (i = 1; i < ARGC; i++) {
        file = header = ARGV[i]
        sub(/\.c$/, ".h", header)
        if (has_head[file] || has_head[header]) continue
        printf "%s: begins without a comment: say at its top what it is for\n", file
        bad = 1
      }
      exit bad
    }' "$@"
}

status=0
# shellcheck disable=SC2046,SC2086 # words
list_twice $(find ${folders%certcheck*} include -name '*.[ch]') || status=1
twice=$(mktemp -d) && trap 'rm -rf "$twice"' EXIT
echo 'typedef struct hy_a {
} hy_a;' | tee "$twice/a.h" >"$twice/b.h"
list_twice "$twice/a.h" >/dev/null && list_twice "$twice/a.h" "$twice/b.h" >/dev/null && { echo 'a type that is defined twice was not noticed'; status=1; }
# shellcheck disable=SC2046,SC2086 # words
list_long $(find $folders include -name '*.[ch]') || status=1
{ echo 'int f(void) {' && seq 58 | sed 's/.*/  g();/' && echo '}'; } | list_long - || { echo 'a function of 60 lines was taken for one of 61'; status=1; }
{ echo 'int f(int a,' && echo '      int b) {' && seq 58 | sed 's/.*/  g();/' && echo '}'; } | list_long - >/dev/null && { echo 'a function of 61 lines was not noticed'; status=1; }
# shellcheck disable=SC2046,SC2086 # words
list_headless $(find $folders include ! -path 'proofs_tests/*' \( -name '*.[ch]' -o -name '*.def' \)) || status=1
room=$twice/room && mkdir "$room"
printf '#ifndef A\n#define A \\\n  1\n\n// What for.\nint a;\n#endif\n' | tee "$room/header.h" >"$room/said.c"
printf '#include "a.h"\n\nint a; // What for.\n' | tee "$room/header.c" "$room/silent.h" "$room/silent.c" >"$room/silent.def"
silent=$(list_headless "$room"/* | sed 's|.*/||; s/:.*//' | tr '\n' ' ')
[ "$silent" = 'silent.c silent.def silent.h ' ] || { echo "files without a comment at their top are taken to be '$silent'"; status=1; }
list_headless "$room/silent.c" >/dev/null && { echo 'a file without a comment at its top was not noticed'; status=1; }
rm -r "$room"
# shellcheck disable=SC2086 # words
find $folders include docs -type f ! -name '*.pyc' | list_crowded || status=1
for n in $(seq 41); do echo "room/$n.c"; done | list_crowded >/dev/null && { echo "a folder with 41 files was not noticed"; status=1; }

list_includes | awk -F: '
  BEGIN {
    meaning = "base tables value expr alg storage text tgt schedule format semantics"
    count = split(meaning, inner, " ")
    for (i = 1; i <= count; i++) may[inner[i]] = seen = seen " " inner[i]
    may["tape"] = meaning " tape"
    split("alg_interp tgt_interp", plain, " "); for (i in plain) may[plain[i]] = meaning " tape " plain[i]
    split("lower sched bounds passes codegen", plain2, " "); for (i in plain2) may[plain2[i]] = meaning " " plain2[i]
    may["plugin"] = meaning " sched plugin"
    may["autosched"] = meaning " sched autosched"
    may["prover"] = meaning " prover"
    may["certificate"] = meaning " bounds prover certificate"
    may["z3"] = meaning " prover z3"
    may["oracle"] = meaning " bounds prover certificate z3 oracle"
    may["fill"] = may["oracle"] " fill"
    may["engines"] = meaning " tape alg_interp tgt_interp codegen engines"
    may["validate"] = may["engines"] " sched bounds prover certificate z3 oracle validate"
    may["halyard"] = may["validate"] " lower plugin fill passes halyard"
    may["manifest"] = "base tables value manifest"
    may["shards"] = may["manifest"] " shards"
    may["interface"] = meaning " manifest interface"
    may["inspect"] = meaning " bounds prover certificate manifest interface inspect" # the judge of what ships never sees what makes it
    may["ship"] = may["halyard"] " manifest interface ship"
    may["trial"] = may["ship"] " inspect trial"
    may["cache"] = may["ship"] " inspect cache"
    may["speed"] = may["trial"] " speed"
    may["tile"] = meaning " tile" # the judge of instructions sees neither what makes them nor the engines
    may["remake"] = may["trial"] " tile remake"
    may["library"] = may["ship"] " library"
    may["lsp"] = may["halyard"] " lsp"
    may["export"] = meaning " export"
    may["halide"] = meaning " halide"
    may["change"] = may["halyard"] " change"
    may["pairs"] = may["change"] " autosched pairs"
    may["judge"] = may["pairs"] " export halide judge"
    may["campaign"] = may["judge"] " campaign"
    may["review"] = may["campaign"] " review"
    may["images"] = may["review"] " manifest shards interface inspect ship cache trial speed tile remake lsp export halide images"
    may["session"] = may["images"] " session"
    may["reports"] = may["session"] " reports"
    may["tune"] = may["reports"] " autosched tune"
    may["typing"] = may["tune"] " typing"
    may["verbs"] = may["typing"] " verbs"
    may["cli"] = may["verbs"] " cli"
    may["bench"] = may["cli"] " bench"
    may["certcheck"] = "certcheck" # the checker shares nothing with what it checks
    may["proofs_tests"] = may["bench"] " library certcheck proofs_tests"
    rooms = may["proofs_tests"]
    door["z3.h"] = "z3"; door["png.h"] = "images bench proofs_tests"; door["tiffio.h"] = door["jpeglib.h"] = door["jerror.h"] = "images proofs_tests"; door["jansson.h"] = "session manifest lsp proofs_tests"; door["zlib.h"] = "manifest"
    door["check.h"] = "proofs_tests"
  }
  function top(path) { return substr(path, 1, index(path, "/") - 1) }
  function room(path,  word) { # the folder that has a row above
    if (path ~ /^semantics\/[^\/]*\.def$/) return "tables"
    if (path ~ /^(semantics|oracle|fuzz|gate|cli)\/.*\//) { split(path, word, "/"); return word[2] }
    return top(path)
  }
  function allowed(list, word) { return index(" " list " ", " " word " ") > 0 }
  function complain(why) { printf "%s:%s: includes %s: %s\n", $1, $2, $3, why; bad = 1 }
  {
    from = room($1); to = room($3)
    name = $3 ~ /^z3[a-z_]*\.h$/ ? "z3.h" : $3
    if ($3 ~ /^llvm/ && from != "codegen" && $1 != "gate/tile/ir_read.c") complain("only codegen/ and gate/tile/ir_read.c see LLVM")
    else if (name in door) { if (!allowed(door[name], from)) complain("only " door[name] " sees it") }
    else if (to != "" && allowed(rooms, to)) {
      if (!allowed(may[from], to)) complain(from " may not see " to)
      else if ($3 ~ /_internal\.h$/ && top($1) != top($3) && from != "proofs_tests") complain("it is internal to " top($3) "/")
    }
    else if (to == "" && system("test -e " substr($1, 1, match($1, /[^\/]*$/) - 1) $3) == 0)
      complain("write the path from the repository root")
  }
  END { exit bad }' || status=1
exit "$status"
