# Read by run_cli.sh: row STATUS TEXT ARGUMENT...; see there.
# shellcheck shell=bash disable=SC2154

blur='apps/box_blur.alg apps/box_blur.sched'
tiled='apps/box_blur.alg apps/box_blur.sched:tiled'
zero='in=zero:40x30@-1,-1'

# -- files that rows use
cat >factor.alg <<'END'
pipeline scaled(in: u8[2], n: int) {
  fun f(x, y) = in(x, y) / 2 + u8(n);
}
END
cat >factor.sched <<'END'
schedule s for scaled {
  split(f.x, xo, xi, n);
}
END
cat >wide.alg <<'END'
pipeline wide(a: u8, b: f64, c: bool, d: i64) {
  fun f(x) = select(c, f64(a) + b, f64(d)) + f64(x);
}
END
cat >data.alg <<'END'
pipeline data(in: int[1]) {
  fun f(x) = in(x) / in(x + 1);
}
END
cat >unsafe.alg <<'END'
pipeline unsafe(at: u16[1], in: u8[1]) {
  fun f(x) = in(int(at(x)));
}
END
assuming() { # an assumption where each point is computed
  printf 'target assumes(ok: bool) on f(x) {\n  func f(x): int stages 1;\n  allocate f[(x.min, x.len)];\n  label f: compute f on [(x.min, x.len)] {\n'
  printf '    label f.s0: for f.s0.x in (x.min, x.len) { assume %s; f(f.s0.x) <- f.s0.x; }\n  }\n}\n' "$1"
}
printf 'schedule s for box_blur { bv.parallel(y); bh.compute_at(bv, y); }\n' >parallel.sched
printf 'pipeline cube(a: f32) { fun f(x, y, c) = a + f32(x + y + c); }\n' >cube.alg
printf 'pipeline two(in: u8[2]) -> (f, g) { fun f(x, y) = in(x + 1, y); fun g(x) = f32(f(x, 2)); }\n' >two.alg
printf 'pipeline one(in: u8[2]) -> f { fun f(x, y) = in(x + 1, y); fun g(x, y) = f(x, y); }\n' >one.alg
printf 'P5\n4 3\n255\nabcdefghijkl' >small.pgm
printf 'not an image at all' >text.png
printf 'P5\n400 300\n255\nabcdefgh' >short.pgm
mkdir -p locked folder.png folder.alg
row 0 '' run apps/scene.alg apps/scene.sched --window x=0:48,y=0:32 -o photo.png
row 0 '' run apps/scene.alg --window x=0:48,y=0:32 -o photo.npy
head -c 200 photo.png >truncated.png
head -c 200 photo.npy >truncated.npy

# -- the plain uses
row 0 'stdout:halyard' --version
row 0 'stdout:run' help
row 0 'stdout:--window' help run
row 0 'stdout:split|wrap(|clone(|split_reduction(|rfactor(|compute_inline(|copy(|fold_storage(' directives
row 0 '' check $blur
row 0 '' check apps/box_blur.alg
row 0 '' check apps/box_blur.alg apps/box_blur.sched:strips
row 0 '' check apps/figure1.alg apps/figure1.sched
row 0 '' check apps/histogram.alg apps/histogram.sched
row 0 '' check apps/scene.alg apps/scene.sched
row 0 'stdout:"verdict"' check $tiled --format json
row 0 '' run $tiled -i in=photo.png -o kept_png.png
row 0 '' run $tiled -i in=photo.npy -o kept_npy.png
same kept_png.png kept_npy.png
row 0 '' run $tiled -i in=photo.png -o kept_alg.png --engine alg
row 0 '' run $tiled -i in=photo.png -o kept_tgt.png --engine tgt
same kept_png.png kept_alg.png
same kept_png.png kept_tgt.png
row 0 '' run apps/box_blur.alg apps/box_blur.sched:plain -i in=photo.png -o kept_plain.png
same kept_png.png kept_plain.png
row 0 '' run apps/box_blur.alg -i in=photo.png@-3,5 -o kept_moved.png
same kept_png.png kept_moved.png
row 0 '' run apps/figure1.alg apps/figure1.sched:tiled -p w=2 --window x=-9:33,y=4:7 -o kept_f.npy
row 0 '' run apps/figure1.alg apps/figure1.sched:tiled -p w=2 --window x=-9:33,y=4:7 -o kept_f_alg.npy --engine alg
same kept_f.npy kept_f_alg.npy
row 0 '' run apps/histogram.alg apps/histogram.sched:lines -i in=random:61x47:9 -o kept_h.pgm
row 0 '' run apps/histogram.alg -i in=random:61x47:9 -o kept_h_alg.pgm --engine alg
same kept_h.pgm kept_h_alg.pgm
row 0 '' run wide.alg -p a=200 -p b=0.5 -p c=true -p d=-9 --window x=0:3 -o out.npy
row 0 '' run factor.alg factor.sched -p n=7 -i in=random:30x20:1 -o out.png
row 0 '' run apps/histogram.alg -i in=small.pgm -o out.pgm
row 0 'stdout:keptf.pgm: u8[2], 9 x 4, window f.x=1:9,f.y=0:4|g: f32[1], 7, window g.x=-1:7' run two.alg -i in=random:40x30:1 --window f.x=1:9,f.y=0:4,g.x=-1:7 -o f=keptf.pgm
row 0 '' run two.alg -i in=random:40x30:1 --window f.x=1:9,f.y=0:4,g.x=-1:7 -o g=keptg.npy -o f=keptf2.pgm --engine tgt
same keptf.pgm keptf2.pgm
row 0 'stdout:"outputs"|"func": "g"' run two.alg -i in=random:40x30:1 --window x=1:0,f.y=0:0 --format json
row 0 '' run one.alg -i in=random:40x30:1 --window x=1:9,y=0:4 -o keptf3.pgm
same keptf.pgm keptf3.pgm
row 2 'HY0703|does not say which output|-o f=FILE -o g=FILE' run two.alg -i in=small.pgm --window x=0:1,y=0:1 -o out.pgm
row 2 'HY0703|a second file' run two.alg -i in=small.pgm --window x=0:1,y=0:1 -o f=out.pgm -o f=out2.pgm
row 2 'HY0703|names no output' run two.alg -i in=small.pgm --window x=0:1,y=0:1 -o h=out.pgm
row 2 'HY0703|-o h=out.pgm: it names no output of the pipeline|help: write -o FILE once, or -o ' run one.alg -i in=small.pgm --window x=0:1,y=0:1 -o h=out.pgm
row 0 'stdout:./h=out.pgm: ' run one.alg -i in=small.pgm --window x=0:1,y=0:1 -o ./h=out.pgm # a file of that name
row 2 'HY0703|is a second output' run one.alg -i in=small.pgm --window x=0:1,y=0:1 -o out.pgm -o out2.pgm
row 2 'HY0713' run two.alg -i in=random:9x9:1 --window x=0:3,f.y=0:1 -o g=out.png
row 2 "HY0716|'g.y'" run two.alg -i in=small.pgm --window x=0:1,y=0:1,g.y=0:1
row 0 'stdout:window f.x=0:1,f.y=0:3|window g.x=0:1' run two.alg -i in=small.pgm --window x=0:1 # f.y follows
row 0 'stdout:window f.x=0:8,f.y=0:9|window g.x=0:8' run two.alg -i in=random:9x9:1 # the two sides move together
row 1 "HY0611|serve no part of 'f' within the window f.x=0:1,f.y=0:9,g.x=0:1" run two.alg -i in=random:1x9:1
row 0 'stdout:hl.Pipeline(' export two.alg
printf 'schedule plain for two {\n}\n' >two.sched
printf 'pipeline strided(in: u8[1], stride: int) { fun out(x) = in(x * stride); }\n' >strided.alg
row 0 'stdout:.set_estimates([(0, 9), (1, 8)])|.set_estimates([(-1, 4), (0, 2)])' export two.alg --unscheduled --estimate in.x=0:9,in.y=1:8,f.x=-1:4,f.y=0:2,g.x=0:3
row 0 'stdout:.set_estimates({{0, 9}, {1, 8}})' export two.alg --to halide-cpp --unscheduled --estimate in.x=0:9,in.y=1:8,f.x=0:4,f.y=0:2,g.x=0:4
row 0 'stdout:stride.set_estimate(3)' export strided.alg --idiomatic --unscheduled --estimate x=0:4,stride=3,in.0=0:20
printf 'pipeline scaled(in: f32[1], scale: f32, more: u8) { fun out(x) = in(x) * scale + f32(more); }\n' >scaled.alg
row 0 'stdout:scale.set_estimate(0.25)|more.set_estimate(200)' export scaled.alg --unscheduled --estimate x=0:4,in.0=0:4,scale=0.25,more=200
row 0 'stdout:scale.parameter().set_estimate(hl::Expr((float)0x1p-2))|more.parameter().set_estimate(hl::Expr((uint8_t)200))' export scaled.alg --to halide-cpp --unscheduled --estimate x=0:4,in.0=0:4,scale=0.25,more=200
row 2 'HY1101|stride' export strided.alg --unscheduled --estimate x=0:4,in.0=0:20
row 2 'HY0703|a schedule is given' export two.alg two.sched --unscheduled
row 2 'HY0703|add --unscheduled' export two.alg --estimate x=0:4
row 0 'stdout:shipped.manifest.json' ship two.alg -o shipped

# -- texts of every kind
head -c 2000 /dev/urandom >garbage.alg
cp garbage.alg garbage.sched
cp garbage.alg garbage.tgt
head -c 5000 /dev/zero >zeros.alg
: >empty.alg
: >empty.sched
: >empty.tgt
mkdir folder.sched
printf 'pipeline p(n: int) {\r\n  fun f(x) = x + n;\r\n}\r\n' >crlf.alg
printf 'pipeline p(n: int) {\r\n  fun f(x) = x + v;\r\n}\r\n' >crlf_wrong.alg
printf 'pipeline p(n: int) { fun f(x) = x + n; }' >no_newline.alg
printf '\357\273\277pipeline p(n: int) { fun f(x) = x + n; } // \303\244' >mark.alg
printf 'pipeline p(n: int) { fun f(x) = x + \317\200; }' >greek.alg
printf '\377\376p\000i\000p\000' >utf16.alg
awk 'BEGIN { printf "pipeline p(n: int) { fun f(x) = "; for (i = 0; i < 100000; i++) printf "("; print "x; }" }' >deep.alg
awk 'BEGIN { printf "pipeline p(n: int) { fun f(x) = x; "; for (i = 0; i < 1000000; i++) printf " "; print "fun g(y) = f(y) $; }" }' >wide_line.alg
awk 'BEGIN { printf "pipeline p(n: int) { fun f(x) = "; for (i = 0; i < 1000000; i++) printf "a"; print "; }" }' >long_name.alg
awk 'BEGIN { printf "schedule s for box_blur { split(bv.x, xo, xi, "; for (i = 0; i < 100000; i++) printf "("; print "8; }" }' >deep.sched
awk 'BEGIN { printf "target p(n: int) on f(x) { func f(x): int stages 1; "; for (i = 0; i < 100000; i++) printf "if (true) {" }' >deep.tgt
awk 'BEGIN { printf "target p(n: int) on f(x) { func f(x): int stages 1; entry { } "; for (i = 0; i < 10000; i++) printf "if (true) {"; printf "nop;"; for (i = 0; i <= 10000; i++) printf "}"; print "" }' >nested.tgt
awk 'BEGIN { print "pipeline p(n: int) {"; for (i = 0; i < 60; i++) printf "  fun f%d(x) = v%d;\n", i, i; print "}" }' >many.alg
row 1 'HY0105' check garbage.alg
row 1 'HY0105' check apps/box_blur.alg garbage.sched
row 1 'HY0105' check garbage.tgt
row 1 'HY0105|NUL' check zeros.alg
row 1 "expected 'pipeline'" check empty.alg
row 1 "expected 'schedule'" check apps/box_blur.alg empty.sched
row 1 "expected 'target'" check empty.tgt
row 2 'HY0704|folder.sched' check apps/box_blur.alg folder.sched
row 0 '' check crlf.alg
row 1 'crlf_wrong.alg:2:18: error[HY0201]' check crlf_wrong.alg
row 0 '' check no_newline.alg
row 0 '' check mark.alg
row 1 'HY0102|π' check greek.alg
row 1 'HY0105|UTF-16' check utf16.alg
row 1 'HY0106|800' check deep.alg
row 1 'HY0106|800' check apps/box_blur.alg deep.sched
row 1 'HY0819|1500' check deep.tgt
row 1 'HY0819|1500' fmt nested.tgt
row 1 'too many errors' check many.alg
row 1 'wide_line.alg:1:1000052: error[HY0102]|...' check wide_line.alg
[ "$(wc -c <stderr.txt)" -lt 1000 ] || row none 'a short message' check wide_line.alg
row 1 'HY0201|aaa ... aaa' check long_name.alg
[ "$(wc -c <stderr.txt)" -lt 6000 ] || row none 'a short message' check long_name.alg

