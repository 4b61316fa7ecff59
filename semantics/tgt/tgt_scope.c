/* Declarations of a target program, and what names mean in it.
 *
 *   head    = "target" name "(" [parameter {"," parameter}] ")" "on" name "(" [name {"," name}] ")" "{" {func}
 *   parameter = name ":" type ["[" rank "]"]
 *   func    = "func" name "(" [name {"," name}] ")" ":" type "stages" number ";"
 *   loop    = name ["." "z" number] "." "s" number "." name
 *   hole    = "?" ("mem" | "cpu" | "need") "." ("min" | "len") "(" func "," dimension ")"
 *           | "?" "for" "." ("min" | "len") "(" loop "," dimension ")"
 */

#include "semantics/tgt/tgt_internal.h"

#include <stdio.h>
#include <string.h>

/* -- names -- */

const hy_func *hy_tgt_find(const hy_tgt_reader *reader, const char *name) {
  for (size_t i = 0; i < reader->images.count; i++)
    if (reader->images.data[i]->name == name) return reader->images.data[i];
  for (size_t i = 0; i < reader->funcs.count; i++)
    if (reader->funcs.data[i]->name == name) return reader->funcs.data[i];
  return NULL;
}

static const hy_var *find_param(const hy_tgt_reader *reader, const char *name) {
  for (size_t i = 0; i < reader->params.count; i++)
    if (reader->params.data[i]->name == name) return reader->params.data[i];
  return NULL;
}

static void report_unknown_func(hy_tgt_reader *reader, const char *name, hy_loc loc) {
  HY_VEC(const char *) names = {0};
  for (size_t i = 0; i < reader->images.count; i++) hy_vec_push(&names, reader->images.data[i]->name);
  for (size_t i = 0; i < reader->funcs.count; i++) hy_vec_push(&names, reader->funcs.data[i]->name);
  const char *nearest = hy_nearest_name(name, names.data, names.count);
  hy_vec_free(&names);
  hy_arena *arena = hy_context_arena(reader->context);
  const char *help = nearest ? hy_arena_printf(arena, "did you mean '%s'?", nearest)
                             : hy_arena_printf(arena, "declare it at the head: func %s(...): TYPE stages N;", name);
  hy_report(reader->diagnostics, HY_E_TGT_UNKNOWN_FUNC, loc, NULL, help, "the program declares no func or image '%s'",
            name);
}

bool hy_tgt_read_func(hy_tgt_reader *reader, const char *where, const hy_func **func) {
  hy_loc loc;
  *func = NULL;
  const char *name = hy_parser_name(&reader->parser, where, &loc);
  if (!name) return false;
  const hy_func *found = hy_tgt_find(reader, name);
  if (!found)
    report_unknown_func(reader, name, loc);
  else if (found->is_image)
    hy_report(reader->diagnostics, HY_E_TGT_IMAGE, loc, "decision D14", "images are only read; name a func",
              "'%s' is an input image", name);
  else
    *func = found;
  return true;
}

// Letter, then a number without leading zeros.
int hy_tgt_number(const char *word, char letter) {
  if (word[0] != letter || word[1] < '0' || word[1] > '9') return -1;
  if (word[1] == '0' && word[2]) return -1;
  int number = 0;
  for (const char *p = word + 1; *p; p++) {
    if (*p < '0' || *p > '9' || number > HY_MAX_STAGE) return -1;
    number = number * 10 + (*p - '0');
  }
  return number;
}

bool hy_tgt_in_scope(const hy_tgt_reader *reader, const hy_var *var) {
  for (size_t i = reader->scope.count; i-- > 0;)
    if (reader->scope.data[i] == var) return true;
  return false;
}

static const char *loop_help =
    "loops are named FUNC.sSTAGE.VARIABLE, or FUNC.zSPECIALIZATION.sSTAGE.VARIABLE: h.s1.x, h.z2.s1.x";

