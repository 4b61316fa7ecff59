/* Algorithms as written.
 *
 *   pipeline = "pipeline" name "(" [param {"," param}] ")" ["->" outputs] ["contract" ("exact" | "fma" | "real")] items
 *   items    = "{" {item} "}"
 *   item     = func | constant | helper | "require" expression ";"
 *            | table                                                  parse_table.c
 *            | range (items | item)                                  range, indices: parse_family.c
 *            | "if" expression (items | item) ["else" (items | item)]
 *            | "include" string ";"                                  parse_include.c
 *   outputs  = name | "(" name {"," name} ")"
 *   constant = "const" name "=" expression ";"
 *   helper   = "def" name "(" [name {"," name}] ")" "=" expression ";"
 *   param    = name ":" type ["[" integer "]"] ["in" expression ".." expression] ["=" expression]
 *              ["estimate" expression]
 *   func     = "fun" name [indices] ["(" [name {"," name}] ")"] "=" body
 *   body     = expression ";" | "{" expression ";" {update ";"} "}" [";"]
 *   update   = ["rdom" "(" rdom {"," rdom} ")" "in"] "(" [expression {"," expression}] ")" "<-" expression
 *              ["if" expression]                              rdom: parse_reduction.c
 */

#include "semantics/text/alg_internal.h"
#include "semantics/text/habits.h"

#include <string.h>

static const char update_help[] = "an update is written [rdom(r = (min, len)) in] (x, y) <- e [if p];";

typedef HY_VEC(hy_written_name) names;

// Moves a growable array into the context.
#define KEEP(parser, vec, type)                                                                                        \
  ((vec).count ? memcpy(HY_NEW_ARRAY(hy_context_arena((parser)->context), type, (vec).count), (vec).data,              \
                        sizeof(type) * (vec).count)                                                                    \
               : NULL)

static bool parse_name(hy_parser *parser, const char *what, hy_written_name *name) {
  return (name->text = hy_parser_name(parser, what, &name->loc)) != NULL;
}

// "a, b)": the names up to the parenthesis
static bool parse_names(hy_parser *parser, const char *what, const char *plural, size_t most, const char *after,
                        names *list) {
  if (hy_parser_accept(parser, ")")) return true;
  do {
    hy_written_name name;
    if (!hy_parser_room(parser, list->count, most, plural) || !parse_name(parser, what, &name)) return false;
    hy_vec_push(list, name);
    if (hy_parser_at(parser, "[")) {
      hy_parser_unexpected(parser, hy_arena_printf(hy_context_arena(parser->context), "')' %s", after),
                           hy_arena_printf(hy_context_arena(parser->context),
                                           "a member of a family is called so here: %.40s_2, not %.40s[2]", name.text,
                                           name.text));
      return false;
    }
  } while (hy_parser_accept(parser, ","));
  return hy_parser_expect(parser, ")", after);
}

/* -- parameters -- */

static bool is_image_word(const char *name) {
  static const char *const words[] = {"image", "Image", "ImageParam", "Buffer", "buffer",
                                      "array", "Array", "ndarray",    "Func",   "Tensor"};
  for (size_t i = 0; i < HY_COUNT(words); i++)
    if (strcmp(name, words[i]) == 0) return true;
  return false;
}

static bool parse_type(hy_parser *parser, hy_type *type) {
  static const char *const types[] = {
#define HY_TYPE(name, spelling, class, bits, numpy, c) spelling,
#include "semantics/types.def"
#undef HY_TYPE
  };
  hy_loc loc = {0};
  const char *name = hy_parser_name(parser, "a type", &loc);
  if (!name) return false;
  if (hy_type_find(name, strlen(name), type)) return true;
  if (hy_parser_at(parser, "<") && hy_habit_told(parser, "a type")) return false;
  const char *near = hy_habit_of_type(name);
  if (!near && !is_image_word(name)) near = hy_nearest_name(name, types, HY_COUNT(types));
  char *help = near ? hy_arena_printf(hy_context_arena(parser->context), "write %s", near) : NULL;
  hy_report(parser->diagnostics, HY_E_UNKNOWN_TYPE, loc, NULL,
            help ? help
            : is_image_word(name)
                ? "an image is written in: u8[2], the type of its elements and how many dimensions it has"
                : "the types are int, bool, u8 u16 u32 u64, i8 i16 i32 i64, f16 bf16 f32 f64, and of "
                  "images u8[2]",
            "'%s' is not a type", name);
  *type = HY_INT;
  return true;
}

