/* Directives: every prefix of a schedule means what the algorithm means, on windows around the split factors; and what
 * the rules forbid is refused with its code. Rows are named after what they test, with the decision where there is one.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"
#include "proofs_tests/support/validations.h"
#include "sched/sched.h"

#include <stdio.h>
#include <string.h>

#define BLUR                                                                                                           \
  "pipeline blur(in: u16[2]) { fun bh(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3;"                           \
  " fun bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3; }"
#define BOX                                                                                                            \
  "pipeline P(w: int) { fun f(x, y) = f32(x + 2 * y);"                                                                 \
  " fun g(x, y) = { 0.0; rdom(r = (-w, 2*w + 1)) in (x, y) <- g(x, y) + f(x + r, y); };"                               \
  " fun h(x, y) = { 0.0; rdom(r = (-w, 2*w + 1)) in (x, y) <- h(x, y) + g(x, y + r); }; }"
#define ONE "pipeline one(in: u8[1]) { fun o(x) = in(x) + 1; }"
#define ONE_BY "pipeline one(in: u8[1], n: int) { fun o(x) = in(x) + 1; }"
#define SUMS                                                                                                           \
  "pipeline sums(in: u8[2]) { fun s(x) = { 0; rdom(r = (0, 5), q = (0, 3)) in (x) <- s(x) * 3 + u32(in(x + r, q)); };" \
  " fun o(x) = s(x) + s(x + 1); }"
#define SIZED                                                                                                          \
  "pipeline sized(in: u8[2], w: int) { fun a(x, y) = in(x, y) + in(x + w, y);"                                         \
  " fun b(x, y) = { a(x, y) * 2; rdom(r = (0, w)) in (x, y) <- b(x, y) * 3 + a(x + r, y) if r != 1; };"                \
  " fun o(x, y) = b(x, y) + b(x, y + 1); }"
// four funcs with updates
#define FOUR                                                                                                           \
  "pipeline four(in: u8[1], w: int) { for k in 1..4 fun s[k](x) = { u8(k); rdom(r = (0, 3)) in (x) <- s[k](x) + "      \
  "in(x + k*r); }; fun o(x) = s[1](x) + s[2](x) + s[3](x) + s[4](x); }"
// a chain of ten funcs
#define CHAIN                                                                                                          \
  "pipeline chain(w: int) { fun g(x) = x; for k in 1..9 fun f[k](x) = if k == 1 then g(x) else f[k - 1](x) + 1; }"
#define SCAN                                                                                                           \
  "pipeline scan(in: u8[1], n: int) { fun s(x) = { in(x); rdom(r = (1, 40)) in (r) <- s(r) + s(r - 1); };"             \
  " fun o(x) = s(clamp(x, 0, 30)); }"
#define COPY3                                                                                                          \
  "pipeline c(in: u8[2]) { fun a(x, y) = in(x, y) * 3; fun b(x, y) = a(x, y) + a(x + 1, y); fun o(x, y) = a(x, y) + "  \
  "b(x, y + 1); }"

// a is read in a left-hand index of o, and by b.
#define INDEXED                                                                                                        \
  "pipeline i(in: u8[1]) { fun a(x) = in(x); fun b(x) = a(x) + 1; fun o(x) = { b(x); rdom(r = (0, 4)) in (int(a(r))) " \
  "<- 7; }; }"
// b is read by the first stage of o alone, and c by b alone.
#define STAGES_ABOVE                                                                                                   \
  "pipeline a(in: u8[2]) { fun c(x, y) = in(x, y) * 3; fun b(x, y) = c(x, y) + c(x, y + 1);"                           \
  " fun o(x, y) = { b(x, y) - b(x, y + 1); (0, y) <- 7; }; }"
#define MARKS "pipeline marks() { fun o(x) = { 0; rdom(r = (0, 5)) in (r) <- o(r) + r; }; }"
#define SELF_BY "pipeline self(n: int) { fun o(x) = { x; (0) <- o(n) + 1; }; }"
#define OVERSHOOT "pipeline v(in: i32[1]) { fun a(x, y) = in(x - 2) + i32(y); fun o(x) = a(x + 1, x - 2); }"
#define HULL "pipeline hull() { fun a(x, y) = x + y; fun o(x) = a(min(x, 0), x); }"

/* -- what is legal keeps the meaning -- */

