#ifndef HY_FORMS_H
#define HY_FORMS_H

/* Which forms a random pair has: those of forms.def, the types of its funcs, images and parameters and of constants
 * at the edge of a type, and the forms of the language that stand for others.
 */

#include "semantics/alg/expand/expand.h"
#include "semantics/base/base.h"

enum { HY_FORM_TYPES = 14 }; // hy_made_types
typedef enum {
#define HY_FORM(id, text) HY_FORM_##id,
#include "fuzz/pairs/forms.def"
#undef HY_FORM
  HY_FORM_FUNC,
  HY_FORM_IMAGE = HY_FORM_FUNC + HY_FORM_TYPES,
  HY_FORM_PARAM = HY_FORM_IMAGE + HY_FORM_TYPES,
  HY_FORM_EDGE = HY_FORM_PARAM + HY_FORM_TYPES,
  HY_FORM_BOUNDARY = HY_FORM_EDGE + HY_FORM_TYPES,
  HY_FORM_REDUCTION = HY_FORM_BOUNDARY + HY_BOUNDARY_COUNT,
  HY_FORM_DERIVED = HY_FORM_REDUCTION + HY_REDUCTION_COUNT,
} hy_form;
enum { HY_FORMS = HY_FORM_DERIVED + HY_DERIVED_COUNT, HY_FORM_WORDS = (HY_FORMS + 63) / 64 };

typedef struct hy_forms {
  uint64_t bits[HY_FORM_WORDS];
} hy_forms;

static inline void hy_forms_mark(hy_forms *forms, int form) { forms->bits[form / 64] |= UINT64_C(1) << form % 64; }
static inline bool hy_forms_has(const hy_forms *forms, int form) { return forms->bits[form / 64] >> form % 64 & 1; }
const char *hy_form_name(int form); // "a func of u64"; lives until the next call
// No image has the type int, which has no width.
static inline bool hy_form_exists(int form) { return form != HY_FORM_IMAGE; }

#endif
