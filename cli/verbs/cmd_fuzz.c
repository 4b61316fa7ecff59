// halyard fuzz: random algorithm/schedule pairs, judged; or the results of several campaigns, joined.

#include "cli/reports/fuzz_report.h"
#include "cli/reports/with_halide.h"
#include "cli/verbs/verbs.h"

#include "sched/sched.h"
#include "semantics/value/value_parse.h"

#include <string.h>

static const hy_loc nowhere = {0};
enum { HALIDE_SECONDS = 10 }; // for one pair

static bool add_against(hy_session *s, unsigned *lanes) {
  if (!s->options.against) return true;
  if (!s->options.lanes) *lanes = 0;
  *lanes |= HY_LANE_HALIDE;
  if (strcmp(s->options.against, "halide") == 0) return true;
  hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "there is halide", "no campaign goes --against '%s'",
            s->options.against);
  return false;
}

static bool take_lanes(hy_session *s, unsigned *lanes) {
  if (hy_lanes_parse(s->options.lanes ? s->options.lanes : "1,2", lanes)) return add_against(s, lanes);
  hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL,
            "1: algorithm and target program agree; 2: every obligation, with certificates; 3: Z3 asked about "
            "everything; 4: native code, lightly optimized; 5: fully; mix: some of each; levels: every level of "
            "validation; faults: hand-made ones in target programs; gap: pairs where numbers end; halide: Halide "
            "computes the same",
            "--lanes takes 1, 2, 3, 4, 5, mix, levels, faults, gap and halide with commas between, not '%s'",
            s->options.lanes);
  return false;
}

static bool take_directive(hy_session *s, int *favourite) {
  *favourite = HY_NO_DIRECTIVE;
  if (!s->options.directive) return true;
  if (hy_plugins_find(hy_context_plugins(s->context), s->options.directive))
    return *favourite = HY_OWN_DIRECTIVES, true;
  int count;
  const hy_directive_type *const *all = hy_sched_directives(&count);
  for (int i = 0; i < count; i++)
    if (strcmp(all[i]->name, s->options.directive) == 0) return *favourite = i, true;
  hy_report(s->diagnostics, HY_E_UNKNOWN_DIRECTIVE, nowhere, NULL, "'halyard directives' lists what there is",
            "there is no directive '%s'", s->options.directive);
  return false;
}

// "3/8": the fourth of eight
static bool take_shard(hy_session *s, uint64_t *shard, uint64_t *shards) {
  const char *at = s->options.shard;
  *shard = 0, *shards = 1;
  if (!at) return true;
  if (hy_take_uint(&at, shard) && *at == '/' && at++ && hy_take_uint(&at, shards) && !*at && *shard < *shards)
    return true;
  hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "the shards of eight are 0/8 to 7/8",
            "--shard takes I/N with I below N, not '%s'", s->options.shard);
  return false;
}

static bool take_options(hy_session *s, hy_campaign_options *o) {
  const hy_options *given = &s->options;
  *o = (hy_campaign_options){.seed = given->seed,
                             .pairs = (uint64_t)given->pairs,
                             .seconds = (double)given->seconds,
                             .jobs = (int)given->jobs,
                             .out = given->out,
                             .resume = given->resume,
                             .stop_at = (int)given->stop_at,
                             .neighbour = HY_NO_DIRECTIVE,
                             .plugins = hy_context_plugins(s->context),
                             .shrink = {(double)given->shrink, 4000}};
  if (!o->pairs && o->seconds <= 0) o->seconds = 60;
  return take_lanes(s, &o->lanes) && take_directive(s, &o->favourite) && take_shard(s, &o->shard, &o->shards);
}

// What could not be read or written, at the beginning or in between.
static hy_status report_trouble(hy_session *s, const hy_campaign *c, bool begun) {
  if (c->corrupt)
    hy_warn(s->diagnostics, HY_E_CANNOT_READ, nowhere, NULL, NULL,
            "%d lines of earlier results are torn or corrupt; the pairs of their blocks count as not done", c->corrupt);
  if (c->conflicts)
    hy_report(s->diagnostics, HY_E_CANNOT_READ, nowhere, NULL, "the folders come from different builds or inputs",
              "%d blocks have different results in different folders", c->conflicts);
  if (c->trouble.length)
    hy_report(s->diagnostics, HY_E_CANNOT_WRITE, nowhere, NULL,
              begun ? "make room and go on with --resume" : "--resume goes on with a campaign; or name another folder",
              "%s%s", begun ? "results are incomplete: " : "", hy_text_string(&c->trouble));
  bool lost = s->options.merge && c->corrupt; // a campaign does them again
  return c->trouble.length || c->conflicts || lost ? HY_STATUS_USAGE : HY_STATUS_FINE;
}

static bool take_words(hy_session *s) {
  if (s->options.merge == (s->options.words.count > 0)) return true;
  hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL,
            s->options.merge ? "halyard fuzz --merge DIR... --out WHOLE" : "'halyard replay' runs a case file",
            s->options.merge ? "'--merge' needs the folders of campaigns"
                             : "'fuzz' takes no files, but something follows it");
  return false;
}

static hy_status run_campaign(hy_session *s, const hy_campaign_options *o) {
  hy_campaign c;
  if (s->options.choices) return hy_command_choices(s, o->lanes, o->halide);
  bool begun = s->options.merge ? hy_campaign_merge(o, s->options.words.data, s->options.words.count, &c)
                                : hy_campaign_run(o, hy_fuzz_progress, s, &c);
  hy_status status = begun ? hy_fuzz_report(s, &c) : HY_STATUS_USAGE;
  status = hy_status_worse(status, report_trouble(s, &c, begun));
  hy_campaign_free(&c);
  return status;
}

hy_status hy_command_fuzz(hy_session *s) {
  hy_campaign_options o;
  if (!take_words(s) || !take_options(s, &o)) return HY_STATUS_USAGE;
  if (o.lanes & HY_LANE_HALIDE && !s->options.merge && !(o.halide = hy_with_halide_start(s, HALIDE_SECONDS)))
    return HY_STATUS_USAGE;
  hy_status status = run_campaign(s, &o);
  hy_halide_stop(o.halide);
  return status;
}
