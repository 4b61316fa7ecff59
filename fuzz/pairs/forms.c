#include "fuzz/pairs/generate_internal.h"

#include <stdio.h>

const char *hy_form_name(int form) {
  static const char *const names[] = {
#define HY_FORM(id, text) text,
#include "fuzz/pairs/forms.def"
#undef HY_FORM
  };
  static const char *const places[] = {"a func", "an image", "a parameter", "a constant at the edge"};
  static char name[64];
  if (form < HY_FORM_FUNC) return names[form];
  if (form >= HY_FORM_DERIVED) return hy_derived_name((hy_derived)(form - HY_FORM_DERIVED));
  if (form >= HY_FORM_REDUCTION) return hy_reduction_name((hy_reduction)(form - HY_FORM_REDUCTION));
  if (form >= HY_FORM_BOUNDARY) return hy_boundary_name((hy_boundary)(form - HY_FORM_BOUNDARY));
  int place = (form - HY_FORM_FUNC) / HY_FORM_TYPES;
  snprintf(name, sizeof name, "%s of %s", places[place], hy_made_types[(form - HY_FORM_FUNC) % HY_FORM_TYPES]);
  return name;
}
