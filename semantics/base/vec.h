#ifndef HY_VEC_H
#define HY_VEC_H

/* Growable arrays. HY_VEC(int) numbers = {0}; hy_vec_push(&numbers, 3); numbers.data[0]; hy_vec_free(&numbers); */

#include "semantics/base/base.h"

#include <stdlib.h>

#define HY_VEC(type)                                                                                                   \
  struct {                                                                                                             \
    type *data;                                                                                                        \
    size_t count, capacity;                                                                                            \
  }

// A larger block with the same content: room for "wanted", and at least twice the room that there was.
HY_GIVE void *hy_vec_grown(HY_TAKE void *data, size_t *capacity, size_t wanted, size_t item_size);

#define hy_vec_reserve(vec, wanted)                                                                                    \
  do {                                                                                                                 \
    size_t hy_vec_need = (wanted);                                                                                     \
    if (hy_vec_need > (vec)->capacity)                                                                                 \
      (vec)->data = hy_vec_grown((vec)->data, &(vec)->capacity, hy_vec_need, sizeof *(vec)->data);                     \
  } while (0)

#define hy_vec_push(vec, ...)                                                                                          \
  do {                                                                                                                 \
    hy_vec_reserve(vec, (vec)->count + 1);                                                                             \
    (vec)->data[(vec)->count++] = (__VA_ARGS__);                                                                       \
  } while (0)

#define hy_vec_pop(vec) ((vec)->data[--(vec)->count])
#define hy_vec_last(vec) ((vec)->data[(vec)->count - 1])

#define hy_vec_free(vec)                                                                                               \
  do {                                                                                                                 \
    hy_free((vec)->data);                                                                                              \
    (vec)->data = NULL;                                                                                                \
    (vec)->count = (vec)->capacity = 0;                                                                                \
  } while (0)

#endif
