/* Target programs: reads what print_tgt.c writes, in any layout.
 *
 *   program   = head [entry] {statement} "}"                    head: tgt_scope.c
 *   entry     = "entry" "{" {assume} "}"
 *   block     = "{" {statement} "}"
 *   statement = assume | constrain | allocate | assign | if | for | let | compute | label | "nop" ";"
 *   interval  = "(" expression "," expression ")"
 *   box       = "[" [interval {"," interval}] "]"
 *
 * Words are contextual: a statement that begins with a name and "(" is an assignment. What was read is then checked by
 * tgt_verify.c. A reader that returns NULL or false met a syntax error; a mistake of meaning is reported and reading
 * goes on with a stand-in, because nothing is returned to the caller once anything was reported.
 */

#include "semantics/tgt_internal.h"

#include <string.h>

typedef hy_tgt_reader reader;

typedef struct {
  const hy_stmt *stmt;
  hy_loc loc;
} place;

static const hy_stmt *read_statement(reader *r);

/* -- tables -- */

static bool same_loop(const void *a, const void *b) {
  return ((const hy_bound_loop *)a)->var == ((const hy_bound_loop *)b)->var;
}
static bool same_place(const void *a, const void *b) { return ((const place *)a)->stmt == ((const place *)b)->stmt; }
static uint64_t place_hash(const hy_stmt *stmt) { return hy_hash(3, (uint64_t)(uintptr_t)stmt); }

static const hy_stmt *at(reader *r, hy_loc loc, const hy_stmt *stmt) {
  place key = {stmt, loc};
  if (hy_intern_find(r->places, place_hash(stmt), &key)) return stmt;
  place *copy = HY_NEW(hy_context_arena(r->context), place);
  *copy = key;
  hy_intern_add(r->places, place_hash(stmt), copy);
  return stmt;
}

static hy_loc find_place(void *self, const hy_stmt *stmt) {
  const reader *r = self;
  place key = {stmt, {0}};
  const place *found = hy_intern_find(r->places, place_hash(stmt), &key);
  return found ? found->loc : r->alg->loc;
}

static const hy_bound_loop *find_loop(const reader *r, const hy_var *var) {
  return hy_intern_find(r->loops, hy_hash(2, var->id), &(hy_bound_loop){.var = var});
}

static void report_loop(reader *r, hy_code code, hy_loc loc, const char *help, const char *message, const hy_var *var) {
  hy_text name = {0};
  hy_var_print(var, &name);
  hy_report(r->diagnostics, code, loc, "lemma 6.1 (loop naming)", help, message, hy_text_string(&name));
  hy_text_free(&name);
}

// The stage label around this place, and the specialization of that func that it stands in.
static const hy_stmt *stage_label(const reader *r, int *spec) {
  const hy_stmt *stage = NULL;
  *spec = 0;
  for (size_t i = r->labels.count; i-- > 0;) {
    const hy_stmt *label = r->labels.data[i];
    if (!stage && label->label.what == HY_LABEL_STAGE) stage = label;
    if (!stage || label->label.func != stage->label.func) continue;
    if (label->label.what == HY_LABEL_SPEC) return *spec = label->label.number, stage;
  }
  return stage;
}

// A loop belongs to the stage that it stands in (lemma 6.1); what stands in no stage is tgt_verify.c's to say.
static bool fits_stage(reader *r, const hy_var *var, hy_loc loc) {
  int spec;
  const hy_stmt *stage = stage_label(r, &spec);
  if (!stage || !stage->label.func) return true;
  if (stage->label.func == var->func && stage->label.number == var->stage && spec == var->spec) return true;
  hy_text help = {0};
  hy_text_add(&help, "in this stage it is called ");
  hy_var_print(hy_var_loop(r->context, stage->label.func, spec, stage->label.number, var->name), &help);
  report_loop(r, HY_E_TGT_LOOP_NAME, loc, hy_text_string(&help), "the loop '%s' does not stand in its stage", var);
  hy_text_free(&help);
  return false;
}

