#!/usr/bin/env bash
# check_docs.sh HALYARD: what README.md and docs/ say can be typed; that of docs/tutorial/ by cli/lessons.py. In a scratch folder with apps/, runs the commands of
# their code blocks (a comment "# status 1" names another status than 0), and looks up every verb, option, environment
# variable and path of the tree that they mention.
set -u
halyard=$(realpath "${1:?usage: check_docs.sh HALYARD}") || exit 2
root=$(realpath "$(dirname "$0")/..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$halyard" "$scratch/bin/halyard"
ln -s "$root/apps" "$scratch/apps"
ln -s "$root/docs" "$scratch/docs"
[ -d "$root/include" ] && ln -s "$root/include" "$scratch/include"
ln -s "$(command -v gcc-12 || command -v cc)" "$scratch/bin/cc"
for beside in halyard-certcheck halyard-gate; do [ -x "$(dirname "$halyard")/$beside" ] && ln -s "$(dirname "$halyard")/$beside" "$scratch/bin/"; done
PATH=$scratch/bin:$PATH
cd "$scratch" || exit 2
passed=0 failed=0
pages=("$root/README.md" "$root"/docs/*.md)
texts=("${pages[@]}" "$root"/docs/tutorial/*.md)

good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)) && echo "FAILED $1"; }

# A photograph for the examples, made by one of our own pipelines.
halyard run apps/scene.alg apps/scene.sched --window x=0:320,y=0:240 -o photo.png >/dev/null || bad 'no photo.png'

# -- commands of code blocks. A block that begins with a command is run as a whole, in order; of any other, the lines that
# begin with "halyard". Left out: what has words in capitals or "..." to be replaced, what takes long, and what needs a
# finding of the fuzzer (a case file begins with "halyard case").
awk -v out="$scratch" '
  /^```/ { inside = !inside; if (inside) { file = out "/block." ++n; first = FNR + 1; print FILENAME ":" first > file } next }
  inside { print >> file }' "${pages[@]}"
left_out='halyard (validate|fuzz|verify|replay|reduce|case) |^ *\./dev|^ *(cmake|ninja) '
placeholder='(^|[ =])[A-Z][A-Z_]*( |$|\.|:)|\.\.\.'

# -- algorithms: every pipeline that a page shows is one
for block in block.*; do
  grep -q '^pipeline ' "$block" || continue
  rm -f shown.*
  tail -n +2 "$block" | awk '/^(pipeline|schedule) / { inside = ++n } inside { print > ("shown." n ".alg") } /^}/ { inside = 0 }'
  for text in shown.*; do
    grep -E '^pipeline .*\{ *$' "$text" | grep -qv schedule || continue # not two texts side by side
    if halyard show --stage alg "$text" >stdout.txt 2>stderr.txt; then good; else bad "$(head -n 1 "$block"): $(head -n 1 stderr.txt)"; fi
  done
done

try() { # try PLACE COMMANDS [STATUS]
  timeout 120 bash -e -c "$2" >stdout.txt 2>stderr.txt </dev/null
  local was=$?
  if [ "$was" = "${3:-0}" ]; then good; else
    bad "$1: status $was: $(head -n 1 <<<"$2")"
    head -n 4 stderr.txt | sed 's/^/    /'
  fi
}
for block in $(find . -name 'block.*' | sort -t. -k3n); do
  place=$(head -n 1 "$block") place=${place#"$root/"}
  commands=$(tail -n +2 "$block" | grep -vE "$left_out")
  if grep -qE '^ *(halyard|cc|cat) ' <<<"$(head -n 1 <<<"$commands")" && ! grep -E '^ *halyard' <<<"$commands" | grep -qE "$placeholder"; then
    try "$place" "$commands"
  else
    while IFS= read -r line; do
      try "$place" "$(sed -E 's/^ *\$ //; s/ +# .*//' <<<"$line")" "$(sed -nE 's/.*# status ([0-9]).*/\1/p' <<<"$line")"
    done < <(grep -E '^( *\$ )? *halyard(-certcheck|-gate)? ' <<<"$commands" | grep -vE "$placeholder")
  fi
done

# -- the lessons: their files, commands and outputs
lessons=$("$root/proofs_tests/cli/lessons.py" "$halyard")
grep -v '^[0-9]* passed' <<<"$lessons"
read -r count _ broken _ < <(grep -E '^[0-9]+ passed, [0-9]+ failed$' <<<"$lessons")
if [ "${count:-0}" -ge 70 ]; then passed=$((passed + count)); else bad "docs/tutorial: only ${count:-0} commands of the lessons do what is said"; fi
failed=$((failed + ${broken:-1}))
[ "$(ls "$root"/docs/tutorial/[0-9][0-9]_*.md | wc -l)" = 12 ] || bad 'docs/tutorial has not twelve lessons'

# -- the glossary: the file that a row names speaks of its words
while IFS='|' read -r _ words _ place _; do
  place=$(tr -d ' `' <<<"$place")
  for word in $(tr -d ' ' <<<"${words// /_}" | tr ',' ' '); do
    word=${word#_} word=${word%_} word=${word//_/ }
    if grep -qiF -- "${word# }" "$root/$place" 2>/dev/null; then good; else bad "docs/glossary.md: $place does not speak of '${word# }'"; fi
  done
done < <(grep -E '^\| .* \| .* \| `[A-Za-z0-9_/.]+` \|$' "$root/docs/glossary.md")
[ "$(grep -cE '^\| .* \| .* \| `[A-Za-z0-9_/.]+` \|$' "$root/docs/glossary.md")" -ge 40 ] || bad 'docs/glossary.md has lost its rows'

# -- the reference, written from the tables
if "$root/docs/reference.py" "$halyard" --check; then good; else bad 'docs/reference.md lags'; fi

# -- the gallery: its page, and pictures of which two are made again
if "$root/bench/gallery.py" "$halyard" --check; then good; else bad 'docs/gallery.md lags'; fi

# -- links between pages, and from the lessons
for text in "${texts[@]}"; do
  for link in $(grep -oE '\]\([A-Za-z0-9_./-]+\.(md|png|alg|sched|def)' "$text" | cut -c3- | sort -u); do
    if [ -f "$(dirname "$text")/$link" ]; then good; else bad "${text#"$root/"}: there is no $link"; fi
  done
done

# -- verbs and options
help=$(halyard help; halyard --version)
for verb in $(halyard help | sed -nE 's/^  halyard ([a-z]+).*/\1/p'); do help+=$'\n'$(halyard help "$verb"); done
foreign='--preset --quiet --args --version --help --build --install --prefix --cflags --libs' # of cmake, ninja, gdb, pkg-config; and those that no verb lists
for text in "${texts[@]}"; do
  for option in $(awk '/^```/{ inside = !inside } !inside' "$text" | grep -vE 'sbatch|srun|Slurm' |
    grep -oE -- '(^|[ `(])--[a-z][a-z-]+' | grep -oE -- '--[a-z][a-z-]+' | sort -u); do
    if grep -qF -- "$option" <<<"$help $foreign"; then good; else bad "${text#"$root/"}: there is no option $option"; fi
  done
  for verb in $(grep -oE '`halyard [a-z]+' "$text" | sed 's/.* //' | sort -u); do
    if grep -qE "^halyard $verb|  halyard $verb " <<<"$help"; then good; else bad "${text#"$root/"}: there is no verb $verb"; fi
  done
  for variable in $(grep -oE 'HALYARD_[A-Z_]+' "$text" | sort -u); do
    if grep -rqF "$variable" "$root"/{cli,halyard,gate,plugin,engines,codegen,semantics,oracle,fuzz,proofs_tests,dev,CMakeLists.txt,CMakePresets.json}; then good
    else bad "${text#"$root/"}: nothing reads $variable"; fi
  done
  # -- paths: words in backquotes that begin with a folder of the tree; NAME and SUFFIX stand for anything
  for path in $(grep -oE '`[a-z_]+/[A-Za-z0-9_./*]*`' "$text" | tr -d '`' | sort -u); do
    [ -d "$root/${path%%/*}" ] || continue
    case ${path%%/*} in build) continue ;; esac
    pattern=$(sed -E 's/[A-Z]{3,}\b/*/g; s/RULES|README|NEWS|LICENSE/*/g' <<<"$path")
    if compgen -G "$root/$path" >/dev/null || compgen -G "$root/$pattern" >/dev/null; then good
    else bad "${text#"$root/"}: there is no $path"; fi
  done
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
