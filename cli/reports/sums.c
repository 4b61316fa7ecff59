#include "cli/reports/sums.h"

#include "engines/engine.h"
#include "halyard/reordered.h"

#include <inttypes.h>

struct hy_sums {
  const hy_pipeline *pipeline;
  int count;
  hy_reordering *worst, *now; // of each rfactor that takes one apart
};

hy_sums *hy_sums_new(const hy_pipeline *pipeline) {
  int count = hy_reordered_count(pipeline);
  if (!count) return NULL;
  hy_sums *sums = hy_allocate_zeroed(1, sizeof *sums);
  sums->pipeline = pipeline;
  sums->count = count;
  sums->worst = hy_allocate_zeroed((size_t)count, sizeof *sums->worst);
  sums->now = hy_allocate_zeroed((size_t)count, sizeof *sums->now);
  return sums;
}

void hy_sums_free(hy_sums *sums) {
  if (!sums) return;
  hy_free(sums->worst);
  hy_free(sums->now);
  hy_free(sums);
}

static bool is_worse(const hy_reordering *a, const hy_reordering *b) {
  return a->differs_more || a->difference * b->bound > b->difference * a->bound || (!b->points && a->points);
}

static void add(hy_reordering *worst, const hy_reordering *now) {
  hy_reordering sum = is_worse(now, worst) ? *now : *worst;
  sum.directive = now->directive;
  sum.points = worst->points + now->points;
  sum.unbounded = worst->unbounded + now->unbounded;
  *worst = sum;
}

static hy_status report(const hy_sums *sums, hy_session *s, const char *schedule, const hy_reordering *r) {
  hy_text point = {0};
  hy_point_print(r->directive->func->rank, r->at, &point);
  hy_report(s->diagnostics, HY_E_RUN_DISAGREE, sums->pipeline->loc, "DIR.RFactor.Real",
            "please report it: what is combined in another order is never so far from what is written",
            "schedule '%s': of '%s' at %s the value that is written and the one by rfactor differ by %g, by more than "
            "the bound %g",
            schedule, r->directive->func->name, hy_text_string(&point), r->difference, r->bound);
  hy_text_free(&point);
  return HY_STATUS_DEFECT;
}

hy_status hy_sums_see(hy_sums *sums, hy_session *s, const char *schedule, const hy_input *input, uint64_t steps) {
  hy_reordered_compare(sums->pipeline, input, steps, sums->now);
  hy_status status = HY_STATUS_FINE;
  for (int i = 0; i < sums->count; i++) {
    add(&sums->worst[i], &sums->now[i]);
    if (sums->now[i].differs_more && status == HY_STATUS_FINE) status = report(sums, s, schedule, &sums->now[i]);
  }
  return status;
}

void hy_sums_print(const hy_sums *sums, hy_session *s, hy_record *record) {
  for (int i = 0; sums && i < sums->count; i++) {
    const hy_reordering *r = &sums->worst[i];
    const char *name = r->directive ? r->directive->func->name : "";
    if (!r->points) {
      hy_reporter_print(s->reporter, "  values of '%s' in another order: no point was compared\n", name);
    } else {
      hy_reporter_print(s->reporter,
                        "  values of '%s' in another order: %" PRIu64
                        " points, at most %.3g from those that are written, "
                        "where the bound is %.3g\n",
                        name, r->points, r->difference, r->bound);
    }
    hy_record *row = hy_record_append(record, "sums_in_another_order");
    hy_record_text(row, "func", name);
    hy_record_int(row, "points", (int64_t)r->points);
    hy_record_int(row, "unbounded", (int64_t)r->unbounded);
    hy_record_real(row, "difference", r->difference);
    hy_record_real(row, "bound", r->bound);
  }
}
