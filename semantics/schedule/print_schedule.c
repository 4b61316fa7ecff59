/* Items of schedules as text that reads back to the same items: without comments, and what a "for" wrote out without
 * the "for".
 */

#include "semantics/schedule/directive.h"

static void print_call(const hy_call *call, hy_text *out) {
  hy_text_printf(out, "%s(", call->name);
  for (int i = 0; i < call->count; i++) {
    if (i) hy_text_add(out, ", ");
    hy_syntax_print(call->args[i].syntax, out);
  }
  hy_text_add(out, ")");
}

void hy_schedule_item_print(const hy_schedule_item *item, hy_text *out) {
  if (item->func) hy_text_add(out, item->func);
  for (int i = 0; i < item->count; i++) {
    if (item->func) hy_text_add(out, ".");
    print_call(&item->calls[i], out);
  }
  hy_text_add(out, ";");
}
