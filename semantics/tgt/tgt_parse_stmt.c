/* Target programs: one reader for each kind of statement.
 *
 *   statement = assume | constrain | allocate | assign | if | for | let | compute | label | "nop" ";"
 *
 * Words are contextual: a statement that begins with a name and "(" is an assignment. A statement's place is taken
 * before its body is read, so that it holds the accesses of its own expressions only.
 */

#include "semantics/tgt/tgt_internal.h"

#include <string.h>

typedef hy_tgt_reader reader;

// For a statement without a body.
static const hy_stmt *place(reader *r, hy_loc loc, const hy_stmt *stmt) {
  return hy_stmt_placed(r->context, stmt, hy_tgt_take_place(r, loc));
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
  const hy_expr *condition = hy_tgt_read_expr(r, HY_BOOL);
  if (!condition || !hy_parser_expect(p, ";", "after what is assumed")) return NULL;
  return place(r, loc, hy_stmt_assume(r->context, kind, subject, condition));
}

// assume = "assume" kind [ "(" func ")" ] ":" condition ";"
const hy_stmt *hy_tgt_read_assume(reader *r) {
  static const hy_assume_kind kinds[] = {HY_ASSUME_RDOM,    HY_ASSUME_FACTOR, HY_ASSUME_RANGE,    HY_ASSUME_PARAM,
                                         HY_ASSUME_REQUIRE, HY_ASSUME_WINDOW, HY_ASSUME_IMAGE,    HY_ASSUME_NEED,
                                         HY_ASSUME_BOUND,   HY_ASSUME_LENGTH, HY_ASSUME_UNDECIDED};
  const char *names[HY_COUNT(kinds)];
  hy_parser *p = &r->parser;
  hy_loc loc = hy_parser_loc(p);
  const hy_func *subject = NULL;
  for (size_t i = 0; i < HY_COUNT(kinds); i++) names[i] = hy_assume_name(kinds[i]);
  p->next++;
  int kind = hy_tgt_accept_word(r, names, HY_COUNT(kinds));
  if (kind < 0) {
    hy_parser_unexpected(
        p, "the kind of assumption",
        "write rdom, factor, range, parameter, require, window, image, need, bound, length or undecided");
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

// allocate = "allocate" func box plan ";"
static const hy_stmt *read_allocate(reader *r) {
  hy_parser *p = &r->parser;
  hy_loc loc = hy_parser_loc(p);
  const hy_func *func;
  hy_interval box[HY_MAX_RANK];
  hy_plan plan;
  p->next++;
  if (!hy_tgt_read_func(r, "the func to allocate", &func) || !hy_tgt_read_box(r, func, box) ||
      !hy_tgt_read_plan(r, func, &plan) || !hy_parser_expect(p, ";", "after the box and the storage plan"))
    return NULL;
  return place(r, loc, func ? hy_stmt_allocate_as(r->context, func, box, &plan) : hy_stmt_nop(r->context));
}

static const hy_stmt *make_assign(reader *r, const hy_func *func, hy_loc loc, const hy_expr *const *lhs,
                                  const hy_expr *rhs) {
  int spec;
  const hy_stmt *stage = hy_tgt_stage_label(r, &spec);
  if (!stage || stage->label.func != func) {
    hy_report(r->diagnostics, HY_E_TGT_LABEL, loc, "section 6 (lowering labels every stage)",
              "the label says which stage this is: label f.s0: f(x) <- ...;",
              "this assignment to '%s' stands in no stage of '%s'", func->name, func->name);
    return hy_stmt_nop(r->context);
  }
  return place(r, loc, hy_stmt_assign(r->context, func, spec, stage->label.number, lhs, rhs));
}

// assign = func "(" [expression {"," expression}] ")" "<-" expression ";"
static const hy_stmt *read_assign(reader *r) {
  hy_parser *p = &r->parser;
  hy_loc loc = hy_parser_loc(p);
  const hy_func *func;
  const hy_expr *lhs[HY_MAX_RANK];
  int count = 0;
  if (!hy_tgt_read_func(r, "a func", &func) || !hy_parser_expect(p, "(", "before the coordinates")) return NULL;
  for (int d = 0; d < HY_MAX_RANK; d++) lhs[d] = hy_tgt_stand_in(r, HY_INT);
  if (!hy_parser_accept(p, ")")) {
    do {
      const hy_expr *coordinate = hy_tgt_read_expr(r, HY_INT);
      if (!coordinate) return NULL;
      if (count < HY_MAX_RANK) lhs[count] = coordinate;
      count++;
    } while (hy_parser_accept(p, ","));
    if (!hy_parser_expect(p, ")", "after the last coordinate, or ','")) return NULL;
  }
  hy_tgt_check_count(r, func, count, "coordinate", loc);
  if (!hy_parser_accept_arrow(p)) {
    hy_parser_unexpected(p, "'<-' after the coordinates", "an assignment is f(x, y) <- e;");
    return NULL;
  }
  const hy_expr *rhs = func ? hy_tgt_read_values(r, func) : hy_tgt_read_expr(r, HY_INT);
  if (!rhs || !hy_parser_expect(p, ";", "after the assignment")) return NULL;
  return func ? make_assign(r, func, loc, lhs, rhs) : hy_stmt_nop(r->context);
}

// if = "if" ["guard" | "implied" | "specialize"] "(" condition ")" block ["else" (if | block)]
static const hy_stmt *read_if(reader *r) {
  static const char *const words[] = {
      [HY_IF_USER] = NULL, [HY_IF_GUARD] = "guard", [HY_IF_IMPLIED] = "implied", [HY_IF_SPECIALIZE] = "specialize"};
  hy_parser *p = &r->parser;
  hy_loc loc = hy_parser_loc(p);
  p->next++;
  int why = hy_tgt_accept_word(r, words, HY_COUNT(words));
  if (!hy_parser_expect(p, "(", why < 0 ? "after 'if' (or 'if guard', 'if specialize')" : "before the condition"))
    return NULL;
  const hy_expr *condition = hy_tgt_read_expr(r, HY_BOOL);
  if (!condition || !hy_parser_expect(p, ")", "after the condition")) return NULL;
  const hy_stmt_place *place = hy_tgt_take_place(r, loc);
  const hy_stmt *then = hy_tgt_read_block(r), *otherwise = NULL;
  if (!then) return NULL;
  if (hy_parser_accept(p, "else")) {
    bool chained = hy_parser_at(p, "if") && r->nesting < HY_MAX_STATEMENT_NESTING;
    r->nesting += chained;
    otherwise = chained ? read_if(r) : hy_tgt_read_block(r);
    r->nesting -= chained;
    if (!otherwise) return NULL;
  }
  hy_if_kind kind = why < 0 ? HY_IF_USER : (hy_if_kind)why;
  return hy_stmt_placed(r->context, hy_stmt_if(r->context, kind, condition, then, otherwise), place);
}

// Is the next token this word, and not the beginning of a loop's name?
static bool accept_mark(reader *r, const char *word) {
  return strcmp(hy_parser_peek(&r->parser, 1)->text, ".") != 0 && hy_parser_accept(&r->parser, word);
}

// Which loop it is a piece of; that there is one is WF.Piece's to say.
static bool read_piece(reader *r, const hy_var **of, hy_interval *whole) {
  hy_loc loc;
  return hy_tgt_read_loop(r, of, &loc) && hy_tgt_read_interval(r, whole);
}

static const hy_stmt *make_for(reader *r, hy_stmt loop, const hy_var *of, hy_interval whole) {
  if (!loop.loop.var) return loop.loop.body; // it was reported
  const hy_stmt *stmt = hy_stmt_for(r->context, loop.loop.var, loop.loop.is_pure, loop.loop.traversal,
                                    loop.loop.interval, loop.loop.body);
  return of ? hy_stmt_piece(r->context, stmt, of, whole) : stmt;
}

// for = "for" ["rdom"] ["serial" | "parallel" | "vectorized" | "unrolled"] loop "in" interval ["of" loop interval]
// block
static const hy_stmt *read_for(reader *r) {
  static const hy_traversal traversals[] = {HY_SERIAL, HY_PARALLEL, HY_VECTORIZED, HY_UNROLLED};
  hy_parser *p = &r->parser;
  hy_loc loc;
  const hy_var *var, *of = NULL;
  hy_interval interval, whole = {0};
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
      !hy_tgt_read_interval(r, &interval) || (hy_parser_accept(p, "of") && !read_piece(r, &of, &whole)))
    return NULL;
  const hy_stmt_place *place = hy_tgt_take_place(r, loc);
  hy_tgt_bind(r, var, loc);
  const hy_stmt *body = hy_tgt_read_block(r);
  hy_tgt_unbind(r);
  if (!body) return NULL;
  hy_stmt loop = {.kind = HY_STMT_FOR, .loop = {var, is_pure, traversal, interval, body, NULL}};
  return hy_stmt_placed(r->context, make_for(r, loop, of, whole), place);
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
      !(value = hy_tgt_read_expr(r, HY_INT)) || !hy_tgt_read_origin(r, var, &origin) ||
      !hy_parser_expect(p, "in", "after the let's value"))
    return NULL;
  const hy_stmt_place *place = hy_tgt_take_place(r, loc);
  hy_tgt_bind(r, var, loc);
  const hy_stmt *body = hy_tgt_read_block(r);
  hy_tgt_unbind(r);
  if (!body) return NULL;
  return hy_stmt_placed(r->context, var ? hy_stmt_let(r->context, var, value, origin, body) : body, place);
}

