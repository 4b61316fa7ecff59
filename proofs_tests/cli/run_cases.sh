# Read by run_cli.sh: what halyard run does with files and outputs beside computing them.
# shellcheck shell=bash disable=SC2154

# -- files that rows use
printf 'pipeline grey(in: u8[2]) { fun g(x, y) = in(x, y); }\n' >grey.alg
printf 'pipeline more(in: u8[2], n: u8) { fun g(x, y) = in(x, y) + n; }\n' >more.alg
printf 'pipeline colour(in: u8[3]) { fun g(x, y, c) = in(x, y, c); }\n' >colour.alg
printf 'pipeline thin(in: u8[2]) { fun g(x, y, c) = in(x, y) + u8(c); }\n' >thin.alg
printf 'pipeline floats(in: f32[1], a: f32) { fun g(x) = in(x) * a; }\n' >floats.alg
printf 'pipeline wholes(in: int[1]) { fun g(x) = in(x); }\n' >wholes.alg
printf 'pipeline parts(in: int[1]) { fun g(x) = 12 / in(x); }\n' >parts.alg
printf 'pipeline pair(in: u8[2]) -> (f, g) { fun f(x, y) = in(x, y) / 2; fun g(x) = f32(in(x, 0)); }\n' >pair.alg
printf 'P5\n4 3\n255\nabcdefghijkl' >kept_grey.pgm
printf 'P5\n4 3\n255\nabcdefgzijky' >kept_other.pgm
npy() { # npy FILE DESCR SHAPE BYTES: one row of an array as printf writes it
  printf '\223NUMPY\001\000\166\000%-118s' "{'descr': '$2', 'fortran_order': False, 'shape': $3, }" >"$1"
  # shellcheck disable=SC2059
  printf "$4" >>"$1"
}
npy numbers.npy '<f4' '(3,)' '\000\000\200\077\000\000\300\177\000\000\200\177' # 1, NaN, infinity
npy zeroes.npy '<f4' '(3,)' '\000\000\000\200\000\000\300\177\000\000\200\177' # -0, NaN, infinity
npy three.npy '<i8' '(3,)' '\003\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\005\000\000\000\000\000\000\000' # 3, 0, 5
npy quotients.npy '<i8' '(3,)' '\004\000\000\000\000\000\000\000\007\000\000\000\000\000\000\000\002\000\000\000\000\000\000\000' # 4, 7, 2
npy extremes.npy '<i8' '(2,)' '\000\000\000\000\000\000\000\200\377\377\377\377\377\377\377\177' # the least, the greatest
npy turned.npy '<i8' '(2,)' '\377\377\377\377\377\377\377\177\000\000\000\000\000\000\000\200'

# -- against a file (--compare)
row 0 'stdout:g: 0 of 12 points differ from kept_grey.pgm|greatest difference 0, mean 0' run grey.alg -i in=kept_grey.pgm --compare kept_grey.pgm
row 0 'stdout:out.png: u8[2]' run grey.alg -i in=kept_grey.pgm --compare kept_grey.pgm -o out.png
# h is 104 and z 122, l is 108 and y 121: 18 + 13 over 12 points
row 1 'HY0620|grey.alg:1:|g(3, 1) is 104, in '\''kept_other.pgm'\'' it is 122; 2 of 12 points differ|do not differ by more than --tolerance 18' run grey.alg -i in=kept_grey.pgm --compare kept_other.pgm
row 1 'stdout:g: 2 of 12 points differ from kept_other.pgm|greatest difference 18, mean 2.58333333' run grey.alg -i in=kept_grey.pgm --compare kept_other.pgm
row 1 '1 of 12 points differ' run grey.alg -i in=kept_grey.pgm --compare kept_other.pgm --tolerance 13
row 1 '2 of 12 points differ' run grey.alg -i in=kept_grey.pgm --compare kept_other.pgm --tolerance 12.99
row 0 'stdout:0 of 12 points differ from kept_other.pgm by more than 18' run grey.alg -i in=kept_grey.pgm --compare kept_other.pgm --tolerance 18
row 1 'HY0620' run grey.alg -i in=kept_grey.pgm --compare kept_other.pgm -o out.pgm
row 1 'stdout:"error_values": 0|"differing": 2|"greatest_difference": 18.0|"computed": "104"|"in_file": "122"' run grey.alg -i in=kept_grey.pgm --compare kept_other.pgm --format json
row 0 'stdout:"differing": 0|"mean_difference": 0.0' run grey.alg -i in=kept_grey.pgm --compare kept_grey.pgm --format json
# the first difference in the output's own coordinates, by every engine
for engine in alg tgt native; do
  row 1 'HY0620|g(2, 6) is 104, in' run grey.alg -i in=kept_grey.pgm@-1,5 --compare kept_other.pgm --engine $engine
