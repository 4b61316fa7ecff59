#include "cli/tune/head.h"

#include "cli/tune/sizes.h"
#include "semantics/base/sha256.h"

#include <inttypes.h>
#include <string.h>

static const char first_words[] = "// Found by 'halyard tune'", before_hash[] = "\n// algorithm: sha256 ";

static void print_cost(hy_cost cost, hy_text *out) {
  if (cost < 0) return;
  hy_text_printf(out, "// predicted cost: %.6g cheap operations\n", (double)cost);
}

static void print_measured(const hy_tune_head *h, hy_text *out) {
  if (h->seconds <= 0) return;
  hy_text_printf(out, "// measured: %.4g ms", h->seconds * 1e3);
  if (h->baseline_seconds > 0) hy_text_printf(out, ", level 0 %.4g ms", h->baseline_seconds * 1e3);
  hy_text_printf(out, "; %zu schedules in %d generations, seed %" PRIu64 ", %d processors\n", h->measured,
                 h->generations, h->seed, h->processors);
}

void hy_tune_head_print(const hy_alg *alg, const hy_tune_head *h, hy_text *out) {
  char digits[HY_SHA256_DIGITS + 1];
  const hy_tune_parameters *p = h->parameters;
  hy_sha256(h->algorithm, strlen(h->algorithm), digits);
  hy_text_printf(out, "%s: level %s.%s%s\n// estimates: ", first_words, h->level, before_hash, digits);
  hy_sizes_print(alg, h->estimates, out);
  hy_text_add(out, "\n");
  if (p)
    hy_text_printf(out,
                   "// parameters: vector width %" PRId64 ", parallelism %" PRId64 ", cache %" PRId64
                   " KiB, load cost %" PRId64 "\n",
                   p->lanes, p->parallelism, p->cache_bytes / 1024, p->load_cost);
  print_cost(h->cost, out);
  print_measured(h, out);
  hy_text_printf(out, "// schedules: %d tried, %d refused, %d not proved\n", h->tried, h->refused, h->unproved);
  hy_text_printf(out, "// proved: %zu obligations for all inputs; halyard-certcheck accepts all %zu certificates\n",
                 h->proof->obligations, h->proof->certificates);
}

void hy_tune_head_check(const hy_alg *alg, const hy_schedule *schedule, hy_diagnostics *diagnostics) {
  const hy_source *source = schedule->loc.source;
  if (!source || strncmp(source->text, first_words, strlen(first_words)) != 0) return;
  const char *end = strstr(source->text, "\nschedule "), *found = strstr(source->text, before_hash);
  if (!found || (end && found > end)) return;
  char digits[HY_SHA256_DIGITS + 1];
  hy_text text = {0};
  hy_alg_print(alg, &text);
  hy_sha256(hy_text_string(&text), text.length, digits);
  hy_text_free(&text);
  found += strlen(before_hash);
  if (strncmp(found, digits, HY_SHA256_DIGITS) == 0) return;
  hy_warn(diagnostics, HY_E_TUNE_STALE, schedule->loc, NULL,
          "it is checked like any other, but may no longer be a fast one: 'halyard tune' finds one for the algorithm "
          "as it is",
          "schedule '%s' was found for another algorithm than '%s' is by now", schedule->name, alg->name);
}