// The loop of which a computation keeps what the iteration before left; it is around this place.
static bool read_kept(reader *r, const hy_var **keep) {
  hy_loc loc;
  if (!hy_tgt_read_loop(r, keep, &loc)) return false;
  if (*keep && !hy_tgt_in_scope(r, *keep)) hy_tgt_report_unbound(r, *keep, loc);
  return true;
}

// compute = "compute" func "on" box ["keeping" loop] block
static const hy_stmt *read_compute(reader *r) {
  hy_parser *p = &r->parser;
  hy_loc loc = hy_parser_loc(p);
  const hy_func *func;
  hy_interval box[HY_MAX_RANK];
  const hy_var *keep = NULL;
  p->next++;
  if (!hy_tgt_read_func(r, "the func to compute", &func) || !hy_parser_expect(p, "on", "after the func's name") ||
      !hy_tgt_read_box(r, func, box) || (hy_parser_accept(p, "keeping") && !read_kept(r, &keep)))
    return NULL;
  const hy_stmt_place *place = hy_tgt_take_place(r, loc);
  const hy_stmt *body = hy_tgt_read_block(r);
  if (!body) return NULL;
  return hy_stmt_placed(r->context, func ? hy_stmt_compute_keeping(r->context, func, box, keep, body) : body, place);
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
  if (r->nesting == HY_MAX_STATEMENT_NESTING) return hy_tgt_read_block(r); // reports
  const hy_stmt_place *place = hy_tgt_take_place(r, loc);
  hy_vec_push(&r->labels, label);
  r->nesting++;
  const hy_stmt *body = hy_parser_at(p, "{") ? hy_tgt_read_block(r) : hy_tgt_read_statement(r);
  r->nesting--;
  r->labels.count--;
  if (!body) return NULL;
  if (!func) return body;
  const hy_stmt *stmt = hy_stmt_label(r->context, label->label.what, func, label->label.number, body);
  return hy_stmt_placed(r->context, stmt, place);
}

