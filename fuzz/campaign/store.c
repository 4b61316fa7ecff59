#include "fuzz/campaign/store.h"

#include "semantics/base/intern.h"
#include "semantics/base/whole_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 30 };

static const char first_line[] = "halyard campaign 1\n";

void hy_block_free(hy_block *block) { hy_vec_free(&block->sightings); }

static bool fail(hy_text *why, const char *folder, const char *name, const char *what) {
  if (!why->length) hy_text_printf(why, "%s/%s: %s", folder, name, what);
  return false;
}

/* -- files -- */

static char *path_of(const char *folder, const char *name) {
  hy_text path = {0};
  hy_text_printf(&path, "%s/%s", folder, name);
  return path.data;
}

bool hy_store_write_file(const char *folder, const char *name, const char *text, size_t length, hy_text *why) {
  char *path = path_of(folder, name);
  bool good = hy_whole_file_write(path, text, length);
  if (!good) fail(why, folder, name, strerror(errno));
  free(path);
  return good;
}

char *hy_store_read_file(const char *folder, const char *name) {
  char *path = path_of(folder, name);
  FILE *file = fopen(path, "rb");
  hy_text text = {0};
  static const size_t room = 1 << 16;
  char *piece = hy_allocate(room);
  for (size_t got; file && text.length < MOST_BYTES && (got = fread(piece, 1, room, file)) > 0;)
    hy_text_add_bytes(&text, piece, got);
  bool good = file && !ferror(file) && text.length < MOST_BYTES && strlen(hy_text_string(&text)) == text.length;
  if (file) fclose(file);
  free(piece);
  free(path);
  if (good && !text.data) hy_text_add(&text, "");
  if (good) return text.data ? text.data : strdup("");
  hy_text_free(&text);
  return NULL;
}

static void remove_unfinished(const char *folder) {
  DIR *entries = opendir(folder);
  for (struct dirent *entry; entries && (entry = readdir(entries));) {
    if (!hy_whole_file_is_unfinished(entry->d_name)) continue;
    char *path = path_of(folder, entry->d_name);
    unlink(path);
    free(path);
  }
  if (entries) closedir(entries);
}

/* -- the header -- */

static void print_header(const hy_store_header *h, hy_text *out) {
  hy_text_printf(out, "%sversion: %s %016" PRIx64 "\nseed: %" PRIu64 "\nlanes: ", first_line, HALYARD_VERSION,
                 hy_tally_layout(), h->seed);
  hy_lanes_print(h->lanes, out);
  hy_text_printf(out, "\nfavourite: %d\nshard: %" PRIu64 "/%" PRIu64 "\n", h->favourite, h->shard, h->shards);
  if (*h->plugins) hy_text_printf(out, "plugins: %s\n", h->plugins);
}

static bool parse_header(const char *text, hy_store_header *h, const char **why) {
  char lanes[64];
  int used = 0;
  uint64_t layout;
  *why = "is not the description of a campaign";
  if (!text || strncmp(text, first_line, strlen(first_line)) != 0) return false;
  text += strlen(first_line);
  *why = "was written by another version of Halyard";
  if (sscanf(text, "version: " HALYARD_VERSION " %" SCNx64 "\n%n", &layout, &used) != 1 || layout != hy_tally_layout())
    return false;
  *why = "is corrupt";
  *h->plugins = 0;
  return sscanf(text + used,
                "seed: %" SCNu64 " lanes: %63s favourite: %d shard: %" SCNu64 "/%" SCNu64 " plugins: %255s", &h->seed,
                lanes, &h->favourite, &h->shard, &h->shards, h->plugins) >= 5 &&
         hy_lanes_parse(lanes, &h->lanes) && h->shards > 0 && h->shard < h->shards;
}

static bool equal_headers(const hy_store_header *a, const hy_store_header *b) {
  return a->seed == b->seed && a->lanes == b->lanes && a->favourite == b->favourite && a->shards == b->shards &&
         strcmp(a->plugins, b->plugins) == 0;
}

/* -- results -- */

// "block NUMBER SUM TALLY;KEY@INDEX;KEY@INDEX\n"
static void print_block(const hy_block *block, hy_text *out) {
  hy_text payload = {0};
  hy_tally_print(&block->tally, &payload);
  for (size_t i = 0; i < block->sightings.count; i++)
    hy_text_printf(&payload, ";%s@%" PRIu64, block->sightings.data[i].key, block->sightings.data[i].index);
  hy_text_printf(out, "block %" PRIu64 " %016" PRIx64 " %s\n", block->number,
                 hy_hash_bytes(block->number, payload.data, payload.length), payload.data);
  hy_text_free(&payload);
}

static bool parse_sightings(char *text, hy_block *block) {
  for (char *next; text; text = next) {
    hy_sighting s = {0};
    next = strchr(text, ';');
    if (next) *next++ = 0;
    char *at = strchr(text, '@');
    if (!at || (size_t)(at - text) >= sizeof s.key) return false;
    memcpy(s.key, text, (size_t)(at - text));
    s.index = strtoull(at + 1, NULL, 10);
    hy_vec_push(&block->sightings, s);
  }
  return true;
}

static bool parse_block(char *line, hy_block *block) {
  int used = 0;
  uint64_t sum;
  *block = (hy_block){0};
  if (sscanf(line, "block %" SCNu64 " %" SCNx64 " %n", &block->number, &sum, &used) != 2 || !used) return false;
  if (hy_hash_bytes(block->number, line + used, strlen(line + used)) != sum) return false;
  char *rest = strchr(line + used, ';');
  if (rest) *rest++ = 0;
  if (hy_tally_parse(line + used, &block->tally) && parse_sightings(rest, block)) return true;
  hy_block_free(block);
  return false;
}

