#ifndef HY_JOBS_H
#define HY_JOBS_H

/* What takes time, done in child processes: each knows what there was when it began, writes one JSON value, and ends. */

#include "semantics/base/child.h"
#include "semantics/base/text.h"
#include "semantics/base/vec.h"

#include <jansson.h>

typedef HY_GIVE json_t *hy_job_body(const void *self); // NULL: there is nothing to say

typedef struct hy_job {
  json_t *id; // of the request; NULL: diagnostics of "uri"
  char *uri;
  pid_t child;
  int file; // what it writes
  hy_text answer;
} hy_job;

typedef struct hy_jobs {
  HY_VEC(hy_job) list;
} hy_jobs;

enum { HY_JOBS_MOST = 4, HY_JOB_SECONDS = 20 }; // of a processor

typedef enum {
  HY_JOB_DONE,
  HY_JOB_LATE,   // it took more time than it may
  HY_JOB_FAILED, // it crashed, or could not begin
} hy_job_end;

// "id" or "uri" is copied. False: no process could be made.
bool hy_jobs_start(hy_jobs *jobs, const json_t *id, const char *uri, hy_job_body *body, const void *self,
                   const sigset_t *signals);
// Takes what the job has written. True: it has ended, and *end says how.
bool hy_job_read(hy_job *job, hy_job_end *end);
// Ends it, if it has not ended, and forgets it.
void hy_jobs_drop(hy_jobs *jobs, size_t index);
// Ends those that are about the document; with "id" the one that answers it. How many that were.
size_t hy_jobs_stop(hy_jobs *jobs, const json_t *id, const char *uri);

#endif
