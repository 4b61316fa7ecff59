#include "semantics/base/whole_file.h"

#include "semantics/base/child.h"
#include "semantics/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BESIDE ".halyard-"

// Where the bytes of "path" really go: the file that a symbolic link points to. malloc'd.
static char *resolve(const char *path) {
  char *real = realpath(path, NULL);
  if (real) return real;
  hy_text copy = {0};
  hy_text_add(&copy, path);
  return copy.data;
}

// The folder of "target", with the slash, and what "beside" adds to it. malloc'd.
static char *in_folder(const char *target, const char *beside) {
  const char *slash = strrchr(target, '/');
  hy_text text = {0};
  if (slash) hy_text_add_bytes(&text, target, (size_t)(slash - target) + 1);
  hy_text_add(&text, beside);
  return text.data;
}

// Names beside the target, one after the other.
static void try_name(hy_whole_file *f, unsigned n) {
  snprintf(f->name + strlen(f->name) - 6, 7, "%06u", ((unsigned)getpid() * 1000 + n) % 1000000);
}

enum { MOST_NAMES = 1000 };

static int open_without_name(const char *target, mode_t mode) {
  char *folder = in_folder(target, ".");
  int descriptor = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  hy_free(folder);
  return descriptor;
}

static int open_with_name(hy_whole_file *f, mode_t mode) {
  int descriptor = -1;
  for (unsigned n = 0; n < MOST_NAMES && descriptor < 0; n++) {
    try_name(f, n);
    descriptor = open(f->name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
    if (errno != EEXIST) break;
  }
  f->has_name = descriptor >= 0;
  return descriptor;
}

// The system takes its mask off the mode of a new file: umask(2) would tell it only by changing it, for all threads.
// What replaces a file is nobody else's until it has that one's permissions.
static int open_descriptor(hy_whole_file *f) {
  struct stat about;
  if (f->direct) return open(f->target, O_WRONLY | O_APPEND | O_CLOEXEC);
  bool replaces = stat(f->target, &about) == 0;
  mode_t mode = replaces ? 0600 : 0666;
  f->direct = replaces && !S_ISREG(about.st_mode);
  if (f->direct) return open(f->target, O_WRONLY | O_CLOEXEC);
  if (access(f->target, F_OK) == 0 && access(f->target, W_OK) != 0) return -1;
  // The name that it will have for an instant; made now, so that nothing after the writing needs memory.
  f->name = in_folder(f->target, BESIDE "XXXXXX");
  int descriptor = open_without_name(f->target, mode);
  return descriptor >= 0 ? descriptor : open_with_name(f, mode);
}

static void forget(hy_whole_file *f) {
  int why = errno;
  hy_free(f->name);
  hy_free(f->target);
  hy_signals_release(&f->signals);
  *f = (hy_whole_file){0};
  errno = why;
}

bool hy_whole_file_open(hy_whole_file *f, const char *path) {
  // What a descriptor is open to (/dev/stdout) is somebody else's: it is added to.
  bool direct = strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
  *f = (hy_whole_file){.target = direct ? strdup(path) : resolve(path), .direct = direct};
  hy_signals_hold(&f->signals);
  errno = 0;
  int descriptor = open_descriptor(f);
  if (descriptor >= 0) f->stream = fdopen(descriptor, "wb");
  if (f->stream) return true;
  int why = errno;
  if (descriptor >= 0) close(descriptor);
  if (f->has_name) unlink(f->name);
  errno = why;
  forget(f);
  return false;
}

// A name for a file that had none: the first that nobody has.
static bool give_name(hy_whole_file *f) {
  char from[40];
  snprintf(from, sizeof from, "/proc/self/fd/%d", fileno(f->stream));
  for (unsigned n = 0; n < MOST_NAMES; n++) {
    try_name(f, n);
    f->has_name = linkat(AT_FDCWD, from, AT_FDCWD, f->name, AT_SYMLINK_FOLLOW) == 0;
    if (f->has_name || errno != EEXIST) break;
  }
  return f->has_name;
}

/* -- what waits -- */

enum { MOST_HELD = 4 }; // outputs of one command
static struct {
  bool is_on;
  int count;
  hy_whole_file files[MOST_HELD];
} held;

void hy_whole_files_hold(void) { held.is_on = true; }

// A device takes its bytes at once.
static bool waits(const hy_whole_file *f) { return held.is_on && !f->direct && held.count < MOST_HELD; }

const char *hy_whole_files_release(bool wanted) {
  static char failed[4096];
  failed[0] = '\0';
  held.is_on = false;
  for (; held.count > 0; held.count--) {
    hy_whole_file *f = &held.files[held.count - 1];
    char path[sizeof failed];
    snprintf(path, sizeof path, "%s", f->target);
    if (!wanted)
      hy_whole_file_drop(f);
    else if (!hy_whole_file_keep(f))
      memcpy(failed, path, sizeof failed);
  }
  return failed[0] ? failed : NULL;
}

bool hy_whole_file_keep(hy_whole_file *f) {
  if (waits(f) && !ferror(f->stream) && fflush(f->stream) == 0) {
    held.files[held.count++] = *f;
    return true;
  }
  bool fine = !ferror(f->stream) && fflush(f->stream) == 0;
  if (!f->direct) {
    struct stat about;
    fine = fine && (stat(f->target, &about) != 0 || fchmod(fileno(f->stream), about.st_mode & 07777) == 0);
    fine = fine && (f->has_name || give_name(f));
  }
  int why = errno;
  if (fclose(f->stream) != 0 && fine) fine = false, why = errno;
  if (fine && !f->direct && rename(f->name, f->target) != 0) fine = false, why = errno;
  if (!fine && f->has_name) unlink(f->name);
  errno = why;
  forget(f);
  return fine;
}

void hy_whole_file_drop(hy_whole_file *f) {
  fclose(f->stream);
  if (f->has_name) unlink(f->name);
  forget(f);
}

bool hy_whole_file_is_unfinished(const char *name) {
  return strlen(name) == strlen(BESIDE "XXXXXX") && strncmp(name, BESIDE, strlen(BESIDE)) == 0;
}

bool hy_whole_file_write(const char *path, const char *bytes, size_t length) {
  hy_whole_file file;
  if (!hy_whole_file_open(&file, path)) return false;
  if (fwrite(bytes, 1, length, file.stream) == length) return hy_whole_file_keep(&file);
  int why = errno;
  hy_whole_file_drop(&file);
  errno = why;
  return false;
}
