#ifndef HY_Z3_WORKER_H
#define HY_Z3_WORKER_H

/* A worker is a forked process: the only place where Z3 runs. It answers questions start, start + stride, ... in order,
 * each in fresh contexts, and writes one record per question into a pipe. It sees the questions because a fork copies
 * its parent; what it writes is plain numbers, which the parent checks.
 */

#include "oracle/z3/z3_check.h"

// A record: this, then value_count values. On the wire as in memory: both ends are one program.
typedef struct hy_z3_record {
  uint32_t magic;
  uint32_t index;       // of the question
  uint32_t answer;      // hy_answer
  uint32_t value_count; // HY_NO: the model
  uint64_t steps;
  double seconds;
} hy_z3_record;

typedef struct hy_z3_record_value {
  uint32_t unknown;  // position in hy_question_unknowns
  uint32_t reserved; // 0
  int64_t value;
} hy_z3_record_value;

// The first record says that the worker is awake: index HY_Z3_AWAKE, no answer. A fork may copy a lock that another
// thread of the parent holds (sanitizers have such locks); a worker that stays silent is replaced.
enum { HY_Z3_MAGIC = 0x485a5233 };
#define HY_Z3_AWAKE UINT32_MAX

// One question in this process, without the limits of a process's own. Fills in the record; its values, or NULL.
HY_GIVE hy_z3_record_value *hy_z3_work_here(const hy_z3_question *question, unsigned z3_limit, hy_z3_record *record);

// Never returns: ends with _exit.
_Noreturn void hy_z3_work(const hy_z3_question *questions, size_t count, size_t start, size_t stride, unsigned z3_limit,
                          int pipe);

#endif
