#include "semantics/base/source_files.h"
#include "semantics/base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  hy_source source;
  dev_t device; // which file it is
  ino_t number;
} source_file;

struct hy_source_files {
  HY_VEC(source_file *) list;
  hy_text why;
};

hy_source_files *hy_source_files_new(void) { return hy_allocate_zeroed(1, sizeof(hy_source_files)); }

void hy_source_files_free(hy_source_files *files) {
  if (!files) return;
  for (size_t i = 0; i < files->list.count; i++) {
    hy_free((char *)files->list.data[i]->source.text);
    hy_free((char *)files->list.data[i]->source.name);
    hy_free(files->list.data[i]);
  }
  hy_vec_free(&files->list);
  hy_text_free(&files->why);
  hy_free(files);
}

size_t hy_source_files_count(const hy_source_files *files) { return files->list.count; }

static const hy_source *refuse(hy_source_files *files, const char *reason, const char **why) {
  files->why.length = 0;
  hy_text_add(&files->why, reason);
  *why = hy_text_string(&files->why);
  return NULL;
}

static const char too_long[] = "it is longer than 16 MiB";

static char *copy(const char *text, size_t length) {
  char *again = hy_allocate(length + 1);
  memcpy(again, text, length);
  again[length] = 0;
  return again;
}

// Takes the text.
static const hy_source *keep(hy_source_files *files, const char *path, char *text, size_t length,
                             const struct stat *which) {
  source_file *file = hy_allocate_zeroed(1, sizeof *file);
  file->source = (hy_source){copy(path, strlen(path)), text, length};
  file->device = which->st_dev;
  file->number = which->st_ino;
  hy_vec_push(&files->list, file);
  return &file->source;
}

// Of whatever length; takes the stream.
static const hy_source *read_stream(hy_source_files *files, FILE *stream, const char *path, const char **why) {
  hy_text content = {0};
  char piece[1 << 14];
  struct stat which = {0};
  int error = fstat(fileno(stream), &which) ? errno : 0;
  for (size_t got; !error && content.length <= HY_SOURCE_LIMIT && (got = fread(piece, 1, sizeof piece, stream)) > 0;)
    hy_text_add_bytes(&content, piece, got);
  if (!error && ferror(stream)) error = errno;
  fclose(stream);
  const hy_source *made = NULL;
  if (error)
    refuse(files, strerror(error), why);
  else if (content.length > HY_SOURCE_LIMIT)
    refuse(files, too_long, why);
  else
    made = keep(files, path, copy(hy_text_string(&content), content.length), content.length, &which);
  hy_text_free(&content);
  return made;
}

const hy_source *hy_source_files_read(hy_source_files *files, const char *path, const char **why) {
  FILE *stream = fopen(path, "rb");
  return stream ? read_stream(files, stream, path, why) : refuse(files, strerror(errno), why);
}

// Nothing is allocated while the file is open: an allocation may not return (hy_protected).
static bool fill(const char *path, char *text, size_t length) {
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  size_t done = 0;
  for (ssize_t got;
       done < length && ((got = read(file, text + done, length - done)) > 0 || (got < 0 && errno == EINTR));)
    if (got > 0) done += (size_t)got;
  int error = errno;
  close(file);
  errno = done == length ? 0 : error;
  return done == length;
}

static const hy_source *read_regular(hy_source_files *files, const char *path, const struct stat *which,
                                     const char **why) {
  if (which->st_size > HY_SOURCE_LIMIT) return refuse(files, too_long, why);
  size_t length = (size_t)which->st_size;
  char *text = hy_allocate(length + 1);
  text[length] = 0;
  errno = 0;
  if (fill(path, text, length)) return keep(files, path, text, length, which);
  refuse(files, errno ? strerror(errno) : "it changed while it was read", why);
  hy_free(text);
  return NULL;
}

static const hy_source *known(const hy_source_files *files, const struct stat *which) {
  for (size_t i = 0; i < files->list.count; i++) {
    const source_file *file = files->list.data[i];
    if (file->device == which->st_dev && file->number == which->st_ino) return &file->source;
  }
  return NULL;
}

// The path as the process would write it, in the words of the one who wrote both.
static void beside(const hy_source *from, const char *path, hy_text *out) {
  const char *slash = strrchr(from->name, '/');
  if (slash && *path != '/') hy_text_add_bytes(out, from->name, (size_t)(slash + 1 - from->name));
  hy_text_add(out, path);
}

static const hy_source *find_file(hy_source_files *files, const char *path, const char **why) {
  struct stat which;
  if (stat(path, &which)) return refuse(files, strerror(errno), why); // a pipe would wait when it is opened
  if (S_ISDIR(which.st_mode)) return refuse(files, strerror(EISDIR), why);
  if (!S_ISREG(which.st_mode)) return refuse(files, "it is no regular file", why);
  const hy_source *there = known(files, &which);
  return there ? there : read_regular(files, path, &which, why);
}

const hy_source *hy_source_files_find(void *self, const hy_source *from, const char *path, const char **why) {
  hy_source_files *files = self;
  if (!*path) return refuse(files, "it has no name", why);
  hy_text whole = {0};
  beside(from, path, &whole);
  const hy_source *found = find_file(files, hy_text_string(&whole), why);
  hy_text_free(&whole);
  return found;
}