// The loop that a path names; NULL, without a report, if it has not the form of one.
static const hy_var *loop_of_path(hy_tgt_reader *reader, const char *const *path, int count) {
  if (count != 3 && count != 4) return NULL;
  const hy_func *func = hy_tgt_find(reader, path[0]);
  int spec = count == 4 ? hy_tgt_number(path[1], 'z') : 0;
  int stage = hy_tgt_number(path[count - 2], 's');
  if (!func || func->is_image || spec < 0 || stage < 0) return NULL;
  return hy_var_loop(reader->context, func, spec, stage, path[count - 1]);
}

static void report_bad_loop(hy_tgt_reader *reader, const char *const *path, int count, hy_loc loc) {
  const hy_func *func = hy_tgt_find(reader, path[0]);
  if (!func && count > 1)
    report_unknown_func(reader, path[0], loc);
  else if (func && func->is_image)
    hy_report(reader->diagnostics, HY_E_TGT_IMAGE, loc, "decision D14", "loops belong to funcs",
              "'%s' is an input image and has no loops", path[0]);
  else
    hy_report(reader->diagnostics, HY_E_TGT_LOOP_NAME, loc, "lemma 6.1 (loop naming)", loop_help,
              "'%s%s%s' does not name a loop", path[0], count > 1 ? "." : "", count > 1 ? path[1] : "");
}

bool hy_tgt_read_loop(hy_tgt_reader *reader, const hy_var **var, hy_loc *loc) {
  const char *path[4];
  int count = 0;
  hy_parser *parser = &reader->parser;
  *var = NULL;
  size_t first = parser->next;
  do {
    if (count == 4) break;
    path[count] = hy_parser_name(parser, count ? "a name after '.'" : "a loop's name, as in h.s1.x", NULL);
    if (!path[count++]) return false;
  } while (hy_parser_accept(parser, "."));
  const hy_token *from = &parser->tokens.data[first], *to = &parser->tokens.data[parser->next - 1];
  *loc = from->loc;
  loc->length = (uint32_t)(to->offset + to->length - from->offset);
  *var = loop_of_path(reader, path, count);
  if (!*var) report_bad_loop(reader, path, count, *loc);
  return true;
}

void hy_tgt_report_unbound(hy_tgt_reader *reader, const hy_var *var, hy_loc loc) {
  hy_text name = {0};
  if (reader->misnamed) return; // it was probably meant to be bound by a loop whose name is wrong
  hy_var_print(var, &name);
  hy_report(reader->diagnostics, HY_E_TGT_UNBOUND, loc, "section 5 (scope of loop variables)",
            "a loop variable is in scope in the body of its for or let only", "nothing around this binds '%s'",
            hy_text_string(&name));
  hy_text_free(&name);
}

/* -- the elaborator's questions -- */

static const hy_var *image_var(hy_tgt_reader *reader, const hy_syntax *call) {
  const hy_syntax *member = call->args[0];
  if (call->count != 2 || member->kind != HY_SYNTAX_MEMBER || call->args[1]->kind != HY_SYNTAX_INTEGER) return NULL;
  const hy_syntax *image = member->args[0];
  const hy_func *func = image->kind == HY_SYNTAX_NAME ? hy_tgt_find(reader, image->text) : NULL;
  if (!func || !func->is_image || call->args[1]->is_negative) return NULL;
  for (int d = 0; d < func->rank; d++) {
    if (strcmp(func->dims[d], call->args[1]->text) != 0) continue;
    if (strcmp(member->text, "min") == 0) return func->min[d];
    if (strcmp(member->text, "len") == 0) return func->len[d];
  }
  return NULL;
}

static const hy_var *window_var(const hy_tgt_reader *reader, const char *const *path) {
  const hy_func *output = reader->alg->output;
  for (int d = 0; reader->alg->output_count == 1 && d < output->rank; d++) {
    if (path[0] != output->dims[d]) continue;
    if (strcmp(path[1], "min") == 0) return reader->alg->window_min[d];
    if (strcmp(path[1], "len") == 0) return reader->alg->window_len[d];
  }
  return NULL;
}