static const struct {
  const char *name, *alg, *items;
} sound[] = {
    {"default", BLUR, ""},
    {"split guard", ONE, "split(o.x, xo, xi, 8);"},              // DIR.Split.Guard
    {"split round (D32)", ONE, "split(o.x, xo, xi, 8, round);"}, // DIR.Split.Round, ORD.Extra
    {"split shift (D31)", ONE, "split(o.x, xo, xi, 8, shift);"}, // ORD.Repeated
    {"split by one", ONE, "split(o.x, xo, xi, 1);"},
    {"split into names that the old variable would get", ONE, "split(o.x, x, x__1, 8);"},
    {"split twice into such names", ONE, "split(o.x, x__1, x, 8); split(o.x, x__3, x, 3);"},
    {"split by a parameter (D34)", ONE_BY, "split(o.x, xo, xi, n);"},
    {"split by a parameter, shift (D31, D34)", ONE_BY, "split(o.x, xo, xi, n, shift);"},
    {"names taken over", ONE, "split(o.x, x, xi, 8); split(o.x, x, xii, 2); split(o.xi, xi, xj, 3);"},
    {"nested guard in guard, push-down stops at the let (D30)", ONE,
     "split(o.x, xo, xi, 8); split(o.xo, xoo, xoi, 3); split(o.xi, a, b, 3);"}, // DIR.Push-Down.Stop
    {"nested round in guard", ONE, "split(o.x, xo, xi, 8); split(o.xi, a, b, 3, round);"},
    {"nested guard in round", ONE, "split(o.x, xo, xi, 8, round); split(o.xi, a, b, 3);"},
    {"nested round in round (D32)", ONE, "split(o.x, xo, xi, 8, round); split(o.xi, a, b, 3, round);"},
    {"nested shift in shift (D31)", ONE, "split(o.x, xo, xi, 8, shift); split(o.xi, a, b, 3, shift);"},
    {"outer of a shift split again", ONE, "split(o.x, xo, xi, 8, shift); split(o.xo, a, b, 2);"},
    {"shift of more than there is (D31)", ONE, "split(o.x, xo, xi, 100, shift);"},
    {"fuse (D36)", BLUR, "fuse(bv.y, x, t);"}, // DIR.Fuse
    {"split then fuse", ONE, "split(o.x, xo, xi, 8); fuse(o.xo, xi, t);"},
    {"fuse then split", BLUR, "fuse(bv.y, x, t); split(bv.t, to, ti, 7);"},
    {"fuse then split by round", BLUR, "fuse(bv.y, x, t); split(bv.t, to, ti, 7, round);"},
    {"fuse two reduction loops (D36, D37)", SUMS, "fuse(s.s1.q, r, t);"},
    {"parts of a reduction that depends on the order (D87)", SUMS,
     "split_reduction(s.s1.r, ro, ri, 2);"}, // DIR.Split-Reduction
    {"parts of it that are split again (D87)", SUMS,
     "split_reduction(s.s1.r, r, ri, 3); split_reduction(s.s1.r, a, b, 2); split_reduction(s.s1.q, q, r__1, 3); "
     "split(s.s1.a, i, j, 2); swap(s.s1.x);"}, // DIR.Split-Reduction.Exact
    {"parts of a range of parameters (D87)", BOX,
     "split_reduction(h.s1.r, ro, ri, 2); h.update(0).unroll(ri); g.compute_at(h, ro);"},
    {"swap", BLUR, "swap(bv.y);"}, // ORD.Permuted
    {"swap pure with reduction (D36)", BOX, "swap(h.s1.x);"},
    {"traverse each way (D45)", BLUR,
     "split(bv.x, xo, xi, 4); traverse(bv.xi, vectorized); traverse(bv.y, parallel); split(bh.y, yo, yi, 3); "
     "traverse(bh.yi, unrolled);"}, // DIR.Traverse
    {"vectorized update, loads before stores (D45)", BOX, "h.update(0).vectorize(x, 4);"},
    {"parallel over a guard split", ONE, "split(o.x, xo, xi, 8); traverse(o.xo, parallel);"},
    {"parallel inside a shift split (D33)", ONE, "split(o.x, xo, xi, 8, shift); traverse(o.xi, parallel);"},
    {"shift in x under a parallel y (D33)", BLUR, "split(bv.x, xo, xi, 8, shift); traverse(bv.y, parallel);"},
    {"exact nested round under parallel (D33)", ONE,
     "split(o.x, xo, xi, 8, round); split(o.xi, a, b, 4, round); traverse(o.xo, parallel);"},
    {"a fused loop shifted by more than it has (D31)", ONE,
     "split(o.x, xo, xi, 1); fuse(o.xo, xi, t); split(o.t, a, b, 2, shift);"},
    {"a split reduction variable as a coordinate (D54)", MARKS, "split(o.s1.r, ro, ri, 2);"},
    {"own reads closed in one branch only (D44, D61)", SELF_BY, "specialize(o, n == 3);"},
    {"fuse by a hull of many ends", HULL, "fuse(a.y, x, t);"},
    {"a fused length that is 0 where a rounded split overshoots (D36, D42)", OVERSHOOT,
     "split(o.x, o0, i1, 2, round); fuse(a.y, x, t); split(a.t, p, q, 3, round); fuse(o.o0, i1, u); compute_at(a, "
     "o.u);"},
    {"fuse a box whose length is a sum (2*n - 1 rows)",
     "pipeline d(in: i32[2]) { fun f(x, y) = int(in(0, y)); fun g(x, y) = u16(f(y, x + x)); }", "fuse(f.y, x, t);"},
    {"compute_at and store_at", BLUR, "bh.compute_at(bv, y);"}, // DIR.Compute-At, DIR.Store-At
    {"compute_at inside storage at root", BLUR, "bh.store_root().compute_at(bv, x);"},
    {"the two in statements of their own", BLUR, "bh.store_root(); bh.compute_at(bv, x);"},
    {"the storage said behind it", BLUR, "bh.compute_at(bv, x); bh.store_at(bv, y);"},
    {"the storage said by a core directive", BLUR, "bh.compute_at(bv, x); store_at(bh, bv.y);"},
    {"compute_at at an inner split loop, above the guard (D40)", BLUR,
     "split(bv.y, yo, yi, 3); bh.compute_at(bv, yi);"},
    {"compute_at between nested splits (D40)", BLUR,
     "split(bv.y, yo, yi, 8); split(bv.yi, a, b, 3); compute_at(bh, bv.a);"},
    {"compute_at under round", BLUR, "split(bv.y, yo, yi, 3, round); bh.compute_at(bv, yo);"},
    {"compute_at under shift", BLUR, "split(bv.y, yo, yi, 3, shift); bh.compute_at(bv, yo);"},
    {"compute_at under a fused loop", BLUR, "fuse(bv.y, x, t); split(bv.t, to, ti, 5); bh.compute_at(bv, to);"},
    {"computed where its reader is, of whose consumer two stages have the loop", STAGES_ABOVE,
     "c.compute_at(o, y); b.compute_at(o, y);"}, // SCH.Site
    {"the same inside of a split, stored further out", STAGES_ABOVE,
     "o.split(y, y, yi, 4); c.store_at(o, y).compute_at(o, yi).slide(yi); b.compute_at(o, yi);"},
    {"the same, its reader moved by a core directive", STAGES_ABOVE, "c.compute_at(o, y); compute_at(b, o.y);"},
    {"Figure 1(b) (D22, D23)", BOX,
     "split(h.s1.x, xo, xi, 256); split(h.s1.y, yo, yi, 32); swap(h.s1.yi); traverse(h.s1.yo, parallel); compute_at(g, "
     "h.s1.xo); store_at(g, h.s1.xo);"}, // DIR.Push-Down
    {"tiles in parallel with vectors", BLUR,
     "bv.tile(x, y, xi, yi, 8, 4).parallel(y).vectorize(xi, 4); bh.compute_at(bv, x).vectorize(x, 4);"}, // SCH.Chain-Store
    {"reorder", SUMS, "s.update(0).reorder(x, r, q);"},
    {"two readers, computed where both are (D39)", COPY3,
     "split(o.y, yo, yi, 4); a.compute_at(o, yo); b.compute_at(o, yo);"},
    {"specialize (D44)", SIZED, "specialize(b, w == 1, w == 3);"},
    {"a branch with its own loops (D41)", SIZED,
     "specialize(b, w == 1); split(b.z1.s0.x, xo, xi, 4); split(b.z1.s1.y, yo, yi, 3); traverse(b.z1.s1.yo, parallel); "
     "swap(b.s0.y);"},
    {"the default branch is split, the other is not", SIZED,
     "specialize(b, w >= 2); split(b.s0.x, x, xi, 5); fuse(b.z1.s1.y, x, t);"},
    {"specialize in chains, several make one", SIZED,
     "b.specialize(w == 1).vectorize(x, 4); b.specialize(w == 3).update(0).reorder(y, x); b.specialize(w == "
     "1).parallel(y); b.unroll(x, 2);"},
    {"a specialization behind what the copy has, too", SIZED, // SCH.Chain-Copies
     "b.parallel(y, 2).vectorize(x, 4).update(0).reorder(y, x); b.specialize(w == 1).unroll(y_p); b.unroll(x, 2);"},
    {"a copy says again what it has (D45)", SIZED,
     "b.parallel(y, 2).vectorize(x, 4).update(0).unroll(x, 2).specialize(w == 1).unroll(x, 2); b.specialize(w == "
     "1).parallel(y, 2).vectorize(x, 2);"},
    {"a condition that may err counts as false (D27, D44)", SIZED,
     "specialize(b, 4 / (w - 1) == 2, in.len(0) / w > 100);"},
    {"a condition that may overflow says nothing where it is false (D27)", SIZED,
     "specialize(b, w * 4611686018427387904 >= 0);"},
    {"unrolled under the condition (D45)", SIZED, "specialize(b, w == 3); traverse(b.z1.s1.r, unrolled);"},
    {"unrolled under a conjunction (D45)", SIZED,
     "specialize(b, in.len(0) > 0 && 3 == w, w == 1); traverse(b.z1.s1.r, unrolled); b.specialize(w == "
     "1).update(0).unroll(r);"},
    {"conditions that never and always hold (D44, D62)", SIZED, "specialize(b, 1 == 2); specialize(a, 1 == 1);"},
    {"a specialized producer moves as a whole (D39)", SIZED,
     "specialize(a, w == 1); split(a.z1.x, xo, xi, 4); a.compute_at(o, y); b.compute_at(o, y);"},
    {"a specialized consumer reads its producer in every branch (D39)", SIZED,
     "specialize(b, w == 1); split(b.z1.s0.x, xo, xi, 4, round);"},
    {"everything specialized", SIZED,
     "specialize(a, w == 1); specialize(b, w == 1, w == 2); specialize(o, w > 2); a.compute_root();"},
    {"a specialized scan (D61)", SCAN, "specialize(s, n == 1); s.compute_at(o, x);"},
    {"align_bounds of the output (D43)", BLUR, "align_bounds(bv, x, 8, 0);"},
    {"align_bounds with a remainder (D43)", BLUR, "align_bounds(bv, x, 4, 3); align_bounds(bh, y, 5, 2);"},
    {"align_bounds by one", BLUR, "align_bounds(bv, x, 1, 0);"},
    {"two alignments of one dimension (D43)", BLUR, "align_bounds(bv, x, 4, 1); align_bounds(bv, x, 6, 3);"},
    {"align_bounds, then vectors without a tail", BLUR, "bv.vectorize(x, 8).align_bounds(x, 8);"},
    {"align_bounds of a producer inside a loop (D43)", BLUR, "bh.compute_at(bv, y).align_bounds(x, 4, 1);"},
    {"align_bounds of a producer, rounded under a loop (D43)", BLUR,
     "bh.compute_at(bv, y).align_bounds(x, 4, 1).align_bounds(y, 2);"},
    {"align_bounds of a func with updates (D41, D43)", BOX, "align_bounds(g, x, 4, 0); align_bounds(h, y, 3, 1);"},
    {"align_bounds of a scan (D43, D61)", SCAN, "align_bounds(s, x, 8, 1);"},
    {"bound of the output (D43)", BLUR, "bound(bv, x, -40, 80);"},
    {"bound by a parameter (D43)", ONE_BY, "bound(o, x, -20 * n, 60 * n);"},
    {"bound, then unrolled (D43, D45)", BLUR, "bv.unroll(y).bound(y, -8, 40);"},
    {"bound, then vectorized (D43, D45)", ONE, "bound(o, x, -8, 32); traverse(o.x, vectorized);"},
    {"bound of a producer (D43)", BLUR, "bound(bh, x, -40, 100); bound(bh, y, -40, 90);"},
    {"bound of a producer inside a loop (D43)", BLUR, "bh.compute_at(bv, y).bound(y, -10, 60).bound(x, -10, 60);"},
    {"bound of a producer stored outside (D43)", BLUR, "compute_at(bh, bv.y); bound(bh, x, -10, 60);"},
    {"bound under a consumer that computes too much (D43, D56)", BLUR,
     "split(bv.x, xo, xi, 16, round); bound(bh, x, -40, 90);"},
    {"bound of a scan (D43, D61)", SCAN, "bound(s, x, 0, 41);"},
    {"bound_extent (D43)", BLUR, "bound_extent(bh, x, 64); bv.bound_extent(y, 40);"},
    {"bound, bound_extent and align_bounds together (D43)", BLUR,
     "bound(bv, x, -40, 80); bound_extent(bv, x, 80); align_bounds(bv, x, 8, 0);"},
    {"bound_extent and align_bounds (D43)", BLUR, "bound_extent(bv, x, 32); align_bounds(bv, x, 8, 3);"},
    {"bound of a specialized func (D41, D43)", SIZED,
     "specialize(b, w == 1); traverse(b.z1.s0.x, unrolled); bound(b, x, -8, 40);"},
    {"bounds written first are applied last", BLUR, "bound(bh, x, -40, 90); bh.compute_at(bv, y).vectorize(x, 4);"},
    {"reorder_storage (DIR.Reorder-Storage)", BLUR, "reorder_storage(bh, y, x);"},
    {"reorder_storage of what moves, in vectors", BLUR, "bh.compute_at(bv, y).vectorize(x, 4).reorder_storage(y, x);"},
    {"reorder_storage with all bounds, stored outside", BLUR,
     "compute_at(bh, bv.y); bh.align_bounds(x, 4, 1).bound_extent(y, 3).reorder_storage(y, x);"},
    {"reorder_storage there and back", BLUR, "bh.reorder_storage(y, x).reorder_storage(x, y);"},
    {"reorder_storage of a func with updates, specialized", SIZED,
     "specialize(b, w == 1); reorder_storage(b, y, x); reorder_storage(a, y, x);"},
    {"require_stride and set_host_alignment (DIR.Require-Stride, DIR.Host-Alignment)", BLUR,
     "bv.require_stride(x, 3).vectorize(x, 4).set_host_alignment(32); in.set_stride(1, 1).set_host_alignment(4096);"
     " require_stride(in, 0, 40);"},
    {"set_stride (DIR.Set-Stride), of the output and an image", BLUR,
     "bv.set_stride(x, 3).vectorize(x, 4); in.set_stride(1, 1).set_stride(0, 40); set_stride(bv, y, 200);"},
    {"align_storage (DIR.Align-Storage)", BLUR, "align_storage(bh, x, 32); align_storage(bh, y, 3);"},
    {"align_storage by one, and once more", BLUR, "bh.align_storage(x, 1).align_storage(x, 8);"},
    {"align_storage of what moves, in vectors", BLUR, "bh.compute_at(bv, y).vectorize(x, 4).align_storage(x, 4);"},
    {"align_storage of another order, with bounds", BLUR,
     "compute_at(bh, bv.y); bh.align_bounds(x, 4, 1).reorder_storage(y, x).align_storage(y, 5);"},
    {"fold_storage (DIR.Fold-Storage)", BLUR, "compute_at(bh, bv.y); fold_storage(bh, y, 3);"},
    {"fold_storage by no power of two, stored in a tile", BLUR,
     "bv.tile(x, y, xi, yi, 16, 8); bh.store_at(bv, x).compute_at(bv, yi).fold_storage(y, 7).vectorize(x, 4);"},
    {"fold_storage of both dimensions", BLUR,
     "bv.split(x, xo, xi, 8); bh.store_root().compute_at(bv, xo).fold_storage(x, 8).fold_storage(y, 3);"},
    {"fold_storage of a box whose length is given", BLUR, "bh.bound_extent(y, 40).fold_storage(y, 40);"},
    {"fold_storage of another order, aligned, on the stack", BLUR,
     "bh.store_root().compute_at(bv, y).fold_storage(y, 5).reorder_storage(y, x).align_storage(y, 4).store_in(stack);"},
    {"store_in stack and heap (DIR.Store-In)", SIZED, "specialize(b, w == 1); store_in(b, heap); a.store_in(stack);"},
    {"a whole plan", BLUR, "bh.compute_at(bv, y).store_in(heap).align_storage(y, 4).reorder_storage(y, x);"},
    {"slide (DIR.Slide)", BLUR, "compute_at(bh, bv.y); slide(bh, bv.y);"},
    {"slide in a chain, folded", BLUR, "bh.store_root().compute_at(bv, y).slide(y).fold_storage(y, 3);"},
    {"slide in strips that run in parallel", BLUR,
     "bv.split(y, y, yi, 8).parallel(y); bh.store_at(bv, y).compute_at(bv, yi).slide(yi).fold_storage(y, 4);"},
    {"slide by blocks of rows", BLUR,
     "bv.split(y, y, yi, 4); bh.store_root().compute_at(bv, y).slide(y).fold_storage(y, 6).vectorize(x, 4);"},
    {"slide with a loop that is split", BLUR, "split(bh.y, y, yi, 2); compute_at(bh, bv.y); slide(bh, bv.y);"},
    {"slide with another loop that rounds, or shifts", BLUR,
     "split(bh.x, x, xi, 4, round); split(bh.xi, a, b, 3, shift); compute_at(bh, bv.y); slide(bh, bv.y);"},
    {"slide with loops that are fused", BLUR, "fuse(bh.y, x, t); compute_at(bh, bv.y); slide(bh, bv.y);"},
    {"slide of one that another reads, too", COPY3, "b.compute_at(o, y); a.store_root().compute_at(o, y).slide(y);"},
    {"slide of what is specialized", BLUR,
     "specialize(bh, in.len(0) > 4); split(bh.z1.y, y, yi, 2); compute_at(bh, bv.y); slide(bh, bv.y);"},
    {"producers moved with their consumer (consumers first)", COPY3,
     "b.compute_at(o, y); a.compute_at(o, y);"}, // SCH.Phase
};