// Opens the scope of a loop's name; every name is bound once. "var" is NULL if the name was reported.
static void bind(reader *r, const hy_var *var, hy_loc loc) {
  hy_vec_push(&r->scope, var);
  if (!var || !fits_stage(r, var, loc)) {
    r->scope.data[r->scope.count - 1] = NULL;
    r->misnamed++;
    return;
  }
  const hy_bound_loop *before = find_loop(r, var);
  if (!before) {
    hy_bound_loop *loop = HY_NEW(hy_context_arena(r->context), hy_bound_loop);
    *loop = (hy_bound_loop){var, loc};
    hy_intern_add(r->loops, hy_hash(2, var->id), loop);
    return;
  }
  report_loop(r, HY_E_TGT_LOOP_TWICE, loc,
              "func, specialization, stage and variable together name one loop; choose another variable",
              "'%s' is bound a second time", var);
  hy_note(r->diagnostics, HY_E_TGT_LOOP_TWICE, before->loc, "it is bound here first");
}

static void unbind(reader *r) {
  if (!hy_vec_pop(&r->scope)) r->misnamed--;
}

/* -- expressions -- */

static const hy_expr *stand_in(reader *r, hy_type type) { return hy_expr_const(r->context, hy_value_zero(type)); }

// An expression of that type.
static const hy_expr *read_expr(reader *r, hy_type type) {
  const hy_syntax *syntax = hy_parse_expression(&r->parser);
  if (!syntax) return NULL;
  const hy_expr *expr = hy_elaborate(r->context, &r->names, syntax, &type, r->diagnostics);
  return expr ? expr : stand_in(r, type);
}

static bool read_interval(reader *r, hy_interval *interval) {
  hy_parser *p = &r->parser;
  return hy_parser_expect(p, "(", "before an interval's minimum") && (interval->min = read_expr(r, HY_INT)) &&
         hy_parser_expect(p, ",", "after an interval's minimum") && (interval->len = read_expr(r, HY_INT)) &&
         hy_parser_expect(p, ")", "after an interval's length");
}

static void check_count(reader *r, const hy_func *func, int count, const char *what, hy_loc loc) {
  if (!func || count == func->rank) return;
  char *help =
      hy_arena_printf(hy_context_arena(r->context), "write one %s for each dimension of '%s'", what, func->name);
  hy_report(r->diagnostics, HY_E_TGT_ARITY, loc, "definition 4.5, arity", help,
            "'%s' has %d dimension%s, but %d %s%s %s given", func->name, func->rank, func->rank == 1 ? "" : "s", count,
            what, count == 1 ? "" : "s", count == 1 ? "is" : "are");
}

// func may be NULL (it was reported); box has room for HY_MAX_RANK.
static bool read_box(reader *r, const hy_func *func, hy_interval *box) {
  hy_parser *p = &r->parser;
  hy_loc loc = hy_parser_loc(p);
  int count = 0;
  for (int d = 0; d < HY_MAX_RANK; d++) box[d] = (hy_interval){stand_in(r, HY_INT), stand_in(r, HY_INT)};
  if (!hy_parser_expect(p, "[", "before the box, as in f[(0, 640), (0, 480)]")) return false;
  if (!hy_parser_accept(p, "]")) {
    do {
      hy_interval interval;
      if (!read_interval(r, &interval)) return false;
      if (count < HY_MAX_RANK) box[count] = interval;
      count++;
    } while (hy_parser_accept(p, ","));
    if (!hy_parser_expect(p, "]", "after the last interval, or ','")) return false;
  }
  check_count(r, func, count, "interval", loc);
  return true;
}

/* -- statements -- */

// Skips the statement that could not be read: past its ";", or past the block that ends it.
static void recover(reader *r) {
  hy_parser *p = &r->parser;
  for (int depth = 0; !hy_parser_at_end(p); p->next++) {
    if (hy_parser_at(p, "{")) depth++;
    if (hy_parser_at(p, "}") && depth == 0) return;
    bool closes = hy_parser_at(p, "}") && --depth == 0 && strcmp(hy_parser_peek(p, 1)->text, "else") != 0;
    if (closes || (depth == 0 && hy_parser_at(p, ";"))) {
      p->next++;
      return;
    }
  }
}

static const hy_stmt *sequence(reader *r, hy_loc loc, const hy_stmt *const *items, size_t count) {
  const hy_stmt *stmt = hy_stmt_seq(r->context, items, (int)count);
  return at(r, loc, stmt);
}

