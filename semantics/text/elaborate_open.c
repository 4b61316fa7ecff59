/* The value of a helper, looked at by itself: what it says of its arguments has some type, which its calls give. So it is
 * with what those values are that only a call shows: tuples, reductions, funcs that are arguments. What does not fit there
 * is told where the helper is written, used or not.
 */

#include "semantics/text/elaborate_internal.h"

#include <string.h>

static hy_typed *open_leaf(hy_elaboration *e, const hy_syntax *syntax) {
  return hy_typed_leaf(e, HY_TYPED_BAD, syntax, hy_slot_new(e));
}

void hy_elaboration_open(hy_elaboration *e) { e->is_open = true; }

void hy_elaboration_bind(hy_elaboration *e, const char *name, const hy_syntax *syntax, bool is_func) {
  hy_vec_push(&e->lets, (hy_let){name, open_leaf(e, syntax), is_func});
}

bool hy_elaboration_is_func_argument(const hy_elaboration *e, const hy_syntax *name) {
  const hy_let *let = name->kind == HY_SYNTAX_NAME ? hy_elaboration_let(e, name->text) : NULL;
  return let && let->is_func;
}

/* -- tuples -- */

static bool is_tuple(const hy_syntax *syntax) {
  return syntax->kind == HY_SYNTAX_TUPLE || syntax->kind == HY_SYNTAX_INTERVAL;
}

static bool is_choice(const hy_syntax *call) {
  return call->kind == HY_SYNTAX_CALL && call->args[0]->kind == HY_SYNTAX_NAME &&
         (strcmp(call->args[0]->text, "select") == 0 || strcmp(call->args[0]->text, "mux") == 0);
}

static hy_typed *read_all(hy_elaboration *e, const hy_syntax *syntax, int first,
                          hy_typed *read(hy_elaboration *e, const hy_syntax *syntax)) {
  for (int i = first; i < syntax->count; i++) {
    hy_typed *typed = read(e, syntax->args[i]);
    hy_vec_push(&e->values, typed);
  }
  return open_leaf(e, syntax);
}

// g(x) of a func of several values, all of them
static bool is_whole(hy_elaboration *e, const hy_syntax *syntax) {
  bool is_call = syntax->kind == HY_SYNTAX_CALL && syntax->args[0]->kind == HY_SYNTAX_NAME;
  if (!is_call || hy_elaboration_let(e, syntax->args[0]->text)) return false;
  const hy_func *func = e->scope->func(e->scope->self, syntax->args[0]);
  return func && func->more && syntax->count - 1 == func->rank;
}

// ALG.Expand.If: the call chooses one of both
static hy_typed *read_choice(hy_elaboration *e, const hy_syntax *choice) {
  hy_elaboration_want(e, hy_elaboration_read(e, choice->args[0]), HY_BOOL, "the condition of 'if'");
  return read_all(e, choice, 1, hy_elaboration_read_open);
}

hy_typed *hy_elaboration_read_open(hy_elaboration *e, const hy_syntax *syntax) {
  if (syntax->kind == HY_SYNTAX_CHOICE) return read_choice(e, syntax);
  if (is_tuple(syntax)) return read_all(e, syntax, 0, hy_elaboration_read);
  if (is_whole(e, syntax)) return read_all(e, syntax, 1, hy_elaboration_read);
  bool has_tuple = false;
  for (int i = 1; is_choice(syntax) && i < syntax->count; i++) has_tuple |= is_tuple(syntax->args[i]);
  return has_tuple ? read_all(e, syntax, 1, hy_elaboration_read_open) : hy_elaboration_read(e, syntax);
}

static bool may_be_tuple(const hy_elaboration *e, const hy_syntax *syntax) {
  if (syntax->kind == HY_SYNTAX_NAME) return hy_elaboration_let(e, syntax->text) != NULL;
  if (syntax->kind == HY_SYNTAX_REDUCTION || syntax->kind == HY_SYNTAX_LET || is_tuple(syntax)) return true;
  if (syntax->kind == HY_SYNTAX_CHOICE) return true;
  if (syntax->kind != HY_SYNTAX_CALL) return false;
  const hy_syntax *callee = syntax->args[0];
  if (callee->kind != HY_SYNTAX_NAME) return callee->kind == HY_SYNTAX_CALL;
  return is_choice(syntax) || hy_elaboration_let(e, callee->text) || hy_elaboration_named(e, callee);
}

bool hy_elaboration_is_given(const hy_elaboration *e, const hy_syntax *number) {
  if (number->kind == HY_SYNTAX_NAME) return hy_elaboration_let(e, number->text) != NULL;
  for (int i = 0; i < number->count; i++)
    if (hy_elaboration_is_given(e, number->args[i])) return true;
  return false;
}

hy_typed *hy_elaboration_read_open_part(hy_elaboration *e, const hy_syntax *index) {
  bool is_number = index->count == 2 && hy_syntax_part(index) >= 0;
  bool is_given = index->count == 2 && hy_elaboration_is_given(e, index->args[1]);
  const hy_syntax *whole = index->args[0];
  if (is_number && may_be_tuple(e, whole)) return read_all(e, index, 0, hy_elaboration_read_open);
  if (!is_given) return NULL;
  if (index->args[1]->kind != HY_SYNTAX_NAME)
    hy_elaboration_want(e, hy_elaboration_read(e, index->args[1]), HY_INT, "the number of a part");
  if (!may_be_tuple(e, whole)) return NULL;
  bool is_given_func = whole->kind == HY_SYNTAX_CALL && hy_elaboration_is_func_argument(e, whole->args[0]);
  bool is_access = whole->kind == HY_SYNTAX_CALL && !is_given_func && e->scope->func(e->scope->self, whole->args[0]);
  if (is_access) return read_all(e, whole, 1, hy_elaboration_read);
  hy_typed *value = hy_elaboration_read_open(e, whole); // which adds others
  hy_vec_push(&e->values, value);
  return open_leaf(e, index);
}

