#!/usr/bin/env bash
# The include rule: who may include whom. Prints every violation; exit status 1 if there is one.
#
#   base <- semantics <- alg_interp | tgt_interp | lower | sched | bounds <- oracle
#                     <- codegen
#   driver -> everything but proofs_tests;  bench, fuzz likewise (fuzz: not the command line);  proofs_tests -> everything
#   certcheck -> nothing of ours
#
# And one door for each foreign library: z3.h in oracle/, LLVM in codegen/, PNG and JSON in driver/, check in proofs_tests/.
set -u
cd "$(dirname "$0")/.." || exit 2

list_includes() { # "file:line:included" for every include of a file of ours, or of a library with a door
  grep -rnoE --include='*.[ch]' --include='*.def' '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<][^">]+[">]' \
    semantics alg_interp tgt_interp lower sched bounds oracle codegen driver fuzz bench certcheck proofs_tests |
    sed -E 's/:[[:space:]]*#[[:space:]]*include[[:space:]]*["<]/:/; s/[">]$//'
}

list_includes | awk -F: '
  BEGIN {
    all = "semantics alg_interp tgt_interp lower sched bounds oracle codegen"
    may["base"] = "base"; may["semantics"] = "base semantics"
    split("alg_interp tgt_interp lower sched bounds codegen", plain, " ")
    for (i in plain) may[plain[i]] = "base semantics " plain[i]
    may["oracle"] = "base semantics bounds oracle"
    may["driver"] = "base " all " driver fuzz"
    may["bench"] = "base " all " driver bench"
    may["certcheck"] = "" # the checker shares nothing with what it checks
    may["fuzz"] = "base " all " driver fuzz"
    may["proofs_tests"] = "base " all " driver fuzz bench certcheck proofs_tests"
    door["z3.h"] = "oracle"; door["png.h"] = "driver bench proofs_tests"; door["jansson.h"] = "driver proofs_tests"
    door["check.h"] = "proofs_tests"
  }
  function folder(path) { return path ~ /^semantics\/base\// ? "base" : substr(path, 1, index(path, "/") - 1) }
  function allowed(list, word) { return index(" " list " ", " " word " ") > 0 }
  function complain(why) { printf "%s:%s: includes %s: %s\n", $1, $2, $3, why; bad = 1 }
  {
    from = folder($1); to = folder($3)
    name = $3 ~ /^z3[a-z_]*\.h$/ ? "z3.h" : $3
    if ($3 ~ /^llvm/ && from != "codegen") complain("only codegen/ sees LLVM")
    else if (name in door) { if (!allowed(door[name], from)) complain("only " door[name] " sees it") }
    else if (allowed("base " all " driver fuzz bench certcheck proofs_tests", to)) {
      if ($3 == "semantics/errors.def" && from == "base") next # the one table of codes, for the diagnostics
      if (!allowed(may[from], to)) complain(from "/ may not see " to "/")
      else if ($3 ~ /_internal\.h$/ && from != to && from != "proofs_tests" && !(from == "base" && to == "semantics"))
        complain("it is internal to " to "/")
      else if (from == "fuzz" && $3 ~ /^driver\/(main|command|cli)/) complain("fuzz/ may not see the command line")
    }
    else if (to == "" && system("test -e " substr($1, 1, match($1, /[^\/]*$/) - 1) $3) == 0)
      complain("write the path from the repository root")
  }
  END { exit bad }'