// Of several outputs (decision D81): f.x.min
static const hy_var *window_var_of(const hy_tgt_reader *reader, const char *const *path) {
  const hy_alg *alg = reader->alg;
  for (int k = 0; alg->output_count > 1 && k < alg->output_count; k++) {
    const hy_output *output = &alg->outputs[k];
    for (int d = 0; d < output->func->rank; d++) {
      if (path[0] != output->func->name || path[1] != output->func->dims[d]) continue;
      if (strcmp(path[2], "min") == 0) return alg->window_min[output->first + d];
      if (strcmp(path[2], "len") == 0) return alg->window_len[output->first + d];
    }
  }
  return NULL;
}

// A whole name may stand in parentheses, as any expression may; a part of one may not: (x).min is none.
static int path_of(const hy_syntax *syntax, const char **path, int room) {
  hy_syntax bare = *syntax;
  bare.in_parentheses = false;
  return hy_syntax_path(&bare, path, room);
}

static const hy_var *find_var(void *self, const hy_syntax *syntax) {
  hy_tgt_reader *reader = self;
  if (syntax->kind == HY_SYNTAX_CALL) return image_var(reader, syntax);
  const char *path[4];
  int count = path_of(syntax, path, 4);
  if (count == 1) return find_param(reader, path[0]);
  if (count == 2) return window_var(reader, path);
  const hy_var *window = count == 3 ? window_var_of(reader, path) : NULL;
  if (window) return window;
  const hy_var *loop = loop_of_path(reader, path, count);
  return loop && hy_tgt_in_scope(reader, loop) ? loop : NULL;
}

static const hy_func *find_func(void *self, const hy_syntax *name) {
  return name->kind == HY_SYNTAX_NAME ? hy_tgt_find(self, name->text) : NULL;
}

static bool find_dim(const hy_func *func, const hy_syntax *name, int *dim) {
  if (name->kind != HY_SYNTAX_NAME && name->kind != HY_SYNTAX_INTEGER) return false;
  for (*dim = 0; *dim < func->rank; ++*dim)
    if (strcmp(func->dims[*dim], name->text) == 0 && !name->is_negative) return true;
  return false;
}

static void bad_hole(hy_tgt_reader *reader, hy_loc loc, const char *message, const char *name) {
  hy_report(reader->diagnostics, HY_E_TGT_HOLE, loc, "definition 6.3 (bounds holes)",
            "holes are ?mem.min(f, x), ?cpu.len(f, x), ?for.min(f.s0.x, x) and ?need.len(image, 0)", message, name);
}

static bool hole_kind(const char *word, hy_hole_kind *kind) {
  static const char *const kinds[] = {"mem", "cpu", "for", "need"};
  for (size_t i = 0; i < HY_COUNT(kinds); i++)
    if (strcmp(word, kinds[i]) == 0) return *kind = (hy_hole_kind)i, true;
  return false;
}

static const hy_func *hole_func(hy_tgt_reader *reader, hy_hole *hole, const hy_syntax *subject) {
  const char *path[4];
  int count = hy_syntax_path(subject, path, 4);
  if (hole->kind == HY_HOLE_FOR) {
    if (count) hole->loop = loop_of_path(reader, path, count);
    if (!hole->loop) {
      bad_hole(reader, subject->loc, "a hole of kind 'for' speaks of a loop, and '%s' does not name one",
               hy_syntax_quote(reader->context, subject));
      return NULL;
    }
    hy_vec_push(&reader->hole_loops, (hy_bound_loop){hole->loop, subject->loc});
    return hole->loop->func;
  }
  const hy_func *func = count == 1 ? hy_tgt_find(reader, path[0]) : NULL;
  if (!func)
    report_unknown_func(reader, hy_syntax_quote(reader->context, subject), subject->loc);
  else if (func->is_image && hole->kind != HY_HOLE_NEED)
    bad_hole(reader, subject->loc, "'%s' is an input image: only its need is a hole", func->name), func = NULL;
  return func;
}