static bool parse_rank(hy_parser *parser, hy_written_param *param) {
  static const char what[] = "the number of dimensions";
  const hy_token *token = hy_parser_peek(parser, 0);
  if (hy_habit_told(parser, what)) return false;
  if (token->kind != HY_TOKEN_INTEGER) {
    hy_parser_unexpected(parser, what, "an image is written in: u16[2]");
    return false;
  }
  uint64_t rank = strtoull(token->text, NULL, 0);
  if (rank > HY_MAX_RANK) {
    hy_report(parser->diagnostics, HY_E_RANK, token->loc, NULL, "join dimensions, or use several images",
              "an image has at most %d dimensions", HY_MAX_RANK);
    rank = 0;
  }
  param->is_image = true;
  param->rank = (int)rank;
  parser->next++;
  return hy_parser_expect(parser, "]", "after the number of dimensions");
}

// in 1..16 = 3 estimate 8
static bool parse_about(hy_parser *parser, hy_written_param *param) {
  if (hy_parser_accept(parser, "in")) {
    if (!(param->least = hy_parse_expression(parser))) return false;
    if (!hy_parser_accept(parser, "..")) {
      hy_parser_unexpected(parser, "'..' and the greatest value", "a range has both of its ends: w: int in 1..16");
      return false;
    }
    if (!(param->greatest = hy_parse_expression(parser))) return false;
  }
  if (hy_parser_accept(parser, "=") && !(param->initial = hy_parse_expression(parser))) return false;
  if (hy_parser_accept(parser, "estimate") && !(param->estimate = hy_parse_expression(parser))) return false;
  // C++'s Param<int>(3, 0, 10), a range without its "in", a default behind an estimate
  const hy_token *next = hy_parser_peek(parser, 0);
  if (hy_parser_at(parser, ",") || hy_parser_at(parser, ")") || next->kind == HY_TOKEN_END || param->is_image ||
      (!hy_parser_at(parser, "(") && !hy_parser_at(parser, "=") && next->kind != HY_TOKEN_INTEGER))
    return true;
  hy_parser_unexpected(parser, "')' after the last parameter, or ','",
                       "what is known of a parameter is written in this order: w: int in 1..16 = 3 estimate 8");
  return false;
}

static bool parse_param(hy_parser *parser, hy_written_param *param) {
  *param = (hy_written_param){0};
  if (!parse_name(parser, "a parameter's name", &param->name)) return false;
  if (!hy_parser_expect(parser, ":", "and a type after the parameter's name")) return false;
  if (!parse_type(parser, &param->type)) return false;
  if (hy_parser_accept(parser, "[") && !parse_rank(parser, param)) return false;
  return parse_about(parser, param);
}

static bool parse_params(hy_parser *parser, hy_written_pipeline *pipeline) {
  HY_VEC(hy_written_param) params = {0};
  bool good = hy_parser_expect(parser, "(", "after the pipeline's name");
  if (good && !hy_parser_accept(parser, ")")) {
    do {
      hy_written_param param;
      good =
          hy_parser_room(parser, params.count, HY_MAX_PARAMS, "parameters and images") && parse_param(parser, &param);
      if (good) hy_vec_push(&params, param);
    } while (good && hy_parser_accept(parser, ","));
    good = good && hy_parser_expect(parser, ")", "after the last parameter, or ','");
  }
  pipeline->params = KEEP(parser, params, hy_written_param);
  pipeline->param_count = (int)params.count;
  hy_vec_free(&params);
  return good;
}

/* -- outputs -- */

// "-> f, g" without parentheses: what to write
static void report_bare_outputs(hy_parser *parser, const char *first) {
  hy_text list = {0};
  hy_text_printf(&list, "several outputs stand in parentheses: -> (%s", first);
  for (size_t i = 0;
       hy_parser_peek(parser, i)->kind == HY_TOKEN_PUNCTUATION && strcmp(hy_parser_peek(parser, i)->text, ",") == 0 &&
       hy_parser_peek(parser, i + 1)->kind == HY_TOKEN_NAME;
       i += 2)
    hy_text_printf(&list, ", %s", hy_parser_peek(parser, i + 1)->text);
  hy_parser_unexpected(parser, "'{' after the output",
                       hy_arena_printf(hy_context_arena(parser->context), "%s)", hy_text_string(&list)));
  hy_text_free(&list);
}

