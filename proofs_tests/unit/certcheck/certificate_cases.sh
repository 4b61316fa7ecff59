#!/usr/bin/env bash
# certificate_cases.sh DIRECTORY: writes the cases of certificate_cases.txt there: 001.cert, 002.cert, ..., and "list" with a
# line "001 VERDICT: REASON" for each.
set -eu
awk -v into="${1:?usage: certificate_cases.sh DIRECTORY}" '
  function put(text) { printf "%s\n", text >file }
  function header(n) { # with "n" obligations
    put("halyard-certificates 2")
    put("program t " n " 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef - - by hand")
  }
  function table() {
    header(1); put("1 unknown int x"); put("2 int 0"); put("3 <= 2 1"); put("4 < 2 1")
    put("5 or 3 4"); put("6 false"); put("7 min 1 2"); put("8 int -170141183460469231731687303715884105728")
  }
  function squares(n, most, i, k) { # "n" proofs, each with the square of a sum of "most" unknowns that it does not need
    header(n)
    for (i = 1; i <= most; i++) put(i " unknown int x" i)
    put(most + 1 " int 0"); put(most + 2 " <= " most + 1 " " most + 1)
    for (i = 1; i <= n; i++) {
      put("certificate t/" i " b c"); put("goal " most + 2); put("g")
      printf "s (0" >file
      for (k = most; k >= 1; k--) printf " 1*%d", k >file
      put(")"); put(". 0"); put("qed")
    }
    put("end " n)
  }
  /^== / {
    if (file) close(file)
    file = sprintf("%s/%03d.cert", into, ++count)
    printf "" >file
    printf "%03d %s\n", count, substr($0, 4) >(into "/list")
    next
  }
  !file { next }
  $0 == "%table" { table(); next }
  $1 == "%programs" {
    put("halyard-certificates 2")
    for (i = 1; i <= $2; i++) put("program t" i " 0 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef - - by hand")
    next
  }
  $1 == "%squares" { squares($2, $3); next }
  $1 == "%header" { header($2); next }
  $0 == "%proof" { table(); put("certificate t/1 b c"); put("facts 3"); put("goal 4"); next }
  $0 == "%end" { put("qed"); put("end 1"); next }
  $1 == "%empty" { for (i = 0; i < $2; i++) put(""); next }
  { put($0) }' "$(dirname "$0")/certificate_cases.txt"