// Reports what is wrong itself; "unknown" then keeps quiet.
static const hy_hole *find_hole(void *self, const hy_syntax *syntax) {
  hy_tgt_reader *reader = self;
  const hy_syntax *call = syntax->count == 1 ? syntax->args[0] : NULL;
  const hy_syntax *member = call && call->kind == HY_SYNTAX_CALL && call->count == 3 ? call->args[0] : NULL;
  const char *path[2];
  hy_hole hole = {0};
  if (!member || hy_syntax_path(member, path, 2) != 2 || !hole_kind(path[0], &hole.kind) ||
      (strcmp(path[1], "min") != 0 && strcmp(path[1], "len") != 0)) {
    bad_hole(reader, syntax->loc, "'%s' is not a hole", hy_syntax_quote(reader->context, syntax));
    return NULL;
  }
  hole.is_len = strcmp(path[1], "len") == 0;
  hole.func = hole_func(reader, &hole, call->args[1]);
  if (!hole.func) return NULL;
  if (!find_dim(hole.func, call->args[2], &hole.dim)) {
    bad_hole(reader, call->args[2]->loc, "'%s' is not a dimension of this func",
             hy_syntax_quote(reader->context, call->args[2]));
    return NULL;
  }
  return hy_hole_get(reader->context, hole);
}

static bool is_dimension(const hy_tgt_reader *reader, const char *name) {
  for (size_t i = 0; i < reader->funcs.count; i++)
    for (int d = 0; d < reader->funcs.data[i]->rank; d++)
      if (reader->funcs.data[i]->dims[d] == name) return true;
  return false;
}

static void report_unknown_name(hy_tgt_reader *reader, const hy_syntax *name) {
  HY_VEC(const char *) names = {0};
  for (size_t i = 0; i < reader->params.count; i++) hy_vec_push(&names, reader->params.data[i]->name);
  for (size_t i = 0; i < reader->images.count; i++) hy_vec_push(&names, reader->images.data[i]->name);
  for (size_t i = 0; i < reader->funcs.count; i++) hy_vec_push(&names, reader->funcs.data[i]->name);
  const char *nearest = hy_nearest_name(name->text, names.data, names.count), *help = NULL;
  hy_vec_free(&names);
  if (is_dimension(reader, name->text))
    help = "a loop variable stands with its full name, as in h.s1.x; the window is x.min and x.len";
  else if (nearest)
    help = hy_arena_printf(hy_context_arena(reader->context), "did you mean '%s'?", nearest);
  else
    help = "parameters and images are declared in the first line, funcs below it: func f(x): TYPE stages N;";
  hy_report(reader->diagnostics, HY_E_UNKNOWN_NAME, name->loc, NULL, help, "nothing here is called '%s'", name->text);
}

static bool report_unknown(void *self, const hy_syntax *name) {
  hy_tgt_reader *reader = self;
  if (name->kind == HY_SYNTAX_HOLE) return true; // find_hole has reported
  const char *path[4];
  int count = path_of(name, path, 4);
  const hy_var *loop = loop_of_path(reader, path, count);
  if (loop)
    hy_tgt_report_unbound(reader, loop, name->loc);
  else if (count == 1)
    report_unknown_name(reader, name);
  else if (count >= 3)
    report_bad_loop(reader, path, count, name->loc);
  else
    hy_report(
        reader->diagnostics, HY_E_UNKNOWN_NAME, name->loc, NULL,
        "dotted names are h.s1.x (a loop), x.min and x.len (the window), in.min(0) and in.len(0) (an image's box)",
        "nothing here is called '%s'", hy_syntax_quote(reader->context, name));
  return true;
}