// g[k] of a family, where k is an argument
static bool is_member(hy_elaboration *e, const hy_syntax *syntax) {
  const hy_syntax *family = syntax->kind == HY_SYNTAX_INDEX ? syntax->args[0] : NULL;
  return family && family->kind == HY_SYNTAX_NAME && !hy_elaboration_let(e, family->text) &&
         !e->scope->func(e->scope->self, family) && e->scope->has_meaning &&
         e->scope->has_meaning(e->scope->self, family);
}

static void read_numbers(hy_elaboration *e, const hy_syntax *member) {
  for (int i = 1; i < member->count; i++)
    hy_elaboration_want(e, hy_elaboration_read(e, member->args[i]), HY_INT, "the number of a member");
}

/* -- arguments that are funcs -- */

static void read_coordinates(hy_elaboration *e, const hy_syntax *call) {
  for (int i = 1; i < call->count; i++)
    hy_elaboration_want(e, hy_elaboration_read(e, call->args[i]), HY_INT, "a coordinate");
}

// Coordinates of a func, or arguments of a helper: the call says which.
static hy_typed *read_given(hy_elaboration *e, const hy_syntax *call) {
  return read_all(e, call, 1, hy_elaboration_read_open);
}

// repeat_edge(f, (0, w)): f is the argument
static bool continues_argument(hy_elaboration *e, const hy_syntax *condition) {
  hy_boundary boundary;
  return condition->kind == HY_SYNTAX_CALL && condition->count > 1 &&
         hy_elaboration_is_boundary(e, condition->args[0], &boundary) &&
         (hy_elaboration_is_func_argument(e, condition->args[1]) || is_member(e, condition->args[1]));
}

hy_typed *hy_elaboration_read_of_argument(hy_elaboration *e, const hy_syntax *syntax) {
  if (!e->is_open || syntax->kind != HY_SYNTAX_CALL) return NULL;
  const hy_syntax *callee = syntax->args[0];
  if (callee->kind == HY_SYNTAX_MEMBER && hy_elaboration_is_func_argument(e, callee->args[0])) {
    for (int i = 1; i < syntax->count; i++)
      hy_elaboration_want(e, hy_elaboration_read(e, syntax->args[i]), HY_INT, "a dimension");
    return hy_typed_leaf(e, HY_TYPED_BAD, syntax, hy_slot_of(e, HY_INT));
  }
  bool is_continued = continues_argument(e, callee);
  if (hy_elaboration_is_func_argument(e, callee)) return read_given(e, syntax);
  if (is_member(e, callee)) read_numbers(e, callee);
  if (!is_continued && !is_member(e, callee)) return NULL;
  read_coordinates(e, syntax);
  if (is_continued) read_all(e, callee, 2, hy_elaboration_read_open);
  return open_leaf(e, syntax);
}

/* -- reductions -- */

static void check_name(hy_elaboration *e, const hy_written_name *name) {
  hy_syntax syntax = {.kind = HY_SYNTAX_NAME, .text = name->text, .loc = name->loc, .place = name->loc};
  bool is_taken = hy_elaboration_let(e, name->text) || e->scope->var(e->scope->self, &syntax) ||
                  e->scope->func(e->scope->self, &syntax) || hy_elaboration_named(e, &syntax);
  if (is_taken)
    hy_report(e->diagnostics, HY_E_RDOM_NAME, name->loc, "reduction variables are named apart from everything in scope",
              "choose another name", "the reduction variable '%s' has the name of something in scope", name->text);
}

// ALG.Expand.Reduction: its type is that of its values
hy_typed *hy_elaboration_read_reduction(hy_elaboration *e, const hy_syntax *syntax) {
  const hy_written_reduction *r = syntax->reduction;
  size_t lets = e->lets.count;
  for (int i = 0; i < r->rdom_count; i++) {
    hy_elaboration_want(e, hy_elaboration_read(e, r->rdoms[i].min), HY_INT, "the minimum of an rdom");
    hy_elaboration_want(e, hy_elaboration_read(e, r->rdoms[i].len), HY_INT, "the length of an rdom");
  }
  for (int i = 0; i < r->rdom_count; i++) {
    check_name(e, &r->rdoms[i].name);
    hy_typed *variable = hy_typed_leaf(e, HY_TYPED_BAD, r->body, hy_slot_of(e, HY_INT));
    hy_vec_push(&e->lets, (hy_let){r->rdoms[i].name.text, variable, false});
  }
  hy_typed *body = hy_elaboration_read(e, r->body);
  bool keeps_where = hy_reduction_keeps_where(r->reduction);
  hy_need_kind need = keeps_where ? HY_NEED_ORDERED : HY_NEED_NUMBER;
  hy_typing_need(e, need, body, syntax, hy_reduction_op(r->reduction));
  if (r->predicate) hy_elaboration_want(e, hy_elaboration_read(e, r->predicate), HY_BOOL, "the predicate of an update");
  e->lets.count = lets;
  return keeps_where ? open_leaf(e, syntax) : hy_typed_leaf(e, HY_TYPED_BAD, syntax, body->slot);
}
