/* Parts of programs, looked at by themselves: what a text of items defines, one parameter, names, calls. */

#include "semantics/text/parts.h"
#include "semantics/alg/expand/expand.h"
#include "semantics/text/alg_internal.h"

#include <string.h>

const char *hy_name_fault(const char *name) {
  if (hy_is_reserved_word(name)) return "is a word of the language";
  return strlen(name) > HY_MAX_NAME ? "has more than 1000 bytes" : NULL;
}

const char *hy_loop_name_fault(const char *name) {
  const char *fault = hy_name_fault(name);
  return !fault && hy_is_loop_word(name) ? "numbers stages or specializations in the names of loops" : fault;
}

/* -- calls -- */

bool hy_call_form_of(const char *name, hy_call_form *form) {
  size_t length = strlen(name);
  hy_type type;
  hy_op op;
  hy_derived derived;
  *form = (hy_call_form){1, 1, 1};
  if (hy_type_find(name, length, &type)) return true;
  if (hy_op_find_call(name, length, &op)) {
    int arity = hy_op_arity(op);
    bool is_open = op == HY_OP_SELECT || op == HY_OP_MIN || op == HY_OP_MAX;
    *form = (hy_call_form){arity, is_open ? INT32_MAX : arity, op == HY_OP_SELECT ? 2 : 1};
  } else if (strcmp(name, "clamp") == 0) {
    *form = (hy_call_form){3, 3, 1};
  } else if (strcmp(name, "mux") == 0) {
    *form = (hy_call_form){2, INT32_MAX, 1};
  } else if (strcmp(name, hy_derived_name(HY_DERIVED_CONCAT_BITS)) == 0) {
    *form = (hy_call_form){2, 8, 2};
  } else if (hy_derived_find(name, &derived)) {
    *form = (hy_call_form){hy_derived_arity(derived), hy_derived_arity(derived), 1};
  } else {
    return false;
  }
  return true;
}

/* -- items -- */

typedef HY_VEC(hy_item_outline) outlines;

// "repeat_edge(in)": what is continued
static const char *source_of(const hy_written_func *func) {
  const hy_syntax *condition = func->stage_count ? func->stages[0].rhs : NULL;
  bool is_call = condition && condition->kind == HY_SYNTAX_CALL && condition->count > 1;
  return is_call && condition->args[1]->kind == HY_SYNTAX_NAME ? condition->args[1]->text : NULL;
}

// A reduction that keeps where it found its value has a number for each variable, and the value.
static int values_of(const hy_syntax *value) {
  const hy_written_reduction *r = value->kind == HY_SYNTAX_REDUCTION ? value->reduction : NULL;
  return r && hy_reduction_keeps_where(r->reduction) ? r->rdom_count + 1 : hy_syntax_values(value);
}

static void add_func(outlines *list, const hy_written_func *func) {
  hy_vec_push(list, (hy_item_outline){.name = func->name.text,
                                      .kind = HY_ITEM_IS_FUNC,
                                      .is_family = func->index_count > 0,
                                      .takes = func->rank,
                                      .source = func->is_short ? source_of(func) : NULL,
                                      .values = func->stage_count ? values_of(func->stages[0].rhs) : 1,
                                      .updates = func->stage_count ? func->stage_count - 1 : 0});
}

static void add_named(outlines *list, const hy_written_named *named) {
  hy_vec_push(list, (hy_item_outline){.name = named->name.text,
                                      .kind = named->is_helper ? HY_ITEM_IS_HELPER : HY_ITEM_IS_CONSTANT,
                                      .takes = named->param_count,
                                      .values = 1});
}

static void add_items(outlines *list, hy_written_items items) {
  for (int i = 0; i < items.count; i++) {
    const hy_written_item *item = &items.list[i];
    if (item->kind == HY_ITEM_FUNC) add_func(list, item->func);
    if (item->kind == HY_ITEM_NAMED) add_named(list, item->named);
    add_items(list, item->body);
    add_items(list, item->otherwise);
  }
}

bool hy_parse_item_outlines(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics,
                            const hy_item_outline **result, int *count) {
  hy_written_items items;
  outlines list = {0};
  if (!hy_parse_items(context, source, diagnostics, &items)) return false;
  add_items(&list, items);
  hy_item_outline *copy = HY_NEW_ARRAY(hy_context_arena(context), hy_item_outline, list.count);
  if (list.count) memcpy(copy, list.data, sizeof *copy * list.count);
  *result = copy;
  *count = (int)list.count;
  hy_vec_free(&list);
  return true;
}

bool hy_check_parameter(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics) {
  size_t before = hy_diagnostics_errors(diagnostics);
  hy_written_param param;
  if (!hy_parse_parameter(context, source, diagnostics, &param)) return false;
  hy_about_params(context, &(hy_written_pipeline){.params = &param, .param_count = 1}, diagnostics);
  return hy_diagnostics_errors(diagnostics) == before;
}