void hy_tgt_open_names(hy_tgt_reader *reader) {
  reader->names =
      (hy_scope){.self = reader, .var = find_var, .func = find_func, .hole = find_hole, .unknown = report_unknown};
}

/* -- the head -- */

static void declare_name(hy_tgt_reader *reader, const char *name, hy_loc loc) {
  if (hy_is_reserved_word(name))
    hy_report(reader->diagnostics, HY_E_RESERVED_WORD, loc, NULL, "choose another name",
              "'%s' is a word of the language", name);
  else if (hy_tgt_find(reader, name) || find_param(reader, name))
    hy_report(reader->diagnostics, HY_E_TGT_DECLARATION, loc, "definition 4.5 (valid program)",
              "every parameter, image and func has a name of its own", "'%s' is declared twice", name);
}

static bool read_type(hy_tgt_reader *reader, hy_type *type) {
  hy_loc loc;
  const char *name = hy_parser_name(&reader->parser, "a type, as in 'int' or 'u16'", &loc);
  if (!name) return false;
  if (hy_type_find(name, strlen(name), type)) return true;
  hy_report(reader->diagnostics, HY_E_UNKNOWN_TYPE, loc, NULL,
            "types are int, bool, u8 u16 u32 u64, i8 i16 i32 i64, f16 bf16 f32 and f64", "there is no type '%s'", name);
  *type = HY_INT;
  return true;
}

// types = type | "(" type "," type {"," type} ")"
static bool read_types(hy_tgt_reader *reader, hy_func *func) {
  hy_parser *parser = &reader->parser;
  if (!hy_parser_accept(parser, "(")) return read_type(reader, &func->type);
  if (!read_type(reader, &func->type) || !hy_parser_at(parser, ","))
    return hy_parser_expect(parser, ",", "and the type of the next value");
  while (hy_parser_accept(parser, ",")) {
    if (!hy_parser_room(parser, (size_t)func->more + 1, HY_MAX_PARTS, "values of a func")) return false;
    if (!read_type(reader, &func->more_types[func->more++])) return false;
  }
  return hy_parser_expect(parser, ")", "after the last type, or ','");
}

// A decimal number from least to greatest.
static bool read_number(hy_tgt_reader *reader, const char *what, int least, int greatest, int *number) {
  const hy_token *token = hy_parser_peek(&reader->parser, 0);
  if (token->kind != HY_TOKEN_INTEGER) return hy_parser_unexpected(&reader->parser, what, NULL), false;
  unsigned long long value = strtoull(token->text, NULL, 0);
  if (value < (unsigned)least || value > (unsigned)greatest) {
    hy_report(reader->diagnostics, HY_E_TGT_DECLARATION, token->loc, NULL, "write a number of this range",
              "%s is from %d to %d, not %s", what, least, greatest, token->text);
    value = (unsigned)least;
  }
  *number = (int)value;
  reader->parser.next++;
  return true;
}

static const hy_var *const *box_vars(hy_tgt_reader *reader, hy_var_kind kind, const hy_func *func) {
  const hy_var **vars = HY_NEW_ARRAY(hy_context_arena(reader->context), const hy_var *, func->rank);
  for (int d = 0; d < func->rank; d++) {
    vars[d] = hy_var_new(reader->context, kind, HY_INT, func->name, func, d, 0);
  }
  return vars;
}

static void declare_image(hy_tgt_reader *reader, const char *name, hy_type type, int rank, hy_loc loc) {
  hy_arena *arena = hy_context_arena(reader->context);
  hy_func *image = HY_NEW(arena, hy_func);
  const char **dims = HY_NEW_ARRAY(arena, const char *, rank);
  for (int d = 0; d < rank; d++) dims[d] = hy_context_name(reader->context, (char[]){(char)('0' + d)}, 1);
  *image = (hy_func){.name = name, .type = type, .rank = rank, .is_image = true, .dims = dims, .loc = loc};
  image->index = (uint32_t)reader->images.count;
  image->min = box_vars(reader, HY_VAR_IMAGE_MIN, image);
  image->len = box_vars(reader, HY_VAR_IMAGE_LEN, image);
  hy_vec_push(&reader->images, image);
  hy_vec_push(&reader->signature, -(int)reader->images.count);
}

