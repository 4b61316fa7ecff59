/* Schedules as written; what directives mean is sched/'s business.
 *
 *   file     = schedule {schedule}
 *   schedule = "schedule" name "for" name "{" ["default" "inline" ";"] {item} "}"
 *   item     = (call | name [indices] "." call {"." call}) ";"
 *            | range block                                          range, indices: text/parse_family.c
 *            | "if" expression block ["else" block]
 *   block    = item | "{" {item} "}"
 *   call     = name "(" [expression {"," expression}] ")"
 */

#include "semantics/schedule/directive.h"
#include "semantics/text/parts.h"
#include "semantics/text/syntax_internal.h"

#include <string.h>

static const char item_help[] = "a directive is split(h.x, xo, xi, 8); or in Halide's spelling h.split(x, xo, xi, 8);";

typedef HY_VEC(hy_call) calls;

// A "for" is read once for each of its turns: "writer" knows the numbers of those around. Of an "if" the arm that is not
// taken is read all the same, and means nothing: no number in it is asked for.
typedef struct {
  hy_parser *parser;
  hy_writer writer;
  size_t calls; // directives so far
  bool is_full;
  bool is_left_out; // what is read now
  bool is_refused;  // an "if" of this item asks for what is not known: the rest of the item is left out
  HY_VEC(hy_schedule_item) items;
} reader;
typedef HY_VEC(const hy_schedule *) schedules;

static void *keep(hy_parser *parser, const void *data, size_t count, size_t size) {
  void *copy = hy_arena_allocate(hy_context_arena(parser->context), count * size);
  if (count) memcpy(copy, data, count * size);
  return copy;
}

static bool set_arguments(reader *r, hy_call *call, const hy_syntaxes *list) {
  hy_argument *args = HY_NEW_ARRAY(hy_context_arena(r->parser->context), hy_argument, list->count);
  for (size_t i = 0; i < list->count; i++) {
    const hy_syntax *syntax = r->is_left_out ? list->data[i] : hy_write_out(&r->writer, list->data[i]);
    if (!syntax) return false;
    args[i].loc = hy_syntax_loc(syntax);
    args[i].syntax = syntax;
    args[i].path_count = hy_syntax_path(syntax, args[i].path, HY_COUNT(args[i].path));
  }
  call->args = args;
  call->count = (int)list->count;
  return true;
}

static bool parse_call(reader *r, hy_call *call) {
  hy_parser *parser = r->parser;
  *call = (hy_call){0};
  call->name = hy_parser_name(parser, "a directive", &call->loc);
  if (!call->name || !hy_parser_expect(parser, "(", "after the directive's name")) return false;
  hy_syntaxes list = {0};
  bool good = hy_parse_arguments(parser, ")", &list) && set_arguments(r, call, &list);
  hy_vec_free(&list);
  return good;
}

static bool parse_calls(reader *r, hy_schedule_item *item) {
  hy_parser *parser = r->parser;
  calls list = {0};
  bool good = true;
  do {
    hy_call call;
    good = hy_parser_room(parser, list.count, HY_MAX_DIRECTIVES, "directives in a chain") && parse_call(r, &call);
    if (good) hy_vec_push(&list, call);
  } while (good && item->func && hy_parser_accept(parser, "."));
  item->calls = keep(parser, list.data, list.count, sizeof *list.data);
  item->count = (int)list.count;
  hy_vec_free(&list);
  return good;
}

static bool stands_next(const hy_parser *parser, const char *text) {
  return strcmp(hy_parser_peek(parser, 1)->text, text) == 0;
}

