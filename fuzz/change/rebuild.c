#include "fuzz/change/rebuild.h"

#include <stdlib.h>

const hy_stmt *hy_rebuild(hy_context *context, const hy_stmt *root, const hy_stmt *from, const hy_stmt *to) {
  if (root == from) return to;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(root, &children, room);
  const hy_stmt **changed = hy_allocate(sizeof *changed * (size_t)(count + 1));
  for (int i = 0; i < count; i++) changed[i] = hy_rebuild(context, children[i], from, to);
  root = hy_stmt_with_children(context, root, changed, count);
  free(changed);
  return root;
}
