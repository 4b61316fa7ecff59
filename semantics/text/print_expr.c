/* Expressions as text, with C's precedence and the fewest parentheses that read back to the same tree.
 *
 * Three things are more than walking the tree:
 * - A literal whose type would not be found from what stands around it is written as a constant of its type, u8(1).
 * What looks like one and is the conversion of an int is written u8((1)).
 * - Expressions are graphs. One whose tree is large, or nests deeply, is written with "let t1 = ... in" for
 * subexpressions; reading expands them, so the graph comes back.
 * - A chain a + b + c is walked by a loop, so that its length costs no stack.
 */

#include "semantics/text/print_internal.h"

#include "semantics/base/id_map.h"
#include "semantics/base/vec.h"

#include <string.h>

enum {
  LARGE_TREE = 2000, // nodes; larger trees get lets for what they share
  DEEP_NODE = 600,   // nesting beyond which a subexpression is named; with the lets, below the parser's limit of 800
  MOST_NAMES = 150,  // lets nest, too
  FEWEST_NODES = 8,  // smaller subexpressions are never worth a name
  PREFIX = 12,       // the precedence of prefix operators (ops.def)
  TIGHT = 11,        // operators that stand without blanks: 2*w + 1
};

typedef struct {
  const hy_expr *node;
  uint64_t size;   // of the text's tree: what has a name counts as one node
  uint32_t uses;   // edges that lead here
  uint32_t name;   // 0 = none
  int depth;       // of nesting in the text
  bool is_evident; // its type is found without looking around
  bool is_untyped; // stands somewhere where nothing says its type
} fact;

typedef struct {
  const hy_print_style *style;
  const hy_func *own; // whose type is not known; or NULL
  hy_text *out;
  size_t most;        // of "out": what comes after is left out
  HY_VEC(fact) facts; // children first
  hy_id_map *numbers; // of facts, by their nodes
} printer;

/* -- facts -- */

static fact *fact_of(const printer *p, const hy_expr *node) {
  return &p->facts.data[*hy_id_map_find(p->numbers, node->id)];
}

static void collect(void *self, const hy_expr *node) {
  printer *p = self;
  *hy_id_map_put(p->numbers, node->id) = p->facts.count;
  hy_vec_push(&p->facts, (fact){.node = node});
}

// Which arguments share the node's type, as the reader unifies them; -1 if none do (comparisons, conversions).
static int first_typed_argument(hy_op op) {
  switch (hy_op_typing(op)) {
  case HY_TYPING_ARITH:
  case HY_TYPING_BITS:
  case HY_TYPING_WHOLE:
  case HY_TYPING_UNARY:
  case HY_TYPING_UBITS:
  case HY_TYPING_MATH: return 0;
  case HY_TYPING_SELECT: return 1;
  case HY_TYPING_COMPARE:
  case HY_TYPING_EQUAL:
  case HY_TYPING_LOGIC:
  case HY_TYPING_REINTERPRET:
  case HY_TYPING_CAST: return -1;
  }
  HY_UNREACHABLE();
}

static bool is_evident(const printer *p, const hy_expr *node) {
  switch (node->kind) {
  case HY_EXPR_CONST: return node->type == HY_BOOL;
  case HY_EXPR_VAR:
  case HY_EXPR_HOLE: return true;
  case HY_EXPR_ACCESS: return node->func != p->own;
  case HY_EXPR_TUPLE:
    for (int i = 0; i < node->count; i++)
      if (!fact_of(p, node->args[i])->is_evident) return false;
    return true;
  case HY_EXPR_OP: break;
  }
  int first = first_typed_argument(node->op);
  if (first < 0) return true;
  for (int i = first; i < node->count; i++)
    if (fact_of(p, node->args[i])->is_evident) return true;
  return false;
}

static bool is_binary(const hy_expr *node) {
  return node->kind == HY_EXPR_OP && node->count == 2 && hy_op_precedence(node->op) > 0;
}

