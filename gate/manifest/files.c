#include "gate/manifest/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* -- reading -- */

static bool read_all(int file, size_t size, hy_text *out, const char **why) {
  char piece[1 << 16];
  size_t before = out->length;
  for (ssize_t got;;) {
    got = read(file, piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return *why = strerror(errno), false;
    if (got == 0) break;
    if (out->length - before + (size_t)got > size) return *why = "it grows while it is read", false;
    hy_text_add_bytes(out, piece, (size_t)got);
  }
  *why = "it becomes shorter while it is read";
  return out->length - before == size;
}

bool hy_gate_read(const char *folder, const char *name, size_t most, hy_text *out, const char **why) {
  struct stat about;
  int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // A pipe in its place would be waited for, and a link may lead anywhere.
  int file = at < 0 ? -1 : openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  *why = strerror(errno);
  if (file < 0 && errno == ELOOP) *why = "it is a symbolic link";
  if (at >= 0) close(at);
  if (file < 0) return false;
  bool good = false;
  if (fstat(file, &about) != 0)
    *why = strerror(errno);
  else if (!S_ISREG(about.st_mode))
    *why = "it is no regular file";
  else if ((uint64_t)about.st_size > most)
    *why = HY_GATE_TOO_LARGE;
  else
    good = read_all(file, (size_t)about.st_size, out, why);
  close(file);
  return good;
}

bool hy_gate_find_manifest(const char *folder, char name[256], const char **why) {
  DIR *open = opendir(folder);
  *why = strerror(errno);
  if (!open) return false;
  int found = 0;
  for (const struct dirent *entry; (entry = readdir(open));) {
    size_t length = strlen(entry->d_name), suffix = strlen(HY_MANIFEST_SUFFIX);
    if (length <= suffix || strcmp(entry->d_name + length - suffix, HY_MANIFEST_SUFFIX) != 0) continue;
    if (found++ == 0) memcpy(name, entry->d_name, length + 1);
  }
  closedir(open);
  *why = found ? "it has several files called *" HY_MANIFEST_SUFFIX ": name one"
               : "it has no file called *" HY_MANIFEST_SUFFIX;
  return found == 1;
}

/* -- gzip -- */

enum { GZIP = 16, WINDOW = 15, MEMORY = 8 };

void hy_gate_compress(const hy_text *plain, hy_text *out) {
  z_stream z = {.next_in = (Bytef *)plain->data, .avail_in = (uInt)plain->length};
  Bytef piece[1 << 14];
  // No time and no name in the head: the same bytes each time.
  if (deflateInit2(&z, 9, Z_DEFLATED, WINDOW + GZIP, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK) HY_DIE("zlib cannot be used");
  int status;
  do {
    z.next_out = piece, z.avail_out = sizeof piece;
    status = deflate(&z, Z_FINISH);
    hy_text_add_bytes(out, (const char *)piece, sizeof piece - z.avail_out);
  } while (status == Z_OK);
  HY_ASSERT(status == Z_STREAM_END);
  deflateEnd(&z);
}

bool hy_gate_expand(const hy_text *packed, size_t most, hy_text *out) {
  z_stream z = {.next_in = (Bytef *)packed->data, .avail_in = (uInt)packed->length};
  Bytef piece[1 << 14];
  if (inflateInit2(&z, WINDOW + GZIP) != Z_OK) HY_DIE("zlib cannot be used");
  int status = Z_OK;
  while (status == Z_OK && out->length <= most) {
    z.next_out = piece, z.avail_out = sizeof piece;
    status = inflate(&z, Z_NO_FLUSH);
    hy_text_add_bytes(out, (const char *)piece, sizeof piece - z.avail_out);
  }
  // All of it, and nothing behind.
  bool good = status == Z_STREAM_END && z.avail_in == 0 && out->length <= most;
  inflateEnd(&z);
  return good;
}