// {statement} up to the "}", which is left.
static const hy_stmt *read_statements(reader *r) {
  HY_VEC(const hy_stmt *) items = {0};
  hy_loc loc = hy_parser_loc(&r->parser);
  while (!hy_parser_at(&r->parser, "}") && !hy_parser_at_end(&r->parser) && !hy_parser_gave_up(&r->parser)) {
    const hy_stmt *stmt = read_statement(r);
    if (stmt)
      hy_vec_push(&items, stmt);
    else
      recover(r);
  }
  const hy_stmt *result = sequence(r, loc, items.data, items.count);
  hy_vec_free(&items);
  return result;
}

static const hy_stmt *read_block(reader *r) {
  if (r->nesting == HY_MAX_STATEMENT_NESTING) {
    hy_report(r->diagnostics, HY_E_TGT_NESTING, hy_parser_loc(&r->parser), NULL, NULL,
              "statements nest more than %d levels here", HY_MAX_STATEMENT_NESTING);
    return NULL;
  }
  if (!hy_parser_expect(&r->parser, "{", "before the statements of a block")) return NULL;
  r->nesting++;
  const hy_stmt *stmt = read_statements(r);
  r->nesting--;
  return hy_parser_expect(&r->parser, "}", "after the statements of a block") ? stmt : NULL;
}

// Among names: the position of the next word, which is then passed; -1 if it is none of them.
static int accept_word(reader *r, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (words[i] && hy_parser_accept(&r->parser, words[i])) return (int)i;
  return -1;
}

static bool read_subject(reader *r, const hy_func **subject) {
  hy_loc loc;
  const char *name = hy_parser_name(&r->parser, "a func or an image", &loc);
  if (!name) return false;
  *subject = hy_tgt_find(r, name);
  if (!*subject)
    hy_report(r->diagnostics, HY_E_TGT_UNKNOWN_FUNC, loc, NULL, "the subject is a func or an image",
              "the program declares no func or image '%s'", name);
  return true;
}

static const hy_stmt *finish_assume(reader *r, hy_loc loc, hy_assume_kind kind, const hy_func *subject) {
  hy_parser *p = &r->parser;
  if (!hy_parser_expect(p, ":", "before what is assumed")) return NULL;
  const hy_expr *condition = read_expr(r, HY_BOOL);
  if (!condition || !hy_parser_expect(p, ";", "after what is assumed")) return NULL;
  return at(r, loc, hy_stmt_assume(r->context, kind, subject, condition));
}

// assume = "assume" kind [ "(" func ")" ] ":" condition ";"
static const hy_stmt *read_assume(reader *r) {
  static const hy_assume_kind kinds[] = {HY_ASSUME_RDOM,  HY_ASSUME_FACTOR, HY_ASSUME_RANGE, HY_ASSUME_WINDOW,
                                         HY_ASSUME_IMAGE, HY_ASSUME_NEED,   HY_ASSUME_BOUND};
  const char *names[HY_COUNT(kinds)];
  hy_parser *p = &r->parser;
  hy_loc loc = hy_parser_loc(p);
  const hy_func *subject = NULL;
  for (size_t i = 0; i < HY_COUNT(kinds); i++) names[i] = hy_assume_name(kinds[i]);
  p->next++;
  int kind = accept_word(r, names, HY_COUNT(kinds));
  if (kind < 0) {
    hy_parser_unexpected(p, "the kind of assumption", "write rdom, factor, range, window, image, need or bound");
    return NULL;
  }
  if (hy_parser_accept(p, "(") && (!read_subject(r, &subject) || !hy_parser_expect(p, ")", "after the subject")))
    return NULL;
  return finish_assume(r, loc, kinds[kind], subject);
}

// constrain = "constrain" [ func ] ":" condition ";"
static const hy_stmt *read_constrain(reader *r) {
  hy_loc loc = hy_parser_loc(&r->parser);
  const hy_func *subject = NULL;
  r->parser.next++;
  if (!hy_parser_at(&r->parser, ":") && !read_subject(r, &subject)) return NULL;
  return finish_assume(r, loc, HY_ASSUME_CONSTRAIN, subject);
}

// allocate = "allocate" func box ";"
static const hy_stmt *read_allocate(reader *r) {
  hy_parser *p = &r->parser;
  hy_loc loc = hy_parser_loc(p);
  const hy_func *func;
  hy_interval box[HY_MAX_RANK];
  p->next++;
  if (!hy_tgt_read_func(r, "the func to allocate", &func) || !read_box(r, func, box) ||
      !hy_parser_expect(p, ";", "after the box"))
    return NULL;
  return at(r, loc, func ? hy_stmt_allocate(r->context, func, box) : hy_stmt_nop(r->context));
}