// "f." or "g[3].", up to and with the point
static bool parse_chain_func(reader *r, hy_schedule_item *item) {
  hy_parser *parser = r->parser;
  item->func = hy_parser_name(parser, "a func", NULL);
  if (hy_parser_at(parser, "[")) {
    const hy_syntax *const *indices;
    int count;
    if (!hy_parse_indices(parser, &indices, &count)) return false;
    if (!r->is_left_out && !(item->func = hy_writer_member(&r->writer, item->func, indices, count))) return false;
  }
  if (!hy_parser_expect(parser, ".", "after the func of a chain")) return false;
  if (hy_parser_peek(parser, 0)->kind != HY_TOKEN_NAME || !stands_next(parser, ".")) return true;
  parser->next++;
  hy_parser_unexpected(parser, "'(' after the directive's name",
                       "a chain begins with a func: h.update(0).split(x, xo, xi, 8); loops stand in the arguments");
  return false;
}

// "schedule fast for P {" where the directives of one schedule are meant: by a call, for a file cannot have it there
static bool begins_schedule(const hy_parser *parser) {
  return hy_parser_at(parser, "schedule") && hy_parser_peek(parser, 1)->kind == HY_TOKEN_NAME &&
         strcmp(hy_parser_peek(parser, 2)->text, "for") == 0;
}

static bool parse_directive(reader *r, hy_schedule_item *item) {
  hy_parser *parser = r->parser;
  *item = (hy_schedule_item){.loc = hy_parser_loc(parser)};
  if (hy_parser_peek(parser, 0)->kind != HY_TOKEN_NAME) {
    hy_parser_unexpected(parser, "a directive", hy_parser_at(parser, ";") ? "leave this ';' out" : item_help);
    return false;
  }
  if (stands_next(parser, ".") || stands_next(parser, "[")) {
    if (!parse_chain_func(r, item)) return false;
  } else if (!stands_next(parser, "(")) {
    bool is_whole = begins_schedule(parser);
    parser->next++;
    hy_parser_unexpected(parser, "'(' or '.'",
                         is_whole ? "a schedule begins where the one before it has its '}'; a call that takes the "
                                    "directives of one takes what stands between its braces: of a whole file "
                                    "halyard_schedule_file reads the text, from Python parse_schedule"
                                  : item_help);
    return false;
  }
  return parse_calls(r, item) && hy_parser_expect(parser, ";", "after the directive");
}

static bool at_default(const hy_parser *parser) {
  return hy_parser_at(parser, "default") && hy_parser_peek(parser, 1)->kind == HY_TOKEN_NAME;
}

static bool parse_default(hy_parser *parser, hy_schedule *schedule) {
  if (!at_default(parser)) return true;
  parser->next++;
  schedule->default_inline = true;
  return hy_parser_expect(parser, "inline", "after 'default'") &&
         hy_parser_expect(parser, ";", "after 'default inline'");
}

static bool parse_item(reader *r);

// Items in braces, or one item. False after a report: a "for" around ends.
static bool parse_block(reader *r, const char *after) {
  hy_parser *parser = r->parser;
  if (!hy_parser_accept(parser, "{")) return parse_item(r);
  while (!hy_parser_at(parser, "}") && !hy_parser_at_end(parser))
    if (!parse_item(r)) return false;
  return hy_parser_expect(parser, "}", after);
}

static const char for_end[] = "after the last directive of a 'for'";

// The block of a "for" in what is left out: read once, with whatever its range is.
static bool skip_for(reader *r) {
  hy_written_range range;
  r->parser->blocks++;
  bool good = hy_parse_range(r->parser, &range) && parse_block(r, for_end);
  r->parser->blocks--;
  return good;
}

// SCH.For: its directives, once for each number of the range
static bool parse_for(reader *r) {
  hy_parser *parser = r->parser;
  hy_written_range range;
  int64_t k, last;
  int step;
  size_t turns, around = r->writer.around;
  if (!hy_parser_room(parser, (size_t)parser->blocks, HY_MAX_BLOCKS, "'for' and 'if' inside of each other"))
    return false;
  if (r->is_left_out) return skip_for(r);
  if (!hy_parse_range(parser, &range) || !hy_writer_declare(&r->writer, &range.name) ||
      !hy_writer_range(&r->writer, &range, &k, &last, &step, &turns))
    return false;
  hy_context_hit(parser->context, HY_RULE_SCH_FOR);
  size_t start = parser->next;
  parser->blocks++;
  r->writer.around = turns;
  for (;; k += step) {
    parser->next = start;
    hy_vec_push(&r->writer.turns, (hy_turn){range.name.text, k});
    bool good = hy_writer_room(&r->writer, range.name.loc, 1) && parse_block(r, for_end);
    r->writer.turns.count--;
    if (good && k != last && !r->is_refused) continue;
    parser->blocks--;
    r->writer.around = around;
    return good;
  }
}

