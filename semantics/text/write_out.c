/* What is known in the text alone, written out: names of a "for" are its numbers, members of a family are funcs of
 * their own, and of "if c then a else b" there is one (semantics/rules/3_algorithms.md, "Families").
 *
 * What such a number or condition is made of is typed and computed as every expression is; it may mention names of
 * loops around and constants that mention no parameter.
 */

#include "semantics/text/syntax_internal.h"

#include <inttypes.h>
#include <string.h>

void hy_writer_close(hy_writer *writer) {
  hy_vec_free(&writer->turns);
  hy_vec_free(&writer->constants);
  hy_vec_free(&writer->numbers);
  hy_vec_free(&writer->open);
}

bool hy_writer_room(hy_writer *w, hy_loc loc, size_t more) {
  w->written += more;
  if (w->written <= HY_MAX_WRITTEN_OUT || w->is_full) return !w->is_full;
  w->is_full = true;
  hy_report(w->diagnostics, HY_E_TOO_MANY, loc, NULL, "this is a limit of the implementation: divide the program",
            "what 'for' writes out has more than %d operations", HY_MAX_WRITTEN_OUT);
  return false;
}

static const hy_turn *find_turn(const hy_writer *w, const char *name) {
  for (size_t i = w->turns.count; i-- > 0;)
    if (w->turns.data[i].name == name) return &w->turns.data[i];
  return NULL;
}

bool hy_writer_declare(hy_writer *w, const hy_written_name *name) {
  if (!find_turn(w, name->text)) return true;
  hy_report(w->diagnostics, HY_E_SHADOWED, name->loc, "a name in scope may not be shadowed", "choose another name",
            "'%s' is the name of a 'for' around it", name->text);
  return false;
}

/* -- what is known -- */

static bool has_name(const char *const *names, size_t count, const char *name) {
  for (size_t i = count; i-- > 0;)
    if (names[i] == name) return true;
  return false;
}

static bool is_open(const hy_writer *w, const char *name) { return has_name(w->open.data, w->open.count, name); }

static bool is_known_name(const hy_writer *w, const char *name) {
  return is_open(w, name) || find_turn(w, name) || has_name(w->numbers.data, w->numbers.count, name) ||
         (w->number && w->number(w->self, name));
}

// Calls of helpers are known only where they are written out, and so are those of an argument, which may be a helper.
static bool may_be_known(const hy_writer *w, const hy_syntax *callee) {
  if (callee->kind != HY_SYNTAX_NAME || callee->in_parentheses) return false;
  if (is_open(w, callee->text)) return true;
  return hy_is_reserved_word(callee->text) || (w->is_open && w->is_helper && w->is_helper(w->self, callee->text));
}

static bool is_made_of_numbers(hy_syntax_kind kind) {
  return kind == HY_SYNTAX_INTEGER || kind == HY_SYNTAX_FLOAT || kind == HY_SYNTAX_BOOL || kind == HY_SYNTAX_OP ||
         kind == HY_SYNTAX_CALL || kind == HY_SYNTAX_CHOICE || kind == HY_SYNTAX_LET;
}

const hy_syntax *hy_writer_unknown(const hy_writer *w, const hy_syntax *syntax) {
  const hy_syntax *unknown = NULL;
  bool is_call = syntax->kind == HY_SYNTAX_CALL;
  if (syntax->kind == HY_SYNTAX_NAME) return is_known_name(w, syntax->text) ? NULL : syntax;
  if (!is_made_of_numbers(syntax->kind)) return syntax;
  if (is_call && !may_be_known(w, syntax->args[0]))
    return syntax->args[0]->kind == HY_SYNTAX_NAME ? syntax->args[0] : syntax;
  for (int i = is_call; i < syntax->count && !unknown; i++) unknown = hy_writer_unknown(w, syntax->args[i]);
  return unknown;
}

// Is there a name in it that only a call of the helper gives a number to?
static bool mentions_open(const hy_writer *w, const hy_syntax *syntax) {
  if (syntax->kind == HY_SYNTAX_NAME) return is_open(w, syntax->text);
  for (int i = 0; w->open.count && i < syntax->count; i++)
    if (mentions_open(w, syntax->args[i])) return true;
  return false;
}