// "-> f" or "-> (f, g)", between the parameters and the body
static bool parse_outputs(hy_parser *parser, hy_written_pipeline *pipeline) {
  names list = {0};
  hy_written_name name;
  if (!hy_parser_accept_right_arrow(parser)) return true;
  bool good;
  if (hy_parser_at(parser, ")") || hy_parser_at(parser, "{")) {
    hy_parser_unexpected(parser, "an output", "name the funcs that are realized: -> (f, g)");
    return false;
  }
  if (hy_parser_accept(parser, "(")) {
    good = parse_names(parser, "an output", "outputs", 8 * HY_MAX_OUTPUTS, "after the last output, or ','", &list);
  } else if ((good = parse_name(parser, "an output", &name))) {
    hy_vec_push(&list, name);
    if (hy_parser_at(parser, ",")) good = false, report_bare_outputs(parser, name.text);
  }
  if (good && !list.count) {
    hy_report(parser->diagnostics, HY_E_OUTPUT_LIST, pipeline->name.loc, "ALG.Valid.Outputs (decision D81)",
              "name the funcs that are realized, -> (f, g), or leave the list out: then it is the last func",
              "the list of outputs of '%s' is empty", pipeline->name.text);
    good = false;
  }
  if (good && list.count > HY_MAX_OUTPUTS) {
    hy_context_hit(parser->context, HY_RULE_ALG_VALID_OUTPUTS_NOT);
    hy_report(parser->diagnostics, HY_E_OUTPUT_LIST, list.data[HY_MAX_OUTPUTS].loc, "ALG.Valid.Outputs (decision D81)",
              "several values of one func are one output: fun f(x, y) = (a, b)",
              "a pipeline has at most %d outputs, and this is one more", HY_MAX_OUTPUTS);
    good = false;
  }
  pipeline->outputs = KEEP(parser, list, hy_written_name);
  pipeline->output_count = (int)list.count;
  hy_vec_free(&list);
  return good;
}

// "contract fma", between the outputs and the body
static bool parse_contract(hy_parser *parser, hy_written_pipeline *pipeline) {
  hy_written_name name;
  if (!hy_parser_accept(parser, "contract")) return true;
  if (!parse_name(parser, "'exact', 'fma' or 'real'", &name)) return false;
  if (hy_float_contract_find(name.text, &pipeline->floats)) return true;
  hy_report(parser->diagnostics, HY_E_SYNTAX, name.loc, "ALG.Expand.Contract",
            "write contract exact, where every operator rounds, contract fma, where a product in a sum does not, or "
            "contract real, where schedules may sum, or take the least or greatest, in another order",
            "'%s' is no contract on floats", name.text);
  return false;
}

/* -- stages -- */

static bool parse_arrow(hy_parser *parser) {
  if (hy_parser_accept_arrow(parser)) return true;
  hy_parser_unexpected(parser, "'<-' after the left side of an update",
                       hy_parser_at(parser, "<") ? "'<-' is written without a blank" : update_help);
  return false;
}

// What is said of the first of several lets between updates is said of them all: goes on to the last.
static void pass_lets(hy_parser *parser) {
  while (hy_parser_at(parser, "let")) {
    size_t last = parser->next;
    hy_parser_recover(parser);
    if (hy_parser_at(parser, "let")) continue;
    parser->next = last;
    return;
  }
}

static bool parse_left_side(hy_parser *parser, hy_written_stage *stage) {
  hy_syntaxes list = {0};
  hy_loc loc = hy_parser_loc(parser);
  size_t from = hy_parser_peek(parser, 0)->offset;
  bool good = hy_parser_accept(parser, "(");
  if (!good) {
    hy_parser_unexpected(parser, "an update", update_help);
    pass_lets(parser);
  }
  good = good && hy_parse_arguments(parser, ")", &list);
  stage->lhs_loc = loc;
  if (good) {
    const hy_token *last = &parser->tokens.data[parser->next - 1];
    stage->lhs_loc.length = (uint32_t)(last->offset + last->length - from);
  }
  stage->lhs = list.count ? KEEP(parser, list, const hy_syntax *) : NULL;
  stage->lhs_count = (int)list.count;
  hy_vec_free(&list);
  return good;
}