// Prefixes run with their loops serial: what parallel and vectorized loops demand is asked of the final program (D38).
static const hy_stmt *serial(hy_context *context, const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2], *fresh[64];
  int count = hy_stmt_children(stmt, &children, room);
  ck_assert_int_le(count, 64);
  for (int i = 0; i < count; i++) fresh[i] = serial(context, children[i]);
  stmt = hy_stmt_with_children(context, stmt, fresh, count);
  if (stmt->kind != HY_STMT_FOR) return stmt;
  return hy_stmt_for(context, stmt->loop.var, stmt->loop.is_pure, HY_SERIAL, stmt->loop.interval, stmt->loop.body);
}

// Print, read and print again is the identity, and the program read passes the checks of a hand-written one.
static void round_trip(test_program *p, const hy_tgt *tgt, const char *what) {
  hy_text first = {0}, second = {0};
  hy_diagnostics *found = hy_diagnostics_new();
  hy_tgt_print(tgt, &first);
  hy_source source = {"step.tgt", hy_text_string(&first), first.length};
  const hy_tgt *again = hy_parse_tgt(p->context, &source, found);
  ck_assert_msg(again != NULL, "%s does not read back", what);
  hy_tgt_print(again, &second);
  ck_assert_str_eq(hy_text_string(&first), hy_text_string(&second));
  hy_diagnostics_free(found);
  hy_text_free(&first);
  hy_text_free(&second);
}