static bool read_parameter(hy_tgt_reader *reader) {
  hy_loc loc;
  hy_type type;
  int rank;
  hy_parser *parser = &reader->parser;
  const char *name = hy_parser_name(parser, "a parameter's name", &loc);
  if (!name || !hy_parser_expect(parser, ":", "after the parameter's name") || !read_type(reader, &type)) return false;
  declare_name(reader, name, loc);
  if (hy_parser_accept(parser, "[")) {
    if (!read_number(reader, "the number of dimensions", 0, HY_MAX_RANK, &rank)) return false;
    if (!hy_parser_expect(parser, "]", "after the number of dimensions")) return false;
    declare_image(reader, name, type, rank, loc);
    return true;
  }
  hy_vec_push(&reader->params, hy_var_new(reader->context, HY_VAR_PARAM, type, name, NULL, 0, 0));
  hy_vec_push(&reader->signature, (int)reader->params.count);
  return true;
}

// "(" [name {"," name}] ")"
static bool read_dims(hy_tgt_reader *reader, const char **dims, int *rank) {
  hy_parser *parser = &reader->parser;
  *rank = 0;
  if (!hy_parser_expect(parser, "(", "after the func's name")) return false;
  if (hy_parser_accept(parser, ")")) return true;
  do {
    hy_loc loc;
    const char *name = hy_parser_name(parser, "a dimension's name", &loc);
    if (!name) return false;
    if (hy_is_reserved_word(name))
      hy_report(reader->diagnostics, HY_E_RESERVED_WORD, loc, NULL, "choose another name",
                "'%s' is a word of the language", name);
    for (int d = 0; d < *rank; d++)
      if (dims[d] == name)
        hy_report(reader->diagnostics, HY_E_TGT_DECLARATION, loc, "definition 4.5 (valid program)",
                  "the dimensions of a func have different names", "dimension '%s' stands twice", name);
    if (*rank == HY_MAX_RANK) {
      hy_report(reader->diagnostics, HY_E_RANK, loc, "more dimensions than a func can have", NULL,
                "a func has at most %d dimensions", HY_MAX_RANK);
      return false;
    }
    dims[(*rank)++] = name;
  } while (hy_parser_accept(parser, ","));
  return hy_parser_expect(parser, ")", "after the last dimension, or ','");
}

static bool read_func_declaration(hy_tgt_reader *reader) {
  const char *dims[HY_MAX_RANK];
  hy_parser *parser = &reader->parser;
  hy_arena *arena = hy_context_arena(reader->context);
  hy_func *func = HY_NEW(arena, hy_func);
  int stages;
  func->name = hy_parser_name(parser, "the func's name", &func->loc);
  if (!func->name) return false;
  declare_name(reader, func->name, func->loc);
  if (!read_dims(reader, dims, &func->rank) || !hy_parser_expect(parser, ":", "after the dimensions") ||
      !read_types(reader, func) || !hy_parser_expect(parser, "stages", "after the type") ||
      !read_number(reader, "the number of stages", 1, HY_MAX_STAGE, &stages) ||
      !hy_parser_expect(parser, ";", "after the declaration"))
    return false;
  const char **copy = HY_NEW_ARRAY(arena, const char *, func->rank);
  memcpy(copy, dims, sizeof *copy * (size_t)func->rank);
  func->dims = copy;
  func->index = (uint32_t)(reader->images.count + reader->funcs.count);
  hy_vec_push(&reader->funcs, func);
  hy_vec_push(&reader->stage_counts, stages);
  return true;
}

static bool same_dims(const hy_func *func, const char *const *dims, int rank) {
  if (func->rank != rank) return false;
  for (int d = 0; d < rank; d++)
    if (func->dims[d] != dims[d]) return false;
  return true;
}