static bool parse_update(hy_parser *parser, hy_written_stage *stage) {
  *stage = (hy_written_stage){.loc = hy_parser_loc(parser)};
  if (hy_parser_at_domain(parser) && !hy_parse_domain(parser, &stage->rdoms, &stage->rdom_count)) return false;
  if (!parse_left_side(parser, stage) || !parse_arrow(parser)) return false;
  if (!(stage->rhs = hy_parse_expression(parser))) return false;
  if (hy_parser_accept(parser, "if") && !(stage->predicate = hy_parse_expression(parser))) return false;
  return true;
}

// "(x, y) <- e": as an expression it would be a comparison with -e, which nobody means here.
static bool at_update(hy_parser *parser) {
  size_t start = parser->next;
  int depth = 0;
  if (!hy_parser_at(parser, "(")) return false;
  do {
    depth += hy_parser_at(parser, "(") - hy_parser_at(parser, ")");
    parser->next++;
  } while (depth > 0 && !hy_parser_at_end(parser));
  bool is_update = depth == 0 && hy_parser_at_arrow(parser);
  parser->next = start;
  return is_update;
}

static bool parse_pure(hy_parser *parser, hy_written_stage *stage) {
  *stage = (hy_written_stage){.loc = hy_parser_loc(parser)};
  bool is_update = at_update(parser);
  if (hy_parser_at_domain(parser) || is_update) {
    hy_parser_unexpected(parser, is_update ? "the pure stage before this update" : "the pure stage",
                         "a func begins with its value before any update, 0 perhaps: { 0; ... }");
    return false;
  }
  stage->rhs = hy_parse_expression(parser);
  if (!stage->rhs) return false;
  stage->loc = stage->rhs->loc;
  if (!hy_parser_at(parser, "if")) return true;
  hy_parser_unexpected(parser, "';' after the pure stage",
                       "a pure stage has no predicate: write select(p, e, otherwise)");
  return false;
}

typedef HY_VEC(hy_written_stage) stages;

static bool at_func(const hy_parser *parser) {
  return hy_parser_at(parser, "fun") && hy_parser_peek(parser, 1)->kind == HY_TOKEN_NAME;
}

// After an error, the next stage of the same func; false if there is none.
static bool skip_stage(hy_parser *parser) {
  for (int depth = 0; !hy_parser_at_end(parser) && !at_func(parser); parser->next++) {
    if (hy_parser_at(parser, "{")) depth++;
    if (hy_parser_at(parser, "}") && depth-- == 0) break;
    if (hy_parser_at(parser, ";") && depth == 0) {
      parser->next++;
      break;
    }
  }
  return !hy_parser_gave_up(parser) && !at_func(parser) && !hy_parser_at_end(parser);
}

// "let a = 1; let b = 2; a + b;": after the error at the first, what belongs to it, up to the next update.
static bool skip_declarations(hy_parser *parser) {
  while (!hy_parser_at(parser, "}") && !hy_parser_at_domain(parser) && !at_update(parser))
    if (!skip_stage(parser)) return false;
  return true;
}

static bool parse_stages(hy_parser *parser, stages *list) {
  hy_written_stage stage;
  bool is_let = hy_parser_at(parser, "let");
  if (parse_pure(parser, &stage) && hy_parser_expect(parser, ";", "after the pure stage"))
    hy_vec_push(list, stage);
  else if (!skip_stage(parser) || (is_let && !skip_declarations(parser)))
    return false;
  while (!hy_parser_accept(parser, "}")) {
    if (hy_parser_at_end(parser)) return hy_parser_expect(parser, "}", "after the last stage");
    if (!hy_parser_room(parser, list->count, HY_MAX_STAGES, "stages of a func")) return false;
    if (parse_update(parser, &stage) &&
        (hy_parser_at(parser, "}") || hy_parser_expect(parser, ";", "after the update")))
      hy_vec_push(list, stage);
    else if (!skip_stage(parser))
      return false;
  }
  hy_parser_accept(parser, ";");
  return true;
}

/* -- funcs -- */

static bool parse_dims(hy_parser *parser, names *dims) {
  return hy_parser_expect(parser, "(", "after the func's name") &&
         parse_names(parser, "a pure variable", "variables of a func", HY_MAX_WRITTEN_DIMS,
                     "after the last pure variable, or ','", dims);
}