static void fill_and_compare(test_program *p, const hy_tgt *prefix, const char *what) {
  const hy_tgt *filled = hy_oracle_fill(p->context, prefix, p->diagnostics);
  ck_assert_msg(filled != NULL, "%s: %s", what, test_program_said(p));
  round_trip(p, filled, what);
  static const int64_t windows[][2] = {{0, 1}, {0, 8}, {-5, 9}, {3, 7}, {-2, 17}};
  for (size_t k = 0; k < HY_COUNT(windows); k++)
    for (int64_t parameter = 1; parameter <= 3; parameter += 2)
      test_program_compare(p, filled, parameter, windows[k][0], windows[k][1], what);
}

START_TEST(every_prefix_keeps_the_meaning) {
  test_program p;
  test_program_open(&p, sound[_i].alg, sound[_i].items);
  ck_assert_msg(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics), "%s: %s", sound[_i].name,
                test_program_said(&p));
  for (int i = 0; i < p.pipeline.step_count; i++) {
    char what[256];
    snprintf(what, sizeof what, "%s, after %d directives", sound[_i].name, i);
    hy_tgt prefix = *p.pipeline.steps[i];
    if (i + 1 < p.pipeline.step_count) prefix.body = serial(p.context, prefix.body);
    fill_and_compare(&p, &prefix, what);
    hy_diagnostics *found = hy_diagnostics_new();
    ck_assert_msg(hy_tgt_verify(p.context, p.pipeline.steps[i], found), "%s is ill-formed", what);
    hy_diagnostics_free(found);
    round_trip(&p, p.pipeline.steps[i], what);
  }
  test_program_close(&p);
}
END_TEST

START_TEST(every_directive_keeps_its_promise) { // per-directive validation, all levels
  test_program p;
  test_program_open(&p, sound[_i].alg, sound[_i].items);
  ck_assert(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics));
  test_validate(&p, sound[_i].name, 140);
  test_program_close(&p);
}
END_TEST

START_TEST(every_schedule_is_proved) {
  test_program p;
  test_program_open(&p, sound[_i].alg, sound[_i].items);
  hy_oracle_options options = {.z3_limit = 2000};
  hy_answer answer = p.parsed ? hy_pipeline_check(&p.pipeline, &options, p.diagnostics) : HY_NO;
  ck_assert_msg(answer == HY_YES, "%s: %.3000s", sound[_i].name, test_program_said(&p));
  ck_assert_uint_gt(p.pipeline.report.proved, 0);
  ck_assert_msg(p.pipeline.report.proved_z3 == 0, "%s: %zu by Z3 alone", sound[_i].name,
                p.pipeline.report.proved_z3); // nothing rests on Z3 alone
  test_program_close(&p);
}
END_TEST

START_TEST(dead_code_is_proved_and_listed) { // D62
  static const struct {
    const char *alg, *items;
    bool dead;
  } rows[] = {{SIZED, "specialize(b, 1 == 2);", true},
              {SIZED, "specialize(b, w == 1);", false},
              {SIZED, "specialize(b, w == 1); specialize(a, w * w < 0);", true},
              {BLUR, "", false}};
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    test_program p;
    test_program_open(&p, rows[i].alg, rows[i].items);
    hy_oracle_options options = {.z3_limit = 2000};
    ck_assert_msg(hy_pipeline_check(&p.pipeline, &options, p.diagnostics) == HY_YES, "%s", test_program_said(&p));
    const hy_oracle_report *r = &p.pipeline.report;
    size_t dead = 0;
    for (size_t k = 0; k < r->count; k++) {
      ck_assert(!r->decisions[k].dead || r->decisions[k].verdict == HY_VERDICT_PROVED);
      dead += r->decisions[k].dead;
    }
    ck_assert_uint_eq(dead, r->dead);
    ck_assert_msg((dead > 0) == rows[i].dead, "%s: %zu", rows[i].items, dead);
    test_program_close(&p);
  }
}
END_TEST

/* -- what is illegal is refused -- */