void hy_writer_add_constant(hy_writer *w, const char *name, const hy_syntax *value) {
  if (!hy_writer_unknown(w, value)) hy_vec_push(&w->numbers, name);
  hy_vec_push(&w->constants, (hy_named){.name = name, .value = value});
}

/* -- numbers and conditions -- */

static const hy_var *no_var(void *self, const hy_syntax *path) {
  (void)self, (void)path;
  return NULL; // "unknown" says so
}

static const hy_func *no_func(void *self, const hy_syntax *name) {
  (void)self, (void)name;
  return NULL;
}

static const hy_named *constant_of(void *self, const hy_syntax *name) {
  const hy_writer *w = self;
  for (size_t i = 0; i < w->constants.count; i++)
    if (w->constants.data[i].name == name->text) return &w->constants.data[i];
  return NULL;
}

static const char *rule_of(const hy_writer *w) { return w->rule ? w->rule : "ALG.Expand.Family"; }

static bool unknown(void *self, const hy_syntax *name) {
  hy_writer *w = self;
  const char *quote = hy_syntax_quote(w->context, name);
  const char *known = w->known && name->kind == HY_SYNTAX_NAME ? w->known(w->self, name->text) : NULL;
  const char *instead = w->instead && name->kind == HY_SYNTAX_NAME ? w->instead(w->self, name->text) : NULL;
  hy_report(w->diagnostics, HY_E_NOT_CONSTANT, name->loc, rule_of(w),
            instead   ? instead
            : w->help ? w->help
                      : "use numbers, names of a 'for' around it, and constants above that mention no parameter; what "
                        "depends on more "
                        "is chosen at each point by select(c, a, b)",
            known ? "'%s' is %s, which no number in the text is" : "'%s' is no number that is known in the text", quote,
            known);
  return true;
}

// Of an expression without variables, as the literal evaluator has it: what is not selected is not evaluated.
static hy_value value_of(const hy_expr *expr) {
  hy_value args[HY_MAX_ARITY];
  if (expr->kind == HY_EXPR_CONST) return expr->value;
  HY_ASSERT(expr->kind == HY_EXPR_OP);
  args[0] = value_of(expr->args[0]);
  if (args[0].error) return hy_value_error(expr->type, args[0].error);
  if (expr->op == HY_OP_SELECT) return value_of(expr->args[hy_value_is_true(args[0]) ? 1 : 2]);
  if (expr->op == HY_OP_AND && !hy_value_is_true(args[0])) return args[0];
  if (expr->op == HY_OP_OR && hy_value_is_true(args[0])) return args[0];
  for (int i = 1; i < expr->count; i++) args[i] = value_of(expr->args[i]);
  return hy_value_apply(expr->op, expr->type, args);
}

static bool evaluate(hy_writer *w, const hy_syntax *syntax, const hy_type *type, hy_value *value) {
  hy_scope scope = {.self = w, .var = no_var, .func = no_func, .named = constant_of, .unknown = unknown};
  const hy_syntax *written = hy_write_out(w, syntax);
  const hy_expr *expr = written ? hy_elaborate(w->context, &scope, written, type, w->diagnostics) : NULL;
  if (expr) *value = value_of(expr);
  return expr != NULL;
}

bool hy_writer_any_value(hy_writer *w, const hy_syntax *syntax, hy_value *value) {
  return evaluate(w, syntax, NULL, value);
}

// False after a report: it errs, or has another type.
bool hy_writer_value(hy_writer *w, const hy_syntax *syntax, hy_type type, hy_value *value) {
  if (!evaluate(w, syntax, &type, value)) return false;
  if (!value->error) return true;
  hy_report(w->diagnostics, HY_E_NOT_CONSTANT, syntax->loc, rule_of(w),
            "a division by zero has none, nor what does not fit 64 bits", "'%s' has no value here",
            hy_syntax_quote(w->context, syntax));
  hy_syntax_note_use(w->context, w->diagnostics, hy_syntax_use(syntax));
  return false;
}