static bool parse_arm(reader *r, bool is_taken) {
  bool before = r->is_left_out;
  r->is_left_out |= !is_taken;
  bool good = parse_block(r, "after the last directive of an 'if'");
  r->is_left_out = before || r->is_refused;
  return good;
}

// SCH.For: its directives, or those behind "else", by what is known in the text
static bool parse_if(reader *r) {
  hy_parser *parser = r->parser;
  bool holds = true;
  if (!hy_parser_room(parser, (size_t)parser->blocks, HY_MAX_BLOCKS, "'for' and 'if' inside of each other"))
    return false;
  parser->next++;
  const hy_syntax *condition = hy_parse_expression(parser);
  if (!condition) return false;
  if (!r->is_left_out && !hy_writer_condition(&r->writer, condition, &holds)) r->is_refused = r->is_left_out = true;
  size_t around = r->writer.around;
  r->writer.around = 0; // what stands in it need not have all of these turns
  parser->blocks++;
  bool good = parse_arm(r, holds) && (!hy_parser_accept(parser, "else") || parse_arm(r, !holds));
  parser->blocks--;
  r->writer.around = around;
  return good;
}

static bool parse_item(reader *r) {
  hy_parser *parser = r->parser;
  hy_schedule_item item;
  if (hy_parser_at_for(parser)) return parse_for(r);
  if (hy_parser_at(parser, "if")) return parse_if(r);
  r->is_full = !hy_parser_room(parser, r->calls, HY_MAX_DIRECTIVES, "directives in a schedule");
  if (r->is_full) return false;
  if (at_default(parser)) {
    hy_parser_unexpected(parser, "a directive", "'default inline;' stands once, at the head of the schedule");
    return false;
  }
  if (!parse_directive(r, &item)) return false;
  if (r->is_left_out) return true;
  hy_vec_push(&r->items, item);
  r->calls += (size_t)item.count;
  return true;
}

static hy_writer writer_of(hy_parser *parser) {
  return (hy_writer){
      .context = parser->context,
      .diagnostics = parser->diagnostics,
      .help = "a schedule's 'if' and 'for' know numbers, and the names of a 'for' around; what is known when the "
              "program runs is asked by f.specialize(condition), which has a copy of f for it"};
}

static bool parse_items(hy_parser *parser, hy_schedule *schedule) {
  reader r = {.parser = parser, .writer = writer_of(parser)};
  if (!parse_default(parser, schedule)) hy_parser_recover(parser);
  while (!r.is_full && !hy_parser_at(parser, "}") && !hy_parser_at_end(parser) && !hy_parser_gave_up(parser)) {
    if (!parse_item(&r) && !r.is_full) hy_parser_recover(parser);
    r.is_left_out = r.is_refused = false;
  }
  schedule->items = keep(parser, r.items.data, r.items.count, sizeof *r.items.data);
  schedule->count = (int)r.items.count;
  hy_vec_free(&r.items);
  hy_writer_close(&r.writer);
  return !r.is_full && (hy_parser_gave_up(parser) || hy_parser_expect(parser, "}", "after the last directive"));
}

