#ifndef HY_REPLACE_H
#define HY_REPLACE_H

/* A file from whoever: a piece of a good text, which has to be there, in another's place. */

#include "semantics/base/text.h"

#include <check.h>
#include <string.h>

static inline void replace(hy_text *text, const char *piece, const char *instead) {
  char *at = strstr(text->data, piece);
  ck_assert_msg(at, "%s\n%s", piece, text->data);
  hy_text with = {0};
  hy_text_add_bytes(&with, text->data, (size_t)(at - text->data));
  hy_text_add(&with, instead);
  hy_text_add(&with, at + strlen(piece));
  hy_text_free(text);
  *text = with;
}

#endif