static bool parse_body(hy_parser *parser, stages *list) {
  if (!hy_parser_expect(parser, "=", "after the func's variables")) return false;
  if (hy_parser_accept(parser, "{")) return parse_stages(parser, list);
  hy_written_stage stage;
  if (!parse_pure(parser, &stage)) return false;
  hy_vec_push(list, stage);
  return hy_parser_expect(parser, ";", "after the func's body");
}

static bool parse_func(hy_parser *parser, hy_written_func *func) {
  names dims = {0};
  stages list = {0};
  *func = (hy_written_func){0};
  bool good = parse_name(parser, "a func's name", &func->name);
  if (good && hy_parser_at(parser, "[")) good = hy_parse_indices(parser, &func->indices, &func->index_count);
  func->is_short = good && hy_parser_at(parser, "=");
  good = good && (func->is_short || parse_dims(parser, &dims)) && parse_body(parser, &list);
  func->dims = KEEP(parser, dims, hy_written_name);
  func->rank = (int)dims.count;
  func->stages = KEEP(parser, list, hy_written_stage);
  func->stage_count = (int)list.count;
  hy_vec_free(&dims);
  hy_vec_free(&list);
  return good;
}

// After an error, the next func, or the pipeline's end.
static void skip_func(hy_parser *parser) {
  for (int depth = 0; !hy_parser_at_end(parser) && !at_func(parser); parser->next++) {
    if (hy_parser_at(parser, "{")) depth++;
    if (hy_parser_at(parser, "}") && depth-- == 0) return;
  }
}

/* -- constants and helpers -- */

static bool at_named(const hy_parser *parser) {
  return (hy_parser_at(parser, "const") || hy_parser_at(parser, "def")) &&
         hy_parser_peek(parser, 1)->kind == HY_TOKEN_NAME;
}

static bool parse_value(hy_parser *parser, const char *after_name, hy_written_named *named) {
  return hy_parser_expect(parser, "=", after_name) && (named->value = hy_parse_expression(parser)) &&
         hy_parser_expect(parser, ";", named->is_helper ? "after the helper's body" : "after the constant's value");
}

static bool parse_helper_rest(hy_parser *parser, hy_written_named *helper) {
  names params = {0};
  bool good = hy_parser_expect(parser, "(", "and arguments after the helper's name") &&
              parse_names(parser, "an argument's name", "arguments of a helper", HY_MAX_ARGUMENTS,
                          "after the last argument, or ','", &params);
  helper->params = KEEP(parser, params, hy_written_name);
  helper->param_count = (int)params.count;
  hy_vec_free(&params);
  return good && parse_value(parser, "after the helper's arguments", helper);
}

static bool parse_named(hy_parser *parser, hy_written_named *next) {
  *next = (hy_written_named){.is_helper = hy_parser_at(parser, "def")};
  parser->next++;
  if (!parse_name(parser, next->is_helper ? "a helper's name" : "a constant's name", &next->name)) return false;
  return next->is_helper ? parse_helper_rest(parser, next) : parse_value(parser, "after the constant's name", next);
}

/* -- items -- */

typedef HY_VEC(hy_written_item) items;

static bool parse_item(hy_parser *parser, hy_written_item *item);

// Up to the closing brace, or to the end. False: there are too many.
static bool parse_list(hy_parser *parser, hy_written_items *out) {
  items list = {0};
  bool has_room = true;
  while (!hy_parser_at(parser, "}") && !hy_parser_at_end(parser) && !hy_parser_gave_up(parser)) {
    hy_written_item item;
    has_room = hy_parser_room(parser, list.count, HY_MAX_FUNCS, "funcs in a pipeline");
    if (!has_room) break;
    if (parse_item(parser, &item)) hy_vec_push(&list, item);
  }
  *out = (hy_written_items){KEEP(parser, list, hy_written_item), (int)list.count};
  hy_vec_free(&list);
  return has_room;
}

// Up to and with the closing brace.
static bool parse_items(hy_parser *parser, const char *after, hy_written_items *out) {
  return parse_list(parser, out) && (hy_parser_gave_up(parser) || hy_parser_expect(parser, "}", after));
}