bool hy_writer_number(hy_writer *w, const hy_syntax *syntax, int64_t *value) {
  hy_value number;
  if (!hy_writer_value(w, syntax, HY_INT, &number)) return false;
  *value = number.i;
  return true;
}

bool hy_writer_condition(hy_writer *w, const hy_syntax *syntax, bool *value) {
  hy_value condition;
  if (!hy_writer_value(w, syntax, HY_BOOL, &condition)) return false;
  *value = hy_value_is_true(condition);
  return true;
}

static bool mentions_turn(const hy_writer *w, const hy_syntax *syntax) {
  if (syntax->kind == HY_SYNTAX_NAME) return find_turn(w, syntax->text) != NULL;
  for (int i = 0; i < syntax->count; i++)
    if (mentions_turn(w, syntax->args[i])) return true;
  return false;
}

// Loops of a hundred turns in each other are refused before any of their turns is made.
bool hy_writer_range(hy_writer *w, const hy_written_range *range, int64_t *first, int64_t *last, int *step,
                     size_t *all) {
  if (!hy_writer_number(w, range->first, first) || !hy_writer_number(w, range->last, last)) return false;
  *step = *last < *first ? -1 : 1;
  uint64_t turns = *step > 0 ? (uint64_t)*last - (uint64_t)*first : (uint64_t)*first - (uint64_t)*last;
  bool is_same = w->around && !mentions_turn(w, range->first) && !mentions_turn(w, range->last);
  *all = turns < HY_MAX_WRITTEN_OUT ? (size_t)turns + 1 : HY_MAX_WRITTEN_OUT + 1;
  if (!hy_writer_room(w, range->last->loc, *all)) return false;
  if (is_same) *all *= w->around;
  return *all <= HY_MAX_WRITTEN_OUT || hy_writer_room(w, range->last->loc, HY_MAX_WRITTEN_OUT + 1);
}

/* -- members -- */

static bool member_number(hy_writer *w, const hy_syntax *index, int64_t *number) {
  if (!hy_writer_number(w, index, number)) return false;
  if (*number >= 0) return true;
  hy_report(w->diagnostics, HY_E_FAMILY, index->loc, "ALG.Expand.Family",
            "where there is no member before the first, choose: if k == 0 then e else g[k - 1](x)",
            "members are numbered from 0, and '%s' is %" PRIi64, hy_syntax_quote(w->context, index), *number);
  hy_syntax_note_use(w->context, w->diagnostics, hy_syntax_use(index));
  return false;
}

const char *hy_writer_member(hy_writer *w, const char *family, const hy_syntax *const *indices, int count) {
  hy_text text = {0};
  int64_t number = 0;
  bool good = true;
  hy_text_add(&text, family);
  for (int i = 0; i < count && good; i++) {
    good = member_number(w, indices[i], &number);
    hy_text_printf(&text, "_%" PRIi64, number);
  }
  const char *name = good ? hy_context_name_of(w->context, hy_text_string(&text)) : NULL;
  hy_text_free(&text);
  return name;
}

/* -- expressions -- */

static const hy_syntax *copy_of(hy_writer *w, const hy_syntax *model, const hy_syntax *const *args) {
  hy_syntax *node = HY_NEW(hy_context_arena(w->context), hy_syntax);
  *node = *model;
  node->args = args;
  hy_syntax_sum_up(node);
  return node;
}

static const hy_syntax *leaf(hy_writer *w, const hy_syntax *at, hy_syntax_kind kind, const char *text) {
  hy_syntax *node = HY_NEW(hy_context_arena(w->context), hy_syntax);
  *node = (hy_syntax){.kind = kind,
                      .text = text,
                      .in_parentheses = at->in_parentheses,
                      .height = 1,
                      .offset = at->offset,
                      .loc = at->loc,
                      .place = at->place};
  return node;
}