done
# adding 200 wraps: the distance is that of the numbers
row 1 'g(0, 0) is 41,|it is 97; 12 of 12|--tolerance 56' run more.alg -i in=kept_grey.pgm -p n=200 --compare kept_grey.pgm
# a channel of one is none in a file
row 0 '' run thin.alg -i in=kept_grey.pgm --window x=0:4,y=0:3,c=0:1 -o kept_thin.pgm
same kept_thin.pgm kept_grey.pgm
row 0 'stdout:0 of 12 points differ' run thin.alg -i in=kept_grey.pgm --window x=0:4,y=0:3,c=0:1 --compare kept_thin.pgm
row 2 'HY0724|is u8[2], 4 x 3, but g is u8[3], window x=0:4,y=0:3,c=0:2' run thin.alg -i in=kept_grey.pgm --window x=0:4,y=0:3,c=0:2 --compare kept_thin.pgm
# floats: NaN is NaN, infinity itself, -0 is 0
row 0 'stdout:0 of 3 points differ|greatest difference 0,' run floats.alg -i in=numbers.npy -p a=1 --compare numbers.npy
row 1 'g(0) is -1.0,|it is (0.0 / 0.0); |2 of 3 points differ' run floats.alg -i in=ramp:3@-1 -p a=-1 --compare zeroes.npy
row 1 'stdout:g: 3 of 3|greatest difference inf, mean inf|at 1 of them one of the two is not a number' run floats.alg -i in=ramp:3 -p a=0.5 --compare numbers.npy
row 1 'stdout:"nans": 1|"greatest_difference": null' run floats.alg -i in=ramp:3 -p a=0.5 --compare numbers.npy --format json
# the whole range of 64 bits, exactly (and rounded up where a double holds no more)
row 1 '2 of 2 points differ|--tolerance 1.8446744073709552e+19' run wholes.alg -i in=extremes.npy --compare turned.npy
row 0 '' run wholes.alg -i in=extremes.npy --compare turned.npy --tolerance 18446744073709551616
npy odd.npy '<i8' '(1,)' '\001\000\000\000\000\000\040\000' # 2^53 + 1, which no double is
row 1 'HY0620|--tolerance 9007199254740994' run wholes.alg -i in=zero:1 --compare odd.npy
row 1 'HY0620|--tolerance 9007199254740994' run wholes.alg -i in=zero:1 --compare odd.npy --tolerance 9007199254740992
row 0 '' run wholes.alg -i in=zero:1 --compare odd.npy --tolerance 9007199254740994
# error values are told apart, and the rest is compared
row 1 'HY0608|g(1) is the error value|1 of 3 points are errors' run parts.alg -i in=three.npy --engine alg --compare quotients.npy
row 1 'stdout:g: 0 of 2 points differ|1 more points are error values' run parts.alg -i in=three.npy --engine alg --compare quotients.npy
row 1 'HY0608|HY0620|2 of 2' run parts.alg -i in=three.npy --engine alg --compare three.npy
# several outputs
row 0 '' run pair.alg -i in=kept_grey.pgm --window f.x=0:4,y=0:3,g.x=0:2 -o f=kept_pair_f.png -o g=kept_pair_g.npy
row 0 'stdout:f: 0 of 12|g: 0 of 2' run pair.alg -i in=kept_grey.pgm --window f.x=0:4,y=0:3,g.x=0:2 --compare g=kept_pair_g.npy --compare f=kept_pair_f.png
row 0 'stdout:g: 0 of 2' run pair.alg -i in=kept_grey.pgm --window f.x=0:4,y=0:3,g.x=0:2 --compare g=kept_pair_g.npy
row 1 'f(0, 0) is 48' run pair.alg -i in=kept_grey.pgm --window f.x=0:4,y=0:3,g.x=0:2 --compare g=kept_pair_g.npy --compare f=kept_grey.pgm
row 2 'HY0703|--compare kept_grey.pgm: it does not say which output|write --compare f=FILE --compare g=FILE' run pair.alg -i in=kept_grey.pgm --window x=0:2,y=0:1 --compare kept_grey.pgm
row 2 'HY0703|is a second file' run pair.alg -i in=kept_grey.pgm --window x=0:2,y=0:1 --compare f=a --compare f=b
row 2 'HY0703|is a second output' run grey.alg -i in=kept_grey.pgm --compare kept_grey.pgm --compare kept_grey.pgm
# an output of several values: a file for each
printf 'pipeline values(in: u8[2]) { fun f(x, y) = (in(x, y) / 2, f32(in(x, y))); }\n' >values.alg
row 0 'stdout:kept_values.pgm: u8[2], 4 x 3|kept_values.npy: f32[2], 4 x 3' run values.alg -i in=kept_grey.pgm -o f.1=kept_values.npy -o f.0=kept_values.pgm
row 0 '' run values.alg -i in=kept_grey.pgm -o f.1=kept_values_tgt.npy -o f.0=kept_values_tgt.pgm --engine tgt
same kept_values.npy kept_values_tgt.npy
same kept_values.pgm kept_values_tgt.pgm
row 0 'stdout:f.0: 0 of 12|f.1: 0 of 12' run values.alg -i in=kept_grey.pgm --compare f.0=kept_values.pgm --compare f.1=kept_values.npy
row 0 'stdout:"func": "f.1"' run values.alg -i in=kept_grey.pgm --format json
row 1 'HY0620|f.0(0, 0) is 48' run values.alg -i in=kept_grey.pgm --compare f.0=kept_grey.pgm
row 2 "HY0724|but f.1 is f32[2]" run values.alg -i in=kept_grey.pgm --compare f.1=kept_grey.pgm
row 2 'HY0703|it does not say which output|write -o f.0=FILE -o f.1=FILE' run values.alg -i in=kept_grey.pgm -o out.pgm
row 2 'HY0703|-o f=out.pgm: it names no output' run values.alg -i in=kept_grey.pgm -o f=out.pgm
row 2 'HY0703|it names no output' run values.alg -i in=kept_grey.pgm -o f.2=out.pgm
row 2 'HY0703|is a second file' run values.alg -i in=kept_grey.pgm -o f.1=out.npy -o f.1=out2.npy
row 2 'HY0713' run values.alg -i in=kept_grey.pgm -o f.1=out.pgm
# what cannot be compared, before anything is computed
row 2 "HY0724|'kept_grey.pgm' is u8[2], 4 x 3, but g is u8[2], window x=0:3,y=0:3|--window" run grey.alg -i in=kept_grey.pgm --window x=0:3,y=0:3 --compare kept_grey.pgm
row 2 "HY0724|'kept_grey.pgm' is u8[2], 4 x 3, but g is f32[1]|nothing is converted" run floats.alg -i in=ramp:3 -p a=1 --compare kept_grey.pgm
row 2 'HY0704' run grey.alg -i in=kept_grey.pgm --compare none.pgm
row 2 'HY0705' run grey.alg -i in=kept_grey.pgm --compare grey.alg
row 2 'HY0703|--tolerance is of --compare' run grey.alg -i in=kept_grey.pgm --tolerance 1
row 2 'HY0703|--tolerance takes T' run grey.alg -i in=kept_grey.pgm --compare kept_grey.pgm --tolerance -1
row 2 'HY0703|--tolerance takes T' run grey.alg -i in=kept_grey.pgm --compare kept_grey.pgm --tolerance nan
row 2 'HY0702' check grey.alg --compare kept_grey.pgm