// What "for" and "if" speak of: items in braces, or one item.
static bool parse_block(hy_parser *parser, const char *what, hy_written_items *out) {
  if (!hy_parser_room(parser, (size_t)parser->blocks, HY_MAX_BLOCKS, "'for' and 'if' inside of each other"))
    return false;
  parser->blocks++;
  bool good = true;
  if (hy_parser_accept(parser, "{")) {
    good = parse_items(parser, what, out);
  } else {
    hy_written_item *item = HY_NEW(hy_context_arena(parser->context), hy_written_item);
    if ((good = parse_item(parser, item))) *out = (hy_written_items){item, 1};
  }
  parser->blocks--;
  return good;
}

static bool parse_for(hy_parser *parser, hy_written_item *item) {
  item->kind = HY_ITEM_FOR;
  return hy_parse_range(parser, &item->range) && parse_block(parser, "after the last func of a 'for'", &item->body);
}

static bool parse_if(hy_parser *parser, hy_written_item *item) {
  item->kind = HY_ITEM_IF;
  parser->next++;
  if (!(item->condition = hy_parse_expression(parser))) return false;
  if (!parse_block(parser, "after the last func of an 'if'", &item->body)) return false;
  return !hy_parser_accept(parser, "else") || parse_block(parser, "after the last func of an 'else'", &item->otherwise);
}

// require = "require" expression ";"
static bool parse_requirement(hy_parser *parser, hy_written_item *item) {
  item->kind = HY_ITEM_REQUIRE;
  parser->next++;
  return (item->condition = hy_parse_expression(parser)) && hy_parser_expect(parser, ";", "after what is required");
}

// A whole file of items.
static void parse_all(hy_parser *parser, hy_written_items *out) {
  if (hy_parser_at(parser, "pipeline")) {
    hy_parser_unexpected(parser, "a func", "what is included are funcs, constants and helpers, without a pipeline");
    return;
  }
  if (parse_list(parser, out) && !hy_parser_at_end(parser) && !hy_parser_gave_up(parser))
    hy_parser_unexpected(parser, "a func, or the end of the file", NULL);
}

// What the included file holds, under the same limits; read there, where its own words and places are.
static bool parse_included(hy_parser *parser, hy_written_item *item) {
  hy_loc loc = hy_parser_loc(parser);
  const hy_source *source = NULL;
  item->kind = HY_ITEM_INCLUDE;
  if (!hy_parse_include(parser, &source)) return false;
  if (!source) return true; // it is there already
  hy_parser inside;
  hy_parser_open(&inside, parser->context, source, parser->diagnostics);
  inside.includes = parser;
  parse_all(&inside, &item->body);
  bool good = !hy_parser_failed(&inside);
  if (!good) hy_note(parser->diagnostics, HY_E_INCLUDE, loc, "included here");
  hy_parser_close(&inside);
  return good;
}

// Up to and with what closes the bracket that stands next.
static void skip_brackets(hy_parser *parser) {
  int depth = 0;
  do {
    depth +=
        hy_parser_at(parser, "(") + hy_parser_at(parser, "{") - hy_parser_at(parser, ")") - hy_parser_at(parser, "}");
    parser->next++;
  } while (depth > 0 && !hy_parser_at_end(parser));
}

// for (int i = 0; i < 3; i++) { .. }: C's loop as a whole, whose braces hold no funcs of the pipeline
static bool skip_loop(hy_parser *parser) {
  if (!hy_parser_at(parser, "for")) return false;
  parser->next++;
  if (hy_parser_at(parser, "(")) skip_brackets(parser);
  if (hy_parser_at(parser, "{")) skip_brackets(parser);
  return true;
}

static bool parse_func_item(hy_parser *parser, hy_written_item *item) {
  hy_written_func *func = HY_NEW(hy_context_arena(parser->context), hy_written_func);
  item->kind = HY_ITEM_FUNC;
  item->func = func;
  bool is_func = hy_parser_accept(parser, "fun"), good = is_func;
  if (!good)
    hy_parser_unexpected(parser, "a func",
                         hy_parser_at(parser, ";") ? "leave this ';' out" : "a func is written fun f(x, y) = e;");
  good = good && parse_func(parser, func);
  if (!good && (is_func || !skip_loop(parser))) skip_func(parser);
  return good;
}

