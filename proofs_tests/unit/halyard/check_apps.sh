#!/usr/bin/env bash
# check_apps.sh HALYARD: the page of pictures that ./dev apps writes (bench/apps_page.py) has every pipeline of apps/, its pictures
# are pictures, and a pipeline that is not proved or not equal makes it fail.
set -u
halyard=$(realpath "${1:?usage: check_apps.sh HALYARD}") || exit 2
cd "$(dirname "$0")/../../.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
holds() { # holds TITLE COMMAND...
  local title=$1
  shift
  if "$@" >"$work/said" 2>&1; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    printf 'FAILED %s\n' "$title"
    sed 's/^/    /' "$work/said" | head -n 10
  fi
}
page() { bench/apps_page.py "$@"; }
fails() { ! "$@" >"$work/why"; }

apps() { basename -s .alg apps/*.alg apps/*/*.alg | sort; }
named() { page 2>&1 | sed -n 's/.*names: //p' | tr ' ' '\n' | sort; }
holds 'every pipeline has a place on the page' diff <(named) <(apps)
holds 'every pipeline has a row in apps/README.md' diff <(sed -n 's/^| `\([a-z0-9_]*\)` .*/\1/p' apps/README.md | sort) <(apps)
holds 'a page of four' page "$halyard" "$work/page" --small box_blur harris unsharp conv_layer
holds 'its verdicts' grep -qE '<td>([0-9]+) of \1 proved.*<td>all pixels equal' "$work/page/index.html"
holds 'its sections' [ "$(grep -c '<section>' "$work/page/index.html")" = 4 ]
for name in box_blur harris unsharp conv_layer; do # as long as a picture that is not all alike
  holds "the picture of $name" [ "$(head -c 8 "$work/page/$name.png" | od -A n -t x1 | tr -d ' ')" = 89504e470d0a1a0a ] 
  holds "what is on the picture of $name" [ "$(wc -c <"$work/page/$name.png")" -gt 1000 ]
done

# Halyard, but for what it says of one pipeline.
cat >"$work/lying" <<END
#!/bin/sh
"$halyard" "\$@" | sed "\$LIE"
END
chmod +x "$work/lying"
export LIE='s/"pixels_equal": true/"pixels_equal": false/'
holds 'pixels that differ' fails page "$work/lying" "$work/differ" --small matmul
holds 'pixels that differ, told' grep -q '^matmul: not all' "$work/why"
LIE='s/"proved": [0-9]*/"proved": 1/'
holds 'what is not proved' fails page "$work/lying" "$work/unproved" --small matmul
LIE=
holds 'a name that is none' fails page "$halyard" "$work/none" sharpen
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