static bool parse_schedule(hy_parser *parser, hy_schedule *schedule) {
  if (!hy_parser_accept(parser, "schedule")) {
    hy_parser_unexpected(parser, "'schedule'", "a schedule is written schedule NAME for PIPELINE { ... }");
    return false;
  }
  schedule->name = hy_parser_name(parser, "the schedule's name", &schedule->loc);
  if (!schedule->name) return false;
  if (hy_parser_at(parser, "{")) {
    hy_parser_unexpected(parser, "'for' and the pipeline's name",
                         hy_arena_printf(hy_context_arena(parser->context),
                                         "write schedule %s for p {, with the name of the pipeline for p",
                                         schedule->name));
    return false;
  }
  if (!hy_parser_expect(parser, "for", "and the pipeline's name")) return false;
  schedule->pipeline = hy_parser_name(parser, "the pipeline's name", &schedule->pipeline_loc);
  if (!schedule->pipeline || !hy_parser_expect(parser, "{", "after the pipeline's name")) return false;
  return parse_items(parser, schedule);
}

static void check_unique(hy_parser *parser, const schedules *list, const hy_schedule *schedule) {
  for (size_t i = 0; i < list->count; i++) {
    if (list->data[i]->name != schedule->name) continue;
    hy_report(parser->diagnostics, HY_E_SCHEDULE_TWICE, schedule->loc, NULL, "choose another name",
              "the file has two schedules '%s'", schedule->name);
    hy_note(parser->diagnostics, HY_E_SCHEDULE_TWICE, list->data[i]->loc, "the first is here");
    return;
  }
}

// After an error, the next schedule.
static void skip_schedule(hy_parser *parser) {
  while (!hy_parser_at_end(parser) && !hy_parser_at(parser, "schedule")) parser->next++;
}

static void parse_file(hy_parser *parser, schedules *list) {
  do {
    hy_schedule schedule = {0};
    if (!hy_parser_room(parser, list->count, HY_MAX_SCHEDULES, "schedules in a file")) return;
    if (parse_schedule(parser, &schedule)) {
      check_unique(parser, list, &schedule);
      hy_vec_push(list, (const hy_schedule *)keep(parser, &schedule, 1, sizeof schedule));
    } else {
      skip_schedule(parser);
    }
  } while (!hy_parser_at_end(parser) && !hy_parser_gave_up(parser));
}

bool hy_parse_schedules(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics,
                        const hy_schedule **result, int *count) {
  hy_parser parser;
  schedules list = {0};
  hy_parser_open(&parser, context, source, diagnostics);
  parse_file(&parser, &list);
  bool good = !hy_parser_failed(&parser);
  if (hy_parser_gave_up(&parser) && !parser.is_no_text)
    hy_note(diagnostics, HY_E_TOO_MANY_ERRORS, hy_parser_loc(&parser), "too many errors; the rest was not read");
  hy_schedule *copy = HY_NEW_ARRAY(hy_context_arena(context), hy_schedule, list.count);
  for (size_t i = 0; i < list.count; i++) copy[i] = *list.data[i];
  *result = good ? copy : NULL;
  *count = good ? (int)list.count : 0;
  hy_vec_free(&list);
  hy_parser_close(&parser);
  return good;
}

bool hy_check_directives(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics, hy_schedule *read) {
  hy_parser parser;
  hy_parser_open(&parser, context, source, diagnostics);
  reader r = {.parser = &parser, .writer = writer_of(&parser)};
  while (!r.is_full && !hy_parser_at_end(&parser) && !hy_parser_gave_up(&parser)) {
    if (hy_parser_at(&parser, "}")) {
      hy_parser_unexpected(&parser, "a directive", item_help);
      break;
    }
    if (!parse_item(&r) && !r.is_full) hy_parser_recover(&parser);
  }
  bool good = !hy_parser_failed(&parser);
  *read = (hy_schedule){.items = keep(&parser, r.items.data, r.items.count, sizeof *r.items.data),
                        .count = (int)r.items.count};
  hy_vec_free(&r.items);
  hy_writer_close(&r.writer);
  hy_parser_close(&parser);
  return good;
}

/* -- expressions in schedules: startup expressions (definition 4.4) -- */

typedef struct {
  hy_context *context;
  const hy_alg *alg;
  hy_diagnostics *diagnostics;
  bool is_condition; // which is asked when the window is known
} startup;

