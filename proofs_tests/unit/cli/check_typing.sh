#!/usr/bin/env bash
# check_typing.sh HALYARD: manual pages and completion, as they are installed. Pages render without a warning and have each
# option of each verb; completion is driven in bash itself, in zsh (in a pseudo terminal) and in fish where they are there.
# shellcheck disable=SC2015 # good says yes
set -u
halyard=$(realpath "${1:?usage: check_typing.sh HALYARD}") || exit 2
root=$(realpath "$(dirname "$0")/../../..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
ln -s "$root/apps" apps
mkdir folder && : >folder/x.sched && : >a.case && : >b.so && : >'two words.alg'
printf 'schedule one for p { }\n// schedule not for p\nschedule  other\tfor p {\n}\n' >s.sched
passed=0 failed=0 skipped=0
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)) && echo "FAILED $1"; }
skip() { skipped=$((skipped + 1)) && echo "skipped: $1"; }
"$root/cli/typing/write_files.sh" "$halyard" made || bad 'files are not written'
pages=made/share/man/man1
verbs=$("$halyard" help | sed -nE 's/^  halyard ([a-z]+).*/\1/p')

# -- manual pages
for name in '' $(sed 's/^/-/' <<<"$verbs") -certcheck -gate; do
  [ -s "$pages/halyard$name.1" ] && good || bad "no page halyard$name"
done
for verb in $verbs; do # each option that help has, and no other
  page=$(sed 's/\\-/-/g; s/\\f[BIR]//g' "$pages/halyard-$verb.1")
  of_help=$("$halyard" help "$verb" | sed -nE 's/^ {2,6}(-., |    )?(--[a-z0-9-]+).*/\2/p' | sort)
  of_page=$(sed -nE 's/^(-., )?(--[a-z0-9-]+).*/\2/p' <<<"$page" | sort)
  [ "$of_help" = "$of_page" ] && good || bad "options of 'help $verb' and of its page: $(diff <(echo "$of_help") <(echo "$of_page") | grep '^[<>]' | tr '\n' ' ')"
  [ "$verb" = help ] || grep -q '^.SH EXIT STATUS' <<<"$page" && good || bad "halyard-$verb.1 has no exit statuses"