static const struct {
  const char *name, *alg, *items;
  int code;
} refused[] = {
    {"unknown loop", BLUR, "split(bv.z, zo, zi, 8);", HY_E_UNKNOWN_LOOP},
    {"unknown stage", BLUR, "split(bv.s3.x, xo, xi, 8);", HY_E_UNKNOWN_LOOP},
    {"unknown func", BLUR, "split(foo.x, xo, xi, 8);", HY_E_UNKNOWN_FUNC},
    {"an image has no loops", BLUR, "split(in.x, xo, xi, 8);", HY_E_UNKNOWN_FUNC},
    {"consumed loop", BLUR, "split(bv.x, xo, xi, 8); split(bv.x, a, b, 2);", HY_E_LOOP_CONSUMED},
    {"factor 0 (D34)", ONE, "split(o.x, xo, xi, 0);", HY_E_SPLIT_FACTOR},
    {"negative factor (D34)", ONE, "split(o.x, xo, xi, -4);", HY_E_SPLIT_FACTOR},
    {"round on an update (D32)", BOX, "split(h.s1.x, xo, xi, 8, round);", HY_E_TAIL_ON_UPDATE},
    {"shift on an update (D32)", BOX, "split(h.s1.x, xo, xi, 8, shift);", HY_E_TAIL_ON_UPDATE},
    {"parts of a reduction by 0 (D34)", SUMS, "split_reduction(s.s1.r, ro, ri, 0);", HY_E_SPLIT_FACTOR},
    {"parts by a parameter (D34)", BOX, "split_reduction(h.s1.r, ro, ri, w);", HY_E_DIRECTIVE_ARGUMENTS},
    {"parts that leave 64 bits (D1)", BOX, "split_reduction(h.s1.r, ro, ri, 9223372036854775800);", HY_E_SPLIT_FACTOR},
    {"parts of a pure variable (D87)", SUMS, "split_reduction(s.s1.x, xo, xi, 2);", HY_E_RFACTOR_LOOP},
    {"parts of a coordinate (D87)", MARKS, "split_reduction(o.s1.r, ro, ri, 2);", HY_E_RFACTOR_LOOP},
    {"one name for both parts (D24)", SUMS, "split_reduction(s.s1.r, a, a, 2);", HY_E_NAME_CLASH},
    {"a part with the name of a loop (D24)", SUMS, "split_reduction(s.s1.r, ro, q, 2);", HY_E_NAME_CLASH},
    {"parts of parts that are gone", SUMS, "split_reduction(s.s1.r, a, b, 2); split_reduction(s.s1.r, c, d, 2);",
     HY_E_UNKNOWN_LOOP},
    {"name of a live loop (D24)", BLUR, "split(bv.x, y, xi, 8);", HY_E_NAME_CLASH},
    {"name of a func (D24)", BLUR, "split(bv.x, bh, xi, 8);", HY_E_NAME_CLASH},
    {"name of an image (D24)", BLUR, "split(bv.x, in, xi, 8);", HY_E_NAME_CLASH},
    {"name of a parameter (D24)", ONE_BY, "split(o.x, n, xi, 8);", HY_E_NAME_CLASH},
    {"reserved name", ONE, "split(o.x, s1, xi, 8);", HY_E_NAME_CLASH},
    {"one name for both", ONE, "split(o.x, a, a, 8);", HY_E_NAME_CLASH},
    {"swap without a loop inside (D36)", BLUR, "swap(bv.x);", HY_E_NOT_NESTED},
    {"fuse of loops that are not nested (D36)", BLUR, "split(bv.x, xo, xi, 4); fuse(bv.y, xi, t);", HY_E_NOT_NESTED},
    {"swap of two reduction loops (D36, D37)", SUMS, "swap(s.s1.q);", HY_E_SWAP_REDUCTION},
    {"reorder of two reduction loops (D36)", SUMS, "s.update(0).reorder(q, r);", HY_E_SWAP_REDUCTION},
    {"fuse of a traversed loop", BLUR, "traverse(bv.y, parallel); fuse(bv.y, x, t);", HY_E_DIRECTIVE_ARGUMENTS},
    {"fuse of pure with reduction (D36)", SUMS, "fuse(s.s1.x, q, t);", HY_E_FUSE_MIXED},
    {"parallel reduction (D37)", SUMS, "traverse(s.s1.r, parallel);", HY_E_PARALLEL_REDUCTION},
    {"vectorized reduction (D37)", SUMS, "traverse(s.s1.r, vectorized);", HY_E_PARALLEL_REDUCTION},
    {"parallel part of a split reduction (D37)", SUMS, "split(s.s1.r, ro, ri, 2); traverse(s.s1.ro, parallel);",
     HY_E_PARALLEL_REDUCTION},
    {"a reader outside (D39)", COPY3, "a.compute_at(b, y);", HY_E_NOT_DOMINATING},
    {"nobody inside reads it (D39)", COPY3, "b.compute_at(a, y);", HY_E_NOT_DOMINATING},
    {"a reader outside, in a left-hand index (D39)", INDEXED, "a.compute_at(b, x);", HY_E_NOT_DOMINATING},
    {"stored where one of two readers is (D39)", COPY3, "compute_at(b, o.y); compute_at(a, o.y); store_at(a, b.y);",
     HY_E_STORAGE_BELOW_COMPUTE},
    {"inside its own loop (D39)", BLUR, "compute_at(bh, bh.y);", HY_E_NOT_DOMINATING},
    {"the output moved (D39)", BLUR, "compute_at(bv, bh.y);", HY_E_OUTPUT_MOVED},
    {"storage inside compute", BLUR, "compute_at(bh, bv.y); store_at(bh, bv.x);", HY_E_STORAGE_BELOW_COMPUTE},
    {"parallel between storage and compute (D38)", BLUR, "traverse(bv.y, parallel); compute_at(bh, bv.y);",
     HY_E_PARALLEL_BETWEEN},
    {"vectorized between storage and compute (D38)", BLUR,
     "split(bv.x, xo, xi, 4); traverse(bv.xi, vectorized); compute_at(bh, bv.xi);", HY_E_PARALLEL_BETWEEN},
    {"computed inside a vectorized loop (D38)", BLUR,
     "split(bv.x, xo, xi, 4); traverse(bv.xi, vectorized); bh.compute_at(bv, xi);",
     HY_E_INSIDE_VECTOR}, // DIR.Compute-At, DIR.Store-At
    {"vectorized inside vectorized (D38)", BLUR,
     "split(bv.x, xo, xi, 4); split(bv.y, yo, yi, 4); swap(bv.yi); traverse(bv.xi, vectorized); traverse(bv.yi, "
     "vectorized);",
     HY_E_INSIDE_VECTOR},
    {"parallel inside vectorized (D38)", BLUR,
     "split(bv.y, yo, yi, 4); traverse(bv.yi, vectorized); traverse(bv.x, parallel);", HY_E_INSIDE_VECTOR},
    {"parallel over a shift (D33)", ONE, "split(o.x, xo, xi, 8, shift); traverse(o.xo, parallel);",
     HY_E_OVERLAPPING_WRITES}, // DIR.Traverse
    {"parallel over nested rounds (D33)", ONE,
     "split(o.x, xo, xi, 8, round); split(o.xi, a, b, 3, round); traverse(o.xo, parallel);", HY_E_OVERLAPPING_WRITES},
    {"parallel over a fused loop of shifted blocks (D33)", ONE,
     "split(o.x, xo, xi, 8, shift); fuse(o.xo, xi, t); traverse(o.t, parallel);", HY_E_OVERLAPPING_WRITES},
    {"parallel over a fused round that a shift clamps (D33)", BLUR,
     "split(bv.y, yo, yi, 1, shift); fuse(bv.yi, x, t); fuse(bv.yo, t, u); split(bv.u, a, b, 2, round);"
     "traverse(bv.a, parallel);",
     HY_E_OVERLAPPING_WRITES},
    {"vectorized over a shift's outer loop (D33)", ONE,
     "split(o.x, xo, xi, 8, shift); split(o.xo, a, b, 4); traverse(o.b, vectorized);", HY_E_OVERLAPPING_WRITES},
    {"vectorized without a constant extent (D45)", BLUR, "traverse(bv.x, vectorized);", HY_E_EXTENT_NOT_CONSTANT},
    {"unrolled without a constant extent (D45)", BLUR, "traverse(bv.x, unrolled);", HY_E_EXTENT_NOT_CONSTANT},
    {"moved twice", BLUR, "compute_at(bh, bv.y); compute_at(bh, bv.x);", HY_E_ALREADY_MOVED},
    {"several stages could be meant", BOX, "g.compute_at(h, y); f.compute_at(h, r2);", HY_E_UNKNOWN_LOOP},
    {"no such update", BLUR, "bv.update(0).vectorize(x, 4);", HY_E_UNKNOWN_LOOP},
    {"unknown directive", BLUR, "frobnicate(bv.x);", HY_E_UNKNOWN_DIRECTIVE},
    {"a directive of Halide that there is not (D93)", BLUR, "bv.async();", HY_E_ABSENT_DIRECTIVE}, // SCH.Absent
    {"unknown method", BLUR, "bv.frobnicate(x);", HY_E_UNKNOWN_DIRECTIVE},
    {"split of a traversed loop", BLUR, "traverse(bv.y, parallel); split(bv.y, a, b, 4);", HY_E_DIRECTIVE_ARGUMENTS},
    {"missing arguments", BLUR, "split(bv.y, a, b);", HY_E_DIRECTIVE_ARGUMENTS},
    {"factor reads a func", BLUR, "split(bv.y, a, b, int(in(0, 0)));", HY_E_NOT_STARTUP},
    {"reorder with a stranger", BLUR, "bv.reorder(x, q);", HY_E_UNKNOWN_LOOP},
    {"reorder names a loop twice", BLUR, "bv.reorder(x, x);", HY_E_REORDER},
    {"a func specialized twice", SIZED, "specialize(b, w == 1); specialize(b, w == 2);", HY_E_SPECIALIZED_TWICE},
    {"specialized in a chain and at once", SIZED, "specialize(b, w == 1); b.specialize(w == 2).parallel(y);",
     HY_E_SPECIALIZED_TWICE},
    {"a condition that reads a func (D44)", SIZED, "specialize(b, a(0, 0) == u8(1));", HY_E_NOT_STARTUP},
    {"a condition that reads an image (D44)", SIZED, "specialize(b, in(0, 0) == 1);", HY_E_NOT_STARTUP},
    {"a condition that reads a loop variable (D44)", SIZED, "specialize(b, x == 1);", HY_E_NOT_STARTUP},
    {"a condition that is a number", SIZED, "specialize(b, w);", HY_E_NOT_BOOL},
    {"specialize without a condition", SIZED, "specialize(b);", HY_E_DIRECTIVE_ARGUMENTS},
    {"specialize in a chain with two conditions", SIZED, "b.specialize(w == 1, w == 2).parallel(y);",
     HY_E_DIRECTIVE_ARGUMENTS},
    {"specialize of an image", SIZED, "specialize(in, w == 1);", HY_E_UNKNOWN_FUNC},
    {"no such specialization", SIZED, "specialize(b, w == 1); traverse(b.z2.s0.y, parallel);", HY_E_UNKNOWN_LOOP},
    {"a loop of another branch", SIZED, "specialize(b, w == 1); split(b.z1.x, xo, xi, 4); traverse(b.xo, parallel);",
     HY_E_UNKNOWN_LOOP},
    {"computed inside one branch (D39)", SIZED, "specialize(o, w == 1); compute_at(b, o.z1.y);", HY_E_NOT_DOMINATING},
    {"computed in a loop that one branch has not (SCH.Spread.Loop)", SIZED,
     "specialize(o, w == 1); split(o.z1.y, yo, yi, 4); b.compute_at(o, y);", HY_E_SPREAD_LOOP},
    {"257 copies (SCH.Spread.Most)", CHAIN,
     "for k in 1..9 f[k].specialize(w == k); for k in 9..2 f[k - 1].compute_at(f[k], x); g.compute_at(f_1, x);",
     HY_E_SPREAD_MANY},
    {"stored inside one branch (D39)", SIZED, "specialize(o, w == 1); store_at(b, o.z1.y);",
     HY_E_STORAGE_BELOW_COMPUTE},
    {"unrolled in the other branch (D45)", SIZED, "specialize(b, w == 3); traverse(b.s1.r, unrolled);",
     HY_E_EXTENT_NOT_CONSTANT},
    {"unrolled under a disjunction (D45)", SIZED, "specialize(b, w == 3 || w == 4); traverse(b.z1.s1.r, unrolled);",
     HY_E_EXTENT_NOT_CONSTANT},
    {"parallel reduction of a branch (D37)", SIZED, "specialize(b, w == 3); traverse(b.z1.s1.r, parallel);",
     HY_E_PARALLEL_REDUCTION},
    {"parallel over a shift in a branch (D33)", SIZED,
     "specialize(b, w == 3); split(b.z1.s0.x, xo, xi, 8, shift); traverse(b.z1.s0.xo, parallel);",
     HY_E_OVERLAPPING_WRITES},
    {"storage of the output", BLUR, "reorder_storage(bv, y, x);", HY_E_PLAN_OUTPUT},
    {"a dimension of storage twice", BLUR, "bh.reorder_storage(y, x, y);", HY_E_PLAN_DIMENSION_TWICE},
    {"storage by a loop", BLUR, "split(bh.x, xo, xi, 8); reorder_storage(bh, y, xo);", HY_E_UNKNOWN_DIMENSION},
    {"an order of one dimension", BLUR, "bh.reorder_storage(y);", HY_E_DIRECTIVE_ARGUMENTS},
    {"an order without dimensions", BLUR, "reorder_storage(bh);", HY_E_DIRECTIVE_ARGUMENTS},
    {"an order of numbers", BLUR, "bh.reorder_storage(1, 0);", HY_E_DIRECTIVE_ARGUMENTS},
    {"a demand that elements share memory", BLUR, "require_stride(bv, x, 0);", HY_E_PLAN_NUMBER},
    {"a demand of what the program allocates", BLUR, "bh.require_stride(x, 3);", HY_E_STRIDE_OWN},
    {"a demand beside a wish", BLUR, "in.set_stride(0, 3); require_stride(in, 0, 3);", HY_E_PLAN_TWICE},
    {"an alignment that is no power of two", BLUR, "in.set_host_alignment(24);", HY_E_PLAN_NUMBER},
    {"an alignment of 0", BLUR, "in.set_host_alignment(0);", HY_E_PLAN_NUMBER},
    {"an alignment of more than a page", BLUR, "set_host_alignment(bv, 8192);", HY_E_PLAN_NUMBER},
    {"an alignment of what the program allocates", BLUR, "bh.set_host_alignment(32);", HY_E_STRIDE_OWN},
    {"an alignment said twice", BLUR, "in.set_host_alignment(32); set_host_alignment(in, 16);", HY_E_PLAN_TWICE},
    {"a stride of 0", BLUR, "set_stride(bv, x, 0);", HY_E_PLAN_NUMBER},
    {"a stride of more than 2^30", BLUR, "in.set_stride(0, 1073741825);", HY_E_PLAN_NUMBER},
    {"a stride of what the program allocates", BLUR, "bh.set_stride(x, 3);", HY_E_STRIDE_OWN},
    {"a stride said twice", BLUR, "in.set_stride(0, 3); set_stride(in, 0, 3);", HY_E_PLAN_TWICE},
    {"an alignment of storage by 0", BLUR, "align_storage(bh, x, 0);", HY_E_PLAN_NUMBER},
    {"an alignment of storage by more than 2^31", BLUR, "bh.align_storage(x, 2147483649);", HY_E_PLAN_NUMBER},
    {"an alignment of storage by a parameter", ONE_BY, "align_storage(o, x, n);", HY_E_DIRECTIVE_ARGUMENTS},
    {"two alignments of storage", BLUR, "bh.align_storage(x, 8).align_storage(x, 16);", HY_E_PLAN_TWICE},
    {"an alignment of the output's storage", BLUR, "bv.align_storage(x, 8);", HY_E_PLAN_OUTPUT},
    {"a fold by 0", BLUR, "fold_storage(bh, y, 0);", HY_E_PLAN_NUMBER},
    {"a fold by less than 0", BLUR, "bh.fold_storage(y, -4);", HY_E_PLAN_NUMBER},
    {"a fold by a parameter", ONE_BY, "fold_storage(o, x, n);", HY_E_DIRECTIVE_ARGUMENTS},
    {"a fold that says which way", BLUR, "bh.fold_storage(y, 4, true);", HY_E_DIRECTIVE_ARGUMENTS},
    {"two folds of one dimension", BLUR, "bh.fold_storage(y, 4).fold_storage(y, 4);", HY_E_PLAN_TWICE},
    {"a fold of a loop", BLUR, "bv.split(y, yo, yi, 8); bh.fold_storage(yo, 4);", HY_E_UNKNOWN_DIMENSION},
    {"a fold of the output's storage", BLUR, "bv.fold_storage(y, 4);", HY_E_PLAN_OUTPUT},
    {"a fold between parallel iterations", BLUR,
     "bv.parallel(y); bh.store_root().compute_at(bv, y).fold_storage(y, 4);", HY_E_PARALLEL_BETWEEN},
    {"a slide of the output", BLUR, "slide(bv, bv.y);", HY_E_OUTPUT_MOVED},
    {"a slide at root", BLUR, "slide(bh, bv.y);", HY_E_NO_SLIDE},
    {"a slide along root", BLUR, "slide(bh, root);", HY_E_NO_SLIDE},
    {"a slide along a loop further out", BLUR, "compute_at(bh, bv.x); slide(bh, bv.y);", HY_E_NO_SLIDE},
    {"a slide stored inside", BLUR, "bh.compute_at(bv, y).slide(y);", HY_E_NO_SLIDE},
    {"a slide along a parallel loop", BLUR, "bv.parallel(y); bh.store_root().compute_at(bv, y).slide(y);",
     HY_E_NO_SLIDE},
    {"a slide along an unrolled loop", BLUR,
     "bv.split(y, y, yi, 4).unroll(yi); bh.store_at(bv, y).compute_at(bv, yi).slide(yi);", HY_E_NO_SLIDE},
    {"two slides", BLUR, "bh.store_root().compute_at(bv, y).slide(y).slide(y);", HY_E_PLAN_TWICE},
    {"a slide in a chain before its move", BLUR, "bh.slide(y).store_root().compute_at(bv, y);", HY_E_NO_SLIDE},
    {"a slide along a loop of another name", BLUR, "bh.store_root().compute_at(bv, y).slide(x);", HY_E_NO_SLIDE},
    {"a slide along no loop", BLUR, "compute_at(bh, bv.y); slide(bh, bv.z);", HY_E_UNKNOWN_LOOP},
    {"a slide without a loop", BLUR, "compute_at(bh, bv.y); slide(bh);", HY_E_DIRECTIVE_ARGUMENTS},
    {"two places", BLUR, "store_in(bh, stack); bh.store_in(heap);", HY_E_PLAN_TWICE},
    {"no place", BLUR, "bh.store_in(register);", HY_E_DIRECTIVE_ARGUMENTS},
    {"a place of the output", BLUR, "bv.store_in(heap);", HY_E_PLAN_OUTPUT},
    {"storage of an image", BLUR, "reorder_storage(in, y, x);", HY_E_UNKNOWN_FUNC},
    {"bound of a loop", BLUR, "split(bv.x, xo, xi, 8); bound(bv, xo, 0, 8);", HY_E_UNKNOWN_DIMENSION},
    {"bound of no dimension", BLUR, "bv.bound(z, 0, 8);", HY_E_UNKNOWN_DIMENSION},
    {"bound without a length", BLUR, "bound(bv, x, 0);", HY_E_DIRECTIVE_ARGUMENTS},
    {"bound of a negative length (D51)", BLUR, "bound(bv, x, 0, 2 - 5);", HY_E_DIRECTIVE_ARGUMENTS},
    {"bound_extent of a negative length (D51)", BLUR, "bv.bound_extent(x, -1);", HY_E_DIRECTIVE_ARGUMENTS},
    {"bound by what a func holds", BLUR, "bound(bv, x, 0, int(bh(0, 0)));", HY_E_NOT_STARTUP},
    {"bound of an image", BLUR, "bound(in, x, 0, 8);", HY_E_UNKNOWN_FUNC},
    {"two bounds (D43)", BLUR, "bound(bv, x, 0, 8); bound(bv, x, 0, 9);", HY_E_NO_SOLUTION},
    {"bound and another extent (D43)", BLUR, "bound(bv, x, 0, 8); bound_extent(bv, x, 9);", HY_E_NO_SOLUTION},
    {"bound and an alignment of its minimum (D43)", BLUR, "bound(bv, x, 2, 8); align_bounds(bv, x, 4, 0);",
     HY_E_NO_SOLUTION},
    {"bound and an alignment of its length (D43)", BLUR, "align_bounds(bv, x, 4, 0); bound(bv, x, 0, 10);",
     HY_E_NO_SOLUTION},
    {"extent and alignment (D43)", BLUR, "bound_extent(bv, x, 10); align_bounds(bv, x, 4, 0);", HY_E_NO_SOLUTION},
    {"bound by a parameter and alignment: for no input (D43, D90)", ONE_BY,
     "bound(o, x, 2 * n + 1, 8); align_bounds(o, x, 4, 0);", HY_E_NO_SOLUTION},
    {"two alignments that conflict (D43)", BLUR, "align_bounds(bv, x, 4, 1); align_bounds(bv, x, 6, 2);",
     HY_E_NO_SOLUTION},
    {"alignment by a parameter (D43)", ONE_BY, "align_bounds(o, x, n, 0);", HY_E_ALIGNMENT},
    {"alignment by 0 (D43)", ONE, "align_bounds(o, x, 0, 0);", HY_E_ALIGNMENT},
    {"remainder too large (D43)", ONE, "align_bounds(o, x, 4, 4);", HY_E_ALIGNMENT},
    {"negative remainder (D43)", ONE, "align_bounds(o, x, 4, -1);", HY_E_ALIGNMENT},
};

