#!/usr/bin/env bash
# coq_lines.sh: how many lines of these files one reads for what reason; status 1 where the proofs have more than 2,000.
#
#   meaning  Meaning.v and Print.v: what files mean and how they are written; with accepted_follows, what one must have read
#   program  the checker: definitions of Results.v, Read.v, Polynomials.v, Checker.v; Extract.v
#   proofs   statements and proofs: Lines.v, Sound.v, what Polynomials.v says of values, the lemmas of the others
#   twins    Broken.v
set -u
cd "$(dirname "$0")" || exit 2
awk '
  FNR == 1 { kind = FILENAME ~ /\/(Meaning|Print)/ ? "meaning" : FILENAME ~ /\/(Lines|Sound)/ ? "proofs" : FILENAME ~ /\/Broken/ ? "twins" : "program" }
  /^\(\* -- what they do to values -- \*\)$/ { kind = "proofs" } # of Polynomials.v, to its end
  /^(Lemma|Theorem|Corollary) / { is_proof = 1 }
  { lines[is_proof && kind != "twins" ? "proofs" : kind]++; all++ }
  /Qed\.$/ { is_proof = 0 }
  END {
    printf "%d lines of Coq: %d say what files mean, %d are the checker, %d statements and proofs, %d broken twins\n",
      all, lines["meaning"], lines["program"], lines["proofs"], lines["twins"]
    exit lines["proofs"] + lines["twins"] > 2000
  }' ./*.v