# -- the environment
HALYARD_NUM_THREADS=abc row 2 "HY0720|'abc'|from 1 to" run $tiled -i $zero -o out.png
HALYARD_NUM_THREADS=0 row 2 'HY0720' run $tiled -i $zero -o out.png
HALYARD_NUM_THREADS=-2 row 2 'HY0720' check $tiled
HALYARD_NUM_THREADS=99999999999999999999 row 2 'HY0720' check $tiled
HALYARD_NUM_THREADS= row 0 '' check $tiled
HALYARD_NUM_THREADS=3 row 0 '' run $tiled -i $zero -o out.png
HALYARD_DUMP=lx row 2 "HY0720|'x'" check $tiled
HALYARD_DUMP=q row 0 '' check $tiled

# -- undecided, dead, vacuous
negative="$tests/negative"
row 3 'HY0503' check "$negative/undecided.tgt" --z3-steps 100
row 3 'HY0503' check "$negative/undecided.tgt" --z3-steps 100 --unknown reject
row 0 'stdout:1 of them is decided only under conditions that every run checks first' check "$negative/undecided.tgt" --z3-steps 100 --unknown runtime
row 3 'HY0503' run "$negative/undecided.tgt" --z3-steps 100 -p n=3 -p m=4 -p k=5 --window x=0:4 -o out.npy
row 3 'HY0503' bench "$negative/undecided.tgt" --z3-steps 100 -p n=3 -p m=4 -p k=5 --window x=0:4
for engine in native tgt; do
  row 0 '' run "$negative/undecided.tgt" --z3-steps 100 --unknown runtime -p n=3 -p m=4 -p k=5 --window x=0:4 -o out.npy --engine $engine
  row 1 'HY0615|k = 159380' run "$negative/undecided.tgt" --z3-steps 100 --unknown runtime -p n=117367 -p m=134476 -p k=159380 --window x=0:4 -o out.npy --engine $engine
done
cat >matmulsym.alg <<'END'
pipeline p(A: f32[2], B: f32[2], t: int, u: int){ fun C(x,y)={0.0; rdom(k=(A.min(0),A.len(0))) in (x,y)<-C(x,y)+A(k,y)*B(x,k);}; fun out(x,y)=C(x,y); }
END
cat >matmulsym.sched <<'END'
schedule s for p { out.tile(x,y,xi,yi,t,u).parallel(y); split(out.xi,xio,xii,4); C.compute_at(out,x); C.update(0).split(k,ko,ki,t).split(x,xo,xi,u).reorder(xi,y,ki,ko,xo); }
END
# PROVED on an idle machine and on a busy one (D73)
row 0 'stdout:refuted 0, unknown 0' check matmulsym.alg matmulsym.sched
cat >cubes.alg <<'END'
pipeline cubes(n: int, m: int, k: int) {
  fun f(x) = x;
  fun g(x) = f(x + 1/(clamp(n, 1, 200000)*clamp(n, 1, 200000)*clamp(n, 1, 200000) + clamp(m, 1, 200000)*clamp(m, 1, 200000)*clamp(m, 1, 200000) - clamp(k, 1, 200000)*clamp(k, 1, 200000)*clamp(k, 1, 200000) - 39));
}
END
{ printf 'pipeline p(in: i32[1]) { fun f(x) = in(x'; for i in $(seq 2 900); do printf ' + x / %d' "$i"; done; echo '); }'; } >quotients.alg
{ printf 'pipeline p(in: i32[1]) { fun f(x) = in(x'; for i in $(seq 60); do printf ' * x'; done; echo '); }'; } >power.alg
for large in quotients power; do # undecided, at once, and not by the emergency
  row 3 'the question is too large for Z3, which is asked about at most 600 operations and products of at most 8 unknowns' check $large.alg
done
row 3 'stdout:"too_large": true' check quotients.alg --verbose --format json
for engine in native tgt alg; do # 117367^3 + 134476^3 = 159380^3 + 39
  row 1 'HY0615' run cubes.alg --z3-steps 100 --unknown runtime -p n=117367 -p m=134476 -p k=159380 --window x=0:4 -o out.npy --engine $engine
  row 0 '' run cubes.alg --z3-steps 100 --unknown runtime -p n=117366 -p m=134476 -p k=159380 --window x=0:4 -o out.npy --engine $engine
done
row 2 'maybe|reject|runtime' check $tiled --unknown maybe
row 2 'HY0702' show $tiled --stage filled --unknown runtime
cat >dead.alg <<'END'
pipeline d(in: u8[1], w: int) {
  fun f(x) = { in(x); rdom(r = (0, 0)) in (x) <- f(x) + in(x + r); };
  fun g(x) = f(x) + f(x + 1);
}
END
printf 'schedule a for d { g.specialize(w > 3 && w < 2).vectorize(x, 8); }\n' >dead.sched
row 0 "warning[HY0507]: 'f', stage 1, is never reached" check dead.alg
row 0 "warning[HY0507]: one specialization or piece of 'g', stage 0, is never reached" check dead.alg dead.sched
cat >graded.alg <<'END'
pipeline graded(in: u8[2]) {
  fun curve(i) = u8(sqrt(f32(i) / 255.0) * 255.0);
  fun f(x, y) = curve(int(in(x, y)));
}
END
printf 'schedule lines for graded { f.vectorize(x, 8); curve.compute_at(f, x); }\n' >graded.sched
row 0 "graded.alg:3:17: warning[HY0515]: 'curve' is computed for 256 points in each iteration of f.s0.x, of which 8 are read" check graded.alg graded.sched
row 0 'stdout:"code": "HY0515"' check graded.alg graded.sched --format json
cat >scaled.alg <<'END'
pipeline scaled(in: u8[2], s: f32 in 0.5..2.0 = 1.0) {
  fun g(x, y) = in(x, y) / 2;
  fun o(x, y) = g(clamp(int(floor(f32(x)*s)) + 1, in.left(), in.right()), y);
}
END
printf 'schedule s for scaled { o.tile(x, y, xi, yi, 32, 32); g.compute_at(o, x); }\n' >scaled.sched
row 0 "scaled.alg:3:17: warning[HY0515]|help: compute 'g' outside of that loop; or write int(i32(e)) for int(e) of a float e" check scaled.alg scaled.sched
sed -i 's/int(floor/int(i32(floor/; s/)\*s))/)*s)))/' scaled.alg
row 0 'stdout:unknown 0' check scaled.alg scaled.sched
if grep -q HY0515 stderr.txt; then failed=$((failed + 1)) && echo 'FAILED bounds do not follow a number of 32 bits'; fi
printf 'pipeline p(in: u8[2]) { fun f(x, y) = (in(x, y) + in(x + 1, y)) / 2; }\n' >average.alg
row 0 "average.alg:1:39: warning[HY0516]: 'in(x, y) + in(x + 1, y)' is computed as u8|help: write u16(in(x, y)) + u16(in(x + 1, y))" check average.alg
row 0 'stdout:"code": "HY0516"' check average.alg --format json
printf 'pipeline p(n: int = 4, in: f32[1]) {\n  fun g(x) = f32(x);\n  fun o(x) = g(x / n) + in(x);\n}\n' >divided.alg
row 0 "divided.alg:3:14: warning[HY0515]: 'g' is computed for 8589934591 points|write n: int in 1..256 = 4, or require n >= 1" check divided.alg
# strides that are demanded of buffers: runs lay them so, and end where elements would share memory; the meaning knows nothing of it
printf 'pipeline laid(in: u8[3]) { fun out(x, y, c) = in(x, y, c) / 2; }\n' >laid.alg
printf 'schedule s for laid { out.require_stride(x, 3).require_stride(c, 1).set_host_alignment(4096).parallel(y); in.set_host_alignment(128).require_stride(2, 1); }\n' >laid.sched
row 0 '' run laid.alg laid.sched -i in=random:9x7x4:1 --window x=0:5,y=0:2,c=0:3 -o laid.npy
row 0 '' run laid.alg -i in=random:9x7x4:1 --window x=0:5,y=0:2,c=0:3 --compare laid.npy
row 1 "HY0621|by the strides that the schedule demands of 'out', elements of its box would share memory" run laid.alg laid.sched -i in=random:9x7x4:1 -o laid.npy
row 1 'HY0621' bench laid.alg laid.sched -i in=random:9x7x4:1
row 0 '' run laid.alg laid.sched -i in=random:9x7x4:1 -o laid.npy --engine tgt
row 1 "HY0607|a quotient by n has bounds that follow what is divided only where that is known to be positive: write n: int in 1..256 = 4, or require n >= 1" run divided.alg -p n=4 -i in=ramp:64 -o out.npy
sed -i 's/= 4,/in 1..256 = 4,/' divided.alg
row 0 'stdout:unknown 0' check divided.alg
if grep -q HY0515 stderr.txt; then failed=$((failed + 1)) && echo 'FAILED a divisor with a range is told of'; fi
printf 'pipeline p(n: int, m: int in 1..9, in: f32[1]) {\n  fun g(x) = f32(x);\n  fun o(x) = g(x / (m*n)) + in(x);\n}\n' >divided.alg
row 0 "divided.alg:3:14: warning[HY0515]|write require m*n >= 1" check divided.alg
cat >unslid.alg <<'END'
pipeline unslid(in: u8[2], n: int in 0..8) {
  fun g(x, y) = int(in(x, y)) * 3 + x;
  fun k(x, y) = int(in(x, y)) * 5;
  fun f(x, y) = g(x, y*n/(n + 1)) + g(x, y*n/(n + 1) + 1) + k(x, y) - k(x, y + 1);
}
END
cat >unslid.sched <<'END'
schedule s for unslid {
  f.split(y, y, yi, 16).parallel(y);
  g.store_at(f, y).compute_at(f, yi);
  k.store_at(f, y).compute_at(f, yi);
}
END
row 0 "unslid.sched:3:5: warning[HY0517]: 'g' is computed anew in each iteration of f.s0.yi|help: write .slide(yi) behind compute_at" check unslid.alg unslid.sched
row 0 'stdout:keeping f.s0.yi' show --stage scheduled unslid.alg unslid.sched

