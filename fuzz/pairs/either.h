#ifndef HY_EITHER_H
#define HY_EITHER_H

/* Text in two wordings: what differs is written twice, one behind the other, and each wording is read off at the end.
 * Either part may itself have such parts.
 */

#include "semantics/base/text.h"

typedef enum { HY_WORDING_FORMS, HY_WORDING_WRITTEN_OUT } hy_wording;

void hy_either_begin(hy_text *out); // what follows is for the wording with forms,
void hy_either_turn(hy_text *out);  // what follows is for the one in which they are written out,
void hy_either_end(hy_text *out);   // what follows is for both
void hy_either_add(hy_text *out, const char *forms, const char *written);

// Stands in a name of what is written out at many places: each has its own number there.
void hy_either_add_number(hy_text *out);
void hy_either_numbered(const char *text, int number, hy_text *out); // the text with this number in their places

void hy_either_read(const char *text, hy_wording wording, hy_text *out);

#endif