static bool is_comparison(hy_op op) { return hy_op_kind_of(op) == HY_KIND_COMPARISON; }

// Is the left operand written as part of the same chain, by the loop of print_chain?
static bool continues_chain(const hy_expr *node, const hy_expr *left) {
  return is_binary(left) && hy_op_precedence(left->op) >= hy_op_precedence(node->op) && !is_comparison(left->op);
}

// Does an operator stand away from its operand, as in -(1)? "-" directly before a number is part of the number.
static bool keeps_away(const hy_expr *node) {
  if (node->kind != HY_EXPR_OP || node->op != HY_OP_NEG) return false;
  const hy_expr *operand = node->args[0];
  return operand->kind == HY_EXPR_CONST || (operand->kind == HY_EXPR_OP && operand->op == HY_OP_NEG);
}

static void measure(const printer *p, fact *f) {
  f->size = 1;
  f->depth = 0;
  for (int i = 0; i < f->node->count; i++) {
    const fact *child = fact_of(p, f->node->args[i]);
    f->size += child->name ? 1 : child->size;
    int depth = child->name ? 0 : child->depth + keeps_away(f->node);
    if (!(i == 0 && !child->name && is_binary(f->node) && continues_chain(f->node, child->node))) depth++;
    if (depth > f->depth) f->depth = depth;
  }
  if (f->size > UINT32_MAX) f->size = UINT32_MAX;
}

static void mark(const printer *p, const hy_expr *part) {
  fact *f = fact_of(p, part);
  f->is_untyped |= !f->is_evident;
}

// Parents first: what nothing tells the reader about a node's type, nothing tells about the parts that share it.
static void mark_parts(const printer *p, const fact *f) {
  const hy_expr *node = f->node;
  for (int i = 0; node->kind == HY_EXPR_TUPLE && f->is_untyped && i < node->count; i++) mark(p, node->args[i]);
  if (node->kind != HY_EXPR_OP) return;
  switch (hy_op_typing(node->op)) {
  case HY_TYPING_ARITH:
  case HY_TYPING_BITS:
  case HY_TYPING_WHOLE:
  case HY_TYPING_UNARY:
  case HY_TYPING_UBITS:
  case HY_TYPING_MATH:
  case HY_TYPING_SELECT:
    for (int i = first_typed_argument(node->op); f->is_untyped && i < node->count; i++) mark(p, node->args[i]);
    return;
  case HY_TYPING_COMPARE:
  case HY_TYPING_EQUAL:
    if (fact_of(p, node->args[0])->is_evident || fact_of(p, node->args[1])->is_evident) return;
    for (int i = 0; i < 2; i++) mark(p, node->args[i]);
    return;
  case HY_TYPING_CAST: mark(p, node->args[0]); return;
  case HY_TYPING_REINTERPRET:
  case HY_TYPING_LOGIC: return;
  }
  HY_UNREACHABLE();
}

static void mark_all(printer *p) {
  fact *root = &hy_vec_last(&p->facts);
  root->is_untyped = !p->style->typed && !root->is_evident;
  for (size_t i = p->facts.count; i-- > 0;) mark_parts(p, &p->facts.data[i]);
}

static void measure_all(printer *p) {
  for (size_t i = 0; i < p->facts.count; i++) {
    fact *f = &p->facts.data[i];
    f->is_evident = is_evident(p, f->node);
    for (int k = 0; k < f->node->count; k++) fact_of(p, f->node->args[k])->uses++;
    measure(p, f);
  }
}

// Names what is used twice and has at least "least" nodes, and what nests too deeply; says how many.
static uint32_t choose_names(printer *p, uint64_t least) {
  uint32_t names = 0;
  for (size_t i = 0; i < p->facts.count; i++) {
    fact *f = &p->facts.data[i];
    f->name = 0;
    measure(p, f);
    bool is_root = i + 1 == p->facts.count;
    bool worth = f->node->count && ((f->uses > 1 && f->size >= least) || f->depth >= DEEP_NODE);
    if (worth && !is_root) f->name = ++names;
  }
  return names;
}