# -- certificates, checked again at once
row 0 'stdout:halyard-certcheck accepts all ' check $tiled --recheck
row 0 'stdout:halyard-certcheck accepts all ' verify $tiled --cases 1 --certificates out.cert
row 0 'stdout:halyard-certcheck accepts all |tiled#2: ' check apps/figure1.alg apps/figure1.sched apps/figure1.sched --recheck
# A product of two numbers that may wrap has coefficients beyond 128 bits: no line, no certificate, and the others count.
cat >product_of_wraps.alg <<'END'
pipeline product_of_wraps(in: u8[1]) {
  fun f(x) = i64(in(x)) * i64(in(x + 1));
  fun h(x) = i32(x);
  fun g(x) = h(int(f(x)));
}
END
row 3 "HY0509|2 on Halyard's prover alone" check product_of_wraps.alg --recheck
row 3 "stdout: certificates; 2 obligations rest on Halyard's prover alone" check product_of_wraps.alg --recheck
# What Z3 alone shows has no certificate: it is counted, and named.
printf 'pipeline zigzag(in: u8[1]) { const ZIG = [0,1,8,16,9,2,3,10,17,24,32,25,18,11,4,5,12,19,26,33,40,48,41,34,27,20,13,6,7,14,21,28,35,42,49,56,57,50,43,36,29,22,15,23,30,37,44,51,58,59,52,45,38,31,39,46,53,60,61,54,47,55,62,63]; fun o(k) = in(ZIG(k)); }\n' >zigzag.alg
row 3 "HY0509|2 obligations rest on Z3 alone, 0 on Halyard's prover alone" check zigzag.alg --recheck
row 3 'stdout:no certificate for B.Value: the values of ZIG are at most 63: Z3 alone shows it|certificates, 2 missing' check zigzag.alg --recheck
# The last line of verify says so, too.
row 0 'stdout: certificates; 2 obligations rest on Z3 alone' verify zigzag.alg --cases 2
HALYARD_CERTCHECK=/nowhere row 2 'HY0704|HALYARD_CERTCHECK' check $tiled --recheck
row 2 "HY0703|--recheck takes [=coq]|'other' is not 'coq'" check $tiled --recheck=other
HALYARD_CERTCHECK=/nowhere row 0 'stdout:the certificates were not checked again' verify $tiled --cases 1
printf '#!/bin/sh\necho line 7 is no proof\nexit 1\n' >rejects && chmod +x rejects
HALYARD_CERTCHECK=$PWD/rejects row 4 'HY0508|line 7 is no proof' check $tiled --recheck
HALYARD_CERTCHECK=$PWD/rejects row 4 'HY0508|line 7 is no proof' verify $tiled --cases 1
printf '#!/bin/sh\nkill -SEGV $$\n' >crashes && chmod +x crashes # not as if there were none
HALYARD_CERTCHECK=$PWD/crashes row 4 'HY0508|it was ended by signal 11' check $tiled --recheck
HALYARD_CERTCHECK=$PWD/crashes row 4 'HY0508|it was ended by signal 11' verify $tiled --cases 1
printf '#!/bin/sh\nwhile :; do :; done\n' >endless && chmod +x endless # stopped: nobody knows
HALYARD_CERTCHECK_SECONDS=1 HALYARD_CERTCHECK=$PWD/endless row 3 'HY0514|it had not ended after 1 seconds of a processor' check $tiled --recheck
printf '#!/bin/sh\nexec sleep 1000\n' >asleep && chmod +x asleep
HALYARD_CERTCHECK_SECONDS=1 HALYARD_CERTCHECK=$PWD/asleep row 3 'HY0514|or four times as many of the clock' check $tiled --recheck
HALYARD_CERTCHECK_SECONDS=0 row 2 "HALYARD_CERTCHECK_SECONDS is '0', which is not a whole number from 1" check $tiled
# Not its status counts: a checker that says nothing, or another sum, or the right one and is killed, accepts nothing.
fake() { printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod +x "$1"; } # fake NAME COMMANDS: a checker
count=$("$halyard" check $tiled --recheck | sed -n 's/.*accepts all \([0-9]*\) .*/\1/p')
owed=$("$halyard" check $tiled | sed -n 's/.*proved \([0-9]*\),.*/\1/p')
sum() { echo "printf '%s: $1 of $2 certificates accepted, 0 of them dead; they are about $3 of $4 obligations\\n' \"\$2\""; }
fake honest "$(sum "$count" "$count" "$owed" "$owed")"
HALYARD_CERTCHECK=$PWD/honest row 0 'stdout:halyard-certcheck accepts all ' check $tiled --recheck
fake silent 'exit 0'
HALYARD_CERTCHECK=$PWD/silent row 4 'HY0508|it ended with status 0 and said nothing' check $tiled --recheck
HALYARD_CERTCHECK=$PWD/silent row 4 'HY0508|it ended with status 0 and said nothing' verify $tiled --cases 1
fake fewer "$(sum $((count - 1)) $((count - 1)) "$owed" "$owed")"
HALYARD_CERTCHECK=$PWD/fewer row 4 "HY0508|$((count - 1)) of $((count - 1)) certificates" check $tiled --recheck
fake less "$(sum "$count" "$count" $((owed - 1)) "$owed")"
HALYARD_CERTCHECK=$PWD/less row 4 'HY0508' check $tiled --recheck
fake chatty "$(sum "$count" "$count" "$owed" "$owed"); echo and more"
HALYARD_CERTCHECK=$PWD/chatty row 4 'HY0508' check $tiled --recheck
# The proved checker is the one beside halyard, whatever HALYARD_CERTCHECK names.
mkdir alone beside && cp "$halyard" alone && cp "$halyard" beside && cp honest beside/halyard-certcheck-coq
halyard=$PWD/alone/halyard row 2 'HY0704|halyard-certcheck-coq, which is to check the certificates, cannot be run|./dev coq builds it' \
  check $tiled --recheck=coq
HALYARD_CERTCHECK=$PWD/honest halyard=$PWD/alone/halyard row 2 'HY0704|halyard-certcheck-coq' check $tiled --recheck=coq
halyard=$PWD/beside/halyard row 0 'stdout:halyard-certcheck-coq accepts all ' check $tiled --recheck=coq
HALYARD_CERTCHECK=$PWD/rejects halyard=$PWD/beside/halyard row 0 'stdout:halyard-certcheck-coq accepts all ' check $tiled --recheck=coq
cp rejects beside/halyard-certcheck-coq
halyard=$PWD/beside/halyard row 4 'HY0508|halyard-certcheck-coq does not accept|line 7 is no proof' check $tiled --recheck=coq
cp crashes beside/halyard-certcheck-coq
halyard=$PWD/beside/halyard row 4 'HY0508|it was ended by signal 11' check $tiled --recheck=coq
proved=$(dirname "$halyard")/halyard-certcheck-coq
[ ! -x "$proved" ] || row 0 'stdout:halyard-certcheck-coq accepts all ' check $tiled --recheck=coq # where ./dev coq built it
fake killed "$(sum "$count" "$count" "$owed" "$owed"); kill -KILL \$\$"
HALYARD_CERTCHECK=$PWD/killed row 4 'HY0508|it was ended by signal 9' check $tiled --recheck
HALYARD_CERTCHECK=$PWD/killed row 4 'HY0508|it was ended by signal 9' verify $tiled --cases 1
fake doubtful "$(sum "$count" "$count" "$owed" "$owed"); exit 1"
HALYARD_CERTCHECK=$PWD/doubtful row 4 'HY0508' check $tiled --recheck
cat >alone.alg <<'END'
pipeline alone(in: u8[1], a: int) {
  fun f(x) = in(clamp(x, 0, 100));
  fun g(x) = f(clamp(a, 1, 1000) * (clamp(a, -9, 9) * clamp(a, -9, 9)) / clamp(a, 1, 1000) - clamp(a, -9, 9) * clamp(a, -9, 9));
}
END
row 3 'HY0509|rest on Z3 alone' check alone.alg --recheck --z3-steps 30000
row 0 '' check alone.alg --z3-steps 30000

printf 'pipeline z() { fun f(x) = x / 0; }\n' >quotient.alg
row 0 'warning[HY0309]: x / 0 is the error value' check quotient.alg
# -- explanations
row 0 'stdout:bh computed, dimension y: |upper: tight, forced by bh(x, y + 1), read by bv (apps/box_blur.alg:4:45), over the loops bv.s0.yi, bv.s0.y' check $tiled --explain
row 0 'stdout:lower: tight, forced by the window' check $tiled --explain
row 0 'stdout:"upper_because"' check $tiled --explain --format json

# -- programs that are printed
row 0 'stdout:if implied (' show $tiled --stage native
cp stdout.txt native.tgt
row 0 'stdout:if implied (' show native.tgt --stage scheduled
cmp -s stdout.txt native.tgt || row none 'the same text' show native.tgt --stage scheduled
row 0 '' run native.tgt -i $zero -o out.png # what it prints is a program like any other

# -- which schedule
row 2 'HY0715|tiled|nested_shift' run $blur -i in=photo.png -o out.png
row 2 'HY0715|tiled' show $blur --stage filled
row 2 'nosuch|tiled' check apps/box_blur.alg apps/box_blur.sched:nosuch
row 0 'stdout:?mem' show $tiled --stage scheduled:2
row 2 'HY0718|99' show $tiled --stage scheduled:99
row 2 'HY0718|nosuch|lowered' show $tiled --stage nosuch

# -- bad usage
row 2 'HY0701|paint' paint apps/box_blur.alg
row 2 'HY0703' run
row 2 'HY0704|nofile.alg' check nofile.alg
row 2 'HY0704|nofile.sched' check apps/box_blur.alg nofile.sched
row 2 'HY0704|folder.alg' check folder.alg
row 2 'HY0705|photo.png' check photo.png
row 2 'nosuch' help nosuch
row 2 'HY0702|--colour' check apps/box_blur.alg --colour
row 2 'turbo|native' run $tiled -i in=photo.png -o out.png --engine turbo
row 2 'yaml|json' check apps/box_blur.alg --format yaml
row 2 'HY0705|.sched' check apps/box_blur.alg apps/box_blur.sched apps/figure1.alg
row 1 'HY0401|box_blur' check apps/box_blur.alg apps/figure1.sched

# -- parameters
row 2 "HY0706|w" run apps/figure1.alg --window x=0:4,y=0:4 -o out.npy
row 2 'HY0707|v' run apps/figure1.alg -p v=3 -p w=1 --window x=0:4,y=0:4 -o out.npy
row 2 'HY0708|three' run apps/figure1.alg -p w=three --window x=0:4,y=0:4 -o out.npy
row 2 'w' run apps/figure1.alg -p w --window x=0:4,y=0:4 -o out.npy
row 2 'w' run apps/figure1.alg -p w=1 -p w=2 --window x=0:4,y=0:4 -o out.npy
row 2 "HY0708|'3.14' is not a whole number|help: u8 takes a whole number that is not negative, such as 3" run wide.alg -p a=3.14 -p b=0.5 -p c=true -p d=-9 --window x=0:3 -o out.npy
row 2 "HY0708|'maybe' is neither true nor false|help: bool takes true or false" run wide.alg -p a=3 -p b=0.5 -p c=maybe -p d=-9 --window x=0:3 -o out.npy
row 2 "HY0708|'half' is not a number|help: f64 takes a number, such as 0.5" run wide.alg -p a=3 -p b=half -p c=true -p d=-9 --window x=0:3 -o out.npy
row 2 "HY0708|'x' is not a whole number|help: i64 takes a whole number, such as 3" run wide.alg -p a=3 -p b=0.5 -p c=true -p d=x --window x=0:3 -o out.npy
row 2 'HY0708|300' run wide.alg -p a=300 -p b=0.5 -p c=true -p d=-9 --window x=0:3 -o out.npy
row 2 'HY0708|-1' run wide.alg -p a=-1 -p b=0.5 -p c=true -p d=-9 --window x=0:3 -o out.npy
row 2 'HY0708|7' run wide.alg -p a=1 -p b=0.5 -p c=7 -p d=-9 --window x=0:3 -o out.npy
for engine in native tgt; do
  row 1 'HY0602|factor' run factor.alg factor.sched -p n=0 -i in=zero:30x20 -o out.png --engine $engine
  row 1 'HY0602|factor' run factor.alg factor.sched -p n=-4 -i in=zero:30x20 -o out.png --engine $engine