static const hy_stmt *make_assign(reader *r, const hy_func *func, hy_loc loc, const hy_expr *const *lhs,
                                  const hy_expr *rhs) {
  int spec;
  const hy_stmt *stage = stage_label(r, &spec);
  if (!stage || stage->label.func != func) {
    hy_report(r->diagnostics, HY_E_TGT_LABEL, loc, "section 6 (lowering labels every stage)",
              "the label says which stage this is: label f.s0: f(x) <- ...;",
              "this assignment to '%s' stands in no stage of '%s'", func->name, func->name);
    return hy_stmt_nop(r->context);
  }
  return at(r, loc, hy_stmt_assign(r->context, func, spec, stage->label.number, lhs, rhs));
}

// assign = func "(" [expression {"," expression}] ")" "<-" expression ";"
static const hy_stmt *read_assign(reader *r) {
  hy_parser *p = &r->parser;
  hy_loc loc = hy_parser_loc(p);
  const hy_func *func;
  const hy_expr *lhs[HY_MAX_RANK];
  int count = 0;
  if (!hy_tgt_read_func(r, "a func", &func) || !hy_parser_expect(p, "(", "before the coordinates")) return NULL;
  for (int d = 0; d < HY_MAX_RANK; d++) lhs[d] = stand_in(r, HY_INT);
  if (!hy_parser_accept(p, ")")) {
    do {
      const hy_expr *coordinate = read_expr(r, HY_INT);
      if (!coordinate) return NULL;
      if (count < HY_MAX_RANK) lhs[count] = coordinate;
      count++;
    } while (hy_parser_accept(p, ","));
    if (!hy_parser_expect(p, ")", "after the last coordinate, or ','")) return NULL;
  }
  check_count(r, func, count, "coordinate", loc);
  if (!hy_parser_accept_arrow(p)) {
    hy_parser_unexpected(p, "'<-' after the coordinates", "an assignment is f(x, y) <- e;");
    return NULL;
  }
  const hy_expr *rhs = read_expr(r, func ? func->type : HY_INT);
  if (!rhs || !hy_parser_expect(p, ";", "after the assignment")) return NULL;
  return func ? make_assign(r, func, loc, lhs, rhs) : hy_stmt_nop(r->context);
}

// if = "if" ["guard" | "specialize"] "(" condition ")" block ["else" (if | block)]
static const hy_stmt *read_if(reader *r) {
  static const char *const words[] = {[HY_IF_USER] = NULL, [HY_IF_GUARD] = "guard", [HY_IF_SPECIALIZE] = "specialize"};
  hy_parser *p = &r->parser;
  hy_loc loc = hy_parser_loc(p);
  p->next++;
  int why = accept_word(r, words, HY_COUNT(words));
  if (!hy_parser_expect(p, "(", why < 0 ? "after 'if' (or 'if guard', 'if specialize')" : "before the condition"))
    return NULL;
  const hy_expr *condition = read_expr(r, HY_BOOL);
  if (!condition || !hy_parser_expect(p, ")", "after the condition")) return NULL;
  const hy_stmt *then = read_block(r), *otherwise = NULL;
  if (!then) return NULL;
  if (hy_parser_accept(p, "else")) {
    bool chained = hy_parser_at(p, "if") && r->nesting < HY_MAX_STATEMENT_NESTING;
    r->nesting += chained;
    otherwise = chained ? read_if(r) : read_block(r);
    r->nesting -= chained;
    if (!otherwise) return NULL;
  }
  return at(r, loc, hy_stmt_if(r->context, why < 0 ? HY_IF_USER : (hy_if_kind)why, condition, then, otherwise));
}

// Is the next token this word, and not the beginning of a loop's name?
static bool accept_mark(reader *r, const char *word) {
  return strcmp(hy_parser_peek(&r->parser, 1)->text, ".") != 0 && hy_parser_accept(&r->parser, word);
}

