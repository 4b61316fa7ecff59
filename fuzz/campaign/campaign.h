#ifndef HY_CAMPAIGN_H
#define HY_CAMPAIGN_H

/* Many pairs, judged in worker processes: a crash or a hang is a finding and not the end. The pair of an index is the
 * same wherever it runs; blocks of pairs are dealt out to workers, and to shards on other machines.
 */

#include "fuzz/campaign/store.h"

typedef struct hy_campaign_options {
  uint64_t seed, pairs; // pairs: of all shards together; 0 = until the time is over
  double seconds;       // 0 = until the pairs are done
  unsigned lanes;
  int jobs;
  uint64_t shard, shards;           // this one of so many; shards 0 is 1
  int favourite;                    // a directive to be used more often; HY_NO_DIRECTIVE = none
  int neighbour;                    // and another one, when the favourite is one from outside the tree
  const struct hy_plugins *plugins; // directives from outside the tree that pairs use, too; NULL = none
  struct hy_halide *halide;         // which lane "halide" asks; NULL = none
  const char *out;                  // the folder; NULL = nothing is kept
  bool resume;
  double deadline;         // of hy_seconds: a finding that nobody has looked at by then is left out; 0 = none
  int stop_at;             // ends after so many different failures; 0 = goes on
  hy_shrink_limits shrink; // for each finding; 0 seconds = none is shrunk
} hy_campaign_options;

// What pairs with one key have shown.
typedef struct hy_finding {
  char key[HY_KEY_ROOM];
  hy_found found;
  unsigned lane;
  uint64_t index, pairs; // the least that shows it, and how many do
  hy_judgement judgement;
  char *text;            // the case file of that pair, shrunk if there was time; malloc'd
  char *path;            // where it was written; NULL = nowhere
  int funcs, directives; // of the case
  double shrink_seconds; // 0 = not shrunk in this run
} hy_finding;

struct hy_campaign;
typedef void hy_campaign_progress(void *self, const struct hy_campaign *campaign, double seconds);

typedef struct hy_campaign {
  hy_store_header header;                                    // what it is a campaign of
  hy_tally total;                                            // with what an earlier run had done
  uint64_t resumed;                                          // pairs of those
  int corrupt;                                               // lines of an earlier run that were unusable
  int conflicts;                                             // merge: blocks that two folders tell differently
  double seconds, cpu_seconds, fill_seconds, decide_seconds; // of this run
  int64_t largest;                                           // resident kilobytes of the largest worker
  double failed_at;                                          // seconds until the first failure of this run; 0 = none
  uint64_t failed_after;                                     // and pairs
  HY_VEC(hy_finding) findings;                               // failures first, then by key
  bool interrupted;
  const char *shrinking;          // the key of the finding that is being made smaller; NULL = none
  hy_campaign_progress *progress; // told of that, now and then; may be NULL
  void *progress_self;
  hy_text trouble; // why something could not be written; empty = all is well
} hy_campaign;

// False if it could not begin: campaign->trouble says why. To be freed in either case.
bool hy_campaign_run(const hy_campaign_options *options, hy_campaign_progress *progress, void *self,
                     hy_campaign *campaign);
// Joins the results of several folders; "options->out" gets the whole unless it is NULL. False as above.
bool hy_campaign_merge(const hy_campaign_options *options, const char *const *folders, size_t count,
                       hy_campaign *campaign);
void hy_campaign_free(hy_campaign *campaign);

// The case of a pair.
bool hy_campaign_case(const hy_campaign_options *options, uint64_t index, hy_case *c, hy_walk *walk);

/* findings.c */

// One pair more that shows this. True if its case should now be written: it is new, or the least so far.
bool hy_findings_add(hy_campaign *campaign, const char *key, uint64_t index, const hy_judgement *judgement);
// Writes the case of a finding as it is, or shrunk.
void hy_findings_write(const hy_campaign_options *options, hy_campaign *campaign, hy_finding *finding, bool shrink);
// Of one that an earlier run has found, or another folder: what its case says of it.
void hy_findings_read_notes(hy_finding *finding);
// The end: order, shrunk cases. Progress is told between them.
void hy_findings_finish(const hy_campaign_options *options, hy_campaign *campaign);
hy_finding *hy_findings_find(hy_campaign *campaign, const char *key);
int hy_findings_failures(const hy_campaign *campaign);

#endif