static int by_number(const void *a, const void *b) {
  const hy_block *x = a, *y = b;
  return (x->number > y->number) - (x->number < y->number);
}

// Of one number, the block with more pairs comes first.
static int by_number_and_pairs(const void *a, const void *b) {
  const hy_block *x = a, *y = b;
  int order = by_number(a, b);
  return order ? order : (x->tally.pairs < y->tally.pairs) - (x->tally.pairs > y->tally.pairs);
}

static bool equal_blocks(const hy_block *a, const hy_block *b) {
  return memcmp(&a->tally, &b->tally, sizeof a->tally) == 0 && a->sightings.count == b->sightings.count;
}

// By number, each once: of two that differ the one with more pairs stays.
static void sort_blocks(hy_store *s) {
  if (!s->blocks.count) return;
  qsort(s->blocks.data, s->blocks.count, sizeof *s->blocks.data, by_number_and_pairs);
  size_t kept = 0;
  for (size_t i = 1; i < s->blocks.count; i++) {
    hy_block *last = &s->blocks.data[kept], *next = &s->blocks.data[i];
    if (last->number == next->number) {
      s->conflicts += !equal_blocks(last, next) && last->tally.pairs == next->tally.pairs;
      hy_block_free(next);
    } else {
      s->blocks.data[++kept] = *next;
    }
  }
  s->blocks.count = s->sorted = kept + 1;
}

static void read_results(hy_store *s, char *text) {
  for (char *next; text && *text; text = next) {
    hy_block block;
    next = strchr(text, '\n');
    if (next) *next++ = 0; // a line without its end was being written when the campaign was killed
    if (next && parse_block(text, &block))
      hy_vec_push(&s->blocks, block);
    else
      s->corrupt++;
  }
  sort_blocks(s);
}

bool hy_store_load(hy_store *s, const char *folder, hy_text *why) {
  char *header = hy_store_read_file(folder, "campaign"), *results;
  hy_store_header found;
  const char *what = NULL;
  bool good = header && parse_header(header, &found, &what);
  free(header);
  if (!good) return fail(why, folder, "campaign", header ? what : "there is no campaign here");
  bool first = !s->header.shards;
  if (first) s->header = found;
  if (!equal_headers(&s->header, &found))
    return fail(why, folder, "campaign",
                "has another seed, other lanes, other shards or other plug-ins than the first folder");
  if (!first && s->header.shard != found.shard) s->header.shard = 0;
  results = hy_store_read_file(folder, "results");
  if (results) read_results(s, results);
  if (!results && errno != ENOENT) s->corrupt++;
  free(results);
  return true;
}

const hy_block *hy_store_find(const hy_store *s, uint64_t number) {
  hy_block key = {.number = number};
  return s->sorted ? bsearch(&key, s->blocks.data, s->sorted, sizeof key, by_number) : NULL;
}

bool hy_store_write(hy_store *s, const char *folder, hy_text *why) {
  hy_text header = {0}, results = {0};
  sort_blocks(s);
  print_header(&s->header, &header);
  for (size_t i = 0; i < s->blocks.count; i++) print_block(&s->blocks.data[i], &results);
  bool good = hy_store_write_file(folder, "campaign", header.data, header.length, why) &&
              hy_store_write_file(folder, "results", hy_text_string(&results), results.length, why);
  hy_text_free(&header);
  hy_text_free(&results);
  return good;
}

/* -- life -- */

static bool make_folder(const char *folder, hy_text *why) {
  struct stat info;
  if (mkdir(folder, 0777) == 0 || (errno == EEXIST && stat(folder, &info) == 0 && S_ISDIR(info.st_mode))) return true;
  hy_text_printf(why, "cannot make the folder '%s': %s", folder, strerror(errno));
  return false;
}

// One campaign at a time: the lock goes with the process.
static bool open_results(hy_store *s, hy_text *why) {
  char *path = path_of(s->folder, "results");
  s->file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  free(path);
  if (s->file < 0) return fail(why, s->folder, "results", strerror(errno));
  if (flock(s->file, LOCK_EX | LOCK_NB) == 0) return true;
  return fail(why, s->folder, "results", "another campaign is at work in this folder");
}

bool hy_store_open(hy_store *s, const char *folder, const hy_store_header *header, bool resume, hy_text *why) {
  *s = (hy_store){.folder = folder, .file = -1};
  if (!make_folder(folder, why)) return false;
  char *old = hy_store_read_file(folder, "campaign");
  bool there = old != NULL;
  free(old);
  if (there && !resume) {
    hy_text_printf(why, "'%s' holds a campaign already", folder);
    return false;
  }
  if (there && !hy_store_load(s, folder, why)) return false;
  if (there && (!equal_headers(&s->header, header) || s->header.shard != header->shard))
    return fail(why, folder, "campaign",
                "the campaign here has another seed, other lanes, another shard or other plug-ins");
  s->header = *header;
  if (!open_results(s, why)) return false;
  remove_unfinished(folder);
  if (!hy_store_write(s, folder, why)) return false; // without torn lines
  close(s->file);
  return open_results(s, why);
}

bool hy_store_add(hy_store *s, hy_block *block, hy_text *why) {
  hy_text line = {0};
  print_block(block, &line);
  bool good = s->file < 0 || hy_write_all(s->file, line.data, line.length);
  hy_text_free(&line);
  hy_vec_push(&s->blocks, *block);
  *block = (hy_block){0};
  return good || fail(why, s->folder, "results", strerror(errno));
}

void hy_store_close(hy_store *s) {
  if (s->file >= 0) close(s->file);
  for (size_t i = 0; i < s->blocks.count; i++) hy_block_free(&s->blocks.data[i]);
  hy_vec_free(&s->blocks);
  s->file = -1;
}
