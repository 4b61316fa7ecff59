/* Target programs: how an allocation, or a caller's buffer, lies in memory.
 *
 *   plan = [ "order" "(" dim {"," dim} ")" ] { "align" "(" dim "," integer ")" } { "fold" "(" dim "," integer ")" }
 *          [ "in" ("heap" | "stack") ]
 *
 *   laid = "buffer" name "in" said { said } ";"
 *   said = [ "require" ] "stride" "(" dim "," integer ")" | "require" "align" "(" integer ")"
 *
 * What is said twice, or of a dimension that is none, is reported here; what does not fit otherwise by WF.Plan.
 */

#include "semantics/tgt/tgt_internal.h"

#include <string.h>

typedef hy_tgt_reader reader;

static void report(reader *r, hy_loc loc, const char *help, const char *what) {
  hy_report(r->diagnostics, HY_E_TGT_PLAN, loc, "WF.Plan", help, "%s", what);
}

static void report_laid(reader *r, hy_loc loc, const char *help, const char *what) {
  hy_report(r->diagnostics, HY_E_TGT_LAID, loc, "WF.Laid", help, "%s", what);
}

// A dimension of the func; -1 if there is none of that name, which is reported.
static bool read_dimension(reader *r, const hy_func *func, int *dim) {
  hy_loc loc;
  const char *name = hy_parser_name(&r->parser, "a dimension of the func", &loc);
  *dim = -1;
  if (!name) return false;
  for (int d = 0; func && d < func->rank; d++)
    if (strcmp(func->dims[d], name) == 0) *dim = d;
  if (func && *dim < 0)
    report(r, loc, hy_arena_printf(hy_context_arena(r->context), "'%s' has no dimension '%s'", func->name, name),
           "a storage plan speaks of a dimension that there is not");
  return true;
}

// order = "order" "(" dim {"," dim} ")"
static bool read_order(reader *r, const hy_func *func, hy_plan *plan) {
  hy_parser *p = &r->parser;
  hy_loc loc = hy_parser_loc(p);
  int count = 0, dim;
  if (!hy_parser_accept(p, "order")) return true;
  if (!hy_parser_expect(p, "(", "before the dimensions in their order")) return false;
  do {
    if (!read_dimension(r, func, &dim)) return false;
    if (count < HY_MAX_RANK && dim >= 0) plan->order[count] = dim;
    count++;
  } while (hy_parser_accept(p, ","));
  if (func && count != func->rank)
    report(r, loc, "write each dimension once, that whose neighbours lie side by side first",
           "a storage plan's order does not list every dimension once");
  return hy_parser_expect(p, ")", "after the last dimension, or ','");
}

// "(" dim "," integer ")"
static bool read_number(reader *r, const hy_func *func, int64_t *numbers, int64_t unsaid) {
  hy_parser *p = &r->parser;
  hy_loc loc = hy_parser_loc(p);
  int dim;
  int64_t number = 0;
  if (!hy_parser_expect(p, "(", "before the dimension") || !read_dimension(r, func, &dim) ||
      !hy_parser_expect(p, ",", "after the dimension"))
    return false;
  const hy_expr *value = hy_tgt_read_expr(r, HY_INT);
  if (!value || !hy_parser_expect(p, ")", "after the number")) return false;
  if (!hy_expr_is_int(value, &number) || number < 1 || number > HY_MOST_OF_PLAN) {
    report(r, loc, "write a constant from 1 to 2147483648", "a storage plan's number does not fit");
    return true;
  }
  if (dim >= 0 && numbers[dim] != unsaid)
    report(r, loc, "say it once", "a storage plan says something of one dimension twice");
  if (dim >= 0) numbers[dim] = number;
  return true;
}

static bool read_store(reader *r, hy_plan *plan) {
  const char *const words[] = {
      [HY_STORE_HEAP] = hy_store_name(HY_STORE_HEAP), [HY_STORE_STACK] = hy_store_name(HY_STORE_STACK)};
  if (!hy_parser_accept(&r->parser, "in")) return true;
  int word = hy_tgt_accept_word(r, words, HY_COUNT(words));
  if (word < 0) {
    hy_parser_unexpected(&r->parser, "where the allocation is", "write heap or stack");
    return false;
  }
  plan->store = (hy_store_place)word;
  return true;
}

bool hy_tgt_read_plan(reader *r, const hy_func *func, hy_plan *plan) {
  *plan = hy_plan_plain();
  if (!read_order(r, func, plan)) return false;
  while (hy_parser_accept(&r->parser, "align"))
    if (!read_number(r, func, plan->align, 1)) return false;
  while (hy_parser_accept(&r->parser, "fold"))
    if (!read_number(r, func, plan->fold, 0)) return false;
  return read_store(r, plan);
}

/* -- buffers -- */

