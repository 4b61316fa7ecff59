#!/usr/bin/env bash
# The main job, end to end: bench/main_job.sh BUILD [IMAGE.png] checks every schedule of apps/box_blur.sched for all inputs,
# compiles and runs it on every core on a photograph-sized image, compares every pixel with the reference interpreter,
# writes the blurred image, and prints the table. Without an image, one of our own pipelines makes a photograph.
set -eu
build=$(realpath "${1:?usage: main_job.sh BUILD [IMAGE.png]}")
cd "$(dirname "$0")/.."
halyard=$build/halyard blur=apps/box_blur.alg schedules=apps/box_blur.sched photo=${2-}

if [ -z "$photo" ]; then
  photo=$build/photo.png
  "$halyard" run apps/scene.alg apps/scene.sched --window x=0:2568,y=0:1922 -o "$photo"
fi

# The window: what the image can serve, a multiple of 64 wide, so that Round asks for nothing beyond it.
read -r width height < <(od -A n -t u1 -j 16 -N 8 "$photo" |
  awk '{ print (($1 * 256 + $2) * 256 + $3) * 256 + $4, (($5 * 256 + $6) * 256 + $7) * 256 + $8 }')
window=x=1:$(((width - 2) / 64 * 64)),y=1:$((height - 2))

# Plain C loops on an image of the same size, in the same process as nothing else.
reference=()
if [ -x "$build/box_blur_bench" ] && [ "$width" = 2568 ] && [ "$height" = 1922 ]; then
  plain=$("$build/box_blur_bench" "$blur" "$schedules" 9 none | awk '/^plain C loops/ { print $4 }')
  echo "plain C loops at -O3, one thread: $plain ms"
  reference=(--reference-ms "$plain")
fi
echo
"$halyard" bench "$blur" "$schedules" -i in="$photo" --window "$window" --check "${reference[@]}"
echo

# Once more as a user would, into files; the reference interpreter's is what all must equal.
"$halyard" run "$blur" -i in="$photo" --window "$window" --engine alg -o "$build/blurred_reference.png" >/dev/null
for name in $("$halyard" check "$blur" "$schedules" | awk -F: '/: proved/ { print $1 }'); do
  "$halyard" run "$blur" "$schedules:$name" -i in="$photo" --window "$window" -o "$build/blurred_$name.png" >/dev/null
  cmp -s "$build/blurred_$name.png" "$build/blurred_reference.png" ||
    { echo "blurred_$name.png differs from the reference interpreter's" >&2; exit 1; }
done
echo "$build/blurred_*.png: written; every file equals the reference interpreter's, byte for byte"