// An output as the head names it, before the funcs are declared.
typedef struct {
  const char *name, *dims[HY_MAX_RANK];
  int rank;
  hy_loc loc;
} head_output;

static const hy_func *find_output(hy_tgt_reader *reader, const head_output *head) {
  const char *name = head->name;
  hy_loc loc = head->loc;
  const hy_func *output = hy_tgt_find(reader, name);
  if (!output || output->is_image) {
    hy_report(reader->diagnostics, HY_E_TGT_DECLARATION, loc, NULL, "the func after 'on' is the output",
              "the output '%s' is not declared as a func", name);
    return NULL;
  }
  if (!same_dims(output, head->dims, head->rank))
    hy_report(reader->diagnostics, HY_E_TGT_DECLARATION, loc, NULL,
              "repeat the dimensions of the func's declaration, in its order", "'%s' is declared with other dimensions",
              name);
  return output;
}

static void set_outputs(hy_tgt_reader *reader, const head_output *heads, int count) {
  const hy_func *outputs[HY_MAX_OUTPUTS];
  for (int k = 0; k < count; k++) {
    if (!(outputs[k] = find_output(reader, &heads[k]))) return;
    for (int j = 0; j < k; j++)
      if (outputs[j] == outputs[k])
        hy_report(reader->diagnostics, HY_E_TGT_DECLARATION, heads[k].loc, "ALG.Valid.Outputs (decision D81)",
                  "list each output once", "'%s' is listed twice among the outputs", heads[k].name);
  }
  hy_alg_set_outputs(reader->context, reader->alg, outputs, count);
}

static bool read_outputs(hy_tgt_reader *reader, head_output *heads, int *count) {
  hy_parser *parser = &reader->parser;
  do {
    if (!hy_parser_room(parser, (size_t)*count, HY_MAX_OUTPUTS, "outputs")) return false;
    head_output *head = &heads[(*count)++];
    head->name = hy_parser_name(parser, "the output's name", &head->loc);
    if (!head->name || !read_dims(reader, head->dims, &head->rank)) return false;
  } while (hy_parser_accept(parser, ","));
  return true;
}

static bool read_parameters(hy_tgt_reader *reader) {
  hy_parser *parser = &reader->parser;
  if (!hy_parser_expect(parser, "(", "after the program's name")) return false;
  if (hy_parser_accept(parser, ")")) return true;
  do {
    if (!hy_parser_room(parser, reader->signature.count, HY_MAX_PARAMS, "parameters and images")) return false;
    if (!read_parameter(reader)) return false;
  } while (hy_parser_accept(parser, ","));
  return hy_parser_expect(parser, ")", "after the last parameter, or ','");
}

bool hy_tgt_read_head(hy_tgt_reader *reader) {
  hy_parser *parser = &reader->parser;
  head_output outputs[HY_MAX_OUTPUTS];
  int count = 0;
  if (!hy_parser_expect(parser, "target", "at the beginning of a target program")) return false;
  reader->alg->name = hy_parser_name(parser, "the program's name", &reader->alg->loc);
  if (!reader->alg->name || !read_parameters(reader) || !hy_parser_expect(parser, "on", "after the parameters"))
    return false;
  if (!read_outputs(reader, outputs, &count)) return false;
  if (!hy_parser_expect(parser, "{", "after the output")) return false;
  while (hy_parser_at(parser, "func") && hy_parser_peek(parser, 1)->kind == HY_TOKEN_NAME) {
    if (!hy_parser_room(parser, reader->funcs.count, HY_MAX_FUNCS, "funcs in a program")) return false;
    parser->next++;
    if (!read_func_declaration(reader)) hy_parser_recover(parser);
    if (hy_parser_gave_up(parser)) return false;
  }
  set_outputs(reader, outputs, count);
  return !hy_parser_failed(parser); // everything below relies on the declarations
}