# -- formats of files
for file in kept_a.tif kept_a.tiff kept_a.png; do row 0 "stdout:$file: u8[2], 4 x 3" run grey.alg -i in=kept_grey.pgm -o "$file"; done
same kept_a.tif kept_a.tiff
for file in kept_a.tif kept_a.png; do row 0 'stdout:0 of 12 points differ' run grey.alg -i in=$file --compare kept_grey.pgm; done
row 0 '' run grey.alg -i in=ramp:64x48 -o kept_low.jpg --quality 40
row 0 '' run grey.alg -i in=ramp:64x48 -o kept_high.jpeg --quality 100
row 0 '' run grey.alg -i in=ramp:64x48 -o kept_usual.jpg
row 0 '' run grey.alg -i in=ramp:64x48 -o kept_90.jpg --quality 90
same kept_usual.jpg kept_90.jpg
row 1 'HY0620' run grey.alg -i in=ramp:64x48 --compare kept_low.jpg --tolerance 2
row 0 '' run grey.alg -i in=ramp:64x48 --compare kept_high.jpeg --tolerance 2
row 0 '' run colour.alg -i in=random:9x7x3:1 -o kept_c.tif
row 0 'stdout:0 of 189 points differ' run colour.alg -i in=random:9x7x3:1 --compare kept_c.tif
row 0 '' run colour.alg -i in=random:9x7x3:1 -o out.jpg
row 0 '' run floats.alg -i in=numbers.npy -p a=1 -o out.npy
row 2 'HY0713|it holds images (x, y), or (x, y, c), of numbers' run floats.alg -i in=numbers.npy -p a=1 -o out.tif
row 2 'HY0713|u8 images' run colour.alg -i in=random:9x7x4:1 -o out.jpg
row 2 'HY0713|f32 images' run grey.alg -i in=kept_grey.pgm -o out.pfm
row 2 'HY0713|end its name in .png, .tif, .jpg' run grey.alg -i in=kept_grey.pgm -o out.gif
row 2 'HY0703|--quality is of JPEG' run grey.alg -i in=kept_grey.pgm -o out.png --quality 80
row 2 'HY0703|is not a whole number from 1 to 100' run grey.alg -i in=kept_grey.pgm -o out.jpg --quality 101
row 2 'HY0703|is not a whole number from 1 to 100' run grey.alg -i in=kept_grey.pgm -o out.jpg --quality 0
head -c 100 kept_low.jpg >short.jpg
head -c 60 kept_a.tif >short.tif
row 2 "HY0711|'short.jpg': Premature end of JPEG file" run grey.alg -i in=short.jpg
row 2 "HY0711|'short.tif'" run grey.alg -i in=short.tif
row 2 "HY0712|is u8[3], 9 x 7 x 3, but parameter 'in' is u8[2]" run grey.alg -i in=kept_c.tif
row 2 "HY0712|give as many sizes as the image has dimensions: in=ramp:640x480" run grey.alg -i in=ramp:4 -o out.png

