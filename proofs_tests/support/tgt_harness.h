#ifndef HY_TGT_HARNESS_H
#define HY_TGT_HARNESS_H

// Small target programs as text, run on small inputs; shared by the suites of the target interpreter.

#include "semantics/text/syntax.h"
#include "tgt_interp/tgt_interp.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The frame of most programs: one output f over x, of type int, allocated and computed on the window.
#define ONE_FUNC(body)                                                                                                 \
  "target t(w: int) on f(x) { func f(x): int stages 1; allocate f[(x.min, x.len)]; label f: compute f on [(x.min, "    \
  "x.len)] {" body "} }"
#define STAGE0 "label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 0; } "

// A producer g over a, allocated on "mem" and computed on "cpu" by "make", and f that reads it: f.s0 is "use".
#define TWO_FUNCS(mem, cpu, make, use)                                                                                 \
  "target t(w: int) on f(x) { func g(a): int stages 1; func f(x): int stages 1; allocate g[" mem "]; label g: "        \
  "compute g on [" cpu "] { " make " } allocate f[(x.min, x.len)]; label f: compute f on [(x.min, x.len)] { " use      \
  " } }"
#define MAKE_G(min, len) "label g.s0: for g.s0.a in (" min ", " len ") { g(g.s0.a) <- g.s0.a * 10; }"
#define USE_G(index) "label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- g(" index "); }"

typedef struct {
  hy_context *context;
  hy_diagnostics *diagnostics;
  hy_source source;
  const hy_tgt *tgt;
} program;

// Programs are written with "stages 1": the digit is set to the number of labels "NAME.s0:", "NAME.s1:" that follow.
static inline char *with_stage_counts(const char *text) {
  char *copy = strdup(text);
  for (char *func = strstr(copy, "func "); func; func = strstr(func + 1, "func ")) {
    char *digit = strstr(func, "stages ") + 7, label[64];
    int length = (int)strcspn(func + 5, "(");
    for (*digit = '0'; *digit < '9'; ++*digit) {
      snprintf(label, sizeof label, "label %.*s.s%c:", length, func + 5, *digit);
      if (!strstr(copy, label)) break;
    }
  }
  return copy;
}

static inline program open_program(const char *text) {
  program p = {.context = hy_context_new(), .diagnostics = hy_diagnostics_new()};
  char *copy = with_stage_counts(text);
  p.source = (hy_source){"test.tgt", copy, strlen(copy)};
  p.tgt = hy_parse_tgt(p.context, &p.source, p.diagnostics);
  hy_text why = {0};
  hy_diagnostics_print(p.diagnostics, &why);
  ck_assert_msg(p.tgt != NULL, "%s", hy_text_string(&why));
  hy_text_free(&why);
  return p;
}

static inline void close_program(program *p) {
  hy_diagnostics_free(p->diagnostics);
  hy_context_free(p->context);
  free((char *)p->source.text);
}

// The same program with every loop called "name" marked pure and traversed so: what no legal schedule can give, and
// what the parser would refuse.
static inline const hy_stmt *remark(hy_context *context, const hy_stmt *stmt, const char *name,
                                    hy_traversal traversal) {
  const hy_stmt *const *children, *room[2], *copies[16];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) copies[i] = remark(context, children[i], name, traversal);
  stmt = hy_stmt_with_children(context, stmt, copies, count);
  if (stmt->kind != HY_STMT_FOR || strcmp(stmt->loop.var->name, name) != 0) return stmt;
  return hy_stmt_for(context, stmt->loop.var, true, traversal, stmt->loop.interval, stmt->loop.body);
}

static inline void remark_program(program *p, const char *name, hy_traversal traversal) {
  hy_tgt *copy = HY_NEW(hy_context_arena(p->context), hy_tgt);
  *copy = *p->tgt;
  copy->body = remark(p->context, copy->body, name, traversal);
  p->tgt = copy;
}

// Images of any type hold their element's index times 37 plus 11; dimension d of each is [-2, 10 - d).
static inline hy_buffer *make_image(const hy_func *func) {
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK];
  for (int d = 0; d < func->rank; d++) {
    min[d] = -2;
    len[d] = 12 - d;
  }
  hy_buffer *image = hy_buffer_new(func->type, func->rank, min, len);
  for (size_t i = 0; i < image->count; i++)
    hy_value_store(hy_value_integral(func->type, (int64_t)i * 37 + 11), image->data + i * hy_type_bytes(func->type));
  return image;
}

