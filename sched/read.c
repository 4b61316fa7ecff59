/* Desugaring: a call of a directive, read by the kinds of arguments that its record lists; alone, or in a chain, where
 * the func is the chain's and loops are those of its stage.
 */

#include "sched/funcs/funcs.h"
#include "sched/sugar/sugar.h"

#include <string.h>

typedef struct {
  hy_sugar *s;
  const hy_chain *chain; // NULL: it stands alone
  const hy_call *call;
  hy_directive *directive;
} reading;

static const char *usage(const reading *r) {
  const hy_directive_type *type = r->directive->type;
  if (r->chain) return type->in_chain;
  return type->alone ? type->alone : type->form;
}

static bool is_written_in(bool chain, hy_takes takes) {
  return !chain || (takes != HY_TAKES_FUNC && takes != HY_TAKES_BUFFER);
}
static bool is_written(const reading *r, hy_takes takes) { return is_written_in(r->chain, takes); }
static bool is_optional(hy_takes takes) {
  return takes == HY_TAKES_TAIL || takes == HY_TAKES_REMAINDER || takes == HY_TAKES_READERS;
}

// Of images dimensions are numbers.
static bool may_be_number(const reading *r, hy_takes takes) {
  return takes == HY_TAKES_DIMENSION && r->directive->type->arguments[0] == HY_TAKES_BUFFER;
}

// A plain name, without a func before it?
static bool is_plain(const reading *r, hy_takes takes) {
  if (may_be_number(r, takes)) return false;
  return takes == HY_TAKES_FUNC || takes == HY_TAKES_SOURCE || takes == HY_TAKES_BUFFER || takes == HY_TAKES_MADE ||
         takes == HY_TAKES_READERS || takes == HY_TAKES_DIMENSION || takes == HY_TAKES_DIMENSIONS ||
         takes == HY_TAKES_TRAVERSAL || hy_takes_name(takes) || (takes == HY_TAKES_LOOP && r->chain);
}

// As how many arguments one of that kind is written.
static int least_written(hy_takes takes) { return is_optional(takes) ? 0 : takes == HY_TAKES_DIMENSIONS ? 2 : 1; }
static int most_written(hy_takes takes) {
  return takes == HY_TAKES_DIMENSIONS                              ? HY_MAX_RANK
         : takes == HY_TAKES_READERS || takes == HY_TAKES_BRANCHES ? HY_MOST_READERS
                                                                   : 1;
}

void hy_sugar_count_arguments(const hy_directive_type *type, bool in_chain, int *least, int *most) {
  *least = *most = 0;
  for (const hy_takes *takes = type->arguments; *takes != HY_TAKES_END; takes++) {
    if (!is_written_in(in_chain, *takes)) continue;
    *least += least_written(*takes);
    *most += most_written(*takes);
  }
}

// As many arguments as it takes, and plain names where it takes names. Reports if not.
static bool check_form(const reading *r) {
  const hy_takes *takes = r->directive->type->arguments;
  int least, most, at = 0;
  hy_sugar_count_arguments(r->directive->type, r->chain, &least, &most);
  if (!hy_sugar_takes(r->s, r->call, least, most, 0, 0, usage(r))) return false;
  for (int i = 0; takes[i] != HY_TAKES_END; i++) {
    if (is_plain(r, takes[i]) && is_written(r, takes[i]) &&
        !hy_sugar_takes(r->s, r->call, least, most, at, at + most_written(takes[i]), usage(r)))
      return false;
    at += is_written(r, takes[i]);
  }
  return true;
}

// As it is written, a name or a number; "" for anything else.
static const char *dimension_name(reading *r, const hy_argument *argument) {
  int64_t number;
  if (argument->path_count == 1) return argument->path[0];
  const hy_expr *expr = hy_sugar_startup(r->s, argument, HY_INT);
  if (!expr || !hy_expr_is_int(expr, &number)) return "";
  return hy_arena_printf(hy_context_arena(r->s->context), "%lld", (long long)number);
}

static bool read_dimension(reading *r, const hy_argument *argument, int *dim) {
  const hy_func *func = r->directive->func;
  const char *name = dimension_name(r, argument);
  if (r->s->failed) return false;
  for (*dim = 0; *dim < func->rank; ++*dim)
    if (strcmp(func->dims[*dim], name) == 0) return true;
  bool bounds = r->directive->type->phase == HY_PHASE_BOUNDS;
  r->s->failed = true;
  hy_text dims = {0};
  for (int d = 0; d < func->rank; d++) hy_text_printf(&dims, "%s%s", d ? ", " : "", func->dims[d]);
  char *help = hy_arena_printf(hy_context_arena(r->s->context), func->rank ? "its dimensions are %s" : "it has none%s",
                               hy_text_string(&dims));
  hy_text_free(&dims);
  hy_report(r->s->diagnostics, HY_E_UNKNOWN_DIMENSION, argument->loc, bounds ? "DIR.Bound (section 8.5)" : NULL, help,
            "'%s' has no dimension '%s'; %s of dimensions, not of loops", func->name, name,
            bounds ? "bounds speak" : "storage is a matter");
  return false;
}