static const hy_stmt *read_nop(reader *r) {
  hy_loc loc = hy_parser_loc(&r->parser);
  r->parser.next++;
  return hy_parser_expect(&r->parser, ";", "after 'nop'") ? place(r, loc, hy_stmt_nop(r->context)) : NULL;
}

const hy_stmt *hy_tgt_read_statement(reader *r) {
  static const struct {
    const char *word;
    const hy_stmt *(*read)(reader *r);
  } table[] = {
      {"assume", hy_tgt_read_assume},
      {"allocate", read_allocate},
      {"if", read_if},
      {"for", read_for},
      {"let", read_let},
      {"compute", read_compute},
      {"label", read_label},
      {"nop", read_nop},
      {"constrain", read_constrain},
  };
  hy_parser *p = &r->parser;
  r->sites.count = 0;
  bool assign = hy_parser_peek(p, 0)->kind == HY_TOKEN_NAME && strcmp(hy_parser_peek(p, 1)->text, "(") == 0;
  if (assign && !hy_parser_at(p, "if")) return read_assign(r);
  for (size_t i = 0; i < HY_COUNT(table); i++)
    if (hy_parser_at(p, table[i].word)) return table[i].read(r);
  hy_parser_unexpected(
      p, "a statement",
      "statements are assume, constrain, allocate, compute, label, for, let, if, nop and f(x, y) <- ...");
  return NULL;
}
