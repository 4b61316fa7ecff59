#ifndef HY_ARENA_H
#define HY_ARENA_H

/* A named lifetime: everything allocated from an arena is freed together with it. Not shared between threads. */

#include "semantics/base/base.h"

typedef struct hy_arena hy_arena;

HY_GIVE hy_arena *hy_arena_new(void);
void hy_arena_free(HY_TAKE hy_arena *arena);
void hy_arena_clear(hy_arena *arena); // frees what was allocated; some memory stays for what comes

// Zeroed memory, aligned for any type, valid until the arena is freed.
void *hy_arena_allocate(hy_arena *arena, size_t size);
char *hy_arena_copy(hy_arena *arena, const char *text, size_t length); // adds the final NUL
char *hy_arena_printf(hy_arena *arena, const char *format, ...) HY_PRINTF(2, 3);
size_t hy_arena_bytes(const hy_arena *arena); // in use, for reports

#define HY_NEW(arena, type) ((type *)hy_arena_allocate((arena), sizeof(type)))
#define HY_NEW_ARRAY(arena, type, count) ((type *)hy_arena_allocate((arena), sizeof(type) * (size_t)(count)))

#endif
