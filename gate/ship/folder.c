// A folder that appears as a whole: written beside, then given its name.

#include "gate/manifest/files.h"
#include "gate/ship/ship.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BESIDE ".halyard-ship-XXXXXX"

static bool write_file(int folder, const hy_ship_file *f) {
  int file = openat(folder, f->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return false;
  bool good = hy_write_all(file, f->bytes.data, f->bytes.length) && fsync(file) == 0;
  int why = errno;
  if (close(file) != 0 && good) return false;
  errno = why;
  return good;
}

bool hy_ship_is_unfinished(const char *name) { return strncmp(name, BESIDE, sizeof BESIDE - sizeof "XXXXXX") == 0; }

void hy_ship_remove(const char *path) {
  DIR *open = opendir(path);
  for (const struct dirent *entry; open && (entry = readdir(open));) unlinkat(dirfd(open), entry->d_name, 0);
  if (open) closedir(open);
  rmdir(path);
}

static bool is_dots(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

// Only what 'ship' has written may be replaced: every file of the folder stands in its own sums. Else *why.
static bool is_replaceable(const char *path, hy_arena *arena, const char **why) {
  enum { MOST = 1 << 20 };
  const char *unheard;
  hy_text sums = {0};
  DIR *open = opendir(path);
  if (!open) return *why = strerror(errno), errno == ENOENT;
  if (!hy_gate_read(path, HY_SUMS_NAME, MOST, &sums, &unheard)) hy_text_add(&sums, "");
  bool good = true;
  for (const struct dirent *entry; good && (entry = readdir(open));) {
    if (is_dots(entry->d_name) || strcmp(entry->d_name, HY_SUMS_NAME) == 0) continue;
    char line[300];
    snprintf(line, sizeof line, "  %s\n", entry->d_name);
    good = strstr(hy_text_string(&sums), line);
    if (!good)
      *why = hy_arena_printf(arena, "'%s' in it was not written by 'halyard ship': give another folder, or remove it",
                             entry->d_name);
  }
  closedir(open);
  hy_text_free(&sums);
  return good;
}

static bool write_all(const char *beside, const hy_shipment *s, hy_arena *arena, const char **why) {
  int folder = open(beside, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  bool good = folder >= 0;
  *why = strerror(errno);
  for (size_t i = 0; good && i < s->files.count; i++) {
    good = write_file(folder, &s->files.data[i]);
    if (!good) *why = hy_arena_printf(arena, "%s: %s", s->files.data[i].name, strerror(errno));
  }
  mode_t mask = umask(0);
  umask(mask);
  if (good && fchmod(folder, 0777 & ~mask) != 0) good = false, *why = strerror(errno);
  if (folder >= 0) close(folder);
  return good;
}

// before: "beside" is written -> after: it is called "path", and what was called so is gone
static bool take_place(const char *beside, const char *path, const char **why) {
  if (rename(beside, path) == 0) return true; // there was none, or an empty one
  if (errno == ENOTEMPTY || errno == EEXIST) {
    if (renameat2(AT_FDCWD, beside, AT_FDCWD, path, RENAME_EXCHANGE) == 0) return hy_ship_remove(beside), true;
  }
  return *why = strerror(errno), false;
}

bool hy_ship_write(const char *path, const hy_shipment *s, hy_arena *arena, const char **why) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') length--;
  path = hy_arena_copy(arena, path, length);
  if (!is_replaceable(path, arena, why)) return false;
  const char *slash = strrchr(path, '/');
  char *beside = hy_arena_printf(arena, "%.*s%s", slash ? (int)(slash - path) + 1 : 0, path, BESIDE);
  if (!mkdtemp(beside)) return *why = strerror(errno), false;
  bool good = write_all(beside, s, arena, why) && take_place(beside, path, why);
  if (!good) hy_ship_remove(beside);
  return good;
}
