#include "cli/reports/gate_report.h"
#include "gate/manifest/statement.h"

#include <stdlib.h>
#include <time.h>

// SOURCE_DATE_EPOCH, where it is given, so that reports can be made again byte for byte; else now.
static const char *time_created(char *room, size_t size) {
  const char *given = getenv("SOURCE_DATE_EPOCH");
  char *end = NULL;
  long long seconds = given && *given ? strtoll(given, &end, 10) : 0;
  time_t at = end && !*end ? (time_t)seconds : time(NULL);
  struct tm utc;
  if (!gmtime_r(&at, &utc) || !strftime(room, size, "%Y-%m-%dT%H:%M:%SZ", &utc)) return "1970-01-01T00:00:00Z";
  return room;
}

void hy_gate_print_svr(const hy_gate_result *result, hy_text *out) {
  char room[32];
  hy_statement_print_svr(result, time_created(room, sizeof room), out);
}