# -- standard input and output
pipe() { # pipe FILE NAME STATUS TEXT ARGUMENT...: a row whose standard input is FILE and whose standard output becomes NAME; TEXT is of standard error
  local input=$1 name=$2 status=$3 text=$4
  shift 4
  timeout 120 "$halyard" "$@" <"$input" >"$name" 2>stderr.txt
  local was=$?
  if [ "$was" = "$status" ] && grep -qF -- "$text" stderr.txt; then passed=$((passed + 1))
  else failed=$((failed + 1)) && echo "FAILED halyard $* <$input: status $was, not $status, or standard error does not say \"$text\"" && head -n 4 stderr.txt; fi
}
pipe kept_grey.pgm kept_p.pgm 0 'u8[2], 4 x 3' run grey.alg -i in=- -o -
same kept_p.pgm kept_grey.pgm
pipe kept_a.tif kept_p.png 0 '-: u8[2], 4 x 3' run grey.alg -i in=- -o png:-
same kept_p.png kept_a.png
pipe kept_grey.pgm kept_p.tif 0 '' run grey.alg -i in=-@0,0 -o TIF:-
same kept_p.tif kept_a.tif
pipe kept_c.tif kept_p.ppm 0 '' run colour.alg -i in=- -o -
row 0 'stdout:0 of 189 points differ' run colour.alg -i in=kept_c.tif --compare kept_p.ppm
pipe numbers.npy kept_p.npy 0 '' run floats.alg -i in=- -p a=1 -o -
row 0 'stdout:0 of 3 points differ' run floats.alg -i in=numbers.npy -p a=1 --compare kept_p.npy
pipe numbers.npy kept_q.pgm 0 'g: f32[1], 2' run pair.alg -i in=kept_grey.pgm --window f.x=0:4,y=0:3,g.x=0:2 -o f=-
row 0 'stdout:0 of 12 points differ' run pair.alg -i in=kept_grey.pgm --window f.x=0:4,y=0:3,g.x=0:2 --compare f=kept_q.pgm
: >kept_empty # nothing is written where the status is not 0
pipe kept_other.pgm kept_none 1 'HY0620' run grey.alg -i in=kept_grey.pgm --compare - -o -
same kept_none kept_empty
pipe /dev/null kept_none 2 "'standard input' is empty" run grey.alg -i in=- -o -
pipe grey.alg kept_none 2 "'standard input' is not an image" run grey.alg -i in=- -o -
pipe /dev/zero kept_none 2 "'standard input' is not an image" run grey.alg -i in=- -o -
pipe kept_grey.pgm kept_none 2 'is named 2 times, but can be read once' run grey.alg -i in=- --compare -
pipe kept_grey.pgm kept_none 2 'cannot both go to standard output' run pair.alg -i in=- --window x=0:2,y=0:1 -o f=- -o g=npy:-
pipe kept_grey.pgm kept_none 2 'one of png, tiff, jpg' run grey.alg -i in=- -o bmp:-
pipe kept_grey.pgm kept_none 2 'it holds f32 images' run grey.alg -i in=- -o pfm:-
row 2 'stdout:gets the object of --format json' run grey.alg -i in=kept_grey.pgm -o - --format json

