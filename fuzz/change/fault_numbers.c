/* Faults in numbers: one expression, wherever it stands, becomes one that is the same in Z and has no value on the
 * machine for some inputs. Nobody writes these; but a place whose expressions B takes for what they are in Z, without
 * asking whether they are defined and fit, has no other way to be found.
 */

#include "fuzz/change/fault.h"

#include "engines/generator.h"
#include "fuzz/change/rebuild.h"
#include "semantics/base/vec.h"

#include <stdio.h>

typedef struct {
  hy_context *context;
  uint64_t seed, drawn;
  size_t at, chosen; // of the expressions of the program, then of the ints in one
  char *what;
} spoiler;

static uint64_t draw(spoiler *s, uint64_t below) { return hy_splitmix(s->seed, ++s->drawn) % below; }

static const hy_expr *number(const spoiler *s, int64_t n) { return hy_expr_int(s->context, n); }
static const hy_expr *binary(const spoiler *s, hy_op op, const hy_expr *a, const hy_expr *b) {
  return hy_expr_binary(s->context, op, a, b);
}

static int64_t large(spoiler *s) {
  static const int64_t numbers[] = {INT64_C(1) << 62, INT64_MAX, INT64_C(3037000500), INT64_C(1) << 40};
  return numbers[draw(s, HY_COUNT(numbers))];
}

// 0, unless e is a number that small inputs have: there it is an error.
static const hy_expr *nothing_or_error(spoiler *s, const hy_expr *e) {
  const hy_expr *divisor = binary(s, HY_OP_SUB, e, number(s, (int64_t)draw(s, 5) - 1));
  hy_op op = draw(s, 2) ? HY_OP_DIV : HY_OP_MOD;
  if (draw(s, 2)) return binary(s, op, number(s, 0), divisor);
  return binary(s, HY_OP_MUL, number(s, 0), binary(s, op, number(s, 1), divisor));
}

// rewrite: e -> e*K/K,  e -> e + e*K%K,  e -> e + 0/(e - n),  e -> e - 0*(1/(e - n))
static const hy_expr *disguise(spoiler *s, const hy_expr *e) {
  const hy_expr *k = number(s, large(s)), *product = binary(s, HY_OP_MUL, e, k);
  switch (draw(s, 5)) {
  case 0: snprintf(s->what, HY_FAULT_ROOM, "a product that is divided again"); return binary(s, HY_OP_DIV, product, k);
  case 1:
    snprintf(s->what, HY_FAULT_ROOM, "the remainder of a product");
    return binary(s, HY_OP_ADD, e, binary(s, HY_OP_MOD, product, k));
  default:
    snprintf(s->what, HY_FAULT_ROOM, "a quotient of nothing");
    return binary(s, draw(s, 2) ? HY_OP_ADD : HY_OP_SUB, e, nothing_or_error(s, e));
  }
}

static const hy_expr *count_int(void *self, const hy_expr *node) {
  spoiler *s = self;
  s->at += node->type == HY_INT;
  return node;
}

static const hy_expr *change_int(void *self, const hy_expr *node) {
  spoiler *s = self;
  return node->type == HY_INT && s->at++ == s->chosen ? disguise(s, node) : node;
}

static const hy_expr *spoil_expr(spoiler *s, const hy_expr *root) {
  s->at = 0;
  hy_expr_map(s->context, root, count_int, s);
  if (!s->at) return root;
  s->chosen = draw(s, s->at);
  s->at = 0;
  return hy_expr_map(s->context, root, change_int, s);
}

static const hy_expr *count_expr(void *self, const hy_expr *root) {
  spoiler *s = self;
  s->at++;
  return root;
}

typedef struct {
  spoiler *s;
  size_t at, chosen;
} place;

static const hy_expr *change_expr(void *self, const hy_expr *root) {
  place *p = self;
  return p->at++ == p->chosen ? spoil_expr(p->s, root) : root;
}

static const hy_stmt **map_entry(const spoiler *s, const hy_tgt *tgt,
                                 const hy_expr *(*map)(void *self, const hy_expr *root), void *self) {
  const hy_stmt **entry = HY_NEW_ARRAY(hy_context_arena(s->context), const hy_stmt *, tgt->entry_count);
  for (int i = 0; i < tgt->entry_count; i++) entry[i] = hy_stmt_map_exprs(s->context, tgt->entry[i], map, self);
  return entry;
}

enum { TRIES = 8 }; // a place may have no int, as "true" has none

const hy_tgt *hy_fault_in_numbers(hy_context *context, const hy_tgt *filled, uint64_t seed, hy_fault *fault) {
  *fault = (hy_fault){.is_gap = true};
  spoiler s = {.context = context, .seed = hy_splitmix(seed, 79), .what = fault->what};
  hy_tgt *tgt = HY_NEW(hy_context_arena(context), hy_tgt);
  *tgt = *filled;
  map_entry(&s, filled, count_expr, &s);
  hy_stmt_map_exprs(context, filled->body, count_expr, &s);
  size_t places = s.at;
  for (int try = 0; try < TRIES && places && !*fault->what; try++) {
    place p = {&s, 0, draw(&s, places)};
    tgt->entry = map_entry(&s, filled, change_expr, &p);
    const hy_stmt *body = hy_stmt_map_exprs(context, filled->body, change_expr, &p);
    tgt->body = hy_relate_halves(context, body);
  }
  return *fault->what ? tgt : NULL;
}