// for = "for" ["rdom"] ["serial" | "parallel" | "vectorized" | "unrolled"] loop "in" interval block
static const hy_stmt *read_for(reader *r) {
  static const hy_traversal traversals[] = {HY_SERIAL, HY_PARALLEL, HY_VECTORIZED, HY_UNROLLED};
  hy_parser *p = &r->parser;
  hy_loc loc;
  const hy_var *var;
  hy_interval interval;
  hy_traversal traversal = HY_SERIAL;
  p->next++;
  bool is_pure = !accept_mark(r, "rdom");
  for (size_t i = 0; i < HY_COUNT(traversals); i++)
    if (accept_mark(r, hy_traversal_name(traversals[i]))) {
      traversal = traversals[i];
      break;
    }
  if (hy_parser_peek(p, 1)->kind == HY_TOKEN_NAME && strcmp(hy_parser_peek(p, 1)->text, "in") != 0) {
    hy_parser_unexpected(p, "a loop", "before its name stand rdom, parallel, vectorized or unrolled");
    return NULL;
  }
  if (!hy_tgt_read_loop(r, &var, &loc) || !hy_parser_expect(p, "in", "after the loop's name") ||
      !read_interval(r, &interval))
    return NULL;
  bind(r, var, loc);
  const hy_stmt *body = read_block(r);
  unbind(r);
  if (!body) return NULL;
  return at(r, loc, var ? hy_stmt_for(r->context, var, is_pure, traversal, interval, body) : body);
}

static bool read_bound_loop(reader *r, const hy_var **var) {
  hy_loc loc;
  if (!hy_tgt_read_loop(r, var, &loc)) return false;
  if (*var && !hy_tgt_in_scope(r, *var)) hy_tgt_report_unbound(r, *var, loc);
  return true;
}

static bool read_split(reader *r, hy_origin *origin) {
  static const hy_tail tails[] = {HY_TAIL_GUARD, HY_TAIL_ROUND, HY_TAIL_SHIFT};
  const char *names[HY_COUNT(tails)];
  for (size_t i = 0; i < HY_COUNT(tails); i++) names[i] = hy_tail_name(tails[i]);
  int tail = accept_word(r, names, HY_COUNT(tails));
  if (tail < 0) {
    hy_parser_unexpected(&r->parser, "a tail after 'split'", "write guard, round or shift");
    return false;
  }
  origin->kind = HY_ORIGIN_SPLIT;
  origin->tail = tails[tail];
  return hy_parser_expect(&r->parser, "(", "after the tail") && read_bound_loop(r, &origin->outer) &&
         hy_parser_expect(&r->parser, ",", "after the outer loop") && read_bound_loop(r, &origin->inner);
}

static bool read_fuse(reader *r, hy_origin *origin) {
  static const char *const words[] = {"outer", "inner"};
  int which = accept_word(r, words, HY_COUNT(words));
  if (which < 0) {
    hy_parser_unexpected(&r->parser, "'outer' or 'inner' after 'fuse'", "a fused loop becomes two variables");
    return false;
  }
  origin->kind = which ? HY_ORIGIN_FUSE_INNER : HY_ORIGIN_FUSE_OUTER;
  return hy_parser_expect(&r->parser, "(", "before the fused loop") && read_bound_loop(r, &origin->outer);
}

// origin = "by" ("split" tail "(" loop "," loop | "fuse" ("outer" | "inner") "(" loop) "," factor "," interval ")"
static bool read_origin(reader *r, hy_origin *origin) {
  hy_parser *p = &r->parser;
  if (!hy_parser_accept(p, "by")) return true;
  if (hy_parser_accept(p, "split")) {
    if (!read_split(r, origin)) return false;
  } else if (hy_parser_accept(p, "fuse")) {
    if (!read_fuse(r, origin)) return false;
  } else {
    hy_parser_unexpected(p, "'split' or 'fuse' after 'by'", "an origin says which directive made the let");
    return false;
  }
  return hy_parser_expect(p, ",", "before the factor") && (origin->factor = read_expr(r, HY_INT)) &&
         hy_parser_expect(p, ",", "after the factor") && read_interval(r, &origin->range) &&
         hy_parser_expect(p, ")", "after the interval that was replaced");
}

// let = "let" loop "=" expression [origin] "in" block
static const hy_stmt *read_let(reader *r) {
  hy_parser *p = &r->parser;
  hy_loc loc;
  const hy_var *var;
  const hy_expr *value;
  hy_origin origin = {0};
  p->next++;
  if (!hy_tgt_read_loop(r, &var, &loc) || !hy_parser_expect(p, "=", "after the variable") ||
      !(value = read_expr(r, HY_INT)) || !read_origin(r, &origin) ||
      !hy_parser_expect(p, "in", "after the let's value"))
    return NULL;
  bind(r, var, loc);
  const hy_stmt *body = read_block(r);
  unbind(r);
  if (!body) return NULL;
  return at(r, loc, var ? hy_stmt_let(r->context, var, value, origin, body) : body);
}

