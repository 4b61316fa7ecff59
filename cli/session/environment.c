#include "cli/session/environment.h"

#include "oracle/certificate/recheck.h"
#include "semantics/value/value_parse.h"

#include <stdlib.h>
#include <string.h>

static const hy_loc nowhere = {0};
enum { MOST_THREADS = 512, MOST_SECONDS = 500000, MOST_MIB = 1000000 }; // threads: what codegen/runtime makes at most

static bool threads_are_fine(hy_diagnostics *diagnostics) {
  const char *text = getenv("HALYARD_NUM_THREADS"), *at = text;
  int64_t count;
  if (!text || !*text || (hy_take_int(&at, &count) && !*at && count >= 1 && count <= MOST_THREADS)) return true;
  hy_report(diagnostics, HY_E_ENVIRONMENT, nowhere, NULL,
            "write HALYARD_NUM_THREADS=2, say, or leave it unset: then there is a thread for each processor",
            "HALYARD_NUM_THREADS is '%s', which is not a whole number from 1 to %d", text, MOST_THREADS);
  return false;
}

static bool dump_is_fine(hy_diagnostics *diagnostics) {
  static const char letters[] = "lsfqp";
  const char *text = getenv("HALYARD_DUMP");
  if (!text || !text[strspn(text, letters)]) return true;
  hy_report(diagnostics, HY_E_ENVIRONMENT, nowhere, NULL,
            "its letters are l (lowered), s (after each directive), f (filled), q (the query) and p (after each pass)",
            "HALYARD_DUMP is '%s', where '%c' stands for nothing", text, text[strspn(text, letters)]);
  return false;
}

static bool seconds_are_fine(hy_diagnostics *diagnostics, const char *name, const char *unset) {
  const char *text = getenv(name), *at = text;
  int64_t count;
  if (!text || !*text || (hy_take_int(&at, &count) && !*at && count >= 1 && count <= MOST_SECONDS)) return true;
  hy_report(diagnostics, HY_E_ENVIRONMENT, nowhere, NULL, unset, "%s is '%s', which is not a whole number from 1 to %d",
            name, text, MOST_SECONDS);
  return false;
}

static bool cache_is_fine(hy_diagnostics *diagnostics) {
  const char *text = getenv("HALYARD_CACHE_MIB"), *at = text;
  int64_t count;
  if (!text || !*text || (hy_take_int(&at, &count) && !*at && count >= 0 && count <= MOST_MIB)) return true;
  hy_report(diagnostics, HY_E_ENVIRONMENT, nowhere, NULL, "unset, it is 1024",
            "HALYARD_CACHE_MIB is '%s', which is not a whole number from 0 to %d", text, MOST_MIB);
  return false;
}

bool hy_environment_check(hy_diagnostics *diagnostics) {
  return threads_are_fine(diagnostics) && dump_is_fine(diagnostics) &&
         seconds_are_fine(diagnostics, "HALYARD_HALIDE_SECONDS",
                          "unset, it is 600 for run, 60 for verify, and 10 for a pair of a campaign") &&
         seconds_are_fine(diagnostics, "HALYARD_CERTCHECK_SECONDS", "unset, it is 600") && cache_is_fine(diagnostics);
}

const char *hy_environment_variable(const char *name, const char *unset) {
  const char *text = getenv(name);
  return text && *text ? text : unset;
}

void hy_environment_tell_checker(void) {
  const char *seconds = hy_environment_variable("HALYARD_CERTCHECK_SECONDS", NULL);
  hy_certcheck_use(getenv("HALYARD_CERTCHECK"), seconds ? (unsigned)atoi(seconds) : HY_CERTCHECK_SECONDS);
}