// hy_tgt_run or hy_tgt_run_literal
typedef void engine(hy_context *context, const hy_tgt *tgt, const hy_input *input, const hy_tgt_options *options,
                    hy_tgt_result *result);

static inline char *output_text(const hy_tgt_result *result);

// With HALYARD_TGT_RUNS=FILE every run is written down there, for proofs_tests/second_evaluator.py to run it again.
static inline void write_down(bool literal, const program *p, int64_t w, int64_t min, int64_t len,
                              const hy_tgt_options *options, const hy_tgt_result *result) {
  const char *path = getenv("HALYARD_TGT_RUNS");
  if (!path || options->step_limit || result->status == HY_RUN_LIMIT) return;
  hy_text text = {0};
  char *output = output_text(result);
  hy_text_printf(&text, "=== %s %s %d %d %lld %lld %lld\n%s\n%s\n", literal ? "literal" : "fast",
                 options->mode == HY_LAZY ? "lazy" : "strict", options->monitor, options->seed != 0, (long long)w,
                 (long long)min, (long long)len,
                 result->status == HY_RUN_ASSUME     ? "assumption"
                 : result->status == HY_RUN_CONTRACT ? hy_contract_name(result->contract)
                                                     : "kept",
                 output);
  hy_tgt_print(p->tgt, &text);
  if (options->trace) hy_text_printf(&text, "--- derivation\n%s", hy_text_string(options->trace));
  FILE *file = fopen(path, "a");
  ck_assert_ptr_nonnull(file);
  const char *all = hy_text_string(&text);
  ck_assert_uint_eq(fwrite(all, 1, strlen(all), file), strlen(all));
  ck_assert_int_eq(fclose(file), 0);
  free(output);
  hy_text_free(&text);
}

// Runs with every parameter equal to "w" and the same window in each dimension.
static inline void run_by(engine *run, const program *p, int64_t w, int64_t min, int64_t len,
                          const hy_tgt_options *options, hy_tgt_result *result) {
  const hy_alg *alg = p->tgt->alg;
  hy_value params[4];
  hy_buffer *images[4];
  int64_t mins[HY_MAX_RANK], lens[HY_MAX_RANK];
  for (int i = 0; i < alg->param_count; i++) params[i] = hy_value_integral(alg->params[i]->type, w);
  for (int i = 0; i < alg->image_count; i++) images[i] = make_image(alg->images[i]);
  for (int d = 0; d < HY_MAX_RANK; d++) {
    mins[d] = min;
    lens[d] = len;
  }
  hy_input input = {params, (const hy_buffer *const *)images, mins, lens};
  hy_text trace = {0};
  hy_tgt_options told = *options;
  if (getenv("HALYARD_TGT_RUNS") && run == hy_tgt_run_literal && !told.trace) told.trace = &trace;
  run(p->context, p->tgt, &input, &told, result);
  write_down(run == hy_tgt_run_literal, p, w, min, len, &told, result);
  hy_text_free(&trace);
  for (int i = 0; i < alg->image_count; i++) hy_buffer_free(images[i]);
}

static inline void run_with(const program *p, int64_t w, int64_t min, int64_t len, const hy_tgt_options *options,
                            hy_tgt_result *result) {
  run_by(hy_tgt_run, p, w, min, len, options, result);
}

// "1 2 eps_mem": the window's cells, dimension 0 fastest; "none" without an output.
static inline char *output_text(const hy_tgt_result *result) {
  hy_text text = {0};
  if (!result->output) hy_text_add(&text, "none");
  for (size_t i = 0; result->output && i < result->output->count; i++) {
    const hy_buffer *b = result->output;
    hy_value value = hy_value_load(b->type, b->data + i * hy_type_bytes(b->type));
    if (b->errors && b->errors[i]) value = hy_value_error(b->type, (hy_error)b->errors[i]);
    if (i) hy_text_add(&text, " ");
    hy_value_print(value, &text);
  }
  char *copy = strdup(hy_text_string(&text));
  hy_text_free(&text);
  return copy;
}

#endif