done
row 1 'HY0608|eps_rdom' run apps/figure1.alg -p w=-3 --window x=0:4,y=0:4 -o out.npy --engine alg # a value (D89)
for engine in native tgt; do
  row 1 'HY0601' run apps/figure1.alg -p w=-3 --window x=0:4,y=0:4 -o out.npy --engine $engine
  for kind in rdom factor range window image bound length parameter require undecided; do # what a person wrote may speak of loops
    assuming "$kind: f.s0.x < 3" >assumes_in_loop.tgt
    row 1 "'$kind' fails inside of a loop: f.s0.x < 3" run assumes_in_loop.tgt -p ok=true --window x=0:8 --engine $engine
    row 0 '' run assumes_in_loop.tgt -p ok=true --window x=0:3 --engine $engine
  done
  assuming 'length(f): ok' >assumes_no_length.tgt # nor need it be what lowering writes
  row 1 'HY0616|ok is false' run assumes_no_length.tgt -p ok=false --window x=0:8 --engine $engine
  row 0 '' run assumes_no_length.tgt -p ok=true --window x=0:8 --engine $engine
done
printf 'pipeline ranged(w: u8 in 2..5 = 3, g: f32 in 0.5..2.0 = 1.0) { fun o(x) = f32(x + int(w)) * g; }\n' > ranged.alg
for engine in native tgt alg; do
  row 0 '' run ranged.alg --window x=0:4 -o out.npy --engine $engine # the defaults
  row 0 '' run ranged.alg -p w=5 -p g=0.5 --window x=0:4 -o out.npy --engine $engine
  row 1 "HY0618|'w' is 6" run ranged.alg -p w=6 --window x=0:4 -o out.npy --engine $engine
  row 1 "HY0618|'w' is 1" run ranged.alg -p w=1 --window x=0:4 -o out.npy --engine $engine
  row 1 "ranged.alg:1:36: error[HY0618]|'g' is 2.5" run ranged.alg -p g=2.5 --window x=0:4 -o out.npy --engine $engine
done
row 0 'stdout:w: u8 in 2..5 = 3, g: f32 in 0.5..2.0 = 1.0' show ranged.alg --stage alg
row 0 'stdout:assume parameter: 2 <= int(w) && int(w) <= 5;' show ranged.alg --stage lowered
printf 'pipeline required(in: u8[1], w: int) {\n  require w >= 1 && w <= in.width();\n  require in.width() %% 8 == 0;\n  require 100 / (w - 7) != 0;\n  fun o(x) = in(x); }\n' > required.alg
for engine in native tgt alg; do
  row 0 '' run required.alg -i in=ramp:16 -p w=2 -o out.npy --engine $engine
  row 1 'HY0619|required.alg:2:3|w >= 1 && w <= in.len(0) is false for w = 0, in.len(0) = 16' run required.alg -i in=ramp:16 -p w=0 -o out.npy --engine $engine
  row 1 'HY0619|required.alg:3:3|in.len(0)%8 == 0 is false for in.len(0) = 17' run required.alg -i in=ramp:17 -p w=2 -o out.npy --engine $engine
  row 1 'HY0619|required.alg:4:3' run required.alg -i in=ramp:16 -p w=7 -o out.npy --engine $engine # an error is not true
