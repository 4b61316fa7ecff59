#include "cli/tune/seeds.h"

#include "autosched/repair.h"

#include <string.h>

typedef struct {
  hy_search *search;
  const hy_kept *kept;
  const hy_host *host;
  hy_measured *measured;
} seeds;

// The paper's six configurations, with vectors of several lengths; of --sweep all its whole brute-force search.
static const int64_t few_caches[] = {32, 128, 256}, few_loads[] = {10, 20}, few_lanes[] = {8, 16, 32},
                     few_tasks[] = {12};
static const int64_t all_caches[] = {16, 32, 64, 128, 256, 512}, all_lanes[] = {4, 8, 16},
                     all_tasks[] = {6, 12, 18, 24};
static const int64_t all_loads[] = {5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80};

static void add(const seeds *s, const hy_proposal *proposal, const char *level, const hy_tune_parameters *p) {
  hy_text text = {0}, origin = {0};
  hy_search_print(s->search, proposal->graph, proposal->choices, &text);
  hy_text_printf(&origin, "%s, vector width %lld, parallelism %lld, cache %lld KiB, load cost %lld", level,
                 (long long)p->lanes, (long long)p->parallelism, (long long)p->cache_bytes / 1024,
                 (long long)p->load_cost);
  hy_measured_seed(s->measured, hy_text_string(&text), hy_text_string(&origin), proposal->choices);
  hy_text_free(&text);
  hy_text_free(&origin);
}

static void add_level1(const seeds *s, int64_t lanes, int64_t tasks, int64_t cache, int64_t load) {
  hy_tune_parameters p = {.lanes = lanes, .parallelism = tasks, .cache_bytes = cache * 1024, .load_cost = load};
  hy_proposal proposal;
  if (!s->host->goes_on(s->host->self, HY_RACE_NEXT)) return;
  if (hy_tune_level1(s->search->graph, &p, &proposal)) add(s, &proposal, "level 1", &p);
}

static void add_plain(const seeds *s) {
  hy_text text = {0};
  hy_choices_list *choices = hy_choices_plain(s->search->graph);
  hy_search_print(s->search, s->search->graph, choices, &text);
  hy_measured_seed(s->measured, hy_text_string(&text), "every func at root", choices);
  hy_text_free(&text);
}

#define EACH(i, list) for (size_t i = 0; i < HY_COUNT(list); i++)

static void sweep(const seeds *s, bool all) {
  if (all) {
    EACH(a, all_lanes)
    EACH(b, all_tasks)
    EACH(c, all_caches) EACH(d, all_loads) add_level1(s, all_lanes[a], all_tasks[b], all_caches[c], all_loads[d]);
    return;
  }
  EACH(a, few_lanes)
  EACH(b, few_tasks)
  EACH(c, few_caches) EACH(d, few_loads) add_level1(s, few_lanes[a], few_tasks[b], few_caches[c], few_loads[d]);
}

void hy_seeds_add(hy_search *search, const hy_schedule *start, const hy_kept *kept, const hy_host *host,
                  hy_measured *measured) {
  seeds s = {search, kept, host, measured};
  hy_tune_parameters p = search->parameters;
  hy_proposal proposal;
  if (hy_tune_level0(search->graph, &p, &proposal)) {
    hy_search_repair(search, &proposal);
    add(&s, &proposal, "level 0", &p);
  }
  if (start && !kept->is_kept) {
    hy_text text = {0};
    hy_kept_copy(start, &text);
    hy_measured_seed(measured, hy_text_string(&text), "the user's", NULL);
    hy_text_free(&text);
  }
  if (hy_tune_level1(search->graph, &p, &proposal)) {
    hy_search_repair(search, &proposal);
    add(&s, &proposal, "level 1", &p);
  }
  if (!measured->count) add_plain(&s); // a cost is too large for numbers
  const char *wanted = search->session->options.sweep;
  sweep(&s, wanted && strcmp(wanted, "all") == 0);
}