done
of_usage=$("$(dirname "$halyard")/halyard-certcheck" 2>&1 | grep -oE -- '--[a-z]+' | sort)
of_page=$(sed 's/\\-/-/g; s/\\f[BIR]//g' "$pages/halyard-certcheck.1" | sed -nE 's/^(--[a-z]+).*/\1/p' | sort)
[ -n "$of_usage" ] && [ "$of_usage" = "$of_page" ] && good || bad "options of halyard-certcheck: $of_usage, of its page: $of_page"
if command -v man >/dev/null && command -v groff >/dev/null; then
  for page in "$pages"/*.1; do
    man -l --warnings -E UTF-8 -Tutf8 "$page" >page.txt 2>warnings.txt
    [ -s page.txt ] && [ ! -s warnings.txt ] && good || bad "$page: $(head -n 1 warnings.txt)"
  done
  man -l -E UTF-8 -Tutf8 "$pages/halyard-check.1" | col -b >page.txt
  grep -q -- '--unknown reject|runtime' page.txt && good || bad 'halyard-check.1 lost an argument'
else
  skip 'neither man nor groff is there'
fi

# -- bash: LINE -> what it may become
cat >drive.bash <<'END'
source made/share/bash-completion/completions/halyard
COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
COMP_LINE=$1 COMP_POINT=${2:-${#1}}
_halyard
printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' '
END
becomes() { # becomes LINE WORDS [POINT]
  local said
  said=$(bash drive.bash "$1" ${3+"$3"} 2>&1)
  [ "${said% }" = "$2" ] && good || bad "bash: '$1' becomes '${said% }', not '$2'"
}
becomes 'halyard ru' run
becomes 'halyard --v' --version
becomes 'halyard f' 'fmt fuzz'
becomes 'halyard run --eng' --engine
becomes 'halyard run --engine ' 'alg halide native tgt'
becomes 'halyard run -e n' native
becomes 'halyard run --engine=t' tgt
becomes 'halyard run --mode=' 'lazy strict'
becomes 'halyard check x.alg --unknown r' 'reject runtime'
becomes 'halyard check x.alg --recheck=' coq
becomes 'halyard check x.alg --recheck s' s.sched
becomes 'halyard build --emit a,s' 'a,s a,so'
becomes 'halyard build x.alg --target x86-64-v' 'x86-64-v2 x86-64-v3 x86-64-v4'
becomes 'halyard show apps/fft/fft.alg --stage llvm:' opt
becomes 'halyard show apps/fft/fft.alg -s sch' 'schedule scheduled'
becomes 'halyard run apps/box_' 'apps/box_blur.alg apps/box_blur.sched'
becomes 'halyard run apps/box_blur.alg apps/box_blur.sched:nes' 'nested_guard nested_round nested_shift'
becomes 'halyard check x.alg s.sched:' 'one other'
becomes 'halyard check x.alg s.sched:o' 'one other'
becomes 'halyard check x.alg s.sched:ot' other
becomes 'halyard check x.alg s.s' s.sched
becomes 'halyard check fol' folder
becomes 'halyard check folder/' folder/x.sched
becomes 'halyard replay a' 'a.case apps'
becomes 'halyard validate b' b.so
becomes 'halyard fuzz --directive=sp' 'specialize split split_reduction'
becomes 'halyard help ta' ''
becomes 'halyard help t' tune
becomes 'halyard completion ' 'bash fish zsh'
becomes 'halyard man halyard-' 'halyard-certcheck halyard-gate'
becomes 'halyard fmt -w s' s.sched
becomes 'halyard run -w x=' ''
becomes 'halyard gate --level ' '0 1 2 3'
becomes 'halyard nosuch ' ''
becomes 'halyard run --engine nat --guard' native 24
for verb in $verbs; do # all of its options
  of_help=$("$halyard" help "$verb" | sed -nE 's/^ {2,6}(-., |    )?(--[a-z0-9-]+).*/\2/p' | sort -u | tr '\n' ' ')
  becomes "halyard $verb --" "${of_help% }"
done
# each word of a set is one that halyard takes
takes() { # takes WORDS COMMAND...: with each word at its end it is no bad usage
  local word words=$1 said
  shift
  for word in $words; do
    said=$("$halyard" "$@=$word" --help 2>&1 | head -n 1)
    [[ $said != *'error[HY07'* ]] && good || bad "$*=$word: $said"
  done
}
words() { bash drive.bash "$*" 2>/dev/null; }
takes "$(words 'halyard run --engine=')" run a.alg --engine
takes "$(words 'halyard run --mode=')" run a.alg --mode
takes "$(words 'halyard check --unknown=')" check a.alg --unknown
takes "$(words 'halyard check --recheck=')" check a.alg --recheck
takes "$(words 'halyard tune --sweep=')" tune a.alg --sweep
takes "$(words 'halyard gate --level=')" gate a --level
takes "$(words 'halyard show --format=')" show a.alg --format
for stage in alg schedule lowered scheduled query filled native llvm llvm:opt asm; do
  "$halyard" show apps/figure1.alg --stage "$stage" >/dev/null 2>stderr.txt && good || bad "show --stage $stage: $(head -n 1 stderr.txt)"
  [[ " $(bash drive.bash "halyard show --stage ")" == *" $stage "* ]] && good || bad "bash does not know the stage $stage"
done
for target in $(words 'halyard build --target '); do
  grep -q "\"$target\"" "$root/codegen/target.def" || [ "$target" = host ] && good || bad "no target $target"
done
[ "$(words 'halyard build --target ' | wc -w)" = "$(($(grep -c '^HY_TARGET(' "$root/codegen/target.def") + 1))" ] && good || bad 'bash does not know all targets'
for word in $(words 'halyard gate --allow='); do
  grep -q "\"$word\"" "$root/cli/verbs/gate_wishes.c" && good || bad "nothing is called $word in --allow"
