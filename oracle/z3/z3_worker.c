#include "oracle/z3/z3_worker.h"

#include "oracle/z3/z3_encode.h"
#include "oracle/z3/z3_floats.h"
#include "oracle/z3/z3_size.h"
#include "oracle/z3/z3_unknowns.h"
#include "semantics/base/clock.h"
#include "semantics/base/failure.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define HY_SANITIZES_ADDRESSES 1
#elif defined(__has_feature)
#define HY_SANITIZES_ADDRESSES __has_feature(address_sanitizer)
#else
#define HY_SANITIZES_ADDRESSES 0
#endif

// Steps are Z3's own count: what they lead to does not depend on the machine's speed (decision D73).
enum { MAX_LIMIT = 2000000, SIMPLE = 50, ONLY_SIMPLE = 100, MEMORY_MB = 1500 };
enum { KEPT_BYTES = 256 << 20, CONTEXT_BYTES = 20 << 20, PAGE = 4096 };

typedef HY_VEC(hy_z3_record_value) values;

/* -- one question -- */

static void ignore_error(Z3_context z3, Z3_error_code code) { (void)z3, (void)code; }

static void set_limits(Z3_context z3, Z3_solver solver, unsigned z3_limit) {
  Z3_params params = Z3_mk_params(z3);
  Z3_params_inc_ref(z3, params);
  Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, "rlimit"),
                     (z3_limit < MAX_LIMIT ? z3_limit : MAX_LIMIT) * HY_Z3_STEPS);
  // A search over the reals that can go on for minutes within one step: nothing that counts steps would end it.
  Z3_params_set_bool(z3, params, Z3_mk_string_symbol(z3, "arith.nl.nra"), false);
  Z3_solver_set_params(z3, solver, params);
  Z3_params_dec_ref(z3, params);
}

static uint64_t steps_of(Z3_context z3, Z3_solver solver) {
  Z3_stats stats = Z3_solver_get_statistics(z3, solver);
  uint64_t steps = 0;
  if (!stats) return 0;
  Z3_stats_inc_ref(z3, stats);
  for (unsigned i = 0; i < Z3_stats_size(z3, stats); i++)
    if (strcmp(Z3_stats_get_key(z3, stats, i), "rlimit count") == 0)
      steps = Z3_stats_is_uint(z3, stats, i) ? Z3_stats_get_uint_value(z3, stats, i)
                                             : (uint64_t)Z3_stats_get_double_value(z3, stats, i);
  Z3_stats_dec_ref(z3, stats);
  return steps;
}

// Facts and not goal, with what defines the fresh unknowns.
static bool assert_question(hy_z3_encoding *encoding, Z3_solver solver, const hy_z3_question *question) {
  Z3_context z3 = encoding->z3;
  for (size_t i = 0; i < question->fact_count; i++) hy_z3_note_ranges(encoding, question->facts[i]);
  for (size_t i = 0; i <= question->fact_count; i++) {
    bool is_goal = i == question->fact_count;
    Z3_ast formula = hy_z3_encode(encoding, is_goal ? question->goal : question->facts[i]);
    if (!formula) return false;
    Z3_solver_assert(z3, solver, is_goal ? Z3_mk_not(z3, formula) : formula);
  }
  for (size_t i = 0; i < encoding->conditions.count; i++) {
    if (!encoding->conditions.data[i]) return false;
    Z3_solver_assert(z3, solver, encoding->conditions.data[i]);
  }
  return Z3_get_error_code(z3) == Z3_OK;
}

static bool value_in(Z3_context z3, Z3_model model, Z3_ast term, int64_t *value) {
  Z3_ast result = NULL;
  if (!Z3_model_eval(z3, model, term, true, &result) || !result) return false;
  Z3_lbool truth = Z3_get_bool_value(z3, result);
  *value = truth == Z3_L_TRUE;
  if (truth != Z3_L_UNDEF) return true;
  return Z3_is_numeral_ast(z3, result) && Z3_get_numeral_int64(z3, result, value);
}

// The model in 64-bit numbers; false if one does not fit.
static bool read_model(hy_z3_encoding *encoding, Z3_solver solver, const hy_unknowns *unknowns, values *out) {
  Z3_model model = Z3_solver_get_model(encoding->z3, solver);
  if (!model) return false;
  Z3_model_inc_ref(encoding->z3, model);
  bool fits = true;
  for (size_t i = 0; i < unknowns->count && fits; i++) {
    Z3_ast term = hy_z3_encoded(encoding, unknowns->data[i]);
    if (!term) continue; // only in parts that the encoding does not look into
    hy_z3_record_value value = {.unknown = (uint32_t)i};
    fits = value_in(encoding->z3, model, term, &value.value);
    hy_vec_push(out, value);
  }
  Z3_model_dec_ref(encoding->z3, model);
  return fits;
}