static bool parse_item(hy_parser *parser, hy_written_item *item) {
  *item = (hy_written_item){.loc = hy_parser_loc(parser)};
  bool good;
  if (hy_parser_at_table(parser)) {
    hy_written_func *table = HY_NEW(hy_context_arena(parser->context), hy_written_func);
    item->kind = HY_ITEM_FUNC;
    item->func = table;
    good = hy_parse_table(parser, table);
  } else if (at_named(parser)) {
    hy_written_named *named = HY_NEW(hy_context_arena(parser->context), hy_written_named);
    item->kind = HY_ITEM_NAMED;
    item->named = named;
    good = parse_named(parser, named);
  } else if (hy_parser_at_include(parser)) {
    good = parse_included(parser, item);
  } else if (hy_parser_at(parser, "require")) {
    good = parse_requirement(parser, item);
  } else if (hy_parser_at_for(parser)) {
    good = parse_for(parser, item);
  } else if (hy_parser_at(parser, "if")) {
    good = parse_if(parser, item);
  } else {
    return parse_func_item(parser, item);
  }
  if (!good && !hy_parser_at(parser, "}")) hy_parser_recover(parser);
  return good;
}

// Items and no pipeline: a file to be included.
static bool at_items(const hy_parser *parser) {
  return at_func(parser) || at_named(parser) || hy_parser_at_for(parser) || hy_parser_at_include(parser) ||
         hy_parser_at(parser, "require");
}

static bool parse_pipeline(hy_parser *parser, hy_written_pipeline *pipeline) {
  if (!hy_parser_accept(parser, "pipeline")) {
    hy_parser_unexpected(parser, "'pipeline'",
                         at_items(parser) ? "funcs, constants and helpers without a pipeline are for one that includes "
                                            "this file: include \"FILE\";"
                                          : "an algorithm is written pipeline NAME(in: u16[2]) { fun ... }");
    return false;
  }
  if (!parse_name(parser, "the pipeline's name", &pipeline->name)) return false;
  if (!parse_params(parser, pipeline) || !parse_outputs(parser, pipeline) || !parse_contract(parser, pipeline) ||
      !hy_parser_expect(parser, "{", "after the parameters") ||
      !parse_items(parser, "after the last func", &pipeline->items))
    return false;
  if (!hy_parser_at_end(parser) && !hy_parser_gave_up(parser))
    hy_parser_unexpected(parser, "the end of the file", "a file holds one pipeline");
  return true;
}

const hy_written_pipeline *hy_parse_pipeline(hy_context *context, const hy_source *source,
                                             hy_diagnostics *diagnostics) {
  hy_parser parser;
  hy_written_pipeline *pipeline = HY_NEW(hy_context_arena(context), hy_written_pipeline);
  hy_parser_open(&parser, context, source, diagnostics);
  parse_pipeline(&parser, pipeline);
  bool good = !hy_parser_failed(&parser);
  if (hy_parser_gave_up(&parser) && !parser.is_no_text)
    hy_note(diagnostics, HY_E_TOO_MANY_ERRORS, hy_parser_loc(&parser), "too many errors; the rest was not read");
  hy_parser_close(&parser);
  return good ? pipeline : NULL;
}

bool hy_is_included_text(hy_context *context, const hy_source *source) {
  enum { ENOUGH = 8 }; // tokens
  hy_diagnostics *unused = hy_diagnostics_new();
  hy_parser parser = {.context = context, .source = source, .diagnostics = unused};
  hy_lex_first(context, source, unused, &parser.tokens, ENOUGH);
  bool answer = at_items(&parser);
  hy_parser_close(&parser);
  hy_diagnostics_free(unused);
  return answer;
}

bool hy_parse_items(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics,
                    hy_written_items *items) {
  hy_parser parser;
  *items = (hy_written_items){0};
  hy_parser_open(&parser, context, source, diagnostics);
  parse_all(&parser, items);
  bool good = !hy_parser_failed(&parser);
  hy_parser_close(&parser);
  return good;
}

bool hy_parse_included_text(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics) {
  hy_written_items items;
  return hy_parse_items(context, source, diagnostics, &items);
}

bool hy_parse_parameter(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics,
                        hy_written_param *param) {
  hy_parser parser;
  hy_parser_open(&parser, context, source, diagnostics);
  if (parse_param(&parser, param) && !hy_parser_at_end(&parser))
    hy_parser_unexpected(&parser, "the end of the parameter", "it is written w: int in 1..16 = 3 estimate 8");
  bool good = !hy_parser_failed(&parser);
  hy_parser_close(&parser);
  return good;
}
