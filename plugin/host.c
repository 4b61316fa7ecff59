#include "plugin/plugin_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What the host does for a plug-in. Every pointer that comes back from it must be one that it was handed in this very
 * call; anything else is noted as its fault, and something harmless takes its place, so that the rest can go on.
 */

typedef hy_plugin_call call;

static call *call_of(hyd_host *host) { return (call *)host; }

void hy_plugin_blame(call *c, const char *format, ...) {
  char text[400];
  va_list args;
  if (c->fault) return;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  c->fault = hy_context_name_of(c->context, text);
}

/* -- what goes out and comes back -- */

bool hy_plugin_was_handed(const call *c, const void *thing) {
  for (size_t i = c->handed.count; i-- > 0;)
    if (c->handed.data[i] == thing) return true;
  return false;
}

// Enough for any directive that a person can read; more could not be printed, or would exhaust the stack.
enum { MOST_HANDED = 2000, MOST_NODES = 1000 };

static const void *hand(call *c, const void *thing) {
  if (c->handed.count == MOST_HANDED) hy_plugin_blame(c, "it makes more than %d things in one call", MOST_HANDED);
  if (c->handed.count < MOST_HANDED && !hy_plugin_was_handed(c, thing)) hy_vec_push(&c->handed, thing);
  return thing;
}

// Nodes of an expression as it is printed; more than "room" are not counted.
static int count_nodes(const hy_expr *expr, int room) {
  int count = 1;
  for (int i = 0; i < expr->count && count <= room; i++) count += count_nodes(expr->args[i], room - count);
  return count;
}

static const hyd_expr *hand_expr(call *c, const hy_expr *expr) {
  if (count_nodes(expr, MOST_NODES) <= MOST_NODES) return hand(c, expr);
  hy_plugin_blame(c, "it makes an expression of more than %d parts", MOST_NODES);
  return hand(c, hy_expr_int(c->context, 0));
}

static const hy_expr *take_expr(call *c, const hyd_expr *given, hy_type type, const char *what) {
  if (!given || !hy_plugin_was_handed(c, given)) {
    hy_plugin_blame(c, "%s was given an expression that %s", what,
                    given ? "Halyard did not make in this call" : "is NULL");
  } else {
    const hy_expr *expr = (const hy_expr *)given;
    if (expr->type == type) return expr;
    hy_plugin_blame(c, "%s was given a %s where a %s belongs", what, type == HY_INT ? "condition" : "number",
                    type == HY_INT ? "number" : "condition");
  }
  return type == HY_INT ? hy_expr_int(c->context, 0) : hy_expr_bool(c->context, true);
}

static const hy_stmt *take_stmt(call *c, const hyd_stmt *given, const char *what) {
  if (given && hy_plugin_was_handed(c, given)) return (const hy_stmt *)given;
  hy_plugin_blame(c, "%s was given a statement that %s", what, given ? "Halyard did not make in this call" : "is NULL");
  return hy_stmt_nop(c->context);
}

static const hyd_loop *take_loop(call *c, const hyd_loop *given, const char *what) {
  for (int i = 0; i < c->taken_count; i++)
    if (given == &c->taken[i]) return given;
  for (int i = 0; i < c->made_count; i++)
    if (given == &c->made[i]) return given;
  for (int i = 0; i < c->around_count; i++)
    if (given == &c->around[i]) return given;
  hy_plugin_blame(c, "%s was given a loop that %s", what, given ? "Halyard did not make in this call" : "is NULL");
  return NULL;
}

/* -- what stands in the schedule -- */

static bool is_kind(const call *c, int argument, hyd_argument first, hyd_argument second, hyd_argument third) {
  if (argument < 0 || argument >= hy_plugin_of(c->directive)->count) return false;
  hyd_argument kind = c->plugin->arguments[argument];
  return kind == first || kind == second || kind == third;
}

static const hyd_loop *loop_at(hyd_host *host, int argument) {
  call *c = call_of(host);
  if (is_kind(c, argument, HYD_LOOP, HYD_INNER, HYD_AROUND)) return c->by_argument[argument];
  hy_plugin_blame(c, "hyd_loop_at was asked for argument %d, which is not a loop", argument);
  return &c->taken[0];
}

static const hyd_expr *expr_at(hyd_host *host, int argument) {
  call *c = call_of(host);
  if (is_kind(c, argument, HYD_FACTOR, HYD_EXPR, HYD_NUMBER))
    return hand_expr(c, c->directive->args[hy_directive_place(c->directive->type, argument)]);
  hy_plugin_blame(c, "hyd_expr_at was asked for argument %d, which is not an expression", argument);
  return hand_expr(c, hy_expr_int(c->context, 1));
}