// All arguments from "at" on.
static bool read_dimensions(reading *r, int at) {
  hy_directive *d = r->directive;
  for (int i = at; i < r->call->count; i++) {
    d->at.dims[d->dim_count] = r->call->args[i].loc;
    if (!read_dimension(r, &r->call->args[i], &d->dims[d->dim_count++])) return false;
  }
  return true;
}

// A func of the program, or an image of its pipeline.
static bool read_source(reading *r, const hy_argument *argument) {
  const hy_func *known = hy_alg_find(r->s->tgt->alg, argument->path[0]);
  r->directive->func = known && known->is_image ? known : hy_sugar_func(r->s, argument->path[0], argument->loc);
  return r->directive->func != NULL;
}

static bool read_made(reading *r, const hy_argument *argument) {
  hy_directive *d = r->directive;
  d->made = hy_funcs_make_for(r->s->context, r->s->tgt, d, argument->path[0], argument->loc);
  return true;
}

// All arguments from "at" on.
static bool read_readers(reading *r, int at) {
  hy_directive *d = r->directive;
  const hy_func **readers = HY_NEW_ARRAY(hy_context_arena(r->s->context), const hy_func *, HY_MOST_READERS);
  d->readers = readers;
  for (int i = at; i < r->call->count; i++)
    if (!(readers[d->reader_count++] = hy_sugar_func(r->s, r->call->args[i].path[0], r->call->args[i].loc)))
      return false;
  if (!d->reader_count) d->reader_count = hy_funcs_all_readers(r->s->context, r->s->tgt, d->func, &d->readers);
  return true;
}

// All arguments from "at" on: "g", or "g.z1".
static bool read_branches(reading *r, int at) {
  hy_directive *d = r->directive;
  const hy_func **readers = HY_NEW_ARRAY(hy_context_arena(r->s->context), const hy_func *, HY_MOST_READERS);
  int *branches = HY_NEW_ARRAY(hy_context_arena(r->s->context), int, HY_MOST_READERS);
  d->readers = readers;
  d->branches = branches;
  for (int i = at; i < r->call->count; i++) {
    const hy_argument *argument = &r->call->args[i];
    if (argument->path_count == 0 || argument->path_count > 2 ||
        !hy_sugar_branch(argument, &branches[d->reader_count])) {
      hy_sugar_refuse(r->s, r->call, usage(r));
      return false;
    }
    if (!(readers[d->reader_count++] = hy_sugar_func(r->s, argument->path[0], argument->loc))) return false;
  }
  return true;
}

static bool read_traversal(reading *r, const hy_argument *argument) {
  static const hy_traversal all[] = {HY_SERIAL, HY_PARALLEL, HY_VECTORIZED, HY_UNROLLED};
  for (size_t i = 0; i < HY_COUNT(all); i++)
    if (strcmp(argument->path[0], hy_traversal_name(all[i])) == 0) {
      r->directive->traversal = all[i];
      return true;
    }
  r->s->failed = true;
  hy_report(r->s->diagnostics, HY_E_DIRECTIVE_ARGUMENTS, argument->loc, "DIR.Traverse",
            "write serial, parallel, vectorized or unrolled", "'%s' is no way to traverse a loop", argument->path[0]);
  return false;
}

static bool read_store(reading *r, const hy_argument *argument) {
  static const hy_store_place all[] = {HY_STORE_STACK, HY_STORE_HEAP};
  static const char *const halides[] = {"Stack", "Heap"};
  const char *help = "write stack or heap", *last = hy_sugar_last_name(argument);
  for (size_t i = 0; i < HY_COUNT(all); i++) {
    if (strcmp(last, halides[i]) == 0)
      help = hy_arena_printf(hy_context_arena(r->s->context), "write %s", hy_store_name(all[i]));
    if (argument->path_count == 1 && strcmp(last, hy_store_name(all[i])) == 0) {
      r->directive->store = all[i];
      return true;
    }
  }
  r->s->failed = true;
  hy_report(r->s->diagnostics, HY_E_DIRECTIVE_ARGUMENTS, argument->loc, "DIR.Store-In", help,
            "'%s' is no place to store in", *last ? last : "this");
  return false;
}

static bool read_loop(reading *r, const hy_argument *argument) {
  r->directive->at.loop = argument->loc;
  r->directive->loop = r->chain ? hy_sugar_loop_of(r->s, r->chain, argument->path[0]) : hy_sugar_loop(r->s, argument);
  if (r->directive->loop && r->directive->type->phase == HY_PHASE_FUNCS) r->directive->func = r->directive->loop->func;
  return r->directive->loop != NULL;
}