const hy_syntax *hy_writer_literal(hy_writer *w, const hy_syntax *name, int64_t value) {
  bool is_negative = value < 0;
  uint64_t size = is_negative ? -(uint64_t)value : (uint64_t)value;
  const char *text = hy_context_name_of(w->context, hy_arena_printf(hy_context_arena(w->context), "%" PRIu64, size));
  hy_syntax *node = (hy_syntax *)leaf(w, name, HY_SYNTAX_INTEGER, text);
  node->is_negative = is_negative;
  return node;
}

static const hy_syntax *write_args(hy_writer *w, const hy_syntax *syntax);

// Leaves it to the calls of the helper, which give what the numbers among args [first, last) are made of.
static const hy_syntax *leave_open(hy_writer *w, const hy_syntax *syntax, int first, int last) {
  const hy_syntax *culprit = NULL;
  for (int i = first; i < last && !culprit; i++) culprit = hy_writer_unknown(w, syntax->args[i]);
  if (culprit) return unknown(w, culprit), NULL;
  return write_args(w, syntax);
}

static bool any_open(const hy_writer *w, const hy_syntax *syntax, int first, int last) {
  bool any = false;
  for (int i = first; i < last; i++) any |= mentions_open(w, syntax->args[i]);
  return any;
}

// ALG.Expand.Family: g[3] is the func g_3
static const hy_syntax *write_member(hy_writer *w, const hy_syntax *index) {
  if (any_open(w, index, 1, index->count)) return leave_open(w, index, 1, index->count);
  const char *name = hy_writer_member(w, index->args[0]->text, index->args + 1, index->count - 1);
  if (!name) return NULL;
  hy_syntax *node = (hy_syntax *)leaf(w, index, HY_SYNTAX_NAME, name);
  node->family = index->args[0]->text;
  return node;
}

static bool is_member(const hy_writer *w, const hy_syntax *syntax) {
  return syntax->kind == HY_SYNTAX_INDEX && syntax->args[0]->kind == HY_SYNTAX_NAME && syntax->count > 1 &&
         syntax->count <= HY_MAX_INDICES + 1 && !is_open(w, syntax->args[0]->text) &&
         (!w->is_family || w->is_family(w->self, syntax->args[0]->text));
}

// ALG.Expand.Number: f(x)[k + 1] is f(x)[2] where k is 1
static const hy_syntax *write_part(hy_writer *w, const hy_syntax *index) {
  int64_t part;
  const hy_syntax *written = write_args(w, index);
  const hy_syntax *number = written ? written->args[1] : NULL;
  if (!written || number->kind == HY_SYNTAX_INTEGER || mentions_open(w, number) || hy_writer_unknown(w, number))
    return written;
  if (!hy_writer_number(w, number, &part)) return NULL;
  hy_context_hit(w->context, HY_RULE_ALG_EXPAND_NUMBER);
  const hy_syntax **args = HY_NEW_ARRAY(hy_context_arena(w->context), const hy_syntax *, 2);
  args[0] = written->args[0];
  args[1] = hy_writer_literal(w, number, part);
  return copy_of(w, written, args);
}

// ALG.Expand.If: the other arm is not looked at
static const hy_syntax *write_choice(hy_writer *w, const hy_syntax *choice) {
  bool condition;
  if (mentions_open(w, choice->args[0])) return leave_open(w, choice, 0, 1);
  const char *help = w->help;
  if (!help)
    w->help =
        hy_arena_printf(hy_context_arena(w->context), "write select(%s, %s, %s): 'if' chooses in the text, once",
                        hy_syntax_quote(w->context, choice->args[0]), hy_syntax_quote(w->context, choice->args[1]),
                        hy_syntax_quote(w->context, choice->args[2]));
  bool known = hy_writer_condition(w, choice->args[0], &condition);
  w->help = help;
  if (!known) return NULL;
  hy_context_hit(w->context, HY_RULE_ALG_EXPAND_IF);
  return hy_write_out(w, choice->args[condition ? 1 : 2]);
}