static const char startup_rule[] = "definition 4.4, startup expressions";
static const char startup_help[] = "use numbers, parameters and image boxes (in.min(0), in.len(0))";
static const char condition_help[] =
    "use numbers, parameters, image boxes (in.min(0), in.len(0)) and windows of outputs (o.min(0), o.len(0))";

static const hy_var *startup_var(void *self, const hy_syntax *path) {
  return hy_signature_var(((startup *)self)->alg, path);
}

static const hy_expr *startup_box(void *self, const hy_syntax *path) {
  const startup *s = self;
  const hy_expr *box = hy_signature_box(s->context, s->alg, path);
  return box || !s->is_condition ? box : hy_signature_window(s->context, s->alg, path);
}

static const hy_func *startup_func(void *self, const hy_syntax *name) {
  (void)self, (void)name;
  return NULL; // no func is known at startup; startup_unknown says so
}

static bool startup_unknown(void *self, const hy_syntax *name) {
  startup *s = self;
  if (name->kind != HY_SYNTAX_NAME && hy_signature_unknown(s->alg, name, s->context, s->diagnostics)) return true;
  const char *quote = hy_syntax_quote(s->context, name), *use = s->is_condition ? condition_help : startup_help;
  const hy_func *func = name->kind == HY_SYNTAX_NAME ? hy_alg_find(s->alg, name->text) : NULL;
  if (func) {
    hy_report(s->diagnostics, HY_E_NOT_STARTUP, name->loc, startup_rule, use,
              "'%s' is %s, whose values are not known at startup", quote, func->is_image ? "an image" : "a func");
    return true;
  }
  const char *near = NULL;
  if (name->kind == HY_SYNTAX_NAME) {
    HY_VEC(const char *) names = {0};
    for (int i = 0; i < s->alg->param_count; i++) hy_vec_push(&names, s->alg->params[i]->name);
    near = hy_nearest_name(name->text, names.data, names.count);
    hy_vec_free(&names);
  }
  const char *help = near ? hy_arena_printf(hy_context_arena(s->context), "did you mean '%s'?", near) : use;
  hy_report(s->diagnostics, HY_E_NOT_STARTUP, name->loc, startup_rule, help,
            s->is_condition ? "'%s' is neither a parameter nor the box of an image or the window of an output"
                            : "'%s' is neither a parameter nor the box of an image",
            quote);
  return true;
}

static bool startup_has_meaning(void *self, const hy_syntax *name) {
  const hy_alg *alg = ((startup *)self)->alg;
  return hy_signature_var(alg, name) || hy_alg_find(alg, name->text);
}

// rewrite: an operator on numbers alone -> its value, where that is no error. A factor 1 << k is a number in each turn of
// its 'for'; without this it would be an expression, which no loop's extent can be where lanes are counted.
static const hy_expr *folded(hy_context *context, const hy_expr *expr) {
  hy_value values[3];
  if (expr->kind != HY_EXPR_OP || expr->count > (int)HY_COUNT(values)) return expr;
  for (int i = 0; i < expr->count; i++) {
    const hy_expr *arg = folded(context, expr->args[i]);
    if (arg->kind != HY_EXPR_CONST) return expr;
    values[i] = arg->value;
  }
  hy_value value = hy_value_apply(expr->op, expr->type, values);
  return value.error ? expr : hy_expr_const(context, value);
}

const hy_expr *hy_syntax_startup(hy_context *context, const hy_alg *alg, const hy_syntax *syntax, hy_type type,
                                 hy_diagnostics *diagnostics) {
  startup s = {context, alg, diagnostics, type == HY_BOOL};
  hy_scope scope = {.self = &s,
                    .var = startup_var,
                    .func = startup_func,
                    .box = startup_box,
                    .unknown = startup_unknown,
                    .has_meaning = startup_has_meaning};
  const hy_expr *expr = hy_elaborate(context, &scope, syntax, &type, diagnostics);
  HY_ASSERT(!expr || hy_expr_is_startup(expr));
  return expr && type == HY_INT ? folded(context, expr) : expr;
}