static const char *name_at(hyd_host *host, int argument) {
  call *c = call_of(host);
  if (is_kind(c, argument, HYD_NAME, HYD_NAME, HYD_NAME))
    return c->directive->names[hy_directive_place(c->directive->type, argument)];
  hy_plugin_blame(c, "hyd_name_at was asked for argument %d, which is not a name", argument);
  return "nameless";
}

static int stage(hyd_host *host) { return call_of(host)->directive->loop->stage; }

static bool is_pure(hyd_host *host, const hyd_loop *given) {
  const hyd_loop *loop = take_loop(call_of(host), given, "hyd_is_pure");
  return loop && loop->is_pure;
}

static const hyd_expr *variable(hyd_host *host, const hyd_loop *given) {
  call *c = call_of(host);
  const hyd_loop *loop = take_loop(c, given, "hyd_variable");
  c->spoke = true;
  return hand_expr(c, loop ? hy_expr_var(c->context, loop->var) : hy_expr_int(c->context, 0));
}

static const hyd_expr *end_of(hyd_host *host, const hyd_loop *given, bool is_len) {
  call *c = call_of(host);
  const hyd_loop *loop = take_loop(c, given, is_len ? "hyd_length" : "hyd_min");
  if (loop && loop->loop) return hand_expr(c, is_len ? loop->loop->loop.interval.len : loop->loop->loop.interval.min);
  hy_plugin_blame(c, "%s was given a loop that it made itself; it gives the bounds of loops that stand there",
                  is_len ? "hyd_length" : "hyd_min");
  return hand_expr(c, hy_expr_int(c->context, 0));
}

static const hyd_expr *minimum(hyd_host *host, const hyd_loop *given) { return end_of(host, given, false); }
static const hyd_expr *length(hyd_host *host, const hyd_loop *given) { return end_of(host, given, true); }

static bool is_constant(hyd_host *host, const hyd_expr *given, int64_t *value) {
  call *c = call_of(host);
  int64_t unheard;
  return hy_expr_is_int(take_expr(c, given, HY_INT, "hyd_is_constant"), value ? value : &unheard);
}

/* -- expressions -- */

static const hyd_expr *number(hyd_host *host, int64_t i) {
  call *c = call_of(host);
  return hand_expr(c, hy_expr_int(c->context, i));
}

static const struct {
  hy_op op;
  int numbers, conditions; // its arguments, conditions first
  const char *name;
} operators[] = {
    [HYD_ADD] = {HY_OP_ADD, 2, 0, "hyd_add"},
    [HYD_SUB] = {HY_OP_SUB, 2, 0, "hyd_sub"},
    [HYD_MUL] = {HY_OP_MUL, 2, 0, "hyd_mul"},
    [HYD_DIV] = {HY_OP_DIV, 2, 0, "hyd_div"},
    [HYD_MOD] = {HY_OP_MOD, 2, 0, "hyd_mod"},
    [HYD_MIN] = {HY_OP_MIN, 2, 0, "hyd_minimum"},
    [HYD_MAX] = {HY_OP_MAX, 2, 0, "hyd_maximum"},
    [HYD_EQ] = {HY_OP_EQ, 2, 0, "hyd_equal"},
    [HYD_NE] = {HY_OP_NE, 2, 0, "hyd_unequal"},
    [HYD_LT] = {HY_OP_LT, 2, 0, "hyd_less"},
    [HYD_LE] = {HY_OP_LE, 2, 0, "hyd_at_most"},
    [HYD_AND] = {HY_OP_AND, 0, 2, "hyd_and"},
    [HYD_OR] = {HY_OP_OR, 0, 2, "hyd_or"},
    [HYD_NOT] = {HY_OP_NOT, 0, 1, "hyd_not"},
    [HYD_SELECT] = {HY_OP_SELECT, 2, 1, "hyd_select"},
};

// Constants are folded and neutral elements dropped, as everywhere.
static const hy_expr *fold(hy_context *context, hy_op op, const hy_expr *const *args) {
  if (op == HY_OP_ADD) return hy_index_add(context, args[0], args[1]);
  if (op == HY_OP_SUB) return hy_index_sub(context, args[0], args[1]);
  if (op == HY_OP_MUL) return hy_index_mul(context, args[0], args[1]);
  if (op == HY_OP_DIV) return hy_index_div(context, args[0], args[1]);
  if (op == HY_OP_MIN) return hy_index_min(context, args[0], args[1]);
  if (op == HY_OP_AND) return hy_expr_and(context, args[0], args[1]);
  if (op == HY_OP_OR) return hy_expr_or(context, args[0], args[1]);
  if (op == HY_OP_NOT) return hy_expr_unary(context, op, args[0]);
  if (op == HY_OP_SELECT) return hy_expr_select(context, args[0], args[1], args[2]);
  return hy_expr_binary(context, op, args[0], args[1]);
}

