#include "tape/tape_internal.h"

#include <stddef.h>
#include <string.h>

// The general way; also where an operation leaves the fast one because an argument or the result is not ordinary.
static void apply(const tape_instruction *in, hy_value *room) {
  hy_value args[HY_MAX_ARITY];
  int arity = hy_op_arity((hy_op)in->op);
  for (int i = 0; i < arity; i++) args[i] = room[in->args[i]];
  room[in->target] = hy_value_apply((hy_op)in->op, (hy_type)in->type, args);
}

_Static_assert(offsetof(hy_value, undefined) == offsetof(hy_value, error) + 1, "read at once");

// "error" and "undefined" of a value, which most often are 0.
static inline uint16_t marks(const hy_value *value) {
  uint16_t both;
  memcpy(&both, (const char *)value + offsetof(hy_value, error), sizeof both);
  return both;
}

static inline bool is_ordinary(const hy_value *a, const hy_value *b) { return !(marks(a) | marks(b)); }

// The value of one argument stands for the whole; its "undefined" joins the condition's.
static void choose(hy_value *target, const hy_value *condition, const hy_value *chosen) {
  bool undefined = condition->undefined | chosen->undefined;
  *target = *chosen;
  target->undefined = undefined;
}

static void fail(hy_value *target, uint8_t type, const hy_value *condition) {
  bool undefined = condition->undefined;
  *target = hy_value_error((hy_type)type, (hy_error)condition->error);
  target->undefined = undefined;
}

static hy_value load_access(const tape_access *access, const hy_value *room, hy_tape_load *load, void *self) {
  hy_value coordinates[HY_MAX_RANK];
  for (int i = 0; i < access->func->rank; i++) coordinates[i] = room[access->coordinates[i]];
  return load(self, access->func, access->part, coordinates);
}

#define ARG(i) (&room[in->args[i]])
#define PUT(type_name, field, result)                                                                                  \
  do {                                                                                                                 \
    hy_value value = {.type = (uint8_t)(type_name)};                                                                   \
    value.field = (result);                                                                                            \
    room[in->target] = value;                                                                                          \
  } while (0)
// A fast case: a and b are the arguments; "give" puts the result, or "goto general" leaves it to hy_value_apply.
#define FAST(code_name, give)                                                                                          \
  case code_name: {                                                                                                    \
    const hy_value *a = ARG(0), *b = ARG(1);                                                                           \
    if (!is_ordinary(a, b)) goto general;                                                                              \
    give;                                                                                                              \
    break;                                                                                                             \
  }