START_TEST(illegal_is_refused_with_its_code) {
  test_program p;
  test_program_open(&p, refused[_i].alg, refused[_i].items);
  hy_oracle_options options = {.z3_limit = 2000};
  if (p.parsed)
    ck_assert_msg(hy_pipeline_check(&p.pipeline, &options, p.diagnostics) == HY_NO, "%s passed", refused[_i].name);
  ck_assert_msg(test_program_code(&p) == refused[_i].code, "%s: not HY%04d but:\n%s", refused[_i].name,
                refused[_i].code, test_program_said(&p));
  test_program_close(&p);
}
END_TEST

START_TEST(sites_are_listed) { // D39: the message names every legal site
  test_program p;
  test_program_open(&p, COPY3, "a.compute_at(b, y);");
  ck_assert(!hy_pipeline_schedule(&p.pipeline, p.diagnostics));
  const char *help = hy_diagnostics_at(p.diagnostics, 0)->help;
  ck_assert_msg(help && strstr(help, "root"), "%s", test_program_said(&p));
  test_program_close(&p);
}
END_TEST

START_TEST(branches_are_told) { // D39: a site inside one branch is refused with that reason
  test_program p;
  test_program_open(&p, SIZED, "specialize(o, w == 1); compute_at(b, o.z1.s0.y);");
  ck_assert(!hy_pipeline_schedule(&p.pipeline, p.diagnostics));
  ck_assert_msg(strstr(test_program_said(&p), "one specialization"), "%s", test_program_said(&p));
  test_program_close(&p);
}
END_TEST