static const hyd_expr *operation(hyd_host *host, hyd_operator which, const hyd_expr *a, const hyd_expr *b,
                                 const hyd_expr *third) {
  call *c = call_of(host);
  const hyd_expr *given[] = {a, b, third};
  const hy_expr *args[3] = {NULL, NULL, NULL};
  if ((unsigned)which >= HY_COUNT(operators)) {
    hy_plugin_blame(c, "the host was asked for operator %d, which there is not", (int)which);
    return hand_expr(c, hy_expr_int(c->context, 0));
  }
  int conditions = operators[which].conditions, count = conditions + operators[which].numbers;
  for (int i = 0; i < count; i++)
    args[i] = take_expr(c, given[i], i < conditions ? HY_BOOL : HY_INT, operators[which].name);
  return hand_expr(c, fold(c->context, operators[which].op, args));
}

/* -- rewriting -- */

static bool may_rewrite(call *c, const char *what) {
  if (!c->rewrites) hy_plugin_blame(c, "%s was called outside of 'rewrite'", what);
  return c->rewrites;
}

// A name that a new loop may have: as hy_names_free says, but for loops of any number that are taken.
static bool is_free(call *c, const char *name) {
  for (int i = 0; i < c->taken_count; i++)
    if (strcmp(c->taken[i].loop->loop.var->name, name) == 0) return true;
  const char *none[2] = {NULL, NULL};
  hy_diagnostics *said = hy_diagnostics_new();
  bool free = hy_names_free(c->context, c->tgt, c->directive, name, none, said);
  if (!free) hy_plugin_blame(c, "%s", hy_diagnostics_at(said, 0)->message);
  hy_diagnostics_free(said);
  return free;
}

static bool is_identifier(const char *name) {
  size_t n = 0;
  for (; name[n] && n < 64; n++) {
    bool letter = (name[n] >= 'a' && name[n] <= 'z') || (name[n] >= 'A' && name[n] <= 'Z') || name[n] == '_';
    if (!letter && (n == 0 || name[n] < '0' || name[n] > '9')) return false;
  }
  return n > 0 && n < 64;
}

// A taken loop whose name goes to a new one is known to the body by another, which no new loop has.
static void give_way(call *c, const char *name) {
  const char *names[HYD_MOST_LOOPS + 1];
  int count = 0;
  for (int i = 0; i < c->made_count; i++) names[count++] = c->made[i].var->name;
  names[count++] = name;
  for (int i = 0; i < c->taken_count; i++)
    if (c->taken[i].var->name == name)
      c->taken[i].var = hy_names_let(c->context, c->tgt, c->taken[i].loop->loop.var, names, count);
}

static const hyd_loop *make_loop(hyd_host *host, const char *given, const hyd_loop *like) {
  call *c = call_of(host);
  const hyd_loop *model = take_loop(c, like, "hyd_make_loop");
  if (!may_rewrite(c, "hyd_make_loop")) return like;
  if (c->spoke) hy_plugin_blame(c, "hyd_make_loop was called after hyd_variable; make all loops first");
  if (c->made_count == HYD_MOST_LOOPS) {
    hy_plugin_blame(c, "it makes more than %d loops", HYD_MOST_LOOPS);
    return &c->made[0];
  }
  const hy_var *first = c->directive->loop;
  hyd_loop *loop = &c->made[c->made_count];
  const char *name = "nameless";
  if (!given || !is_identifier(given))
    hy_plugin_blame(c, "hyd_make_loop was given a name that is no identifier of at most 63 letters");
  else if (is_free(c, given))
    name = hy_context_name_of(c->context, given);
  for (int i = 0; i < c->made_count; i++)
    if (c->made[i].var->name == name) hy_plugin_blame(c, "it makes two loops of the name '%s'", name);
  if (model && !model->is_taken) hy_plugin_blame(c, "hyd_make_loop was not given a loop that is taken as a model");
  give_way(c, name);
  *loop = (hyd_loop){.var = hy_var_loop(c->context, first->func, first->spec, first->stage, name),
                     .is_pure = model && model->is_pure};
  c->made_count++;
  return loop;
}

static const hyd_stmt *body(hyd_host *host) {
  call *c = call_of(host);
  if (!may_rewrite(c, "hyd_body")) return NULL;
  c->spoke = true; // of the variables of loops that are taken
  const hy_stmt *stmt = c->taken[c->taken_count - 1].loop->loop.body;
  for (int i = 0; i < c->taken_count; i++)
    stmt = hy_tree_rename(c->context, stmt, c->taken[i].loop->loop.var, c->taken[i].var);
  return hand(c, stmt);
}

