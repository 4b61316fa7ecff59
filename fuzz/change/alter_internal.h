#ifndef HY_ALTER_INTERNAL_H
#define HY_ALTER_INTERNAL_H

/* How bounds are altered (alter.h):
 *
 *   alter.c          lines, and which alteration a seed picks
 *   alter_places.c   the places of a program
 *   alter_apply.c    the program with one of them altered
 */

#include "fuzz/change/alter.h"
#include "semantics/base/vec.h"

typedef enum {
  HY_PLACE_CPU,
  HY_PLACE_FOR,
  HY_PLACE_WIDE,
  HY_PLACE_ALLOCATE,
  HY_PLACE_COMPUTE,
  HY_PLACE_LOOP,
  HY_PLACE_GUARD,
  HY_PLACE_IMAGE,
} hy_place_kind;
enum { HY_PLACES = HY_PLACE_IMAGE + 1 };

typedef struct hy_alter_place {
  hy_place_kind kind;
  const hy_func *func; // unless var is set
  int dim;
  const hy_var *var; // FOR, LOOP: the loop's; GUARD: what is guarded
  bool is_fixed;     // LOOP, GUARD: no hole says how long it is but a directive or an rdom; narrower only, since more
                     // iterations would be the same ones again, of which B does not speak
} hy_alter_place;
typedef HY_VEC(hy_alter_place) hy_places;

typedef enum {
  HY_CHANGE_LOW, // min + by, and the end stays
  HY_CHANGE_HIGH,
  HY_CHANGE_SHIFT,
  HY_CHANGE_LENGTH, // is "by"
  HY_CHANGE_DIVIDE,
  HY_CHANGE_OVERFLOW,
  HY_CHANGE_UNCLAMP,
  HY_CHANGE_DIFFERENCE,
  HY_CHANGE_REMAINDER,
} hy_change_kind;
enum { HY_CHANGES = HY_CHANGE_REMAINDER + 1 };

typedef struct hy_alteration {
  hy_change_kind kind;
  int by;
} hy_alteration;

void hy_alter_places(const hy_tgt *scheduled, const hy_tgt *filled, hy_places *places);
// NULL if the change does not apply there.
const hy_tgt *hy_alter_at(hy_context *context, const hy_tgt *scheduled, const hy_tgt *filled,
                          const hy_alter_place *place, hy_alteration change);

#endif
