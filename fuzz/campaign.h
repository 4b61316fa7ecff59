#ifndef HY_CAMPAIGN_H
#define HY_CAMPAIGN_H

/* Many pairs, one after the other, in worker processes: a crash or a hang is a finding and not the end. The pair of an
 * index is the same wherever it runs.
 */

#include "fuzz/judge.h"
#include "semantics/base/vec.h"

typedef struct hy_campaign_options {
  uint64_t seed, pairs; // pairs: 0 = until the time is over
  double seconds;       // 0 = until the pairs are done
  unsigned lanes;
  int jobs;
  const char *out; // a folder for case files; NULL = none
} hy_campaign_options;

typedef struct hy_failure {
  uint64_t index;
  hy_judgement judgement;
  char *text; // the case file, shrunk if there was time; malloc'd
  char *path; // where it was written; NULL = nowhere
  int same;   // how many others showed the same
} hy_failure;

typedef struct hy_campaign {
  uint64_t pairs, found[HY_FOUND_COUNT], planted; // planted: schedules with an illegal directive
  uint64_t obligations, proved, proved_z3, refuted, unknown, runs, errors, points;
  uint64_t with_unknown, with_query; // pairs
  uint64_t picked[HY_DIRECTIVE_KINDS], tails[3], traversals[4], depths[5];
  double seconds, fill_seconds, decide_seconds;
  HY_VEC(hy_failure) failures; // distinct ones: by what was found, code and rule
  bool cannot_write;
} hy_campaign;

typedef void hy_campaign_progress(void *self, const hy_campaign *campaign, double seconds);
void hy_campaign_run(const hy_campaign_options *options, hy_campaign_progress *progress, void *self,
                     hy_campaign *campaign);
void hy_campaign_free(hy_campaign *campaign);

#endif
