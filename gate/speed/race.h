#ifndef HY_RACE_H
#define HY_RACE_H

/* Two shipped objects in one process of their own, which run in turn: memory, threads and clock are the same for both.
 */

#include "gate/speed/ratio.h"
#include "halyard/arguments.h"
#include "semantics/base/text.h"

#include <signal.h>
#include <sys/types.h>

typedef struct hy_runner {
  const hy_text *shared; // the shared object's bytes
  const char *name;      // of its function
} hy_runner;

typedef struct hy_race {
  const hy_alg *alg; // the signature, of both
  hy_runner baseline, candidate;
  const hy_arguments *inputs; // the smallest first; raced is the first that takes the baseline long enough
  int input_count;
} hy_race;

// What the process says before its laps. "input" is -1 where there will be none, and "story" why.
typedef struct hy_race_start {
  int input, repeats; // each time of a lap is the mean of so many runs
  char story[400];
} hy_race_start;

typedef struct hy_race_process {
  pid_t pid;
  int pipe;
  sigset_t before; // signals are held while it runs
  double deadline; // when it has to have said everything; then it counts as ended
} hy_race_process;

// End it in any case.
hy_race_process hy_race_begin(const hy_race *race, hy_race_start *start);
bool hy_race_lap(hy_race_process *process, hy_lap *lap); // false: it has ended
void hy_race_end(hy_race_process *process);

#endif
