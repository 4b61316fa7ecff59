#include "semantics/base/vec.h"

void *hy_vec_grown(void *data, size_t *capacity, size_t wanted, size_t item_size) {
  enum { FIRST = 8 };
  size_t room = *capacity ? 2 * *capacity : FIRST;
  *capacity = wanted > room ? wanted : room;
  return hy_reallocate(data, *capacity * item_size);
}
