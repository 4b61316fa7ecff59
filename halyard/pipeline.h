#ifndef HY_PIPELINE_H
#define HY_PIPELINE_H

/* The whole story, in order: text -> lowered -> scheduled -> filled -> checked -> passes -> native code.
 *
 * One hy_pipeline is one algorithm with one schedule in one context. Each step needs the one before it; every
 * intermediate program is kept, so that any stage can be printed, interpreted or compared.
 */

#include "codegen/codegen.h"
#include "oracle/oracle.h"
#include "semantics/semantics.h"

// Who sees programs as they are made: those whose letters are there, l lowered, s after each directive, f filled, p
// after each codegen pass.
typedef struct hy_dump {
  const char *letters; // NULL: none
  void (*write)(const char *title, const char *program);
} hy_dump;

typedef struct hy_pipeline {
  hy_context *context;
  const hy_alg *alg;           // of a .tgt file: the signature only, no definitions
  const hy_schedule *schedule; // NULL = the paper's default, or a .tgt file
  hy_loc loc;                  // of the schedule or the algorithm: blamed when nothing better is known
  const hy_directive *core;    // the schedule after desugaring, in the order applied
  int core_count;
  int written_count;    // of which so many are the text's; what slides by itself is behind them (halyard/slides.h)
  hy_directive *unslid; // what might slide by itself, and does not
  int unslid_count;
  const hy_tgt **steps; // S_0 .. S_n: core_count + 1 of them; for a .tgt file the one program
  int step_count;
  // The first step whose promise does not hold, or could not be decided, where a directive from outside the tree is in
  // the schedule, or of an rfactor; 0: none. Without a promise that holds nothing is asked of B: "query" stays NULL.
  int refuted_promise, unknown_promise;
  // Who is to blame for the refuted one: that step, or of a directive of Halyard's own the last plug-in's step before
  // it whose claim could not be decided (hy_promise_culprit). Nothing is refuted: the last such step of all, or 0.
  int blamed_promise;
  const hy_alg *meaning; // what all programs behind the funcs phase compute: "alg", or that with its sums of floats in
                         // the schedule's order (halyard/reordered.h); of a .tgt file "alg", which says nothing
  const hy_tgt *filled;
  hy_asked_list asked; // by which access; nothing of a .tgt file
  const hy_query *query;
  hy_oracle_report report;
  uint64_t
      minimise_steps;   // of Z3 that may be spent on making counterexamples small; 0: they are told as they were found
  uint64_t replay_work; // spent by the interpreter on replaying counterexamples
  bool defer_unknown;   // what is undecided becomes a check at entry, if it can (--unknown=runtime)
  size_t deferred; // so many obligations did; "filled", "query" and "report" are then of the program with the checks
  bool own_bounds; // bounds that Halyard chose are refuted, or its own rfactor: a defect of ours
  double fill_seconds, query_seconds;
  const hy_tgt *passed; // after codegen's passes
  hy_dump dump;
} hy_pipeline;

// From an algorithm and a schedule (or NULL), or from a target program (then alg and schedule are NULL).
void hy_pipeline_init(hy_pipeline *pipeline, hy_context *context, const hy_alg *alg, const hy_schedule *schedule,
                      const hy_tgt *program);

// Lowers and schedules: fills in core and steps. False if something was reported.
bool hy_pipeline_schedule(hy_pipeline *pipeline, hy_diagnostics *diagnostics);
// Fills the holes. False if something was reported (no solution, an unbounded index).
bool hy_pipeline_fill(hy_pipeline *pipeline, hy_diagnostics *diagnostics);
// The static verdict: all of the above (what was not done yet) and every obligation decided. HY_NO: something was
// reported. HY_UNKNOWN: reported too, with code 503.
hy_answer hy_pipeline_check(hy_pipeline *pipeline, const hy_oracle_options *options, hy_diagnostics *diagnostics);
// requires: hy_pipeline_check said HY_YES. Runs codegen's passes and compiles.
HY_GIVE hy_native *hy_pipeline_compile(hy_pipeline *pipeline, const hy_codegen_options *options);

// The directives in the order applied, as a schedule. requires: hy_pipeline_schedule
void hy_pipeline_print_schedule(const hy_pipeline *pipeline, hy_text *out);

#endif
