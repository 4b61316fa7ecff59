#!/usr/bin/env bash
# certcheck_fault.sh NAME FOLDER: a copy of certcheck/ in FOLDER/certcheck, with the fault NAME of certcheck_mutants.txt.
# Status 1: its text does not stand in one of the files exactly once.
set -eu
name=${1:?usage: certcheck_fault.sh NAME FOLDER} into=${2:?usage: certcheck_fault.sh NAME FOLDER}
cd "$(dirname "$0")"
root=../../..
mkdir -p "$into/certcheck"
cp $root/certcheck/*.[ch] "$into/certcheck"
: >"$into/found"
for file in $root/certcheck/*.c; do
  awk -v name="$name" -v found="$into/found" '
    FNR == NR { if ($0 ~ /^= /) on = $2 == name; else if (on && /^[<>] /) text[substr($0, 1, 1)] = substr($0, 3); next }
    "<" in text && (at = index($0, text["<"])) {
      $0 = substr($0, 1, at - 1) text[">"] substr($0, at + length(text["<"])); print FILENAME >>found }
    { print }' certcheck_mutants.txt "$file" >"$into/certcheck/$(basename "$file")"
done
[ "$(wc -l <"$into/found")" = 1 ] || { echo "certcheck_mutants.txt does not fit the checker: $name" >&2 && exit 1; }