static const hyd_stmt *make_for(hyd_host *host, const hyd_loop *given, const hyd_expr *min, const hyd_expr *len,
                                const hyd_stmt *inside) {
  call *c = call_of(host);
  if (!may_rewrite(c, "hyd_make_for")) return NULL;
  const hyd_loop *loop = take_loop(c, given, "hyd_make_for");
  const hy_stmt *stmt = take_stmt(c, inside, "hyd_make_for");
  hy_interval interval = {take_expr(c, min, HY_INT, "hyd_make_for"), take_expr(c, len, HY_INT, "hyd_make_for")};
  if (loop && (loop->is_taken || loop->loop)) {
    hy_plugin_blame(c, "hyd_make_for was given a loop that it did not make");
    loop = NULL;
  }
  return hand(c, loop ? hy_stmt_for(c->context, loop->var, loop->is_pure, HY_SERIAL, interval, stmt) : stmt);
}

typedef struct {
  const hy_var *var;
  const hy_expr *value, *guard;
  hy_origin origin;
} phi;

static const hy_stmt *wrap(hy_context *context, const hy_stmt *inside, const void *self) {
  const phi *p = self;
  if (p->guard) inside = hy_stmt_if(context, HY_IF_GUARD, p->guard, inside, NULL);
  return hy_stmt_let(context, p->var, p->value, p->origin, inside);
}

static const char *kind_of(const hyd_loop *loop) { return loop->is_pure ? "pure" : "rdom"; }

// The loops that a value speaks of, at most two, of one kind: the old variable is a pure one or one of the reduction.
static void find_sources(call *c, const hyd_loop *taken, const hy_expr *value, hy_origin *origin) {
  const hyd_loop *first = NULL;
  const char *name = taken->loop->loop.var->name;
  for (int i = 0; i < c->made_count; i++) {
    const hyd_loop *made = &c->made[i];
    if (!hy_expr_mentions(value, made->var)) continue;
    if (origin->sources[1]) hy_plugin_blame(c, "the value of the let of '%s' speaks of more than two loops", name);
    if (first && first->is_pure != made->is_pure)
      hy_plugin_blame(c,
                      "the let of '%s' speaks of loop '%s' (%s) and loop '%s' (%s): a let may not mix the two kinds; "
                      "refuse it in 'legal', with hyd_is_pure",
                      name, first->var->name, kind_of(first), made->var->name, kind_of(made));
    if (origin->sources[0])
      origin->sources[1] = made->var;
    else
      origin->sources[0] = made->var, first = made;
  }
}

static const hyd_stmt *make_let(hyd_host *host, const hyd_loop *given, const hyd_expr *value, const hyd_expr *guard,
                                const hyd_stmt *inside) {
  call *c = call_of(host);
  if (!may_rewrite(c, "hyd_make_let")) return NULL;
  const hyd_loop *loop = take_loop(c, given, "hyd_make_let");
  const hy_stmt *stmt = take_stmt(c, inside, "hyd_make_let");
  phi p = {.value = take_expr(c, value, HY_INT, "hyd_make_let")};
  if (guard) p.guard = take_expr(c, guard, HY_BOOL, "hyd_make_let");
  if (!loop || !loop->is_taken) {
    hy_plugin_blame(c, "hyd_make_let was given a loop that is not taken");
    return hand(c, stmt);
  }
  p.var = loop->var;
  p.origin = hy_origin_given(c->context, c->given, p.var, loop->loop->loop.interval);
  find_sources(c, loop, p.value, &p.origin);
  return hand(c, hy_tree_push_down(c->context, stmt, p.var, NULL, wrap, &p));
}

/* -- a call -- */

static void take_arguments(call *c) {
  for (int i = 0; i < hy_plugin_of(c->directive)->count; i++) {
    const hy_var *var = hy_names_argument(c->context, c->directive, i);
    if (!var) continue;
    const hy_stmt *loop = hy_tree_loop(c->tgt->body, var);
    HY_ASSERT(loop);
    bool takes = c->plugin->arguments[i] != HYD_AROUND;
    hyd_loop *at = takes ? &c->taken[c->taken_count++] : &c->around[c->around_count++];
    *at = (hyd_loop){.var = var, .loop = loop, .is_taken = takes, .is_pure = loop->loop.is_pure};
    c->by_argument[i] = at;
  }
}

void hy_plugin_open(call *c, hy_context *context, const hy_tgt *tgt, const hy_directive *directive) {
  *c = (call){.context = context, .tgt = tgt, .directive = directive, .plugin = hy_plugin_of(directive)->directive};
  c->host = (hyd_host){HYD_VERSION, sizeof(hyd_host), loop_at, expr_at,   name_at,   stage, is_pure,  variable, minimum,
                       length,      is_constant,      number,  operation, make_loop, body,  make_for, make_let};
  c->given = HY_NEW(hy_context_arena(context), hy_relation);
  c->given->form = HY_BY_GIVEN;
  take_arguments(c);
}

void hy_plugin_close(call *c) { hy_vec_free(&c->handed); }