// compute = "compute" func "on" box block
static const hy_stmt *read_compute(reader *r) {
  hy_parser *p = &r->parser;
  hy_loc loc = hy_parser_loc(p);
  const hy_func *func;
  hy_interval box[HY_MAX_RANK];
  p->next++;
  if (!hy_tgt_read_func(r, "the func to compute", &func) || !hy_parser_expect(p, "on", "after the func's name") ||
      !read_box(r, func, box))
    return NULL;
  const hy_stmt *body = read_block(r);
  if (!body) return NULL;
  return at(r, loc, func ? hy_stmt_compute(r->context, func, box, body) : body);
}

// ".z2" or ".s1" behind a label's func
static bool read_label_number(reader *r, hy_stmt *label) {
  hy_loc loc;
  const char *word = hy_parser_name(&r->parser, "'s' or 'z' and a number after '.'", &loc);
  if (!word) return false;
  int spec = hy_tgt_number(word, 'z'), stage = hy_tgt_number(word, 's');
  label->label.what = spec >= 0 ? HY_LABEL_SPEC : HY_LABEL_STAGE;
  label->label.number = spec >= 0 ? spec : stage >= 0 ? stage : 0;
  if (spec < 0 && stage < 0)
    hy_report(r->diagnostics, HY_E_TGT_LABEL, loc, "section 6 (labels)",
              "labels are label f:, label f.z1: (a specialization) and label f.s0: (a stage)",
              "'%s' numbers neither a stage nor a specialization", word);
  return true;
}

// label = "label" func [".z" number | ".s" number] ":" (statement | block)
static const hy_stmt *read_label(reader *r) {
  hy_parser *p = &r->parser;
  hy_loc loc = hy_parser_loc(p);
  const hy_func *func;
  hy_stmt *label = HY_NEW(hy_context_arena(r->context), hy_stmt);
  label->kind = HY_STMT_LABEL;
  p->next++;
  if (!hy_tgt_read_func(r, "the label's func", &func)) return NULL;
  label->label.func = func;
  if (hy_parser_accept(p, ".") && !read_label_number(r, label)) return NULL;
  if (!hy_parser_expect(p, ":", "after the label")) return NULL;
  if (r->nesting == HY_MAX_STATEMENT_NESTING) return read_block(r); // reports
  hy_vec_push(&r->labels, label);
  r->nesting++;
  const hy_stmt *body = hy_parser_at(p, "{") ? read_block(r) : read_statement(r);
  r->nesting--;
  r->labels.count--;
  if (!body) return NULL;
  if (!func) return body;
  return at(r, loc, hy_stmt_label(r->context, label->label.what, func, label->label.number, body));
}

static const hy_stmt *read_nop(reader *r) {
  hy_loc loc = hy_parser_loc(&r->parser);
  r->parser.next++;
  return hy_parser_expect(&r->parser, ";", "after 'nop'") ? at(r, loc, hy_stmt_nop(r->context)) : NULL;
}

static const hy_stmt *read_statement(reader *r) {
  static const struct {
    const char *word;
    const hy_stmt *(*read)(reader *r);
  } table[] = {
      {"assume", read_assume}, {"allocate", read_allocate}, {"if", read_if},
      {"for", read_for},       {"let", read_let},           {"compute", read_compute},
      {"label", read_label},   {"nop", read_nop},           {"constrain", read_constrain},
  };
  hy_parser *p = &r->parser;
  bool assign = hy_parser_peek(p, 0)->kind == HY_TOKEN_NAME && strcmp(hy_parser_peek(p, 1)->text, "(") == 0;
  if (assign && !hy_parser_at(p, "if")) return read_assign(r);
  for (size_t i = 0; i < HY_COUNT(table); i++)
    if (hy_parser_at(p, table[i].word)) return table[i].read(r);
  hy_parser_unexpected(
      p, "a statement",
      "statements are assume, constrain, allocate, compute, label, for, let, if, nop and f(x, y) <- ...");
  return NULL;
}

/* -- programs -- */