# -- what happens to memory (--trace=loads,stores,realizations); the lines themselves: golden/events_*.txt
row 0 'stdout:load in(3, 2) = 108|; g.s0.y = 2, g.s0.x = 3' run grey.alg -i in=kept_grey.pgm --engine tgt --trace loads
row 0 'stdout:store g(0, 0) = 97' run grey.alg -i in=kept_grey.pgm --engine tgt --trace=stores
row 0 'stdout:"text": "allocate g holds x=0:4, y=0:3\ncompute g on' run grey.alg -i in=kept_grey.pgm --engine tgt --trace=realizations --format json
row 0 'stdout:load in(0) = 4|store g(0) = 3|load in(1) = 7|left out: 1 stores' run parts.alg -i in=quotients.npy --engine tgt --trace=loads,stores --steps 3 --window x=0:2
row 0 'stdout:store g(0, 0)' run grey.alg -i in=kept_grey.pgm --engine tgt --trace=loads,stores --trace-func g
row 2 'HY0703|no func and no image of the program|it has g, in' run grey.alg -i in=kept_grey.pgm --engine tgt --trace=loads --trace-func g,h
row 2 'HY0703|no func and no image' run grey.alg -i in=kept_grey.pgm --engine tgt --trace=loads --trace-func g,
row 2 'HY0703|is none of these, nor several with commas' run grey.alg -i in=kept_grey.pgm --engine tgt --trace=load
row 2 'HY0703|are the target program' run grey.alg -i in=kept_grey.pgm --trace=loads
row 2 'HY0703|are the target program' run grey.alg -i in=kept_grey.pgm --engine alg --trace stores
row 2 'HY0703|--trace-func is of' run grey.alg -i in=kept_grey.pgm --engine tgt --trace --trace-func g
row 2 'HY0703|give one of them' run grey.alg -i in=kept_grey.pgm --engine tgt --trace --trace=loads
row 0 'stdout:[TGT.Realize]' run grey.alg -i in=kept_grey.pgm --engine tgt --trace

