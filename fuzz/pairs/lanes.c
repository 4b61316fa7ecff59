#include "fuzz/pairs/lanes.h"

#include <string.h>

static const struct {
  const char *name;
  unsigned lane;
} rows[] = {{"1", HY_LANE_INTERPRET}, {"2", HY_LANE_QUERY},        {"3", HY_LANE_CROSS},
            {"4", HY_LANE_LIGHT},     {"5", HY_LANE_NATIVE},       {"native", HY_LANE_NATIVE},
            {"mix", HY_LANE_MIX},     {"levels", HY_LANE_PROMISE}, {"faults", HY_LANE_FAULTS},
            {"gap", HY_LANE_GAP},     {"halide", HY_LANE_HALIDE},  {"tune", HY_LANE_TUNE}};

static unsigned lane_of(const char *name, size_t length) {
  for (size_t i = 0; i < HY_COUNT(rows); i++)
    if (strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0) return rows[i].lane;
  return 0;
}

bool hy_lanes_parse(const char *text, unsigned *lanes) {
  *lanes = 0;
  for (const char *at = text;; at++) {
    size_t length = strcspn(at, ",");
    unsigned lane = lane_of(at, length);
    if (!lane) return false;
    *lanes |= lane;
    at += length;
    if (!*at) return true;
  }
}

void hy_lanes_print(unsigned lanes, hy_text *out) {
  for (size_t i = 0, printed = 0; i < HY_COUNT(rows); i++) {
    if (!(lanes & rows[i].lane)) continue;
    hy_text_printf(out, "%s%s", printed++ ? "," : "", rows[i].name);
    lanes &= ~rows[i].lane;
  }
}

// Of 64 pairs all go through lane 1, 12 through lane 2 as well, 2 of these through lane 3, 4 and 5 each.
unsigned hy_lanes_of_pair(unsigned lanes, uint64_t index) {
  if (lanes & HY_LANE_GAP) { // with faults: only these
    bool alone = !(lanes & HY_LANE_FAULTS);
    lanes &= ~(unsigned)HY_LANE_GAP;
    if (alone) lanes |= HY_LANE_INTERPRET | HY_LANE_QUERY | (index % 16 == 5 ? HY_LANE_NATIVE : 0);
  }
  if (lanes & HY_LANE_TUNE) lanes |= HY_LANE_INTERPRET | HY_LANE_QUERY | (index % 16 == 5 ? HY_LANE_NATIVE : 0);
  if (!(lanes & HY_LANE_MIX)) return lanes;
  lanes = (lanes & ~(unsigned)HY_LANE_MIX) | HY_LANE_INTERPRET;
  if (index % 16 == 3 || index % 8 == 0) lanes |= HY_LANE_QUERY;
  if (index % 32 == 0) lanes |= HY_LANE_CROSS;
  if (index % 32 == 8) lanes |= HY_LANE_LIGHT;
  if (index % 32 == 16) lanes |= HY_LANE_NATIVE;
  return lanes;
}

uint64_t hy_lanes_block(unsigned lanes) {
  if (lanes & HY_LANE_PROMISE) return 8;
  if (lanes & HY_LANE_FAULTS) return 32;
  if (lanes & HY_LANE_HALIDE) return 16;
  if (lanes & (HY_LANE_CROSS | HY_LANE_LIGHT | HY_LANE_NATIVE)) return 64;
  return lanes & (HY_LANE_QUERY | HY_LANE_MIX | HY_LANE_GAP | HY_LANE_TUNE) ? 128 : 256;
}
