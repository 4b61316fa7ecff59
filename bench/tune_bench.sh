#!/usr/bin/env bash
# tune_bench.sh BIN [-r ROUNDS] [-b SECONDS] [-o DIR] [NAME...]: what 'halyard tune' finds for the pipelines of apps/, at the
# sizes that ./dev bench times, against the fastest of their own schedules. All run in turn in one process, outputs are
# compared with plain C bit for bit, and what is told is how many times as long each takes, on all threads.
#   -b: what level 2 may take for each (default 10; 0 leaves it out)    -o: schedules, estimates and times stay in DIR
set -u
usage() { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
bin=$(realpath "${1:-}" 2>/dev/null) && [ -x "$bin/apps_bench" ] || usage
shift
rounds=9 budget=10 out=''
while getopts r:b:o: option; do
  case $option in r) rounds=$OPTARG ;; b) budget=$OPTARG ;; o) out=$OPTARG ;; *) usage ;; esac
done
shift $((OPTIND - 1))
[ -z "$out" ] || { mkdir -p "$out" && out=$(realpath "$out"); } || exit 2
cd "$(dirname "$0")/.." || exit 2
work=${out:-$(mktemp -d)}
[ -n "$out" ] || trap 'rm -rf "$work"' EXIT
: >"$work/table" # of this run alone
rm -rf "$work/apps" && cp -r apps "$work" || exit 1
levels='0 1'
[ "$budget" = 0 ] || levels+=' 2'

# find_schedules NAME: the pipeline's own schedules, and behind them those of each level, called level0, level1, level2.
find_schedules() {
  local name=$1 level options alg
  alg=$(find apps -name "$name.alg") && "$bin/app_estimates" apps "$name" >"$work/$name.estimates" || return 1
  for level in $levels; do
    options=()
    [ "$level" != 2 ] || options=(--budget "$budget" --seed 1)
    "$bin/halyard" tune "$alg" --estimate "$(<"$work/$name.estimates")" --level "$level" ${options[@]+"${options[@]}"} \
      -o "$work/$name.level$level" >"$work/$name.said" 2>&1 || { sed 's/^/  /' "$work/$name.said" >&2; return 1; }
    sed "s/^schedule tuned /schedule level$level /" "$work/$name.level$level" >>"$work/${alg%.alg}.sched"
  done
}

# The rows of apps_bench as ratios: of all threads' times, each level's to the least of the pipeline's own.
ratios='
  NR > 2 { schedule = $(NF - 6); time = $(NF - 3) }
  NR > 2 && schedule !~ /^level[0-9]$/ && (!best || time < best) { best = time; own = schedule }
  NR > 2 && schedule ~ /^level[0-9]$/ { found[schedule] = time }
  END {
    printf "%-16s %-12s %9.3f", app, own, best
    for (i = 1; i <= split(levels, level, " "); i++) printf " %8.2f", found["level" level[i]] / best
    printf "\n"
  }'

names=("$@")
[ $# -gt 0 ] || mapfile -t names < <("$bin/app_estimates" apps)
printf '%d rounds in turn; medians; times as long as the fastest schedule of apps/\n' "$rounds"
printf '%-16s %-12s %9s' '' 'of apps/' ms
for level in $levels; do printf ' %8s' "level $level"; done
echo
failed=0
for name in "${names[@]}"; do
  if find_schedules "$name" && "$bin/apps_bench" "$work/apps" "$rounds" "$name" >"$work/$name.times"; then
    awk -v app="$name" -v levels="$levels" "$ratios" "$work/$name.times" | tee -a "$work/table"
  else
    echo "$name: no figures" && failed=1
  fi
done
[ -s "$work/table" ] && awk -v count="$(wc -w <<<"$levels")" '
  { for (i = 1; i <= count; i++) { r = $(3 + i); sum[i] += log(r); if (r > worst[i]) worst[i] = r } }
  END {
    printf "%-39s", "geometric mean"
    for (i = 1; i <= count; i++) printf " %8.2f", exp(sum[i] / NR)
    printf "\n%-39s", "worst"
    for (i = 1; i <= count; i++) printf " %8.2f", worst[i]
    printf "\n"
  }' "$work/table"
exit $failed
