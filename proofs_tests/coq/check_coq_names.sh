#!/usr/bin/env bash
# check_coq_names.sh [ROOT]: docs/certificates.md, certcheck/ and proofs_tests/coq/ have the same steps and the same
# lines, in the same order; each step has its lemma in Sound.v, and a broken twin in Broken.v that is shown not to be sound. No
# Coq is needed. Without ROOT also: in copies of these files that lack one lemma, one twin, one step, it says so.
set -u
root=${1:-$(dirname "$0")/../..}
coq=$root/proofs_tests/coq
failed=0
wrong() { echo "$1"; failed=1; }

same() { # same WHAT A B: two lists of names
  [ -n "$2" ] && [ "$2" = "$3" ] || wrong "$1: $(diff <(tr ' ' '\n' <<<"$2") <(tr ' ' '\n' <<<"$3") | head -n 4 | tr '\n' ' ')"
}
words() { tr '\n' ' ' | sed 's/ *$//'; }
dots() { sed 's/^dot$/./'; }
steps=$(awk '/^### Steps/ { on = 1 } /^## / { on = 0 } on && /^\| `/ { s = substr($2, 2, 1); if (s != last) print s; last = s }' \
  "$root/docs/certificates.md" | words)
same 'rules of certcheck.c' "$steps" "$(sed -nE "s/^    \{'(.)', \"[a-z]*\", step_[a-z]+\}, .*/\1/p" "$root/certcheck/certcheck.c" | words)"
same 'steps of certcheck.c' "$steps" "$(sed -nE "s/^static void step_([a-z]+)\(.*/\1/p" "$root/certcheck/certcheck.c" | dots | words)"
same 'what certcheck.c says above its steps' "$steps" "$(sed -nE 's/^\/\/ (.)( [A-Z].*)?:.* \|- .*/\1/p' "$root/certcheck/certcheck.c" | uniq | words)"
same 'steps of Meaning.v' "$steps" "$(sed -n '/^Inductive step/,/\.$/p' $coq/Meaning.v | grep -oE '\| S[a-z]+' | cut -c4- | dots | words)"
same 'steps of Print.v' "$steps" "$(sed -n '/^Definition words_of_step/,/end\./p' $coq/Print.v | grep -oE '=> \[?"[a-z.]"' |
  grep -oE '"."' | tr -d '"' | words)"
same 'steps of Checker.v' "$steps" "$(sed -nE 's/^Definition step_([a-z]+) .*/\1/p' $coq/Checker.v | dots | words)"
same 'lemmas of Sound.v' "$steps" "$(sed -nE 's/^Lemma ([a-z]+)_sound .*: sound \(?step_\1[ )].*|^Lemma (g)_sound : sound step_g\.$/\1\2/p' \
  $coq/Sound.v | dots | words)"
same 'twins of Broken.v' "$steps" "$(sed -nE 's/^Lemma ([a-z]+)_twin : ~ sound \(?broken_\1[ )].*|^Lemma (g)_twin : ~ sound broken_g\..*/\1\2/p' \
  $coq/Broken.v | dots | words)"
kinds=$(sed -n '/^} kinds\[KINDS\] = {/,/};/p' "$root/certcheck/reader.c" | grep -oE '\{"[^"]+"' | cut -d'"' -f2 | words)
lines=${kinds%% true *} kinds="true ${kinds#* true }"
same 'terms of docs/certificates.md' "$lines" "$(awk '/^### Terms/ { on = 1 } /^### Formulas/ { on = 0 } on && /^\| `/' $root/docs/certificates.md |
  cut -d'|' -f2 | grep -oE '`[^`]*`' | tr -d '\140' | cut -d' ' -f1 | words)"
same 'lines of Print.v' "$lines ${kinds}" "$(sed -n '/^Definition words_of_line/,/end\./p' $coq/Print.v |
  sed -nE 's/^  \| Compare .*/"=="\n"!="\n"<"\n"<="\n">"\n">="/; s/^  \| [A-Z].* => ("[^"]+").*/\1/; /^"/p' | tr -d '"' | words)"

# -- would it say so? --------------------------------------------------------------------------------------------------

lacks() { # lacks FILE PATTERN: without the lines that match it is refused
  local copy
  copy=$(mktemp -d)
  mkdir -p "$copy/docs" "$copy/certcheck" "$copy/proofs_tests"
  cp "$root/docs/certificates.md" "$copy/docs"
  cp "$root"/certcheck/*.c "$copy/certcheck"
  cp -r "$coq" "$copy/proofs_tests"
  grep -vE "$2" "$root/$1" >"$copy/$1"
  cmp -s "$root/$1" "$copy/$1" && wrong "$1 has no line '$2'"
  "$0" "$copy" >/dev/null && wrong "nobody misses '$2' in $1"
  rm -rf "$copy"
}
if [ $# = 0 ] && [ $failed = 0 ]; then
  for step in $(sed 's/ \. / dot /' <<<"$steps"); do
    lacks proofs_tests/coq/Sound.v "^Lemma ${step}_sound "
    lacks proofs_tests/coq/Broken.v "^Lemma ${step}_twin "
  done
  lacks docs/certificates.md '^\| `q H I` '
  lacks proofs_tests/coq/Checker.v '^Definition step_q '
  lacks certcheck/certcheck.c "^    \{'m', "
  lacks certcheck/certcheck.c '^// m H I: '
  echo "$(wc -w <<<"$steps") steps and $(wc -w <<<"$lines $kinds") kinds of lines have the same names in the document, in C and in Coq"
fi
exit $failed
