// libFuzzer's entry: its bytes are a choice sequence, the same that 'halyard fuzz --choices' takes. A failure prints
// its case and aborts. HALYARD_LANES chooses the lanes (1).

#include "fuzz/judge/judge.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  hy_generate_options options = {.favourite = HY_NO_DIRECTIVE};
  hy_choices choices = hy_choices_of_bytes(bytes, count);
  hy_case c;
  hy_walk walk;
  hy_judgement j;
  const char *lanes = getenv("HALYARD_LANES");
  hy_case_generate(&choices, &options, &c, &walk);
  if (!lanes || !hy_lanes_parse(lanes, &c.lanes)) c.lanes = HY_LANE_INTERPRET;
  hy_judge(&c, c.lanes, true, &j);
  if (hy_found_is_failure(j.found)) {
    hy_text text = {0};
    hy_case_print(&c, j.detail, &text);
    fputs(hy_text_string(&text), stderr);
    fprintf(stderr, "found: %s\n", hy_found_name(j.found));
    abort();
  }
  hy_case_free(&c);
  return 0;
}
