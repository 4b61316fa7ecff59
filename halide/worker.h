#ifndef HY_HALIDE_WORKER_H
#define HY_HALIDE_WORKER_H

/* Halide itself, in a process of its own that stays: programs that export/ has written are compiled there and run on
 * inputs. Whatever Halide does, crash, hang or eat memory, is an answer, and the next program has a fresh process: what
 * stays (halide/worker.py) forks for each.
 *
 * One hy_halide serves the process that started it and those that this one forks, at the same time. Nothing here ends a
 * process of ours.
 */

#include "semantics/alg/input.h"
#include "semantics/base/text.h"
#include "semantics/base/vec.h"

typedef struct hy_halide_settings {
  const char *python; // the interpreter that has the bindings
  const char *root;   // where another Halide lies than the one installed; "" = nowhere
  unsigned seconds;   // of a processor, for one program and all its runs; by the clock HY_HALIDE_PATIENCE times as long
  unsigned megabytes; // of address space, for the same; 0 = any
  int threads;        // of Halide's; 0 = one for each processor
} hy_halide_settings;
enum { HY_HALIDE_PATIENCE = 32 };

// How a program, or a run of it, came out.
typedef enum {
  HY_HALIDE_RAN,
  HY_HALIDE_REFUSED, // Halide says that it will not: its words
  HY_HALIDE_CRASHED,
  HY_HALIDE_HUNG,
  HY_HALIDE_MEMORY, // used up
  HY_HALIDE_LOST,   // it was not reached, or who should answer said something else: shows nothing of Halide
} hy_halide_end;
const char *hy_halide_end_name(hy_halide_end end);

typedef struct hy_halide_answer {
  hy_halide_end end;
  hy_buffer *output; // of a run with HY_HALIDE_RAN: all outputs
  char *words;       // what Halide said, or how its process ended; NULL with HY_HALIDE_RAN; malloc'd
} hy_halide_answer;
void hy_halide_answer_free(hy_halide_answer *answer);

/* -- the process -- */

typedef struct hy_halide hy_halide;

// NULL if there is no Halide to be had: "why" says so, "remedy" what to install.
HY_GIVE hy_halide *hy_halide_start(const hy_halide_settings *settings, hy_text *why, const char **remedy);
void hy_halide_stop(HY_TAKE hy_halide *halide); // NULL is fine
// "14.0.0", and Python's "3.11.2"
const char *hy_halide_version(const hy_halide *halide);
const char *hy_halide_python(const hy_halide *halide);
// What programs are compiled for, as Halide spells it.
const char *hy_halide_target(void);

/* -- one program and its runs -- */

typedef struct hy_halide_request {
  const hy_alg *alg;
  hy_text json, bytes;
  HY_VEC(hy_buffer *) outputs; // for each run: those of the pipeline, with their boxes
} hy_halide_request;

// "program": what hy_export has written of "alg"
void hy_halide_request_begin(hy_halide_request *request, const hy_alg *alg, const char *program);
// Takes the elements of the images as they are now. False: coordinates, boxes or int parameters lie outside of what
// the export is right for (+-2^20), an element has an error, or there is no room for the output: "why" says it.
bool hy_halide_request_add(hy_halide_request *request, const hy_input *input, const char **why);
void hy_halide_request_free(hy_halide_request *request);

// Has it compiled and run. "runs": as many answers as inputs were added; those behind one whose process ended are lost.
void hy_halide_ask(hy_halide *halide, hy_halide_request *request, hy_halide_answer *program, hy_halide_answer *runs);

#endif
