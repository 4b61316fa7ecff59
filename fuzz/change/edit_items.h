#ifndef HY_EDIT_ITEMS_H
#define HY_EDIT_ITEMS_H

/* Directives as text, one a line: what shrinking tries. */

#include "semantics/base/base.h"

// Without some lines.
HY_GIVE char *hy_items_without(const char *items, size_t first, size_t count);
// Without one "split" or "fuse"; what is said later of one of the loops that it makes, the outer or the inner one of a
// split, is said of the loop that was split, or, of a fused loop, of the outer or the inner one that was fused.
// "altered", the line of an alteration, follows, too. NULL if it is another directive.
HY_GIVE char *hy_items_past(const char *items, size_t line, bool inner, char *altered, size_t room);

#endif