static void name_shared(printer *p) {
  uint64_t least = hy_vec_last(&p->facts).size <= LARGE_TREE ? UINT64_MAX : FEWEST_NODES;
  uint32_t names = choose_names(p, least);
  while (names > MOST_NAMES && least < UINT32_MAX) names = choose_names(p, least *= 2);
}

/* -- text -- */

static void print(printer *p, const hy_expr *node, int least);

static void print_arguments(printer *p, const hy_expr *const *args, int count) {
  hy_text_add(p->out, "(");
  for (int i = 0; i < count; i++) {
    if (i) hy_text_add(p->out, ", ");
    print(p, args[i], 0);
  }
  hy_text_add(p->out, ")");
}

// Does nothing tell the literal's type, and would the reader take it for another? Floats are always written with a
// point.
static bool needs_type(const printer *p, const hy_expr *node) {
  return node->type != HY_INT && node->type != HY_F32 && node->type != HY_BOOL && fact_of(p, node)->is_untyped;
}

static void print_const(printer *p, const hy_expr *node) {
  bool convert = needs_type(p, node);
  if (convert) hy_text_printf(p->out, "%s(", hy_type_name(node->type));
  hy_value_print(node->value, p->out);
  if (convert) hy_text_add(p->out, ")");
}

// Would T(literal) be read as a constant of type T?
static bool is_constant_of(const hy_expr *literal, hy_type type) {
  int64_t least, greatest;
  if (literal->kind != HY_EXPR_CONST || (literal->type != HY_INT && literal->type != HY_F32)) return false;
  if (hy_type_class_of(type) == HY_CLASS_FLOAT) return true;
  if (type == HY_BOOL || literal->type == HY_F32) return false;
  hy_type_range(type, &least, &greatest);
  return literal->value.i >= least && literal->value.i <= greatest;
}

static void print_cast(printer *p, const hy_expr *node) {
  bool apart = is_constant_of(node->args[0], node->type);
  hy_text_printf(p->out, apart ? "%s((" : "%s(", hy_type_name(node->type));
  print(p, node->args[0], 0);
  hy_text_add(p->out, apart ? "))" : ")");
}

// max(min(e, hi), lo) is clamp(e, lo, hi).
static bool is_clamp(const printer *p, const hy_expr *node) {
  if (node->op != HY_OP_MAX) return false;
  const hy_expr *inner = node->args[0];
  return inner->kind == HY_EXPR_OP && inner->op == HY_OP_MIN && !fact_of(p, inner)->name;
}

static void print_call(printer *p, const hy_expr *node) {
  if (node->op == HY_OP_CAST) {
    print_cast(p, node);
  } else if (is_clamp(p, node)) {
    const hy_expr *inner = node->args[0];
    hy_text_add(p->out, "clamp");
    print_arguments(p, (const hy_expr *[]){inner->args[0], node->args[1], inner->args[1]}, 3);
  } else {
    hy_text_add(p->out, hy_op_spelling(node->op));
    print_arguments(p, node->args, node->count);
  }
}

static void print_prefix(printer *p, const hy_expr *node, int least) {
  const hy_expr *operand = node->args[0];
  bool outer = least > PREFIX, inner = keeps_away(node) && !fact_of(p, operand)->name;
  if (outer) hy_text_add(p->out, "(");
  hy_text_printf(p->out, "%s%s", hy_op_spelling(node->op), inner ? "(" : "");
  print(p, operand, inner ? 0 : PREFIX);
  if (inner) hy_text_add(p->out, ")");
  if (outer) hy_text_add(p->out, ")");
}

// How tightly the operands must bind: operators associate to the left, comparisons not at all.
static int left_least(hy_op op) { return hy_op_precedence(op) + is_comparison(op); }
static int right_least(hy_op op) { return hy_op_precedence(op) + 1; }