static bool read_site(reading *r, const hy_argument *argument) {
  bool root = argument->path_count == 1 && strcmp(argument->path[0], "root") == 0;
  r->directive->at.loop = argument->loc;
  r->directive->loop = root ? NULL : hy_sugar_loop(r->s, argument);
  return root || r->directive->loop;
}

// What is written as words: everything but expressions. "at" is the argument's place in the call.
static bool read_word(reading *r, int position, int at) {
  hy_directive *d = r->directive;
  const hy_argument *argument = &r->call->args[at];
  int place = hy_directive_place(d->type, position);
  switch (d->type->arguments[position]) {
  case HY_TAKES_END: break;
  case HY_TAKES_BUFFER:
    if (!r->chain) return read_source(r, argument);
    d->func = r->chain->func;
    return true;
  case HY_TAKES_FUNC:
    d->func = r->chain ? r->chain->func : hy_sugar_func(r->s, argument->path[0], argument->loc);
    return d->func != NULL;
  case HY_TAKES_SOURCE: return read_source(r, argument);
  case HY_TAKES_MADE: return read_made(r, argument);
  case HY_TAKES_READERS: return read_readers(r, at);
  case HY_TAKES_BRANCHES: return read_branches(r, at);
  case HY_TAKES_LOOP: return read_loop(r, argument);
  case HY_TAKES_SITE: return read_site(r, argument);
  case HY_TAKES_INNER:
  case HY_TAKES_AROUND:
  case HY_TAKES_NAME:
    d->names[place] = hy_context_name_of(r->s->context, argument->path[0]);
    d->at.names[place] = argument->loc;
    return true;
  case HY_TAKES_DIMENSION: return read_dimension(r, argument, &d->dim);
  case HY_TAKES_DIMENSIONS: return read_dimensions(r, at);
  case HY_TAKES_STORE: return read_store(r, argument);
  case HY_TAKES_TAIL:
    if (at < r->call->count) d->at.tail = argument->loc;
    if (!hy_sugar_tail(r->s, r->call, at, &d->tail)) return false;
    return true;
  case HY_TAKES_TRAVERSAL: return read_traversal(r, argument);
  case HY_TAKES_FACTOR:
  case HY_TAKES_LENGTH:
  case HY_TAKES_EXPR:
  case HY_TAKES_NUMBER:
  case HY_TAKES_REMAINDER:
  case HY_TAKES_CONDITIONS: return true; // later
  }
  HY_UNREACHABLE();
}

static void see_var(void *self, const hy_expr *node) { *(bool *)self |= node->kind == HY_EXPR_VAR; }

// A number that is written as an expression is one by now; what is left over without a variable is an error.
static bool is_no_error(reading *r, const hy_argument *argument, const hy_expr *expr) {
  int64_t constant;
  bool varies = false;
  hy_expr_visit(expr, see_var, &varies);
  if (varies || hy_expr_is_int(expr, &constant)) return true;
  r->s->failed = true;
  hy_report(r->s->diagnostics, HY_E_DIRECTIVE_ARGUMENTS, argument->loc, NULL,
            "write a number: it divides by 0, or leaves 64 bits",
            "'%s' cannot take this: it is an error for every input", r->call->name);
  return false;
}

static bool read_expr(reading *r, int position, int at) {
  hy_directive *d = r->directive;
  hy_takes takes = d->type->arguments[position];
  if (!hy_takes_expr(takes)) return true;
  int place = hy_directive_place(d->type, position);
  int64_t constant;
  if (takes == HY_TAKES_REMAINDER && at >= r->call->count) {
    d->args[place] = hy_expr_int(r->s->context, 0);
    return true;
  }
  const hy_argument *argument = &r->call->args[at];
  d->at.args[place] = argument->loc;
  d->args[place] = hy_sugar_startup(r->s, argument, HY_INT);
  if (!d->args[place] || !is_no_error(r, argument, d->args[place])) return false;
  if (takes != HY_TAKES_NUMBER || hy_expr_is_int(d->args[place], &constant)) return true;
  r->s->failed = true;
  hy_report(r->s->diagnostics, HY_E_DIRECTIVE_ARGUMENTS, argument->loc, NULL,
            hy_arena_printf(hy_context_arena(r->s->context), "write %s", usage(r)), "'%s' takes a constant here",
            r->call->name);
  return false;
}

bool hy_sugar_read(hy_sugar *s, const hy_chain *chain, const hy_directive_type *type, const hy_call *call,
                   hy_directive *directive) {
  reading r = {s, chain, call, directive};
  *directive = (hy_directive){.type = type, .loc = call->loc, .in_chain = chain != NULL};
  if (!check_form(&r)) return false;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0, at = 0; type->arguments[i] != HY_TAKES_END; at += is_written(&r, type->arguments[i]), i++)
      if (!(pass ? read_expr : read_word)(&r, i, at)) return false;
  return true;
}