START_TEST(constant_conditions_are_warned_of) { // D44: once, and nothing else is said
  test_program p;
  test_program_open(&p, SIZED, "specialize(b, 1 == 2, w == 1);");
  ck_assert_msg(hy_pipeline_schedule(&p.pipeline, p.diagnostics), "%s", test_program_said(&p));
  ck_assert_uint_eq(hy_diagnostics_count(p.diagnostics), 1);
  const hy_diagnostic *d = hy_diagnostics_at(p.diagnostics, 0);
  ck_assert_int_eq(d->severity, HY_SEVERITY_WARNING);
  ck_assert_int_eq(d->code, HY_E_CONSTANT_CONDITION);
  test_program_close(&p);
}
END_TEST

START_TEST(conflicts_name_both) { // D43
  test_program p;
  test_program_open(&p, BLUR, "bound(bv, x, 0, 8); bv.align_bounds(x, 3);");
  ck_assert(!hy_pipeline_schedule(&p.pipeline, p.diagnostics));
  const char *said = test_program_said(&p);
  ck_assert_msg(strstr(said, "bound(bv, x, 0, 8) and align_bounds(bv, x, 3, 0)"), "%s", said);
  test_program_close(&p);
}
END_TEST

START_TEST(phases_are_the_papers) { // Figure 11: whatever the order in the text
  static const hy_directive_type *const want[] = {&hy_directive_specialize, &hy_directive_split,
                                                  &hy_directive_compute_at, &hy_directive_store_at,
                                                  &hy_directive_bound};
  test_program p;
  test_program_open(
      &p, SIZED,
      "bound(b, x, 0, 8); b.store_at(o, y).compute_at(o, y); split(b.z1.x, xo, xi, 2); specialize(b, w == 1);");
  ck_assert_msg(hy_pipeline_schedule(&p.pipeline, p.diagnostics), "%s", test_program_said(&p));
  ck_assert_int_eq(p.pipeline.core_count, (int)HY_COUNT(want));
  for (size_t i = 0; i < HY_COUNT(want); i++) ck_assert_ptr_eq(p.pipeline.core[i].type, want[i]);
  test_program_close(&p);
}
END_TEST