static void print_chain(printer *p, const hy_expr *node, int least) {
  HY_VEC(const hy_expr *) chain = {0};
  bool outer = hy_op_precedence(node->op) < least;
  if (outer) hy_text_add(p->out, "(");
  hy_vec_push(&chain, node);
  for (const hy_expr *left = node->args[0]; !fact_of(p, left)->name && continues_chain(hy_vec_last(&chain), left);
       left = left->args[0])
    hy_vec_push(&chain, left);
  const hy_expr *first = hy_vec_last(&chain);
  print(p, first->args[0], left_least(first->op));
  while (chain.count) {
    const hy_expr *link = hy_vec_pop(&chain);
    hy_text_printf(p->out, hy_op_precedence(link->op) >= TIGHT ? "%s" : " %s ", hy_op_spelling(link->op));
    print(p, link->args[1], right_least(link->op));
  }
  hy_vec_free(&chain);
  if (outer) hy_text_add(p->out, ")");
}

static void print_op(printer *p, const hy_expr *node, int least) {
  int precedence = hy_op_precedence(node->op);
  if (precedence == 0)
    print_call(p, node);
  else if (precedence == PREFIX)
    print_prefix(p, node, least);
  else
    print_chain(p, node, least);
}

static void print_hole(const hy_hole *hole, hy_text *out) {
  static const char *const kinds[] = {
      [HY_HOLE_MEM] = "mem", [HY_HOLE_CPU] = "cpu", [HY_HOLE_FOR] = "for", [HY_HOLE_NEED] = "need"};
  hy_text_printf(out, "?%s.%s(", kinds[hole->kind], hole->is_len ? "len" : "min");
  if (hole->kind == HY_HOLE_FOR)
    hy_var_print(hole->loop, out);
  else
    hy_text_add(out, hole->func->name);
  hy_text_printf(out, ", %s)", hole->func->dims[hole->dim]);
}

static void print_content(printer *p, const hy_expr *node, int least) {
  switch (node->kind) {
  case HY_EXPR_CONST: print_const(p, node); return;
  case HY_EXPR_VAR: hy_var_print(node->var, p->out); return;
  case HY_EXPR_ACCESS:
    hy_text_add(p->out, node->func->name);
    print_arguments(p, node->args, node->count);
    if (node->func->more) hy_text_printf(p->out, "[%d]", node->part);
    return;
  case HY_EXPR_TUPLE: print_arguments(p, node->args, node->count); return;
  case HY_EXPR_OP: print_op(p, node, least); return;
  case HY_EXPR_HOLE: print_hole(node->hole, p->out); return;
  }
  HY_UNREACHABLE();
}

// "least": what binds less tightly than this stands in parentheses.
static void print(printer *p, const hy_expr *node, int least) {
  if (p->out->length > p->most) return;
  uint32_t name = fact_of(p, node)->name;
  if (name)
    hy_text_printf(p->out, "%s%u", p->style->temporary, name);
  else
    print_content(p, node, least);
}

static void print_lets(printer *p) {
  for (size_t i = 0; i < p->facts.count; i++) {
    const fact *f = &p->facts.data[i];
    if (!f->name) continue;
    hy_text_printf(p->out, "let %s%u = ", p->style->temporary, f->name);
    print_content(p, f->node, 0);
    hy_text_add(p->out, " in ");
  }
}

static void find_facts(printer *p, const hy_expr *expr) {
  hy_id_map_begin(p->numbers);
  hy_expr_visit(expr, collect, p);
  measure_all(p);
}

static void free_facts(printer *p) {
  hy_id_map_end(p->numbers);
  hy_vec_free(&p->facts);
}

void hy_expr_print_styled(const hy_expr *expr, const hy_print_style *style, hy_text *out) {
  hy_id_map numbers;
  printer p = {.style = style, .out = out, .most = SIZE_MAX, .numbers = &numbers};
  find_facts(&p, expr);
  mark_all(&p);
  name_shared(&p);
  print_lets(&p);
  print(&p, expr, 0);
  free_facts(&p);
}

