#ifndef HY_STORE_H
#define HY_STORE_H

/* The folder of a campaign: what it is a campaign of, the tally of every finished block of pairs, and case files.
 *
 *   campaign   seed, lanes, shard: only campaigns that agree in these go on, or are merged
 *   results    a line per block, appended when the block is finished; sorted at the end
 *   *.case     what was found
 *
 * Whatever is written appears whole or not at all: a line has a check sum, a file is written beside its place and
 * renamed. So a campaign that is killed at any moment goes on where it was, and the same shard ends with the same bytes
 * wherever it runs.
 */

#include "fuzz/campaign/tally.h"
#include "semantics/base/vec.h"

typedef struct hy_store_header {
  uint64_t seed, shard, shards;
  unsigned lanes;
  int favourite;
  char plugins[256]; // the directives from outside the tree that pairs use, too, with commas between
} hy_store_header;

// A pair that shows something, as its block's line says it.
typedef struct hy_sighting {
  uint64_t index;
  char key[HY_KEY_ROOM];
} hy_sighting;

typedef struct hy_block {
  uint64_t number;
  hy_tally tally;
  HY_VEC(hy_sighting) sightings;
} hy_block;
void hy_block_free(hy_block *block);

typedef struct hy_store {
  const char *folder;
  hy_store_header header;
  HY_VEC(hy_block) blocks;
  size_t sorted; // how many of them were read, and are sorted by number; the others came since
  int file;      // results, being appended to; -1 = not open
  int corrupt;   // lines that could not be used: their blocks are done again
  int conflicts; // blocks that two folders tell differently
} hy_store;

// "why" says what is wrong when these return false.

// Takes up the folder: makes it if it is not there; goes on with the campaign in it if "resume".
bool hy_store_open(hy_store *store, const char *folder, const hy_store_header *header, bool resume, hy_text *why);
// Adds another campaign's results to those at hand; the first one sets the header.
bool hy_store_load(hy_store *store, const char *folder, hy_text *why);
// Keeps a finished block; the store takes it.
bool hy_store_add(hy_store *store, HY_TAKE hy_block *block, hy_text *why);
const hy_block *hy_store_find(const hy_store *store, uint64_t number); // among those that were read
// Writes header and results anew, sorted, into a folder.
bool hy_store_write(hy_store *store, const char *folder, hy_text *why);
void hy_store_close(hy_store *store);

// A whole file, or none.
bool hy_store_write_file(const char *folder, const char *name, const char *text, size_t length, hy_text *why);
// NULL if it cannot be read, is larger than any of ours, or holds a NUL byte; malloc'd.
HY_GIVE char *hy_store_read_file(const char *folder, const char *name);

#endif
