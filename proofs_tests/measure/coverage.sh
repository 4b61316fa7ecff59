#!/usr/bin/env bash
# coverage.sh BUILD [FOLDER...]: which branches the tests took, from the counts that they left in a build of the preset
# "coverage" (./dev coverage builds, runs the tests, and calls this). One row for each folder; BUILD/uncovered.txt lists
# each place with a branch that no test took. Ends with 1 where a folder with a target (below) misses it.
#
# A branch is one way out of a condition as gcov counts it: "a && b" has four, a switch one for each label and one for
# none. Left out is only what leads straight to the end of the process by our own defect or for want of memory: a way on
# which hy_die or end_without_memory is called whatever comes (HY_ASSERT, HY_DIE, HY_UNREACHABLE, hy_allocate). Nothing
# is left out by name, file or comment.
set -u
build=$(realpath "${1:?usage: coverage.sh BUILD [FOLDER...]}") || exit 2
shift
cd "$(dirname "$0")/../.." || exit 2
[ $# -gt 0 ] || set -- semantics tape alg_interp tgt_interp lower sched autosched plugin bounds oracle passes codegen engines validate halyard fuzz review cli
target() { case $1 in semantics | lower | sched | bounds) echo 95 ;; *) echo 0 ;; esac; } # percent of branches (R2)

gcov=$(command -v gcov-12) dump=$(command -v gcov-dump-12)
if [ -z "$gcov" ] || [ -z "$dump" ]; then echo 'coverage.sh: gcov-12 is missing (package gcc-12)' >&2; exit 2; fi
uncovered=$build/uncovered.txt
: >"$uncovered"

# ways FILE.gcno...: "FILE LINE N ENDS" for each branch, the N-th of its line as gcov prints them; ENDS is 1 where it
# leads to the end of the process. The dump lists, for each function, the arcs between its blocks and the lines of each
# block. An arc called fake stands for a call that may not return: a block without any other never goes on, nor does one
# whose arcs all lead to such.
ways() {
  "$dump" -l "$@" | awk '
    function finish(  b, i, n, changed, ends_all, file_line) {
      for (b = 2; b <= last; b++) never[b] = 0
      do {
        changed = 0
        for (b = 2; b <= last; b++) if (!never[b]) {
          ends_all = 1
          for (i = 1; i <= arcs[b]; i++) if (!never[to[b, i]]) ends_all = 0
          if (ends_all) { never[b] = 1; changed = 1 }
        }
      } while (changed)
      for (b = 2; b <= last; b++) { # a block without lines belongs to the line before, as gcov has it
        if (b in place) file_line = place[b]
        if (arcs[b] > 1) for (i = 1; i <= arcs[b]; i++) {
          print file_line, ++branches[file_line], never[to[b, i]] + 0
        }
      }
      for (b = 0; b <= last; b++) { delete place[b]; delete arcs[b]; delete never[b] }
      last = 0
    }
    /:FUNCTION ident=/ { finish() }
    /:note:magic/ { finish(); split("", branches) } # the next file
    /block [0-9]+: [0-9]/ { # gcov sorts the arcs of a block by where they lead
      b = $3; sub(/:.*/, "", b); b += 0; $1 = $2 = ""; sub(/^ *[0-9]+:/, "")
      if (b > last) last = b
      n = split($0, word, " ")
      for (i = 1; i <= n; i++) if (word[i] !~ /fake/) {
        sub(/:.*/, "", word[i])
        for (j = ++arcs[b]; j > 1 && to[b, j - 1] > word[i] + 0; j--) to[b, j] = to[b, j - 1]
        to[b, j] = word[i] + 0
      }
      next
    }
    /block [0-9]+:`/ {
      b = $3; sub(/:.*/, "", b); b += 0; $1 = $2 = ""; sub(/^ *[0-9]+:/, "")
      if (b > last) last = b
      n = split($0, word, ", "); highest = 0
      for (i = 1; i <= n; i++) {
        if (word[i] ~ /^`/) { name = substr(word[i], 2); sub(/.:.*/, "", name); sub(/.*:/, "", word[i]) }
        if (word[i] + 0 > highest) highest = word[i] + 0
      }
      place[b] = name " " highest
    }
    END { finish() }'
}

# counts FILE.gcno...: "FILE LINE N TAKEN" for each branch, and "FILE LINE line RUN" for each line, by gcov.
counts() {
  "$gcov" --branch-probabilities --branch-counts --stdout "$@" | awk '
    / 0:Source:/ { file = $0; sub(/^.* 0:Source:/, "", file); next }
    /^ *[^ ]+: *[0-9]+:/ {
      split($0, part, ":"); line = part[2] + 0; n = 0
      if (line > 0 && part[1] !~ /-/) print file, line, "line", (part[1] !~ /#|=/)
      next
    }
    /^branch / { print file, line, ++n, ($3 == "taken" && $4 > 0) }'
}

# Files that several sources include are counted once: a branch is taken where any of them took it.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
missed=0
printf '%-12s %8s %18s %9s  %s\n' folder lines 'branches taken' of 'uncovered places'
for folder; do
  notes=$(find "$build/CMakeFiles/hy_$folder.dir" -name '*.gcno')
  # shellcheck disable=SC2086 # names without blanks
  { ways $notes; } >"$work/ways" && counts $notes >"$work/counts" || exit 2
  awk -v folder="$PWD/$folder/" -v name="$folder" -v target="$(target "$folder")" -v uncovered="$uncovered" '
    index($1, folder) != 1 { next }
    { key = $1 " " $2 " " $3 }
    FILENAME ~ /ways$/ { if ($4) ends[key]; else way[key]; next }
    $3 == "line" { line[key]; if ($4) run[key]; next }
    key in ends { next }
    !(key in way) { print "coverage.sh: gcov counts a branch that the dump lacks: " key; lost = 1; exit 2 }
    $4 { taken[key] }
    END {
      if (lost) exit 2
      sorted = "sort -t: -k1,1 -k2,2n >>" uncovered
      for (key in line) { lines++; if (key in run) lines_run++ }
      for (key in way) {
        branches++
        split(key, part, " ")
        if (key in taken) branches_taken++
        else missing[part[1] " " part[2]] = missing[part[1] " " part[2]] " " part[3]
      }
      for (place in missing) {
        places++
        split(place, part, " ")
        print name "/" substr(part[1], length(folder) + 1) ":" part[2] missing[place] | sorted
      }
      percent = branches ? 100 * branches_taken / branches : 100
      printf "%-12s %7.2f%% %17.2f%% %9d  %d%s\n", name, lines ? 100 * lines_run / lines : 100, percent, branches,
             places, percent < target ? "  FAILED: the target is " target "%" : ""
      exit percent < target
    }' "$work/ways" "$work/counts"
  case $? in 0) ;; 1) missed=$((missed + 1)) ;; *) exit 2 ;; esac
done
echo "uncovered places: $uncovered (FILE:LINE and which of its branches no test took)"
[ "$missed" = 0 ]