#define FAST_INT(op, overflows)                                                                                        \
  FAST(TAPE_INT_##op, int64_t i; if (overflows(a->i, b->i, &i)) goto general; PUT(HY_INT, i, i))
#define FAST_COMPARE(kind, op, field, operator) FAST(TAPE_##kind##_##op, PUT(HY_BOOL, u, a->field operator b->field))
#define FAST_UINT(op, result) FAST(TAPE_UINT_##op, PUT(in->type, u, (result) & (UINT64_MAX >> in->args[2])))
// Of the low bits alone, with their sign.
#define FAST_SINT(op, result)                                                                                          \
  FAST(TAPE_SINT_##op, PUT(in->type, i, (int64_t)((uint64_t)(result) << in->args[2]) >> in->args[2]))
#define FAST_FLOAT(kind, op, field, operator)                                                                          \
  FAST(TAPE_##kind##_##op, PUT(HY_##kind, field, a->field operator b->field))
#define CALL(block_index)                                                                                              \
  do {                                                                                                                 \
    const tape_block *callee = &tape->blocks[block_index];                                                             \
    if (callee->flag != NO_FLAG) {                                                                                     \
      if (flags[callee->flag].u) break;                                                                                \
      flags[callee->flag].u = 1;                                                                                       \
    }                                                                                                                  \
    returns[depth++].u = (uint64_t)(in - tape->code) + 1;                                                              \
    next = tape->code + callee->start;                                                                                 \
  } while (0)

// From an instruction of the main block on.
static void run_from(const hy_tape *tape, const tape_instruction *first, hy_value *room, hy_tape_load *load, void *self,
                     hy_value *outputs) {
  hy_value *flags = room + tape->input_count + tape->constant_count + tape->register_count;
  hy_value *returns = flags + tape->flag_count;
  for (size_t i = 0; i < tape->flag_count; i++) flags[i].u = 0;
  size_t depth = 0;
  for (const tape_instruction *in = first, *next;; in = next) {
    next = in + 1;
    switch ((tape_code)in->code) {
    case TAPE_SELECT: {
      const hy_value *condition = ARG(0);
      if (condition->error)
        fail(&room[in->target], in->type, condition);
      else
        choose(&room[in->target], condition, condition->u ? ARG(1) : ARG(2));
      break;
    }
    case TAPE_AND:
    case TAPE_OR: {
      const hy_value *first = ARG(0);
      bool decides = first->error || (first->u != 0) == (in->code == TAPE_OR);
      choose(&room[in->target], first, decides ? first : ARG(1));
      break;
    }
    case TAPE_LOAD: room[in->target] = load_access(&tape->loads[in->args[0]], room, load, self); break;
    case TAPE_CALL: CALL(in->args[0]); break;
    case TAPE_PICK: {
      const hy_value *condition = ARG(0);
      if (condition->error) break;
      uint32_t block = condition->u ? in->args[1] : in->args[2];
      if (block != NO_BLOCK) CALL(block);
      break;
    }
    case TAPE_RETURN:
      if (depth) {
        next = tape->code + returns[--depth].u;
        break;
      }
      for (size_t i = 0; i < tape->output_count; i++) outputs[i] = room[tape->outputs[i]];
      return;
      FAST_INT(ADD, __builtin_add_overflow)
      FAST_INT(SUB, __builtin_sub_overflow)
      FAST_INT(MUL, __builtin_mul_overflow)
      FAST(TAPE_INT_DIV, if (b->i <= 0) goto general; PUT(HY_INT, i, a->i / b->i - (a->i % b->i < 0)))
      FAST(TAPE_INT_MOD, if (b->i <= 0) goto general;
           PUT(HY_INT, i, a->i % b->i < 0 ? a->i % b->i + b->i : a->i % b->i))
      FAST(TAPE_INT_MIN, PUT(HY_INT, i, a->i < b->i ? a->i : b->i))
      FAST(TAPE_INT_MAX, PUT(HY_INT, i, a->i > b->i ? a->i : b->i))
      FAST_COMPARE(INT, EQ, i, ==)
      FAST_COMPARE(INT, NE, i, !=)
      FAST_COMPARE(INT, LT, i, <)
      FAST_COMPARE(INT, LE, i, <=)
      FAST_COMPARE(INT, GT, i, >)
      FAST_COMPARE(INT, GE, i, >=)
      FAST_UINT(ADD, a->u + b->u)
      FAST_UINT(SUB, a->u - b->u)
      FAST_UINT(MUL, a->u * b->u)
      FAST(TAPE_UINT_DIV, if (!b->u) goto general; PUT(in->type, u, a->u / b->u))
      FAST(TAPE_UINT_MIN, PUT(in->type, u, a->u < b->u ? a->u : b->u))
      FAST(TAPE_UINT_MAX, PUT(in->type, u, a->u > b->u ? a->u : b->u))
      FAST_SINT(ADD, a->u + b->u)
      FAST_SINT(SUB, a->u - b->u)
      FAST_SINT(MUL, a->u * b->u)
      FAST_SINT(MIN, a->i < b->i ? a->u : b->u)
      FAST_SINT(MAX, a->i > b->i ? a->u : b->u)
      FAST_COMPARE(UINT, EQ, u, ==)
      FAST_COMPARE(UINT, LT, u, <)
      FAST_COMPARE(UINT, LE, u, <=)
      FAST_COMPARE(UINT, GT, u, >)
      FAST_COMPARE(UINT, GE, u, >=)
      FAST_FLOAT(F32, ADD, f32, +)
      FAST_FLOAT(F32, SUB, f32, -)
      FAST_FLOAT(F32, MUL, f32, *)
      FAST_FLOAT(F32, DIV, f32, /)
      FAST_COMPARE(F32, LT, f32, <)
      FAST_COMPARE(F32, GT, f32, >)
      FAST_FLOAT(F64, ADD, f64, +)
      FAST_FLOAT(F64, SUB, f64, -)
      FAST_FLOAT(F64, MUL, f64, *)
      FAST_FLOAT(F64, DIV, f64, /)
    case TAPE_TO_INT: {
      const hy_value *a = ARG(0);
      if (!is_ordinary(a, a)) goto general;
      PUT(HY_INT, i, a->i);
      break;
    }
    case TAPE_TO_UINT: {
      const hy_value *a = ARG(0);
      if (!is_ordinary(a, a)) goto general;
      PUT(in->type, u, a->u & (UINT64_MAX >> in->args[2]));
      break;
    }
    case TAPE_TO_SINT: {
      const hy_value *a = ARG(0);
      if (!is_ordinary(a, a)) goto general;
      PUT(in->type, i, (int64_t)(a->u << in->args[2]) >> in->args[2]);
      break;
    }
    case TAPE_TO_FLOAT: {
      const hy_value *a = ARG(0);
      if (!is_ordinary(a, a)) goto general;
      if (in->type == HY_F32)
        PUT(HY_F32, f32, (float)a->i);
      else
        PUT(HY_F64, f64, (double)a->i);
      break;
    }
    case TAPE_APPLY:
    general:
      apply(in, room);
      break;
    }
  }
}

void hy_tape_run(const hy_tape *tape, hy_value *room, hy_tape_load *load, void *self, hy_value *outputs) {
  run_from(tape, tape->code, room, load, self, outputs);
}

void hy_tape_run_again(const hy_tape *tape, size_t changed, hy_value *room, hy_tape_load *load, void *self,
                       hy_value *outputs) {
  if (changed == tape->input_count && tape->is_blind) return;
  run_from(tape, tape->code + tape->begins[changed], room, load, self, outputs);
}