// SCH.Chain-Copies: each first text makes the program of the second.
static const struct {
  const char *name, *alg, *chains, *apart;
} copies[] = {
    {"said before it, of both", SIZED, "b.parallel(y).specialize(w == 1);",
     "specialize(b, w == 1); traverse(b.s0.y, parallel); traverse(b.z1.s0.y, parallel);"},
    {"said in another chain before it", SIZED, "b.parallel(y); b.specialize(w == 1).vectorize(x, 4);",
     "specialize(b, w == 1); b.parallel(y); b.specialize(w == 1).parallel(y).vectorize(x, 4);"},
    {"said behind it, of what is not specialized", SIZED, "b.specialize(w == 1).vectorize(x, 4); b.parallel(y);",
     "specialize(b, w == 1); b.parallel(y); b.specialize(w == 1).vectorize(x, 4);"},
    {"of a stage that is not turned to, anywhere", SIZED,
     "b.update(0).parallel(y); b.specialize(w == 1); b.update(0).unroll(x, 2);",
     "specialize(b, w == 1); b.update(0).parallel(y).unroll(x, 2); "
     "b.specialize(w == 1).update(0).parallel(y).unroll(x, 2);"},
    {"the stage turned to first, or the branch", SIZED,
     "b.update(0).specialize(w == 1).unroll(x, 2); b.specialize(w == 3).update(0).unroll(x, 3); "
     "b.update(0).parallel(y);",
     "specialize(b, w == 1, w == 3); b.update(0).parallel(y); b.specialize(w == 1).update(0).unroll(x, 2); "
     "b.specialize(w == 3).update(0).unroll(x, 3);"},
    {"the second branch later than the first", SIZED,
     "b.parallel(y); b.specialize(w == 1); b.unroll(x, 2); b.specialize(w == 3); b.reorder(y, x);",
     "specialize(b, w == 1, w == 3); b.parallel(y).unroll(x, 2).reorder(y, x); b.specialize(w == 1).parallel(y); "
     "b.specialize(w == 3).parallel(y).unroll(x, 2);"},
    {"what is fused, in a chain alone", SIZED, "b.fuse(x, y, t).parallel(t).specialize(w == 1);",
     "specialize(b, w == 1); fuse(b.s0.y, x, t); traverse(b.s0.t, parallel); fuse(b.z1.s0.y, x, t); "
     "traverse(b.z1.s0.t, parallel);"},
    {"not behind a directive on the copy's stage", SIZED,
     "b.specialize(w == 1); split(b.z1.s1.x, p, q, 4); b.update(0).vectorize(x, 8);",
     "specialize(b, w == 1); split(b.z1.s1.x, p, q, 4); b.update(0).vectorize(x, 8);"},
    {"not behind a directive on the stage", SIZED, "split(b.x, xo, xi, 8); b.vectorize(xi).specialize(w == 1);",
     "specialize(b, w == 1); split(b.x, xo, xi, 8); traverse(b.xi, vectorized);"},
    {"vectors said again are one", SIZED, "b.vectorize(x, 4).specialize(w == 1).vectorize(x, 2);",
     "specialize(b, w == 1); b.vectorize(x, 4); b.specialize(w == 1).split(x, x, x_v, 4).split(x, x, x_v2, 2)"
     ".fuse(x_v, x_v2, x_v).vectorize(x_v);"},
    {"of a vector of a known length the parts are one", SIZED,
     "b.split(x, xo, xi, 8).vectorize(xi).specialize(w == 1).vectorize(xi, 4);",
     "specialize(b, w == 1); b.split(x, xo, xi, 8).vectorize(xi); b.specialize(w == 1).split(x, xo, xi, 8)"
     ".split(xi, xi, xi_v, 4).fuse(xi_v, xi, xi).vectorize(xi);"},
    {"unrolled again, twice", SIZED, "b.unroll(x, 2).specialize(w == 1).unroll(x, 2).unroll(x, 3);",
     "specialize(b, w == 1); b.unroll(x, 2); b.specialize(w == 1).split(x, x, x_u, 2).split(x, x, x_u2, 2)"
     ".split(x, x, x_u3, 3).unroll(x_u).unroll(x_u2).unroll(x_u3);"},
    {"in parallel again, in blocks", SIZED, "b.parallel(y).specialize(w == 1).parallel(y, 4);", // SCH.Said-Again
     "specialize(b, w == 1); b.parallel(y); b.specialize(w == 1).split(y, y, y_p, 4).parallel(y).parallel(y_p);"},
    {"tiles of rows in parallel", SIZED, "b.parallel(y).specialize(w == 1).tile(x, y, xi, yi, 8, 4);",
     "specialize(b, w == 1); b.parallel(y); b.specialize(w == 1).tile(x, y, xi, yi, 8, 4).parallel(y).parallel(yi);"},
    {"a split of rows in parallel, of which one part is not", SIZED,
     "b.parallel(y).specialize(w == 1).split(y, yo, yi, 4).serial(yi);",
     "specialize(b, w == 1); b.parallel(y); b.specialize(w == 1).split(y, yo, yi, 4).parallel(yo);"},
    {"so many that default inline copies nothing", FOUR,
     "default inline; for k in 1..63 o.specialize(w == k); o.vectorize(x, 8);",
     "for k in 1..63 o.specialize(w == k); o.vectorize(x, 8);"},
    {"not of a directive's specialization", SIZED, "b.parallel(y); specialize(b, w == 1);",
     "specialize(b, w == 1); traverse(b.s0.y, parallel);"},
    {"not by a directive", SIZED, "traverse(b.y, parallel); b.specialize(w == 1);",
     "specialize(b, w == 1); traverse(b.s0.y, parallel);"},
};

static const char *scheduled_text(test_program *p, const char *alg, const char *items, hy_text *text) {
  test_program_open(p, alg, items);
  ck_assert_msg(p->parsed && hy_pipeline_schedule(&p->pipeline, p->diagnostics), "%s: %s", items, test_program_said(p));
  hy_tgt_print(p->pipeline.steps[p->pipeline.step_count - 1], text);
  test_program_close(p);
  return hy_text_string(text);
}

START_TEST(copies_have_what_chains_say_first) {
  test_program p;
  hy_text chains = {0}, apart = {0};
  const char *want = scheduled_text(&p, copies[_i].alg, copies[_i].apart, &apart);
  ck_assert_msg(strcmp(scheduled_text(&p, copies[_i].alg, copies[_i].chains, &chains), want) == 0, "%s: %s\n%s",
                copies[_i].name, hy_text_string(&chains), want);
  hy_text_free(&chains);
  hy_text_free(&apart);
}
END_TEST

Suite *sched_directives_suite(void) {
  Suite *suite = suite_create("sched_directives");
  TCase *t = tcase_create("directives");
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, every_prefix_keeps_the_meaning, 0, HY_COUNT(sound));
  tcase_add_loop_test(t, copies_have_what_chains_say_first, 0, HY_COUNT(copies));
  tcase_add_loop_test(t, every_directive_keeps_its_promise, 0, HY_COUNT(sound));
  tcase_add_loop_test(t, every_schedule_is_proved, 0, HY_COUNT(sound));
  tcase_add_loop_test(t, illegal_is_refused_with_its_code, 0, HY_COUNT(refused));
  tcase_add_test(t, dead_code_is_proved_and_listed);
  tcase_add_test(t, sites_are_listed);
  tcase_add_test(t, branches_are_told);
  tcase_add_test(t, constant_conditions_are_warned_of);
  tcase_add_test(t, conflicts_name_both);
  tcase_add_test(t, phases_are_the_papers);
  suite_add_tcase(suite, t);
  return suite;
}
