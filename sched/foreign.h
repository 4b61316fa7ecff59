#ifndef HY_FOREIGN_H
#define HY_FOREIGN_H

/* Directives that sched/ does not know: what it asks of whoever brought them. plugin/ answers for shared objects; the
 * context of a schedule that uses them says so (hy_context_use_plugins).
 */

#include "sched/sugar.h"

struct hy_plugin;
typedef struct hy_foreign {
  // The directive of that name; NULL if there is none.
  const struct hy_plugin *(*find)(const struct hy_plugins *plugins, const char *name);
  const char *(*form)(const struct hy_plugin *plugin, int *arguments); // how it is written, with how many arguments
  // A call of it, whose first argument names the loop "first". False after reporting.
  bool (*read)(hy_sugar *s, const struct hy_plugin *plugin, const hy_call *call, const hy_var *first,
               hy_directive *directive);
} hy_foreign;

#endif