# -- a profile
rows_again='schedule rows for twice { across.compute_at(down, y); }'
printf 'pipeline twice(in: u8[2]) { fun across(x, y) = u16(in(x, y)) + u16(in(x + 1, y)); fun down(x, y) = across(x, y) + across(x, y + 1); }\n' >twice.alg
printf '%s\n' "$rows_again" >twice.sched
# 39 x 29 points of down, for each of whose 29 rows two rows of across are computed, where 30 are needed: 58 * 39 and 30 * 39
row 0 'stdout:func                         ms   share      computed       needed   ratio|         2262         1170   1.933|         1131         1131   1.000|(waiting)|heap peak of all|down: u16[2], 39 x 29' run twice.alg twice.sched -i in=random:40x30:1 --profile
row 0 'stdout:"computed": 2262|"needed": 1170|"recompute_ratio": 1.93333333|"told_apart": true|"plain_ms"|"busy_threads"|"overhead"' run twice.alg twice.sched -i in=random:40x30:1 --profile --format json
HALYARD_NUM_THREADS=1 row 0 'stdout:on 1 threads|         1209         1209   1.000|         1170         1170   1.000' run twice.alg -i in=random:40x31:1 --profile
row 0 '' run twice.alg twice.sched -i in=random:40x30:1 -o kept_twice.png
row 0 'stdout:profile of|0 of 1131 points differ' run twice.alg twice.sched -i in=random:40x30:1 --profile --compare kept_twice.png
row 0 'stdout:profile of|out.png' run twice.alg twice.sched -i in=random:40x30:1 --profile -o out.png
row 2 'HY0703|--profile is of native code' run twice.alg -i in=random:40x30:1 --profile --engine tgt
row 2 'HY0703|--profile is of native code' run twice.alg -i in=random:40x30:1 --profile --guard
row 1 'HY0605' run twice.alg -i in=random:40x30:1 --window x=0:40,y=0:29 --profile
row 2 'HY0702' bench twice.alg -i in=random:40x30:1 --profile
cp twice.sched twice_too.sched
row 0 'stdout:rows |rows#2 ' bench twice.alg twice.sched twice_too.sched -i in=random:40x30:1 -n 1 # two of one name