bool hy_expr_has_evident_type(const hy_expr *expr, const hy_func *own) {
  hy_id_map numbers;
  printer p = {.own = own, .numbers = &numbers};
  find_facts(&p, expr);
  bool result = hy_vec_last(&p.facts).is_evident;
  free_facts(&p);
  return result;
}

/* -- names -- */

void hy_print_names_add(hy_print_names *names, const char *name) { hy_vec_push(names, name); }

void hy_print_names_add_func(hy_print_names *names, const hy_func *func) {
  hy_vec_push(names, func->name);
  for (int d = 0; d < func->rank; d++) hy_vec_push(names, func->dims[d]);
}

void hy_print_names_add_signature(hy_print_names *names, const hy_alg *alg) {
  for (int i = 0; i < alg->param_count; i++) hy_vec_push(names, alg->params[i]->name);
  for (int i = 0; i < alg->image_count; i++) hy_vec_push(names, alg->images[i]->name);
}

static bool is_taken(const char *name, const char *beginning) {
  size_t length = strlen(beginning);
  return strncmp(name, beginning, length) == 0 && name[length] >= '0' && name[length] <= '9';
}

const char *hy_print_temporary(const char *const *names, size_t count, char buffer[HY_TEMPORARY_SIZE]) {
  strcpy(buffer, "t");
  for (size_t i = 0; i < count; i++) {
    if (!is_taken(names[i], buffer) || strlen(buffer) + 2 > HY_TEMPORARY_SIZE) continue;
    strcat(buffer, "_");
    i = (size_t)-1; // begin again with the longer one
  }
  return buffer;
}

static void add_names(void *self, const hy_expr *node) {
  if (node->kind == HY_EXPR_ACCESS) hy_print_names_add(self, node->func->name);
  if (node->kind == HY_EXPR_VAR) hy_print_names_add(self, node->var->name);
}

void hy_expr_print(const hy_expr *expr, hy_text *out) {
  hy_print_names names = {0};
  char buffer[HY_TEMPORARY_SIZE];
  hy_expr_visit(expr, add_names, &names);
  hy_print_style style = {.typed = true, .temporary = hy_print_temporary(names.data, names.count, buffer)};
  hy_expr_print_styled(expr, &style, out);
  hy_vec_free(&names);
}

// The tree: names for what comes twice would only push what a reader looks for behind the end.
void hy_expr_print_brief(const hy_expr *expr, size_t most, hy_text *out) {
  hy_id_map numbers;
  const hy_print_style style = {.typed = true};
  printer p = {.style = &style, .out = out, .most = out->length + most, .numbers = &numbers};
  find_facts(&p, expr);
  mark_all(&p);
  print(&p, expr, 0);
  free_facts(&p);
  if (out->length <= p.most) return;
  out->length = p.most;
  hy_text_add(out, "...");
}

void hy_var_print(const hy_var *var, hy_text *out) {
  switch (var->kind) {
  case HY_VAR_PURE:
  case HY_VAR_RDOM:
  case HY_VAR_PARAM:
  case HY_VAR_FRESH: hy_text_add(out, var->name); return;
  case HY_VAR_IMAGE_MIN: hy_text_printf(out, "%s.min(%d)", var->func->name, var->dim); return;
  case HY_VAR_IMAGE_LEN: hy_text_printf(out, "%s.len(%d)", var->func->name, var->dim); return;
  case HY_VAR_WINDOW_MIN: hy_text_printf(out, "%s.min", var->name); return;
  case HY_VAR_WINDOW_LEN: hy_text_printf(out, "%s.len", var->name); return;
  case HY_VAR_LOOP: break;
  }
  hy_text_printf(out, "%s.", var->func->name);
  if (var->spec) hy_text_printf(out, "z%d.", var->spec);
  hy_text_printf(out, "s%d.%s", var->stage, var->name);
}
