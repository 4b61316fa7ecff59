// A folder that appears as a whole: written beside, then given its name.

#include "gate/manifest/files.h"
#include "gate/ship/ship.h"
#include "semantics/base/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BESIDE HY_SHIP_UNFINISHED "XXXXXX"

static bool write_file(int folder, const hy_ship_file *f) {
  int file = openat(folder, f->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return false;
  bool good = hy_write_all(file, f->bytes.data, f->bytes.length) && fsync(file) == 0;
  int why = errno;
  if (close(file) != 0 && good) return false;
  errno = why;
  return good;
}

bool hy_ship_is_unfinished(const char *name) {
  return strncmp(name, HY_SHIP_UNFINISHED, strlen(HY_SHIP_UNFINISHED)) == 0;
}

// A link is taken away, not what it leads to.
void hy_ship_remove(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *open = folder >= 0 ? fdopendir(folder) : NULL;
  for (const struct dirent *entry; open && (entry = readdir(open));) unlinkat(folder, entry->d_name, 0);
  if (open) closedir(open);
  if (!open && folder >= 0) close(folder);
  if (rmdir(path) != 0 && errno == ENOTDIR) unlink(path);
}

static bool is_dots(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

// What a folder that was shipped may hold: its manifest, the sums, and what the manifest names. False: there is no
// manifest of ours.
static bool read_own(const char *path, hy_arena *arena, char name[256], hy_manifest *manifest) {
  enum { MOST = 1 << 24 };
  const char *unheard;
  hy_text text = {0};
  bool good = hy_gate_find_manifest(path, name, &unheard) && hy_gate_read(path, name, MOST, &text, &unheard) &&
              hy_manifest_read(arena, text.data, text.length, manifest, &unheard);
  hy_text_free(&text);
  return good;
}

static bool is_named(const hy_manifest *m, const char *name) {
  for (size_t i = 0; i < m->artefacts.count; i++)
    if (strcmp(m->artefacts.data[i].path, name) == 0) return true;
  return false;
}

// Only what 'ship' has written may be replaced. Else *why.
static bool is_replaceable(const char *path, hy_arena *arena, const char **why) {
  char name[256];
  hy_manifest manifest = {.name = NULL};
  struct stat about;
  DIR *open = opendir(path);
  if (!open) return *why = strerror(errno), errno == ENOENT;
  bool is_own = read_own(path, arena, name, &manifest), good = true;
  for (const struct dirent *entry; good && (entry = readdir(open));) {
    if (is_dots(entry->d_name)) continue;
    if (fstatat(dirfd(open), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(about.st_mode)) {
      *why = hy_arena_printf(arena, "'%s' in it is a folder, and 'halyard ship' writes none: remove it", entry->d_name);
      good = false;
      break;
    }
    good = is_own && (strcmp(entry->d_name, name) == 0 || strcmp(entry->d_name, HY_SUMS_NAME) == 0 ||
                      is_named(&manifest, entry->d_name));
    if (!good)
      *why = hy_arena_printf(arena, "'%s' in it was not written by 'halyard ship': give another folder, or remove it",
                             entry->d_name);
  }
  closedir(open);
  hy_manifest_free(&manifest);
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

static bool replace(const char *path, char *beside, const hy_shipment *s, hy_arena *arena, const char **why) {
  if (!mkdtemp(beside)) return *why = strerror(errno), false;
  bool good = write_all(beside, s, arena, why) && take_place(beside, path, why);
  if (!good) hy_ship_remove(beside);
  return good;
}

bool hy_ship_write(const char *path, const hy_shipment *s, hy_arena *arena, const char **why) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') length--;
  path = hy_arena_copy(arena, path, length);
  if (!is_replaceable(path, arena, why)) return false;
  const char *slash = strrchr(path, '/');
  char *beside = hy_arena_printf(arena, "%.*s%s", slash ? (int)(slash - path) + 1 : 0, path, BESIDE);
  sigset_t before;
  hy_signals_hold(&before); // else the folder beside would be left behind
  bool good = replace(path, beside, s, arena, why);
  hy_signals_release(&before);
  return good;
}
