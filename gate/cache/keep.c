// A shipment put into the cache, and room made for it. Only what a cache holds is ever taken away: folders that are
// called by a key, and what a process that was killed left beside them.

#include "gate/cache/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  const char *path;
  time_t used;
  uint64_t bytes;
} entry;

typedef struct {
  hy_arena *arena;
  HY_VEC(entry) entries;
} sweep;

static bool is_hex(const char *name, size_t length) {
  return strlen(name) == length && strspn(name, "0123456789abcdef") == length;
}

static uint64_t bytes_in(const char *path) {
  uint64_t sum = 0;
  struct stat about;
  DIR *open = opendir(path);
  for (const struct dirent *e; open && (e = readdir(open));)
    if (fstatat(dirfd(open), e->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(about.st_mode))
      sum += (uint64_t)about.st_size;
  if (open) closedir(open);
  return sum;
}

// The folders of keys that begin so, and what was left half-written there an hour ago or longer.
static void list(sweep *s, const char *path) {
  enum { HOUR = 3600 };
  DIR *open = opendir(path);
  struct stat about;
  for (const struct dirent *e; open && (e = readdir(open));) {
    const char *own = hy_arena_printf(s->arena, "%s/%s", path, e->d_name);
    bool is_key = is_hex(e->d_name, HY_SHA256_DIGITS), is_left = hy_ship_is_unfinished(e->d_name);
    if ((!is_key && !is_left) || lstat(own, &about) != 0 || !S_ISDIR(about.st_mode)) continue;
    if (is_key)
      hy_vec_push(&s->entries, ((entry){own, about.st_mtime, bytes_in(own)}));
    else if (about.st_mtime + HOUR < time(NULL))
      hy_ship_remove(own);
  }
  if (open) closedir(open);
}

static int by_use(const void *a, const void *b) {
  const entry *one = a, *two = b;
  return one->used != two->used ? (one->used < two->used ? -1 : 1) : strcmp(one->path, two->path);
}

// Its name goes first, at once: who reads in it meanwhile finds that it is not there, not that it is damaged.
static void take_away(const char *path, hy_arena *arena) {
  const char *slash = strrchr(path, '/');
  const char *gone = hy_arena_printf(arena, "%.*s" HY_SHIP_UNFINISHED "%ld-%.16s", (int)(slash - path) + 1, path,
                                     (long)getpid(), slash + 1);
  if (rename(path, gone) == 0) hy_ship_remove(gone);
}

static bool is_folder(const char *parent, const char *name, hy_arena *arena) {
  struct stat about;
  return lstat(hy_arena_printf(arena, "%s/%s", parent, name), &about) == 0 && S_ISDIR(about.st_mode);
}

// before: the cache -> after: no more than "most" bytes of it, but the one that was just put there
static void make_room(const hy_cache *cache, hy_arena *arena) {
  sweep s = {.arena = arena};
  const char *own = hy_cache_path(cache, arena);
  uint64_t sum = 0;
  DIR *open = opendir(cache->folder);
  for (const struct dirent *e; open && (e = readdir(open));)
    if (is_hex(e->d_name, 2) && is_folder(cache->folder, e->d_name, arena))
      list(&s, hy_arena_printf(arena, "%s/%s", cache->folder, e->d_name));
  if (open) closedir(open);
  for (size_t i = 0; i < s.entries.count; i++) sum += s.entries.data[i].bytes;
  if (s.entries.count) qsort(s.entries.data, s.entries.count, sizeof *s.entries.data, by_use);
  for (size_t i = 0; i < s.entries.count && sum > cache->most; i++) {
    if (strcmp(s.entries.data[i].path, own) == 0) continue;
    take_away(s.entries.data[i].path, arena);
    sum -= s.entries.data[i].bytes;
  }
  hy_vec_free(&s.entries);
}

// The cache itself may lie behind a link; what is in it is its own.
static bool make_folder(const char *path, bool is_own) {
  struct stat about;
  if (mkdir(path, 0777) == 0) return true;
  if (errno != EEXIST) return false;
  errno = ENOTDIR;
  return (is_own ? lstat(path, &about) : stat(path, &about)) == 0 && S_ISDIR(about.st_mode);
}

bool hy_cache_keep(const hy_cache *cache, const hy_shipment *shipment, hy_arena *arena, const char **why) {
  const char *path = hy_cache_path(cache, arena), *half = hy_arena_printf(arena, "%s/%.2s", cache->folder, cache->key);
  if (!make_folder(cache->folder, false) || !make_folder(half, true)) return *why = strerror(errno), false;
  if (cache->is_damaged) take_away(path, arena); // it need not be what 'ship' wrote, which alone is replaced
  if (!hy_ship_write(path, shipment, arena, why)) return false;
  make_room(cache, arena);
  return true;
}