done
for lane in $(words 'halyard fuzz --lanes='); do
  grep -q "{\"$lane\"," "$root/fuzz/pairs/lanes.c" && good || bad "no lane $lane"
done
[ "$(words 'halyard fuzz --lanes=' | wc -w)" = "$(grep -oE '\{"[a-z0-9]+", HY_LANE' "$root/fuzz/pairs/lanes.c" | wc -l)" ] && good || bad 'bash does not know all lanes'
bash -n made/share/bash-completion/completions/halyard && good || bad 'bash cannot read its script'

# -- fish
if command -v fish >/dev/null; then
  in_fish() { # in_fish LINE WORDS
    local said
    said=$(HOME=$scratch fish --no-config -c 'source made/share/fish/vendor_completions.d/halyard.fish; complete -C "$argv"' -- "$1" 2>&1 | cut -f 1 | sort | tr '\n' ' ')
    [ "${said% }" = "$2" ] && good || bad "fish: '$1' becomes '${said% }', not '$2'"
  }
  in_fish 'halyard f' 'fmt fuzz'
  in_fish 'halyard run --engine n' native
  in_fish 'halyard run --engine ' 'alg halide native tgt'
  in_fish 'halyard build --emit a,s' 'a,s a,so'
  in_fish 'halyard check x.alg s.sched:o' 's.sched:one s.sched:other'
  in_fish 'halyard check apps/box_' 'apps/box_blur.alg apps/box_blur.sched'
  in_fish 'halyard show x.alg -s quer' query
  in_fish 'halyard run --gua' --guard
  in_fish 'halyard check --gua' ''
else
  skip 'no fish'
fi

# -- zsh, which completes in a terminal only
if command -v zsh >/dev/null; then
  cat >drive.zsh <<'END'
zmodload zsh/zpty
zpty z zsh -f -i
await() { # until the terminal said so
  local said='' piece
  for _ in {1..200}; do
    while zpty -rt z piece 2>/dev/null; do said+=$piece; done
    [[ $said == *${~1}* ]] && { print -r -- $said; return 0 }
    sleep 0.1
  done
  return 1
}
zpty -w z 'PS1=; autoload -Uz compinit; fpath=($PWD/made/share/zsh/site-functions $fpath); compinit -u -D; show() { print -r -- "<$BUFFER>" }; zle -N show; bindkey "^X" show; bindkey "^U" kill-whole-line; unsetopt autolist automenu beep; setopt listambiguous; print rea''dy'
await ready >/dev/null
while IFS= read -r line; do
  zpty -w -n z $'\C-u'"$line"$'\t\C-x'
  await '<*>' | sed -nE 's/.*<([^<>]*)>.*/\1/p' | tail -n 1
done
END
  in_zsh() { # in_zsh LINE BECOMES
    local said
    said=$(HOME=$scratch TERM=dumb zsh -f drive.zsh <<<"$1" 2>&1 | tr -d '\r')
    [ "${said% }" = "$2" ] && good || bad "zsh: '$1' becomes '${said% }', not '$2'"
  }
  in_zsh 'halyard fuz' 'halyard fuzz'
  in_zsh 'halyard run --gua' 'halyard run --guard'
  in_zsh 'halyard run --engine=nat' 'halyard run --engine=native'
  in_zsh 'halyard run -e nat' 'halyard run -e native'
  in_zsh 'halyard show x.alg -s quer' 'halyard show x.alg -s query'
  in_zsh 'halyard check x.alg s.sched:ot' 'halyard check x.alg s.sched:other'
  in_zsh 'halyard check apps/networks/matmul.a' 'halyard check apps/networks/matmul.alg'
  in_zsh 'halyard help tu' 'halyard help tune'
  in_zsh 'halyard check --gua' 'halyard check --gua'
else
  skip 'no zsh'
fi

# -- what there is no page and no shell for
"$halyard" man nosuch 2>&1 | grep -q HY0703 && good || bad 'man nosuch'
"$halyard" completion tcsh 2>&1 | grep -q HY0703 && good || bad 'completion tcsh'
"$halyard" completion >/dev/null 2>&1
[ $? = 2 ] && good || bad 'completion without a shell'

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