done
row 0 'stdout:assume require: in.len(0)%8 == 0;' show required.alg --stage lowered
row 0 'stdout:24 sampled inputs' verify required.alg
echo 'pipeline three(in: u8[3]) { require in.left() == 0 && in.min(2) == 0 && in.channels() == 3; fun o(x, y, k) = in(x, y, k); }' >three.alg
row 0 'stdout:24 sampled inputs' verify three.alg
row 0 'stdout:# required of the input: in.len(0)%8 == 0' export required.alg
printf 'pipeline never(w: int) { require w > 0; require w < 0; fun o(x) = x; }\n' > never.alg
printf 'schedule a for never { o.parallel(x); }\nschedule b for never { o.vectorize(x, 8); }\n' > never.sched
row 1 'never.alg:1:41: error[HY0505]|w < 0' check never.alg
row 1 'never.alg:1:41: error[HY0505]' check never.alg never.sched
if [ "$(grep -c HY0505 stderr.txt)" = 1 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo 'FAILED: a require that nothing meets is told for each schedule'; fi
cat >far.alg <<'END'
pipeline far(w: int) {
  fun tab(i) = i * 2;
  fun far_away(i) = tab(i + 1);
  fun o(x) = far_away(x*w*w) + far_away(clamp(x*w*w, 0, 9));
}
END
printf 'schedule a for far { o.vectorize(x, 8); }\nschedule b for far { o.split(x, xo, xi, 4); tab.in(far_away).compute_root(); }\n' > far.sched
row 1 "far.alg:4:23: error[HY0502]|the index x*w*w of 'far_away' fits 64 bits|clamp(x*w*w, 0, 65535)|w: int in 0..1000" check far.alg far.sched
if [ "$(grep -c 'error\[' stderr.txt)" = 1 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo 'FAILED: an index that is too wide is told once, whatever the schedules'; fi
row 1 'HY0603' run apps/figure1.alg -p w=3000000000 --window x=0:4,y=0:4 -o out.npy

# -- windows
row 2 'HY0611|--window' run apps/figure1.alg -p w=1 -o out.npy
row 2 'HY0611|how far it goes in y|write --window x=0:4,y=MIN:LEN' run apps/figure1.alg -p w=1 --window x=0:4 -o out.npy
printf 'pipeline some(in: u8[2]) { fun o(x, y, c) = in(x - 1, y) + in(x, y + 1) + u8(c); }\n' > some.alg
printf 'schedule s for some { o.bound(c, 0, 2); }\n' > some.sched
row 0 'stdout:window x=1:3,y=0:3,c=0:3' run some.alg -i in=ramp:4x4 --window c=0:3
row 0 'stdout:window x=2:2,y=0:3,c=0:2' run some.alg some.sched -i in=ramp:4x4 --window x=2:2
row 2 'HY0611|how far it goes in c|write --window x=1:2,y=0:3,c=MIN:LEN' run some.alg -i in=ramp:4x4 --window x=1:2
row 1 'HY0605|the window x=0:9' run some.alg -i in=ramp:4x4 --window x=0:9,c=0:1
printf 'pipeline two(in: u8[2]) -> (f, o) { fun f(x, y) = in(x, y); fun o(x) = in(x, 0); }\n' > two.alg
row 0 'stdout:window f.x=0:4,f.y=1:2|window o.x=0:4' run two.alg -i in=ramp:4x4 --window y=1:2
row 0 'stdout:window f.x=0:4,f.y=0:4|window o.x=3:1' run two.alg -i in=ramp:4x4 --window o.x=3:1
printf 'pipeline two(in: u8[2]) -> (f, o) { fun f(x, y) = in(x, y); fun o(x) = in(x, 0); }\n' > two.alg
row 0 'stdout:window f.x=0:4,f.y=0:4|window o.x=0:4' run two.alg -i in=ramp:4x4
printf 'pipeline two(in: u8[2]) -> (f, o) { fun f(x, y) = in(x, y); fun o(x) = u8(x); }\n' > two.alg
row 2 "HY0611|which part of 'o' to compute is not clear|add --window f.x=0:4,f.y=0:4,o.x=MIN:LEN" run two.alg -i in=ramp:4x4
row 2 'HY0716|z' run apps/figure1.alg -p w=1 --window x=0:4,y=0:4,z=0:1 -o out.npy
row 2 'HY0716' run apps/figure1.alg -p w=1 --window x=0:4,x=0:4,y=0:3 -o out.npy
row 2 'HY0716' run apps/figure1.alg -p w=1 --window x=0,y=0:4 -o out.npy
row 2 '-4' run apps/figure1.alg -p w=1 --window x=0:-4,y=0:4 -o out.npy
row 2 'HY0716' run apps/figure1.alg -p w=1 --window x=0:99999999999999999999,y=0:4 -o out.npy
printf 'pipeline far(n: int) { fun g(x, y) = x + y; fun f(x) = g(x, 0) + g(x, n); }\n' >far.alg
row 1 "HY0607|far.alg:1:28: note: the most is 'g', 900 x 2000000001 points" run far.alg -p n=2000000000 --window x=0:900 -o out.npy
row 1 "HY0607|note: the most is 'g', 900 x 2000000001 points" bench far.alg -p n=2000000000 --window x=0:900
printf 'pipeline deep(n: int) { fun g(x, y) = x + y; fun h(x) = g(x, 0) + g(x, n); fun f(x, y) = h(x %% 900) + y; }\n' >deep.alg
printf 'schedule s for deep { h.compute_at(f, x); g.compute_at(f, y); }\n' >deep.sched
row 1 "HY0607|deep.alg:1:29: note: the most is 'g', 900 x 2000000001 points" run deep.alg deep.sched -p n=2000000000 --window x=0:9,y=0:2 -o out.npy
printf 'pipeline copied(n: int) { fun g(x, y) = x + y; fun f(x, y) = g(x, y) + g(x, y + n) + g(x + n, y); }\n' >copied.alg
printf 'schedule s for copied { f.specialize(n > 5).split(x, xo, x, 8); g.compute_at(f, x); }\n' >copied.sched
row 1 "HY0607|copied.sched:1:67: note: the most is 'g' (in f.z1), 2000000001 x 2000000001 points" run copied.alg copied.sched -p n=2000000000 --window x=0:9,y=0:2 -o out.npy
row 1 'HY0607' run apps/figure1.alg -p w=1 --window x=0:2147483000,y=0:2147483000 -o out.npy
row 0 '' run apps/figure1.alg -p w=1 --window x=0:0,y=0:4 -o out.npy
for engine in native tgt; do
  row 1 'HY0605|-1' run $tiled -i in=photo.png --window x=0:48,y=0:32 -o out.png --engine $engine
done
row 1 'HY0608|eps_mem|bv(0, 0)' run $tiled -i in=photo.png --window x=0:48,y=0:32 -o out.png --engine alg
row 1 'HY0605|in' run $tiled -i $zero --window x=0:39,y=0:28 -o out.png
row 0 '' run $tiled -i $zero --window x=0:38,y=0:28 -o out.png
row 1 'HY0617|split(bh.s0.x, x, xi, 64, round)' run apps/box_blur.alg apps/box_blur.sched:nested_round -i in=photo.png -o out.png
row 0 '' run apps/box_blur.alg apps/box_blur.sched:nested_round -i in=random:90x90:4@-10,-10 --window x=0:48,y=0:32 -o kept_r.png
row 0 '' run apps/box_blur.alg apps/box_blur.sched:plain -i in=random:90x90:4@-10,-10 --window x=0:48,y=0:32 -o kept_p.png
same kept_r.png kept_p.png
row 1 'HY0617' run apps/box_blur.alg apps/box_blur.sched:nested_shift -i in=random:60x40:4@-10,-10 --window x=0:4,y=0:4 -o out.png
row 0 '' run apps/box_blur.alg apps/box_blur.sched:nested_shift -i in=random:300x300:4@-200,-200 --window x=0:4,y=0:4 -o out.png

# -- images
row 2 'HY0709|in' run apps/box_blur.alg -o out.png
row 2 'HY0709|-i in=random:640x480:1' run apps/box_blur.alg -o out.png
row 2 'HY0709|-i in=random:640x480x3:1' run apps/unsharp.alg -o out.png
row 2 'HY0710|im' run apps/box_blur.alg -i im=photo.png -o out.png
row 2 'HY07' run apps/box_blur.alg -i in -o out.png
row 2 'HY0704|nofile.png' run $tiled -i in=nofile.png -o out.png
row 2 'HY0711|truncated.png' run $tiled -i in=truncated.png -o out.png
row 2 'HY0711|truncated.npy' run $tiled -i in=truncated.npy -o out.png
row 2 'text.png' run $tiled -i in=text.png -o out.png
row 2 'HY0711|short.pgm' run apps/histogram.alg -i in=short.pgm -o out.png
row 2 'folder.alg' run $tiled -i in=folder.alg -o out.png
row 2 'HY0705|/dev/zero' run $tiled -i in=/dev/zero -o out.png
row 2 'HY0705|/dev/null' run $tiled -i in=/dev/null -o out.png
row 2 'HY0712|u16[2]|u8[2]' run $tiled -i in=small.pgm -o out.png
row 2 'HY0712|u8[2]|u16[2]' run apps/histogram.alg -i in=photo.png -o out.png
row 2 'HY0712|u16[2]|f32[2]' run $tiled -i in=kept_f.npy -o out.png
row 2 'HY0717|random' run $tiled -i in=random:640 -o out.png
row 2 'HY0717|random' run $tiled -i in=random:0x-4:1 -o out.png
row 2 'HY0703|in' run $tiled -i in=photo.png@1 -o out.png

# -- outputs
row 2 'HY0714|locked/none/out.png' run $tiled -i in=photo.png -o locked/none/out.png
row 2 'HY0713|out.bmp' run $tiled -i in=photo.png -o out.bmp
row 2 'HY0713|f32|.npy' run apps/figure1.alg -p w=1 --window x=0:4,y=0:4 -o out.png
row 2 'HY0713|.npy' run cube.alg -p a=1 --window x=0:4,y=0:4,c=0:3 -o out.png
row 2 'HY0714|folder.png' run $tiled -i in=photo.png -o folder.png
if [ "$(id -u)" != 0 ]; then
  chmod a-w locked
  row 2 'HY0714|locked/out.png' run $tiled -i in=photo.png -o locked/out.png
fi
ln -s /dev/full full.png
row 2 'HY0714|full.png' run $tiled -i in=photo.png -o full.png

# -- under guard
row 0 'stdout:checksum' run $tiled -i in=random:90x50:1 --guard
row 2 'HY0703|--guard is for native code' run $tiled -i in=random:90x50:1 --guard --engine tgt
row 0 'stdout:native, guarded' verify $tiled --cases 3
# points that cost four million steps each: what is tried is bounded by work
echo 'pipeline long(in: i32[1]) { fun s(x) = sum(rdom(r = (0, 4000000)) in in(x + r) * i32(r)); }' >long.alg
row 0 'stdout:no difference on |of them were made small, as others take long|of 24 were not tried, as these took long' verify long.alg

# -- strict mode, the paper's (D4)
cat >guarded.alg <<'END'
pipeline guarded(n: int) {
  fun f(x) = { x; rdom(r = (0, n)) in (x) <- f(x) + r; };
  fun g(x) = select(x > 100, f(x), 10 / x);
  fun h(x) = { g(x); (0) <- 5; };
}
END
row 0 'stdout:checksum' run guarded.alg -p n=3 --window x=0:4 --engine alg --mode lazy
row 0 'stdout:checksum' run guarded.alg -p n=-3 --window x=0:4 --engine alg
row 1 'HY0608|eps_rdom|4 of 4 points' run guarded.alg -p n=-3 --window x=0:4 --engine alg --mode strict
row 1 'HY0608|h(0) is the error value eps_arith; 1 of 4 points' run guarded.alg -p n=3 --window x=0:4 --engine alg --mode strict
row 0 'stdout:[ALG.Update-Strict]' run guarded.alg -p n=3 --window x=1:1 --engine alg --mode strict --trace
echo 'pipeline arm() { fun f(x) = select(x == 0, 7, 10 / x); }' >arm.alg
row 0 'stdout:checksum' run arm.alg --window x=0:4 --engine tgt
row 1 'HY0608|f(0) is the error value eps_arith; 1 of 4' run arm.alg --window x=0:4 --engine tgt --mode strict
row 0 'stdout:[TGT.Op] select' run arm.alg --window x=1:1 --engine tgt --mode strict --trace
row 2 'HY0703|--engine alg' run guarded.alg -p n=3 --window x=0:4 --mode strict
row 2 '--mode|lazy nor strict' run guarded.alg -p n=3 --window x=0:4 --engine alg --mode eager

# -- derivations
corner='-p w=1 --window x=0:1,y=0:1 --trace'
row 0 'stdout:[ALG.Update-Eval] h(0, 0)' run apps/figure1.alg $corner --engine alg
row 0 'stdout:[TGT.Store] h(0, 0) := -1.7507684' run apps/figure1.alg $corner --engine tgt
row 0 'stdout:[TGT.Par-Step] bv.s0.y = ' run apps/box_blur.alg parallel.sched -i in=random:9x9:1 --engine tgt --trace --seed 3 --window x=1:3,y=1:3
row 0 'stdout:[TGT.Realize]' run apps/box_blur.alg parallel.sched -i in=random:9x9:1 --engine tgt --trace
row 2 'HY0614|more than 50000 steps|--window x=0:' run apps/figure1.alg -p w=1 --window x=0:40,y=0:30 --trace --engine alg
row 2 'HY0614|--window x=0:' run apps/figure1.alg -p w=1 --window x=0:400,y=0:300 --trace --engine tgt
row 2 'HY0614|not even one point' run apps/figure1.alg apps/figure1.sched:tiled $corner --engine tgt
row 2 'HY0614|not even one point' run apps/figure1.alg $corner --engine tgt --steps 9
row 2 'HY0703|--engine alg' run apps/figure1.alg $corner
row 2 '--steps' run apps/figure1.alg $corner --engine tgt --steps 0
row 1 'HY0601' run apps/figure1.alg -p w=-3 --window x=0:1,y=0:1 --trace --engine tgt
row 1 'HY0608|eps_arith' run data.alg -i in=zero:9 --window x=0:2 --engine tgt --trace

# -- a directive that only a plug-in defines, in a schedule and in case files of now and of then
row 1 'HY0402|or give the plug-in that defines it with --plugin FILE.so' check "$negative/../../apps/box_blur.alg" "$negative/unknown_directive.sched"
row 1 "HY0402|did you mean 'vectorize'? or give the plug-in" check apps/box_blur.alg "$negative/directive_misspelt.sched"
printf 'halyard case 1\nseed: 1\n--- algorithm\npipeline p() {\n  fun f(x) = x;\n}\n--- schedule\n  tilt(f.s0.x, a);\n' >old.case
sed 's/^seed.*/&\nplugin: tilt tilt.so/' old.case >new.case
sed 's/^seed.*/&\nrefused: yes/' old.case >refused.case
for verb in replay reduce; do
  row 2 "HY0402|'old.case' uses the directive 'tilt' of a plug-in|halyard $verb old.case --plugin FILE.so" $verb old.case
  row 2 "HY0402|this case needs --plugin tilt.so|halyard $verb new.case --plugin tilt.so" $verb new.case
done
row 0 'stdout:refused (HY0402)' replay refused.case
row 2 'HY0721|absent.so' reduce old.case --plugin absent.so

# -- values and verdicts
row 1 'HY0608|eps_arith' run data.alg -i in=zero:9 --window x=0:8 -o out.npy --engine alg
row 1 'HY0608|eps_arith' run data.alg -i in=zero:9 --window x=0:8 -o out.npy --engine tgt
row 0 '' run data.alg -i in=zero:9 --window x=0:8 -o out.npy
row 1 'HY0605|65536' run unsafe.alg -i at=zero:9 -i in=zero:9 --window x=0:8 -o out.npy
row 0 'stdout:split(bv.s0.x, x, xi, 256): EQ; structure ok; trace equal on 3 inputs; output equal on 3 inputs; proved: coverage, range, uniqueness (' verify $tiled
row 0 'stdout:traverse(bv.s0.y, parallel): PERM|disjointness (' check $tiled --directives
row 0 'stdout:"promise": "REPEAT-IDEMPOTENT"|"proof": "coverage"' check apps/box_blur.alg apps/box_blur.sched:nested_shift --directives --format json
row 2 'HY0702' show $tiled --stage alg --directives
row 0 '' verify apps/figure1.alg apps/figure1.sched
row 0 'stdout:tgt, literal' verify apps/histogram.alg apps/histogram.sched:lines

# -- an output file appears only with status 0: not if the last word cannot be said
unheard() { # unheard STATUS ARGUMENT...: with standard output full, then closed
  local status=$1 to was
  shift
  for to in full closed; do
    if [ $to = full ]; then "$halyard" "$@" >/dev/full 2>stderr.txt </dev/null; else "$halyard" "$@" >&- 2>stderr.txt </dev/null; fi
    was=$?
    if [ "$was" = "$status" ] && [ -z "$(find . -name 'out*' ! -type d)" ]; then passed=$((passed + 1))
    else failed=$((failed + 1)) && echo "FAILED halyard $* >$to: status $was, left: $(find . -name 'out*')"; fi
    rm -f out*
  done
}
unheard 2 run $tiled -i in=zero:20x20 --window x=1:8,y=1:8 -o out.npy
unheard 2 run $tiled -i in=zero:20x20 --window x=1:8,y=1:8 -o out.npy --format json
unheard 2 check $tiled --certificates out.cert
unheard 2 check $tiled --certificates out.cert --format json

# -- more than is taken is told at once
many() { printf '%s\n' "$1"; seq -f "$2" 100000; printf '%s\n' "$3"; } # many BEFORE ITEM AFTER: %.0f in the item is its number
many 'pipeline p() { fun f(' 'x%.0f,' 'z) = 1; }' >dims.alg
many 'pipeline p() { fun f(x) = { 0; rdom(' 'r%.0f = (0, 2),' 'z = (0, 2)) in (x) <- f(x) + 1; }; }' >rdoms.alg
many 'pipeline p(' 'a%.0f: int,' 'z: int) { fun f(x) = 1; }' >params.alg
many 'pipeline p() {' 'fun f%.0fx(x) = 1;' '}' >funcs.alg
many 'pipeline p() { fun f(x) = { 0;' '(x) <- f(x) + %.0f;' '}; }' >stages.alg
{ printf 'pipeline p() { fun '; seq 100000 | sed 's/.*/f/' | tr -d '\n'; printf '(x) = 1; }\n'; } >name.alg
for name in 'dims 64 variables of a func' 'rdoms 64 reduction variables in a stage' 'params 250 parameters and images' \
  'funcs 50000 funcs in a pipeline' 'stages 2000 stages of a func' 'name 1000 bytes of a name'; do
  row 1 "HY0112|Halyard takes at most ${name#* }" check "${name%% *}.alg"
done
printf 'pipeline p() { fun f(x) = 1; }\n' >one.alg
many 'schedule s for p {' 'traverse(f.s%.0f.x, parallel);' '}' >directives.sched
many 'schedule s for p { f' '.parallel(x%.0f)' '; }' >chain.sched
many '' 'schedule s%.0f for p { }' '' >schedules.sched
row 1 'HY0112|at most 1000 directives in a schedule' check one.alg directives.sched
row 1 'HY0112|at most 1000 directives in a chain' check one.alg chain.sched
row 1 'HY0112|at most 250 schedules in a file' check one.alg schedules.sched
many 'target t(' 'a%.0f: int,' 'z: int) on f(x) { }' >params.tgt
many 'target t() on f(x) {' 'func f%.0fx(x): int stages 1;' '}' >funcs.tgt
row 1 'HY0112|at most 250 parameters and images' check params.tgt
many 'target t() on f(x) { func f(x): int stages 1; entry { } allocate f[(x.min, x.len)];' 'assume need: x.min >= -%.0f;' '}' >needs.tgt
row 1 'HY0112|at most 1000 assumptions in a block' check needs.tgt
row 1 'HY0112|at most 50000 funcs in a program' check funcs.tgt

# -- certificates held against a program
"$halyard" check $tiled --certificates held.cert >/dev/null
"$halyard" check apps/box_blur.alg apps/box_blur.sched --certificates all.cert >/dev/null
row 0 'stdout:are those of this program, and proofs' check $tiled --against held.cert
row 0 'stdout:are those of this program, and proofs' check apps/box_blur.alg apps/box_blur.sched --against all.cert
row 1 "HY0513|it is about 'plain', too" check $tiled --against all.cert
row 1 "HY0513|it has no certificates of 'lines'" check apps/box_blur.alg apps/box_blur.sched:lines --against held.cert
row 2 'HY0704' check $tiled --against nowhere.cert
printf 'pipeline owes() { fun f() = 1; }\n' >owes.alg # nothing: no image, no index, no loop
row 0 '' check owes.alg --certificates owes.cert
row 0 'stdout:its 0 certificates' check owes.alg --against owes.cert
sed '2s/^program [^ ]* /program default /' held.cert >other_owes.cert
row 1 'HY0513|is not owed' check owes.alg --against other_owes.cert
echo 'schedule tiled for box_blur { nobody.compute_root(); }' >refused.sched
row 1 "HY0513|'tiled' was refused, and has no certificates" check apps/box_blur.alg refused.sched --against held.cert
sed 's/^program tiled/program lines/; s,^certificate tiled/,certificate lines/,' held.cert >renamed.cert # of another schedule
row 1 'HY0513|the hash of the target program' check apps/box_blur.alg apps/box_blur.sched:lines --against renamed.cert
awk '/^program/ { $4 = "0" substr($4, 2) == $4 ? "1" substr($4, 2) : "0" substr($4, 2) } { print }' held.cert >hash.cert
row 1 'HY0513|the hash of the target program' check $tiled --against hash.cert
scaled="$tests/golden/certificate_floats.alg $tests/golden/certificate_floats.sched"
"$halyard" check $scaled --certificates scaled.cert >/dev/null
row 0 'stdout:are those of this program, and proofs' check $scaled --against scaled.cert
awk '/^[0-9]+ apply f32.of_int / && !done { $4 = $4 - 1; done = 1 } { print }' scaled.cert >argument.cert # of another number
row 1 'HY0513|is another' check $scaled --against argument.cert
awk '/^goal/ && !done { $2 = 3; done = 1 } { print }' held.cert >goal.cert # another goal, that is a fact
row 1 'HY0513|the goal of tiled/1.1 is another' check $tiled --against goal.cert
awk '/^facts/ && NF > 3 && !done { t = $2; $2 = $3; $3 = t; done = 1 } { print }' held.cert >order.cert
row 1 'HY0513|fact 1 of tiled/' check $tiled --against order.cert
awk '/^facts/ && NF > 3 && !done { $NF = ""; sub(/ $/, ""); done = 1 } { print }' held.cert >fewer.cert
row 1 'HY0513|facts, and ' check $tiled --against fewer.cert
sed '0,/unknown int x.len/s//unknown int x.min/' held.cert >name.cert # about something else
row 1 'HY0513|fact 1 of tiled/1.1 is another' check $tiled --against name.cert
sed '0,/^certificate tiled.1\.1 B.Fits/s//certificate tiled\/1.1 B.Mem/' held.cert >rule.cert
row 1 'HY0513|tiled/1.1|B.Fits' check $tiled --against rule.cert
awk '/^certificate tiled\/2 / { sub(/^certificate/, "open"); print; skip = 1; next } /^qed/ && skip { skip = 0; next } skip && !/^[0-9]/ { next } /^end/ { $2-- } { print }' held.cert >open.cert
row 1 'HY0513|tiled/2 is open' check $tiled --against open.cert
awk '/^certificate tiled\/2 / { skip = 1; next } /^qed/ && skip { skip = 0; next } skip && !/^[0-9]/ { next } /^end/ { $2-- } { print }' held.cert >missing.cert
row 1 'HY0513|tiled/3.1 stands where tiled/2 is owed' check $tiled --against missing.cert
awk '/^certificate tiled\/2 / { on = 1 } on && /^g$/ { on = 0; next } { print }' held.cert >unproved.cert
row 1 'HY0513|halyard-certcheck: ' check $tiled --against unproved.cert
: >empty.cert
row 1 'HY0513' check $tiled --against empty.cert
HALYARD_CERTCHECK=$PWD/silent row 1 'HY0513|said nothing' check $tiled --against held.cert
HALYARD_CERTCHECK=/nowhere row 2 'HY0704|HALYARD_CERTCHECK' check $tiled --against held.cert

# -- check: lengths times what is ordered, of any sign (the range of y - w has no certificate: it cannot be a golden program)
cat >ordered.alg <<'END'
pipeline ordered(w: int) {
  fun f(x, y) = y%2 + 3*x + y;
  fun g(x, y) = f(x, x - 1) + f(x, y - w) + f(x, 1 - y);
}
END
cat >ordered.sched <<'END'
schedule s for ordered {
  split(g.s0.y, o, i, w);
  split(g.s0.o, oo, oi, 2, shift);
  compute_at(f, g.s0.i);
}
END
row 0 'stdout:by Z3 alone 0, refuted 0, unknown 0' check ordered.alg ordered.sched

# -- build: files for programs of others
row 0 'stdout:out.a: |out.h: ' build $tiled -o out --name blur
row 0 'stdout:out.o|out.so|out.ll|out.s' build $tiled -o out --emit o,so,ll,s
row 0 'stdout:"target": "x86-64-v2"' build $tiled -o out --emit o --target x86-64-v2 --format json
row 0 'stdout:out.o' build apps/histogram.alg -o out --emit o,h --target aarch64-linux
row 0 'stdout:out.o' build apps/figure1.alg -o out --emit o --target arm-32-linux
row 2 "unknown target 'x86-64-v9'|did you mean|aarch64-linux" build $tiled -o out --target x86-64-v9
row 2 "is this machine's, not that of target 'arm-32-linux'" build $tiled -o out --emit o,a --target arm-32-linux
row 2 "no kind of file in --emit 'o,exe'|o,a,so,h,ll,s" build $tiled -o out --emit o,exe
row 2 'HY0703|-o does not say where' build $tiled
row 2 "a function cannot be called 'while'|--name" build $tiled -o out --name while
row 2 "cannot be called 'hy_x'" build $tiled -o out --name hy_x
row 2 "cannot be called 'class'" build $tiled -o out --name class
row 2 "cannot be called 'malloc'" build $tiled -o out --name malloc
row 2 "cannot be called '_Bool'" build $tiled -o out --name _Bool
row 0 'stdout:out.h' build $tiled -o out --name mallo --emit h
row 2 "cannot be called '9lives'" build $tiled -o outs/9lives
row 2 'HY0714|no_such_folder/out.a' build $tiled -o no_such_folder/out --name blur
row 2 'HY07' build missing.alg -o out
row 1 'HY0' build "$negative/../negative/figure1_d.tgt" -o out
row 3 'HY0503' build "$negative/undecided.tgt" --z3-steps 100 -o out
row 0 'HY0503' build "$negative/undecided.tgt" --z3-steps 100 --unproved -o out --emit h
row 0 '' build "$negative/undecided.tgt" --z3-steps 100 --unknown runtime -o out --emit o
unheard 2 build $tiled -o out --emit o,h

# -- tune: schedules found, and proved
found='apps/box_blur.alg --estimate bv.x=0:2560,bv.y=0:1440'
# shellcheck disable=SC2086 # words
{
  row 0 'stdout:level 1|certificates accepted' tune $found -o out.sched
  row 0 'stdout:bh.compute_at(bv, y)|halyard-certcheck accepts all' tune $found
  row 0 'stdout:level 0|bh.vectorize(x, 16).parallel(y)' tune $found --level 0
  row 0 'stdout:scale=0.4|of_lines.compute_at(resized, y)' tune apps/resize.alg --estimate resized.x=0:614,resized.y=0:409,resized.p=0:3,in.0=0:1536,in.1=0:1024,in.2=0:3,scale=0.4 # a float's estimate counts
  row 0 'stdout:"predicted_cost"|"certificates"|"level": "1"' tune $found --format json
  row 0 'stdout:cache 16 KiB, load cost 40|vector width 8, parallelism 6' tune $found --cache-kb 16 --load-cost 40 --vector-width 8 --parallelism 6
  row 0 '' tune $found -o kept_found.sched
  row 0 '' tune $found -o kept_again.sched
  same kept_found.sched kept_again.sched
  row 0 'stdout:unknown 0' check apps/box_blur.alg kept_found.sched --recheck
  row 0 'stdout:"funcs"|"place": "in the tiles of bv (2560 x 32)"|"step": "merge"|"tile"' tune $found --format json
  row 0 'stdout:level 1' tune $found -o out.sched --report kept_page.html
  grep -q '<td>in the tiles of bv (2560 x 32)</td>' kept_page.html || { failed=$((failed + 1)); echo 'FAILED the page does not say where bh is computed'; }
  row 2 'HY0703|one file is named for two things' tune $found -o out.sched --report out.sched
  row 2 'HY0714|no_such_folder' tune $found -o out.sched --report no_such_folder/page.html
  row 2 "HY0703|a file is called ''" tune $found --report ''
  row 2 'HY1104|contradicts' tune $found --estimate x=0:2561 --report page.html
  row 2 'HY1102|bv.z' tune $found --estimate bv.z=0:2
  row 2 'HY1102|far' tune $found --estimate far.x=0:2
  row 2 'HY1103|no points' tune apps/box_blur.alg --estimate x=0:0,y=0:4
  row 2 'HY1103|is not MIN:LEN' tune apps/box_blur.alg --estimate x=640,y=0:4
  row 2 'HY1103|farther out' tune apps/box_blur.alg --estimate x=0:9999999999,y=0:4
  row 2 'HY1105|any memory|estimate smaller' tune apps/box_blur.alg --estimate x=0:200000000,y=0:2000000
  row 0 'stdout:level 1' tune apps/box_blur.alg --estimate x=0:2000000,y=0:2000000
  row 2 "HY1105|this machine's memory|--level 1" tune apps/box_blur.alg --estimate x=0:2000000,y=0:2000000 --level 2 --budget 1 -o out.sched
  row 2 'HY1105|any memory|estimate smaller' tune apps/box_blur.alg --estimate x=0:2000000000,y=0:2000000000
  row 2 'HY1101|bv.y|--estimate bv.y=MIN:LEN' tune apps/box_blur.alg --estimate x=0:2560
  row 2 "HY1101|'w'|-p w=VALUE" tune apps/figure1.alg --estimate x=0:64,y=0:64
  row 2 'HY0703|one word is too many' tune $found apps/box_blur.sched
  row 2 'HY0703|--estimate takes' tune apps/box_blur.alg --estimate x
  row 2 'HY0703|a target program' tune "$negative/undecided.tgt" --estimate x=0:4
  row 2 'HY0703|--cache-kb' tune $found --cache-kb 0
  row 2 'HY0714|no_such_folder' tune $found -o no_such_folder/out.sched
}
row 0 'stdout:level 1' tune apps/figure1.alg --estimate x=0:64,y=0:64,w=1
row 0 'stdout:level 1' tune apps/figure1.alg --estimate x=0:64,y=0:64 -p w=1
row 0 'stdout:grid.compute_at(bx, y)' tune apps/bilateral_grid.alg --estimate x=0:1536,y=0:1024,in.0=0:1536,in.1=0:1024 # what it reads follows from values
printf 'pipeline ranged(a: u8[1], w: int in 1..16 = 3 estimate 8, v: int = 2) { fun f(x) = a(x + w - v); }\n' >ranged.alg
row 0 'stdout:a.0=0:80, w=8, v=2' tune ranged.alg --estimate x=0:64,a.0=0:80
row 0 'stdout:a.0=0:80, w=5, v=2' tune ranged.alg --estimate x=0:64,a.0=0:80 -p w=5
row 2 "HY1103|'w=17' lies outside" tune ranged.alg --estimate x=0:64,a.0=0:80,w=17
row 2 "HY1103|'w=0' lies outside" tune ranged.alg --estimate x=0:64,a.0=0:80 -p w=0
row 0 'stdout:estimates: bv.x=1:62, bv.y=0:64, in.0=0:64' tune apps/box_blur.alg -i in=random:64x66:1 --window x=1:62,y=0:64
sed 's/)) \/ 3/)) \/ 4/' apps/box_blur.alg >other_blur.alg
row 0 'HY1107|another algorithm' check other_blur.alg kept_found.sched
row 0 'stdout:proved' check apps/box_blur.alg kept_found.sched
if grep -q HY1107 stderr.txt; then failed=$((failed + 1)) && echo 'FAILED a schedule counts as found for another algorithm'; fi
printf 'pipeline p(in: i64[1]) { fun f(x) = in(int(in(x))); }\n' >unbounded.alg
row 1 'HY05' tune unbounded.alg --estimate x=0:64 -o out.sched
HALYARD_CERTCHECK=/bin/false row 4 'HY0508|does not accept' tune apps/box_blur.alg --estimate x=0:64,y=0:64 -o out.sched
HALYARD_CERTCHECK=/nowhere row 2 'HY0704|cannot be run' tune apps/box_blur.alg --estimate x=0:64,y=0:64 -o out.sched

# level 2: measured
printf 'pipeline s(in: f32[1], k: f32) { fun f(x) = in(x) * k; }\n' >scaled_by.alg
small='apps/box_blur.alg --estimate x=0:200,y=0:100'
# shellcheck disable=SC2086 # words
{
  row 0 'stdout:level 2' tune $small --level 2 --budget 1 --measurements kept_blur.txt -o kept_fast.sched
  row 0 'stdout:level 2' tune $small --level 2 --replay kept_blur.txt -o kept_faster.sched
  same kept_fast.sched kept_faster.sched
  row 0 'stdout:"candidates"|"origin": "level 0' tune $small --level 2 --replay kept_blur.txt --format json
  row 2 'HY1110|another seed' tune $small --level 2 --replay kept_blur.txt --seed 2 -o out.sched
  row 2 'HY1110|no file of measurements' tune $small --level 2 --replay apps/box_blur.sched -o out.sched
  sed '/^done/d' kept_blur.txt >cut_blur.txt
  row 2 'HY1110|has no end' tune $small --level 2 --replay cut_blur.txt -o out.sched
  sed '/^ready/d' kept_blur.txt >bad_blur.txt
  row 2 'HY1110|something else' tune $small --level 2 --replay bad_blur.txt -o out.sched
  sed '1s/5$/1/' kept_blur.txt >old_blur.txt
  row 2 'HY1110|another version' tune $small --level 2 --replay old_blur.txt -o out.sched
  sed 's/^machine [0-9]*/machine 0/' kept_blur.txt >no_machine.txt
  row 2 'HY1110|something else' tune $small --level 2 --replay no_machine.txt -o out.sched
  # what came out wrong is known by the file, too: of the last run, and of a start that folds by too little
  awk '{ sub("^run -4", "run -1"); line[NR] = $0 } /^run/ { last = NR } END { line[last] = "run -4"; for (i = 1; i <= NR; i++) print line[i] }' \
    kept_blur.txt >last_wrong.txt
  # who wins then may be somebody whose proof was not asked for, or nobody new
  sed '$d' last_wrong.txt | sed '$a proved 1\ndone' >other_winner.txt
  awk '{ line[NR] = $0 } /^run/ { last = NR } END { for (i = 1; i <= NR; i++) if (i < last || line[i] !~ /^proved/) print line[i] }' last_wrong.txt >no_winner.txt
  for wrong in last_wrong other_winner no_winner; do
    "$halyard" tune $small --level 2 --replay $wrong.txt -o other.sched >stdout.txt 2>stderr.txt && break
  done
  cp $wrong.txt wrong_blur.txt
  row 0 'stdout:, 1 not proved' tune $small --level 2 --replay wrong_blur.txt
  printf 'schedule s for box_blur { bh.store_root().compute_at(bv, y).slide(y).fold_storage(y, 2); }\n' >narrow_fold.sched
  row 0 'stdout:level 2' tune $small --level 2 --budget 1 --start narrow_fold.sched --measurements kept_fold.txt -o kept_fold.sched
  row 0 'stdout:level 2' tune $small --level 2 --start narrow_fold.sched --replay kept_fold.txt -o kept_folded.sched
  same kept_fold.sched kept_folded.sched
  row 2 'HY0703|--budget' tune $small --level 2 --budget 0
  row 2 'HY0703|belong to level 2' tune $small --budget 3
  row 2 'HY0703|neither six nor all' tune $small --level 2 --sweep some
  row 2 'HY0703|leave one of them out' tune $small --level 2 --replay kept_blur.txt --measurements out.txt
  row 2 'HY0703|one file is named for two things' tune $small --level 2 --budget 1 --measurements out.txt -o out.txt
  row 2 'HY0703|one file is named for two things' tune $small --level 2 --replay kept_blur.txt -o kept_blur.txt
  row 2 'HY0703|one file is named for two things' tune other_blur.alg --estimate x=0:200,y=0:100 -o ./other_blur.alg
  row 2 'HY0703|one file is named for two things' tune other_blur.alg --estimate x=0:200,y=0:100 --level 2 --budget 1 --measurements other_blur.alg -o out.sched
  cp apps/box_blur.sched start_blur.sched
  row 2 'HY0703|one file is named for two things' tune $small --start start_blur.sched:tiled --freeze bv -o start_blur.sched
  row 2 "HY0703|a file is called ''" tune $small -o ''
  row 2 "HY0703|a file is called ''" tune $small --level 2 --budget 1 --measurements ''
  row 2 'HY0703|--freeze' tune $small --start apps/box_blur.sched:tiled
  row 2 'HY0703|add --start' tune $small --freeze bv
  row 2 "HY1108|names 'bw'|bh, bv" tune $small --start apps/box_blur.sched:tiled --freeze bv,bw -o out.sched
  row 2 'HY0715|tiled' tune $small --start apps/box_blur.sched --freeze bv
  row 0 'stdout:bv.tile(x, y, xi, yi, 256, 32)' tune $small --start apps/box_blur.sched:tiled --freeze bv
  row 0 'stdout:bv.tile(x, y, xi, yi, 256, 32)' tune $small --start apps/box_blur.sched:tiled --freeze bv --level 2 --budget 1
  row 0 "stdout:\"origin\": \"the user's" tune $small --start apps/box_blur.sched:sliding --level 2 --budget 1 --format json
}
printf 'schedule small_fold for box_blur {\n  bh.store_root().compute_at(bv, y).fold_storage(y, 2);\n}\n' >small_fold.sched
# what is frozen stays as it is meant, with the funcs that it adds; a schedule that is refused is told as 'check' does
cat >family.alg <<'END'
pipeline m(in: u8[2]) {
  fun c = repeat_edge(in);
  fun s(y) = { 0; rdom(r = (0, 64), q = (0, 64)) in (y) <- s(y) + int(c(r*64 + q, y)); };
  for k in 0..2 fun g[k](x, y) = if k == 0 then c(x, y) else (g[k-1](2*x, y)/2 + g[k-1](2*x+1, y)/2);
  fun o(x, y) = s(y) + int(g[2](x, y));
}
END
cat >family.sched <<'END'
schedule members for m { for k in 0..2 g[k].vectorize(x, 8) /* ; */ .parallel(y); }
schedule wrapped for m { wrap(c, w, s); compute_at(w, s.s1.y); }
schedule factored for m { default inline; rfactor(s.s1.r, u, i); split(i.s1.y, yo, yi, 4); traverse(i.s1.yo, parallel); }
schedule refused for m { s.update(0).rfactor(r, u).compute_root().update(0).parallel(y).vectorize(u, 8); }
schedule alone for m { s.update(0).split(y, yo, yi, 8); c.in(s).compute_at(s, yo); }
END
family='family.alg --estimate x=0:640,y=0:480,in.x=0:700,in.y=0:500 --start family.sched'
# shellcheck disable=SC2086 # words
{
  row 0 'stdout:  g_1.vectorize(x, 8).parallel(y);|  g_2.vectorize(x, 8).parallel(y);' tune $family:members --freeze g_1,g_2
  row 0 "stdout:the user's|g_0.vectorize(x, 8).parallel(y);\n  g_1.vectorize(x, 8).parallel(y);" tune $family:members --level 2 --budget 1 --format json
  row 0 'stdout:wrap(c, w, s);|compute_at(w, s.s1.y);' tune $family:wrapped --freeze c
  row 0 'stdout:wrap(c, w, s);|compute_at(w, s.s1.y);' tune $family:wrapped --freeze w
  row 0 'stdout:rfactor(s.s1.r, u, i);|split(i.s1.y, yo, yi, 4);|traverse(i.s1.yo, parallel);' tune $family:factored --freeze s
  row 0 'stdout:  compute_inline(c);' tune $family:factored --freeze c
  row 2 "HY1108|names 'v'|the schedule adds w" tune $family:wrapped --freeze v -o out.sched
  row 2 "HY1108|the member g[3] of a family is called g_3" tune $family:members --freeze 'g[1]' -o out.sched
  row 2 "HY1102|the member g[3] of a family is called g_3" tune $family:members --freeze g_1 --estimate 'g[2].x=0:3' -o out.sched
  row 1 'family.sched:4|HY0417' tune $family:refused --freeze s -o out.sched
  row 1 'family.sched:4|HY0417' tune $family:refused --freeze o -o out.sched
  row 1 'family.sched:4|HY0417' tune $family:refused --level 2 --budget 1 -o out.sched
  row 3 "HY1106|that keeps what --freeze names|without it the default one is|alone it is refused: there is no loop 's." tune $family:alone --freeze c -o out.sched
  row 3 "HY1106|that keeps what --freeze names|what is refuted or undecided of the schedule of --start" tune $small --start small_fold.sched --freeze bh -o out.sched
}
# one that is not proved computes something else: it is left out, with no time
# shellcheck disable=SC2086 # words
row 0 "stdout:the user's|\"unproved\"" tune $small --start small_fold.sched --level 2 --budget 1 --format json
if grep -A3 "the user's" stdout.txt | grep -q measured_ms; then failed=$((failed + 1)) && echo 'FAILED a schedule that computes something else counts'; fi
# What does not end is ended, within the budget and some seconds, and told; what was told is replayed.
printf '%s\n' 'pipeline endless(in: u8[1]) {' \
  '  fun f(x) = { 0; rdom(r = (0, 1000000000), q = (0, 1000)) in (x) <- f(x) + int(in(x)) * (r % 7 + q % 5); };' \
  '}' >endless.alg
endless='endless.alg --estimate x=0:640'
sed 's/1000)/1000000000)/' endless.alg >centuries.alg # no level's numbers hold its cost
# shellcheck disable=SC2086 # words
{
  row 0 'stdout:"took_too_long": true|"level": "1"' tune $endless --level 2 --budget 1 --format json
  row 0 'stdout:every func at root|"took_too_long": true' tune centuries.alg --estimate x=0:640 --level 2 --budget 1 --format json
  row 0 'HY1111|no schedule ran within the budget' tune $endless --level 2 --budget 1 --measurements kept_endless.txt -o kept_endless.sched
  row 0 'stdout:"took_too_long": true' tune $endless --level 2 --replay kept_endless.txt -o kept_endless2.sched --format json
  same kept_endless.sched kept_endless2.sched
}
# Ctrl-C while schedules run that do not end: what level 1 finds is written
# shellcheck disable=SC2086 # words
"$halyard" tune $endless --level 2 --budget 100000 --measurements kept_stopped.txt -o kept_stopped.sched >stdout.txt 2>stderr.txt &
tuner=$!
until grep -q . "/proc/$tuner/task/$tuner/children" 2>/dev/null || ! kill -0 $tuner 2>/dev/null; do sleep 0.1; done
kill -INT $tuner 2>/dev/null
for _ in $(seq 1200); do
  kill -0 $tuner 2>/dev/null || break
  sleep 0.1
done
kill -KILL $tuner 2>/dev/null
wait $tuner
if [ $? = 0 ] && grep -q 'level 1' kept_stopped.sched && grep -q 'interrupted before' stderr.txt; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo 'FAILED tune, interrupted while nothing ends, went on or wrote nothing'; fi
# shellcheck disable=SC2086 # words
row 0 '' tune $endless --level 2 --replay kept_stopped.txt -o kept_stopped2.sched
same kept_stopped.sched kept_stopped2.sched
# Ctrl-C: the best so far is written
# shellcheck disable=SC2086 # words
timeout -s INT --preserve-status 5 "$halyard" tune $small --level 2 --budget 1000 -o kept_interrupted.sched >stdout.txt 2>stderr.txt
if [ $? = 0 ] && grep -q 'level 2' kept_interrupted.sched; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo 'FAILED tune, interrupted, wrote nothing'; fi
row 2 "HY0706|'k' (f32)|-p k=VALUE" tune scaled_by.alg --estimate x=0:64 --level 2 --budget 1

# -- include
mkdir -p lib
printf 'pipeline p(in: u8[1]) {\n  include "lib/curve.alg";\n  fun f(x) = curve(in(x));\n}\n' >includes.alg
printf 'def curve(v) = v / N;\nconst N = 2;\n' >lib/curve.alg
printf 'pipeline p() {\n  include "lib/none.alg";\n  fun f(x) = x;\n}\n' >includes_none.alg
row 1 'HY0202|lib/curve.alg:1:20' check includes.alg
printf 'const N = 2;\ndef curve(v) = v / N;\n' >lib/curve.alg
row 0 'stdout:refuted 0, unknown 0' check includes.alg
row 0 'stdout:  fun f(x) = in(x)/2;' show includes.alg --stage alg
row 0 'stdout:  include "lib/curve.alg";' fmt includes.alg
row 0 'stdout:def curve(v) = v/N;' fmt lib/curve.alg
row 1 "HY0113|cannot include 'lib/none.alg'|includes_none.alg:2:11" check includes_none.alg
row 0 'stdout:  include "lib/none.alg";' fmt includes_none.alg
row 1 'HY0101|for one that includes this file' check lib/curve.alg

# -- fmt: layouts
printf 'pipeline p(in:u8[1]){fun f(x)=in(x)+1;}' >loose.alg
printf 'pipeline p(in: u8[1]) {\n  fun f(x) = in(x) + 1;\n}\n' >kept_neat.alg
printf 'schedule s for p{f.vectorize( x,8 );}' >loose.sched
printf 'pipeline p(in:u8[1]){fun f(x)=in(x)+;}' >broken.alg
row 0 'stdout:  fun f(x) = in(x) + 1;|  f.vectorize(x, 8);' fmt loose.alg loose.sched
row 1 'stdout:loose.alg' fmt --check loose.alg kept_neat.alg
row 1 'HY0723|1 of 2 files would change' fmt --check loose.alg kept_neat.alg
row 0 '' fmt --check kept_neat.alg
row 0 'stdout:changes nothing: prints which files would change' help fmt
row 1 'HY0101|expected an expression|broken.alg:1:37' fmt broken.alg
row 1 'HY0101' fmt -w broken.alg loose.alg
same loose.alg kept_neat.alg
printf 'pipeline p(in:u8[1]){fun f(x)=in(x)+;}' >kept_broken.alg
same broken.alg kept_broken.alg
row 0 'stdout:"changes": true|"text": "schedule s for p {\n' fmt loose.sched --format json
row 2 'HY0703|needs files' fmt
row 2 'HY0703|exclude' fmt -w --check loose.sched
row 2 'HY0703|standard input cannot be written' fmt -w -
row 2 'HY0703|standard input stands alone' fmt - loose.sched
row 2 'HY0704|missing.alg' fmt missing.alg loose.sched
row 2 'HY0705|photo.png' fmt photo.png
row 2 'HY0702|-w' check -w kept_neat.alg
row 2 'HY0703|--window needs' run kept_neat.alg -w

# -- colours (--color): escape sequences alone are added, to standard error alone
row 1 $'\033[1;31merror[HY0101]:\033[0m|\033[1;32m^' check factor.alg empty.sched --color=always
row 1 $'\033[1;31merror[HY0101]:' check factor.alg empty.sched --color always
row 2 $'\033[1;31merror[HY0701]:' chekc factor.alg --color=always
row 2 $'\033[1;31merror[HY0702]:' check factor.alg --color always --frob
row 2 'halyard: error[HY0701]:' chekc factor.alg --color=never
row 2 "halyard: error[HY0703]: --color takes WHEN, but 'red' is none of auto, always, never" check factor.alg --color red
row 2 "halyard: error[HY0702]: unknown option '--color' of 'lsp'" lsp --color=never
plain() { # plain WHICH TEXT STATUS COMMAND...: whether standard error has escape sequences ("some" or "no"), TEXT without them, and standard output never has
  local which=$1 text=$2 status=$3 was
  shift 3
  timeout 120 "$@" >stdout.txt 2>stderr.txt </dev/null
  was=$?
  sed $'s/\033\\[[0-9;]*m//g' stderr.txt >left.txt
  if [ "$was" = "$status" ] && { [ -z "$text" ] || grep -qF -- "$text" left.txt; } && ! grep -q $'\033' stdout.txt &&
    { if [ "$which" = some ]; then grep -q $'\033' stderr.txt; else ! grep -q $'\033' stderr.txt; fi; }; then passed=$((passed + 1))
  else failed=$((failed + 1)) && echo "FAILED $*: status $was, not $status, or not '$text' with $which escape sequences"; fi
}
plain some 'HY0101' 1 "$halyard" check factor.alg empty.sched --color=always
cp left.txt kept_left.txt
plain no 'HY0101' 1 "$halyard" check factor.alg empty.sched # auto: a file is no terminal
cp stderr.txt kept_plain.txt
same kept_left.txt kept_plain.txt
plain no '' 1 "$halyard" check factor.alg empty.sched --color=always --format json
plain some 'HY0101' 1 env NO_COLOR=1 "$halyard" check factor.alg empty.sched --color=always # who asks is answered
plain no '' 0 "$halyard" show $tiled --stage filled --color=always
plain no '' 0 "$halyard" fmt factor.alg --color=always
plain some 'HY0902' 2 "$(dirname "$halyard")/halyard-gate" missing.json --color=always
terminal() { # terminal HAS TEXT COMMAND: on a terminal, where both streams are one, it says TEXT, and the escape sequence of an error if HAS is 1
  local has=$1 text=$2 command=$3
  script -qec "$command" /dev/null </dev/null >stdout.txt 2>&1
  if grep -qF -- "$text" stdout.txt && [ "$has" = "$(grep -cF $'\033[1;31m' stdout.txt)" ]; then passed=$((passed + 1))
  else failed=$((failed + 1)) && echo "FAILED on a terminal: $command: not '$text', or not $has times in colour"; fi
}
terminal 1 'HY0101' "env -u NO_COLOR TERM=xterm '$halyard' check factor.alg empty.sched"
terminal 1 'HY0101' "env NO_COLOR= TERM=xterm '$halyard' check factor.alg empty.sched" # set to nothing is not set
terminal 0 'HY0101' "env NO_COLOR=1 TERM=xterm '$halyard' check factor.alg empty.sched"
terminal 0 'HY0101' "env -u NO_COLOR TERM=dumb '$halyard' check factor.alg empty.sched"
terminal 0 'HY0101' "env -u NO_COLOR -u TERM '$halyard' check factor.alg empty.sched"
terminal 0 'HY0101' "env -u NO_COLOR TERM=xterm '$halyard' check factor.alg empty.sched --color=never"
terminal 0 'HY0101' "env -u NO_COLOR TERM=xterm '$halyard' check factor.alg empty.sched 2>&1 | cat" # a pipe on a terminal
# What takes a second or more says how far it is; so does what compiles.
{ echo 'pipeline many(in: u8[2]) { fun f(x, y) = '; for k in $(seq 700); do printf 'sum(rdom(r = (0, 4)) in u32(in(x + r + %d, y))) + ' "$k"; done; echo '0; }'; } >many.alg
terminal 0 'obligations' "'$halyard' check many.alg"
{ echo 'pipeline some(in: u8[2]) { fun f(x, y) = '; for k in $(seq 40); do printf 'sum(rdom(r = (0, 4)) in u32(in(x + r + %d, y))) + ' "$k"; done; echo '0; }'; } >some.alg
terminal 0 'obligations by Z3' "'$halyard' verify some.alg --cases 1"
terminal 0 'certifying default' "'$halyard' check factor.alg --certificates told.cert"
terminal 0 'looks at' "'$halyard' check factor.alg --recheck"
terminal 0 'compiling tiled' "'$halyard' run $tiled -i $zero"
terminal 0 'compiling tiled' "'$halyard' build $tiled -o ./progress"
