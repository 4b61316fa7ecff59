#ifndef HY_NUMBERS_H
#define HY_NUMBERS_H

/* What the calls of helpers give as numbers: of each argument and each let of a helper, written out, whether it is one
 * that is known in the text, found when something asks for it, and once.
 */

#include "semantics/text/alg_internal.h"

// "what" of a sentence, and what to write in the helper where the number is not known.
typedef struct hy_number_use {
  const hy_syntax *at; // in the text of the helper
  const char *helper;
  const char *instead;
} hy_number_use;

typedef struct hy_numbers hy_numbers;

HY_GIVE hy_numbers *hy_numbers_new(hy_context *context, const hy_written_pipeline *pipeline,
                                   hy_diagnostics *diagnostics);
void hy_numbers_free(HY_TAKE hy_numbers *numbers);

// The let "name" is "value", written out. "param" is how the helper calls it; "arg" is what was written for it.
// requires: no other has the name
void hy_numbers_add(hy_numbers *numbers, const char *name, const hy_syntax *value, const char *helper,
                    const char *param, const hy_syntax *arg);

// Is all that the expression, written out, is made of known? Reports nothing.
bool hy_numbers_known(hy_numbers *numbers, const hy_syntax *syntax);
// Is what is not known an argument of a helper, or a let of one? requires: not known
bool hy_numbers_can_blame(hy_numbers *numbers, const hy_syntax *syntax);

// False after a report, which names the call and the argument.
bool hy_numbers_condition(hy_numbers *numbers, const hy_syntax *syntax, const hy_number_use *use, bool *value);
// The number as a literal; NULL after such a report.
const hy_syntax *hy_numbers_literal(hy_numbers *numbers, const hy_syntax *syntax, const hy_number_use *use);
// The name of a member of a family, g_3; NULL after such a report.
const char *hy_numbers_member(hy_numbers *numbers, const char *family, const hy_syntax *const *indices, int count,
                              const hy_number_use *use);

#endif