// Those of images are numbers.
static const char *read_dimension_name(reader *r, const hy_func *func, hy_loc *loc) {
  const hy_token *token = hy_parser_peek(&r->parser, 0);
  if (!func || !func->is_image || token->kind != HY_TOKEN_INTEGER)
    return hy_parser_name(&r->parser, "a dimension of the func", loc);
  *loc = token->loc;
  r->parser.next++;
  return token->text;
}

// "(" dim "," integer ")"
static bool read_stride(reader *r, bool demanded, hy_laid *laid) {
  hy_parser *p = &r->parser;
  hy_loc loc = hy_parser_loc(p);
  const hy_func *func = laid->func;
  int64_t number = 0;
  int dim = 0;
  if (!hy_parser_expect(p, "(", "before the dimension")) return false;
  const char *name = read_dimension_name(r, func, &loc);
  if (!name || !hy_parser_expect(p, ",", "after the dimension")) return false;
  const hy_expr *value = hy_tgt_read_expr(r, HY_INT);
  if (!value || !hy_parser_expect(p, ")", "after the number")) return false;
  while (func && dim < func->rank && strcmp(func->dims[dim], name) != 0) dim++;
  if (!func) return true; // it is reported
  if (dim == func->rank)
    report_laid(r, loc, "an image's dimensions are numbers, an output's have names", "there is no such dimension");
  else if (!hy_expr_is_int(value, &number) || number < 1 || number > HY_MOST_OF_STRIDE)
    report_laid(r, loc, "write a constant from 1 to 1073741824", "a stride does not fit");
  else if (laid->strides.of[dim])
    report_laid(r, loc, "say it once", "the stride of one dimension is said twice");
  else {
    laid->strides.of[dim] = number;
    if (demanded) laid->demanded.of[dim] = number;
  }
  return true;
}

// "(" integer ")"
static bool read_alignment(reader *r, hy_laid *laid) {
  hy_parser *p = &r->parser;
  hy_loc loc = hy_parser_loc(p);
  int64_t number = 0;
  if (!hy_parser_expect(p, "(", "before the alignment")) return false;
  const hy_expr *value = hy_tgt_read_expr(r, HY_INT);
  if (!value || !hy_parser_expect(p, ")", "after the number")) return false;
  if (!hy_expr_is_int(value, &number) || !hy_alignment_fits(number))
    report_laid(r, loc, "write a power of two from 1 to 4096", "an alignment does not fit");
  else if (laid->align)
    report_laid(r, loc, "say it once", "the alignment of a buffer is said twice");
  else
    laid->align = number;
  return true;
}

// said = [ "require" ] "stride" .. | "require" "align" ..
static bool read_said(reader *r, hy_laid *laid) {
  hy_parser *p = &r->parser;
  bool demanded = hy_parser_accept(p, "require");
  if (demanded && hy_parser_accept(p, "align")) return read_alignment(r, laid);
  if (hy_parser_accept(p, "stride")) return read_stride(r, demanded, laid);
  hy_parser_unexpected(p, "'stride'", "a buffer lies by its strides: buffer out in stride(x, 3);");
  return false;
}

// Of the program's images and outputs, each once (WF.Laid); a func that is neither is reported there.
static bool read_one_laid(reader *r, hy_laid *laid) {
  hy_parser *p = &r->parser;
  hy_loc loc = hy_parser_loc(p);
  const char *name = hy_parser_name(p, "an image or an output", &loc);
  *laid = (hy_laid){.func = name ? hy_tgt_find(r, name) : NULL};
  if (!name || !hy_parser_expect(p, "in", "after the buffer's name")) return false;
  if (!laid->func) report_laid(r, loc, "name an image or an output", "there is no such buffer");
  do
    if (!read_said(r, laid)) return false;
  while (hy_parser_at(p, "require") || hy_parser_at(p, "stride"));
  return hy_parser_expect(p, ";", "after the buffer's strides");
}

const hy_laid *hy_tgt_read_laid(reader *r, int *count) {
  HY_VEC(hy_laid) all = {0};
  hy_parser *p = &r->parser;
  while (hy_parser_at(p, "buffer") && hy_parser_peek(p, 1)->kind == HY_TOKEN_NAME && !hy_parser_gave_up(p)) {
    hy_laid laid;
    if (!hy_parser_room(p, all.count, HY_MAX_PARAMS + HY_MAX_OUTPUTS, "buffers")) break;
    p->next++;
    if (!read_one_laid(r, &laid))
      hy_parser_recover(p);
    else if (laid.func)
      hy_vec_push(&all, laid);
  }
  hy_laid *copy = HY_NEW_ARRAY(hy_context_arena(r->context), hy_laid, all.count);
  if (all.count) memcpy(copy, all.data, sizeof *copy * all.count);
  *count = (int)all.count;
  hy_vec_free(&all);
  return copy;
}