static hy_answer solve(hy_z3_encoding *encoding, const hy_z3_question *question, bool simple, unsigned z3_limit,
                       values *out, uint64_t *steps) {
  Z3_context z3 = encoding->z3;
  Z3_solver solver = simple ? Z3_mk_simple_solver(z3) : Z3_mk_solver(z3);
  Z3_solver_inc_ref(z3, solver);
  set_limits(z3, solver, z3_limit);
  hy_answer answer = HY_UNKNOWN;
  Z3_lbool satisfiable = Z3_L_UNDEF;
  if (assert_question(encoding, solver, question)) satisfiable = Z3_solver_check(z3, solver);
  if (Z3_get_error_code(z3) != Z3_OK) satisfiable = Z3_L_UNDEF;
  if (satisfiable == Z3_L_FALSE) answer = HY_YES;
  if (satisfiable == Z3_L_TRUE) {
    hy_unknowns unknowns = {0};
    hy_question_unknowns(question, &unknowns);
    if (read_model(encoding, solver, &unknowns, out)) answer = HY_NO;
    hy_vec_free(&unknowns);
  }
  if (answer != HY_NO) out->count = 0;
  *steps += steps_of(z3, solver);
  Z3_solver_dec_ref(z3, solver);
  return answer;
}

static Z3_context fresh_context(void) {
  Z3_config config = Z3_mk_config();
  Z3_context z3 = Z3_mk_context_rc(config);
  Z3_del_config(config);
  Z3_set_error_handler(z3, ignore_error);
  return z3;
}

// A context begins with two tables of eight megabytes. The sanitizer's allocator maps them anew each time, which takes
// fifty times as long as without it: there a worker asks all its questions in one context. Answers of record come from
// builds without a sanitizer.
static Z3_context kept_context;

static void close_context(void *z3) { Z3_del_context(z3); }

static hy_answer answer_fresh(const hy_z3_question *question, bool simple, unsigned z3_limit, values *out,
                              uint64_t *steps) {
  Z3_context z3 = kept_context ? kept_context : fresh_context();
  if (!kept_context) hy_hold(close_context, z3);
  hy_z3_encoding encoding;
  hy_z3_encoding_init(&encoding, z3);
  hy_answer answer = solve(&encoding, question, simple, z3_limit, out, steps);
  hy_z3_encoding_free(&encoding);
  if (kept_context) return answer;
  hy_let_go(z3);
  Z3_del_context(z3);
  return answer;
}

// The simple solver is several times faster where it is enough; the default one gets the rest of the steps. Of few
// the simple one makes more if it has all of them.
static hy_answer answer(const hy_z3_question *question, unsigned z3_limit, values *out, uint64_t *steps) {
  if (hy_z3_is_too_large(question)) return HY_UNKNOWN;
  z3_limit = hy_z3_limit_for(question, z3_limit);
  unsigned part = z3_limit / 4 < SIMPLE ? z3_limit / 4 : SIMPLE;
  if (z3_limit < ONLY_SIMPLE) part = z3_limit;
  hy_answer first = answer_fresh(question, true, part, out, steps);
  if (first != HY_UNKNOWN || z3_limit <= part) return first;
  return answer_fresh(question, false, z3_limit - part, out, steps);
}

/* -- many -- */

const char *hy_z3_version(void) { return Z3_get_full_version(); }

hy_z3_record_value *hy_z3_work_here(const hy_z3_question *question, unsigned z3_limit, hy_z3_record *record) {
  values out = {0};
  double begin = hy_seconds();
  record->answer = (uint32_t)answer(question, z3_limit, &out, &record->steps);
  record->value_count = (uint32_t)out.count;
  record->seconds = hy_seconds() - begin;
  return out.data;
}

// Every context takes megabytes: their pages stay for the next one, and come at once, large ones where the kernel gives
// them to who asks, which takes a tenth of the time of one page fault after the other.
static void prepare_memory(void) {
  mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
  mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
  char *memory = hy_allocate(CONTEXT_BYTES);
  uintptr_t begin = ((uintptr_t)memory + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
  madvise((void *)begin, CONTEXT_BYTES - PAGE, MADV_HUGEPAGE);
  madvise((void *)begin, CONTEXT_BYTES - PAGE, MADV_POPULATE_WRITE); // an older kernel says no, and does as ever
  hy_free(memory);
}

_Noreturn void hy_z3_work(const hy_z3_question *questions, size_t count, size_t start, size_t stride, unsigned z3_limit,
                          int pipe) {
  char memory[16];
  prepare_memory();
  snprintf(memory, sizeof memory, "%d", MEMORY_MB);
  Z3_global_param_set("memory_max_size", memory);
  Z3_context first = fresh_context(); // what Z3 does once, before time is counted
  if (HY_SANITIZES_ADDRESSES)
    kept_context = first;
  else
    Z3_del_context(first);
  hy_z3_record awake = {.magic = HY_Z3_MAGIC, .index = HY_Z3_AWAKE, .answer = HY_UNKNOWN};
  if (!hy_write_all(pipe, &awake, sizeof awake)) _exit(1);
  values out = {0};
  for (size_t i = start; i < count; i += stride) {
    out.count = 0;
    double begin = hy_seconds();
    uint64_t steps = 0;
    hy_answer given = answer(&questions[i], z3_limit, &out, &steps);
    hy_z3_record record = {HY_Z3_MAGIC, (uint32_t)i, (uint32_t)given, (uint32_t)out.count, steps, hy_seconds() - begin};
    if (!hy_write_all(pipe, &record, sizeof record)) break;
    if (out.count && !hy_write_all(pipe, out.data, out.count * sizeof *out.data)) break;
  }
  _exit(0);
}