static const hy_stmt **read_entry(reader *r, int *count) {
  HY_VEC(const hy_stmt *) items = {0};
  hy_parser *p = &r->parser;
  *count = 0;
  if (!hy_parser_at(p, "entry") || strcmp(hy_parser_peek(p, 1)->text, "{") != 0) return NULL;
  p->next += 2;
  while (!hy_parser_at(p, "}") && !hy_parser_at_end(p) && !hy_parser_gave_up(p)) {
    const hy_stmt *stmt = NULL;
    if (hy_parser_at(p, "assume"))
      stmt = read_assume(r);
    else
      hy_parser_unexpected(p, "'assume' or '}'", "the entry block holds the checks at startup only");
    if (stmt)
      hy_vec_push(&items, stmt);
    else
      recover(r);
  }
  hy_parser_expect(p, "}", "after the checks at startup");
  const hy_stmt **copy = HY_NEW_ARRAY(hy_context_arena(r->context), const hy_stmt *, items.count);
  if (items.count) memcpy(copy, items.data, sizeof *copy * items.count);
  *count = (int)items.count;
  hy_vec_free(&items);
  return copy;
}

// Holes speak of loops that are somewhere in the program, not only around them.
static void check_hole_loops(reader *r) {
  if (hy_parser_failed(&r->parser)) return; // a loop may be missing for another reason
  for (size_t i = 0; i < r->hole_loops.count; i++) {
    if (find_loop(r, r->hole_loops.data[i].var)) continue;
    report_loop(r, HY_E_TGT_HOLE, r->hole_loops.data[i].loc, "a loop hole names a for, or the let that took its place",
                "no loop of this program is called '%s'", r->hole_loops.data[i].var);
  }
}

#define COPY(r, vec)                                                                                                   \
  memcpy(hy_arena_allocate(hy_context_arena((r)->context), sizeof *(vec).data *((vec).count + 1)),                     \
         (vec).count ? (const void *)(vec).data : "", sizeof *(vec).data *(vec).count)

static void finish_signature(reader *r) {
  r->alg->params = COPY(r, r->params);
  r->alg->param_count = (int)r->params.count;
  r->alg->images = COPY(r, r->images);
  r->alg->image_count = (int)r->images.count;
  r->alg->signature = COPY(r, r->signature);
}

static const hy_tgt *read_program(reader *r) {
  hy_tgt *tgt = HY_NEW(hy_context_arena(r->context), hy_tgt);
  if (!hy_tgt_read_head(r)) return NULL;
  finish_signature(r);
  tgt->entry = read_entry(r, &tgt->entry_count);
  tgt->body = read_statements(r);
  if (!hy_parser_gave_up(&r->parser) && hy_parser_expect(&r->parser, "}", "after the last statement") &&
      !hy_parser_at_end(&r->parser))
    hy_parser_unexpected(&r->parser, "the end of the file", "a file holds one target program");
  check_hole_loops(r);
  if (hy_parser_failed(&r->parser)) return NULL;
  tgt->alg = r->alg;
  tgt->funcs = COPY(r, r->funcs);
  tgt->func_count = (int)r->funcs.count;
  tgt->stage_counts = COPY(r, r->stage_counts);
  hy_tgt_check check = {r->context, tgt, r->diagnostics, find_place, r};
  return hy_tgt_verify_placed(&check) ? tgt : NULL;
}

const hy_tgt *hy_parse_tgt(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics) {
  reader r = {.context = context, .diagnostics = diagnostics, .alg = HY_NEW(hy_context_arena(context), hy_alg)};
  hy_parser_open(&r.parser, context, source, diagnostics);
  r.parser.holes = true;
  r.loops = hy_intern_new(same_loop);
  r.places = hy_intern_new(same_place);
  hy_tgt_open_names(&r);
  const hy_tgt *tgt = read_program(&r);
  if (hy_parser_failed(&r.parser)) tgt = NULL;
  hy_parser_close(&r.parser);
  hy_intern_free(r.loops);
  hy_intern_free(r.places);
  hy_vec_free(&r.params);
  hy_vec_free(&r.images);
  hy_vec_free(&r.signature);
  hy_vec_free(&r.funcs);
  hy_vec_free(&r.stage_counts);
  hy_vec_free(&r.scope);
  hy_vec_free(&r.labels);
  hy_vec_free(&r.hole_loops);
  return tgt;
}