# -- the window where nobody says which (docs/language.md, "Running")
printf 'pipeline slice(in: u8[3]) { fun o(x, y) = in(x, y, 0); }\n' >slice.alg
printf 'pipeline curve(lut: u8[1], in: u8[2]) { fun o(x, y) = lut(int(in(x, y))); }\n' >curve.alg
printf 'pipeline deep(in: u8[2]) { fun o(x, y, c) = in(x, y + 1) + u8(c); }\n' >deep.alg
printf 'schedule rgb for deep { o.bound(c, 0, 3); }\nschedule extent for deep { o.bound_extent(c, 2); }\nschedule clip for deep { o.bound(c, -1, 3).bound(x, 4, 20).bound_extent(y, 5); }\nschedule no_bound for deep { o.parallel(y); }\nschedule apart for deep { o.bound(c, 0, 3).bound(x, 400, 20); }\n' >deep.sched
printf 'pipeline ranks(in: u8[3], k: u8[1]) -> (f, g) { fun f(x, y) = in(x, y, 0); fun g(x) = k(x + 1); }\n' >ranks.alg
printf 'pipeline counts(in: u8[2]) { fun h(i) = { 0; rdom(r = (in.min(0), in.len(0)), s = (in.min(1), in.len(1))) in (int(in(r, s))) <- h(int(in(r, s))) + 1; }; }\n' >counts.alg
printf 'pipeline product(a: f32[2], b: f32[2]) { fun o(x, y) = { 0.0; rdom(k = (0, a.len(0))) in (x, y) <- o(x, y) + a(k, y) * b(x, k); }; }\n' >product.alg
printf 'pipeline kernel(k: u8[2], in: u8[2]) { fun o(x, y) = in(x, y) + k(0, 0); }\n' >kernel.alg
printf 'pipeline nothing() { fun o(x, y) = x + y; }\n' >nothing.alg
printf 'schedule fixed for nothing { o.bound(x, 2, 4).bound(y, 0, 3); }\nschedule half for nothing { o.bound(x, 2, 4); }\n' >nothing.sched
row 0 'stdout:window x=0:40,y=0:30' run slice.alg -i in=random:40x30x3:1             # the first dimensions of an image with more
row 0 'stdout:window x=-3:40,y=5:30' run slice.alg -i in=random:40x30x3:1@-3,5,0
row 0 'stdout:window x=0:40,y=0:30' run curve.alg -i lut=ramp:256 -i in=random:40x30:1 # not the table's
row 0 'stdout:window x=0:40,y=0:30' run kernel.alg -i k=ramp:3x3 -i in=random:40x30:1  # nor a kernel's of the same rank
row 0 'stdout:window f.x=0:40,f.y=0:30|window g.x=0:6' run ranks.alg -i in=random:40x30x3:1 -i k=ramp:7
row 0 'stdout:window x=0:5,y=0:7' run product.alg -i a=ramp:4x7 -i b=ramp:5x4
row 0 'stdout:window x=0:40,y=0:29,c=0:3' run deep.alg deep.sched:rgb -i in=random:40x30:1
row 0 'stdout:window x=0:40,y=0:29,c=0:2' run deep.alg deep.sched:extent -i in=random:40x30:1
row 0 'stdout:window x=4:20,y=0:5,c=-1:3' run deep.alg deep.sched:clip -i in=random:40x30:1
row 0 'stdout:window x=2:4,y=0:3' run nothing.alg nothing.sched:fixed
row 0 'stdout:window x=0:40,y=0:29,c=0:3' bench deep.alg deep.sched:rgb -i in=random:40x30:1 -n 1
row 2 "HY0611|which part of 'o' to compute is not clear: no image and no bound of the schedule says how far it goes in c|add --window x=0:40,y=0:29,c=MIN:LEN" run deep.alg -i in=random:40x30:1 -o out.npy
row 2 'HY0611|add --window x=0:40,y=0:29,c=MIN:LEN' run deep.alg deep.sched:no_bound -i in=random:40x30:1
row 1 'HY0617' run deep.alg deep.sched:apart -i in=random:40x30:1 -o out.npy # a bound where the image is not
row 2 "HY0611|how far it goes in i|add --window i=MIN:LEN" run counts.alg -i in=random:40x30:1 # read as a whole, along no side
row 2 'HY0611|how far it goes in x, y|add --window x=MIN:LEN,y=MIN:LEN' run nothing.alg
row 2 'HY0611|how far it goes in y|add --window x=2:4,y=MIN:LEN' run nothing.alg nothing.sched:half
row 1 "HY0611|serve no part of 'o' within the window x=0:40,y=0:1,c=0:3" run deep.alg deep.sched:rgb -i in=random:40x1:1
# of several images only those that lack something are told
printf 'pipeline three(a: u8[2], b: u8[2], c: u8[1]) { fun o(x, y) = a(x-1, y) / 2 + b(x, y) / 4 + c(x) / 4; }\n' >three.alg
row 1 'needs c in [1, 2), and it is [0, 1)' run three.alg -i a=random:40x30:1 -i b=random:40x30:2 -i c=zero:1
if [ "$(grep -c 'even the window' stderr.txt)" = 1 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo 'FAILED images that suffice are told as too small'; fi
row 1 'needs a in [-1, 0) x [0, 30), and it is [0, 1) x [0, 30)|needs c in [0, 1), and it is [1, 41)' run three.alg -i a=random:1x30:1 -i b=random:40x30:1 -i c=zero:40@1
if [ "$(grep -c 'even the window' stderr.txt)" = 2 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo 'FAILED images that suffice are told as too small'; fi

# -- text for people
printf 'pipeline table(in: int[1]) { fun g(x, y) = in(x) * (y - 1); }\n' >table.alg
printf 'pipeline planes(in: u8[3]) { fun g(x, y, c) = in(x, y, c); }\n' >planes.alg
printf 'pipeline truth(in: f32[1]) -> (f, g, h, i) { fun f() = 7; fun g(x) = in(x) > 0.0; fun h(x) = f16(in(x) / 3.0); fun i(x) = f64(in(x)) / 3.0; }\n' >truth.alg
texts() { # texts EXPECTED ARGUMENT...: standard output is EXPECTED
  local expected=$1
  shift
  printf "$expected" >expected.txt # shellcheck disable=SC2059
  timeout 120 "$halyard" "$@" >stdout.txt 2>stderr.txt </dev/null
  if cmp -s stdout.txt expected.txt; then passed=$((passed + 1))
  else failed=$((failed + 1)) && echo "FAILED halyard $*: not what is expected" && diff stdout.txt expected.txt | head -n 8; fi
}
texts '# int[2], 3 x 2, from (0, 1)\n0 0 0\n4 7 2\n' run table.alg -i in=quotients.npy --window x=0:3,y=1:2 -o txt:-
texts '# int[2], 2 x 2, from (1, 0)\n-7 -2\n 0  0\n' run table.alg -i in=quotients.npy --window x=1:2,y=0:2 -o txt:-
texts '# u8[3], 2 x 1 x 2, from (0, 0, 0)\n# (.., .., 0)\n0 1\n# (.., .., 1)\n2 3\n' run planes.alg -i in=ramp:2x1x2 -o TXT:-
texts '# u8[3], 1 x 0 x 2, from (0, 0, 0)\n' run planes.alg -i in=ramp:1x0x2 -o txt:-
texts '# int[0]\n7\n' run truth.alg -i in=ramp:4 --window g.x=0:4,h.x=0:4,i.x=0:4 -o f=txt:-
texts '# bool[1], 4, from (0)\n0 1 1 1\n' run truth.alg -i in=ramp:4 --window g.x=0:4,h.x=0:4,i.x=0:4 -o g=txt:-
texts '# f16[1], 4, from (0)\n     0 0.3333 0.6665      1\n' run truth.alg -i in=ramp:4 --window g.x=0:4,h.x=0:4,i.x=0:4 -o h=txt:-
texts '# f64[1], 3, from (0)\n                 0 0.3333333333333333 0.6666666666666666\n' run truth.alg -i in=ramp:4 --window g.x=0:4,h.x=0:4,i.x=0:3 -o i=txt:-
texts '# f32[1], 3, from (0)\n  1 nan inf\n' run floats.alg -i in=numbers.npy -p a=1 -o txt:-
row 0 'stdout:kept_t.txt: u8[2], 4 x 3' run grey.alg -i in=kept_grey.pgm -o kept_t.txt
printf '# u8[2], 4 x 3, from (0, 0)\n 97  98  99 100\n101 102 103 104\n105 106 107 108\n' >kept_expected.txt
same kept_t.txt kept_expected.txt
row 0 '' run grey.alg -i in=zero:100x100 -o out.txt
row 2 'HY0713|it holds at most 10000 numbers, for people to read|u8[2], 100 x 101' run grey.alg -i in=zero:100x101 -o out.txt
row 2 'HY0713|txt' run grey.alg -i in=kept_grey.pgm -o txt
row 2 "HY0705|'kept_t.txt' is not an image" run grey.alg -i in=kept_t.txt # it is written alone

# -- pixels and points of bench
printf 'pipeline volume(in: u8[3]) { fun g(x, y, z) = in(x, y, z); }\n' >volume.alg
row 0 'stdout:x=0:100,y=0:50,c=0:3, 0.005 megapixels|Mpixel/s' bench colour.alg -i in=random:100x50x3:1 -n 1 # a pixel has its channels
row 0 'stdout:0.005 megapixels|Mpixel/s' bench grey.alg -i in=random:100x50:1 -n 1
row 0 'stdout:0.025 million points|Mpoint/s' bench volume.alg -i in=random:100x50x5:1 -n 1
row 0 'stdout:3e-06 million points|Mpoint/s' bench floats.alg -i in=numbers.npy -p a=1 -n 1
row 0 'stdout:"megapixels_per_second"|"megapoints_per_second"' bench colour.alg -i in=random:100x50x3:1 -n 1 --format json
row 0 'stdout:0.0051 million points' bench ranks.alg -i in=random:100x50x3:1 -i k=ramp:101 -n 1 # one of two is no picture