bool hy_write_out_rdoms(hy_writer *w, const hy_written_rdom *rdoms, int count, const hy_written_rdom **out) {
  hy_written_rdom *copy = HY_NEW_ARRAY(hy_context_arena(w->context), hy_written_rdom, count);
  bool good = true;
  for (int i = 0; i < count; i++) {
    copy[i].name = rdoms[i].name;
    good &= hy_writer_declare(w, &rdoms[i].name);
    good &= (copy[i].min = hy_write_out(w, rdoms[i].min)) != NULL;
    good &= (copy[i].len = hy_write_out(w, rdoms[i].len)) != NULL;
  }
  *out = copy;
  return good;
}

bool hy_write_out_reduction(hy_writer *w, const hy_written_reduction *reduction, hy_written_reduction *out) {
  *out = *reduction;
  if (reduction->name.text && !hy_writer_declare(w, &reduction->name)) return false;
  bool good = hy_write_out_rdoms(w, reduction->rdoms, reduction->rdom_count, &out->rdoms);
  good &= (out->body = hy_write_out(w, reduction->body)) != NULL;
  if (reduction->predicate) good &= (out->predicate = hy_write_out(w, reduction->predicate)) != NULL;
  return good;
}

// Its args are those of parse_expr.c: the body, the predicate, the bounds.
static const hy_syntax *write_reduction(hy_writer *w, const hy_syntax *syntax) {
  hy_arena *arena = hy_context_arena(w->context);
  hy_written_reduction *reduction = HY_NEW(arena, hy_written_reduction);
  if (!hy_write_out_reduction(w, syntax->reduction, reduction)) return NULL;
  const hy_syntax **args = HY_NEW_ARRAY(arena, const hy_syntax *, syntax->count);
  int count = 0;
  args[count++] = reduction->body;
  if (reduction->predicate) args[count++] = reduction->predicate;
  for (int i = 0; i < reduction->rdom_count; i++) {
    args[count++] = reduction->rdoms[i].min;
    args[count++] = reduction->rdoms[i].len;
  }
  hy_syntax *node = (hy_syntax *)copy_of(w, syntax, args);
  node->reduction = reduction;
  return node;
}

static const hy_syntax *write_args(hy_writer *w, const hy_syntax *syntax) {
  bool good = true, same = true;
  const hy_syntax **args = HY_NEW_ARRAY(hy_context_arena(w->context), const hy_syntax *, syntax->count);
  for (int i = 0; i < syntax->count; i++) {
    args[i] = hy_write_out(w, syntax->args[i]);
    good &= args[i] != NULL;
    same &= args[i] == syntax->args[i];
  }
  return !good ? NULL : same ? syntax : copy_of(w, syntax, args);
}

const hy_syntax *hy_write_out(hy_writer *w, const hy_syntax *syntax) {
  if (!hy_writer_room(w, syntax->loc, w->turns.count != 0)) return NULL;
  if (syntax->is_written_out && !w->turns.count && !w->number) return syntax;
  if (syntax->kind == HY_SYNTAX_NAME) {
    const hy_syntax *number = w->number ? w->number(w->self, syntax->text) : NULL;
    if (number) return hy_syntax_at(w->context, *number, syntax, number->args, number->count);
    const hy_turn *turn = find_turn(w, syntax->text);
    return turn ? hy_writer_literal(w, syntax, turn->value) : syntax;
  }
  if (syntax->kind == HY_SYNTAX_CHOICE) return write_choice(w, syntax);
  if (syntax->kind == HY_SYNTAX_REDUCTION) return write_reduction(w, syntax);
  if (is_member(w, syntax)) return write_member(w, syntax);
  if (syntax->kind == HY_SYNTAX_INDEX && syntax->count == 2) return write_part(w, syntax);
  if (syntax->kind != HY_SYNTAX_LET) return write_args(w, syntax);
  if (!hy_writer_declare(w, &(hy_written_name){syntax->text, syntax->place})) return NULL;
  if (w->number) return hy_write_out(w, syntax->args[1]); // where it stands, its number does
  if (w->is_open) hy_vec_push(&w->open, syntax->text);
  const hy_syntax *written = write_args(w, syntax);
  if (w->is_open) w->open.count--;
  return written;
}
