/*
 * Makes system calls on files below a folder fail. Preloaded before the C library. Variables:
 * FAIL_UNDER: the folder, as the beginning of a path.
 * FAIL_KIND: open, write, sync, rename or symlink.
 * FAIL_ERRNO: the error number.
 * FAIL_AT: the first call of this kind that fails, from 1. 0 means none.
 * FAIL_TIMES: how many calls in a row fail.
 * FAIL_COUNT: a file for the number of calls.
 * FAIL_NOTE: a file that gets one byte for each failed call.
 * FAIL_WHILE: a file. While it exists, every call of this kind fails.
 * With FAIL_KIND hold, no call fails. The Nth sync creates the file FAIL_HOLD.begun.N and waits until the file
 * FAIL_HOLD.done.N exists.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_int calls;

static const char *setting(const char *name) {
  const char *value = getenv(name);
  return value == NULL ? "" : value;
}

static int is_below(const char *path) {
  const char *folder = setting("FAIL_UNDER");
  return *folder != '\0' && path != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static int real_open(const char *path, int flags, int mode) {
  return ((__typeof__(&open))dlsym(RTLD_NEXT, "open"))(path, flags, mode);
}

static void note(void) {
  int file = real_open(setting("FAIL_NOTE"), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file < 0) return;
  ((__typeof__(&write))dlsym(RTLD_NEXT, "write"))(file, ".", 1);
  close(file);
}

static int fails(const char *kind, const char *path) {
  if (strcmp(setting("FAIL_KIND"), kind) != 0 || !is_below(path)) return 0;
  if (*setting("FAIL_WHILE") != '\0') {
    if (access(setting("FAIL_WHILE"), F_OK) != 0) return 0;
    errno = atoi(setting("FAIL_ERRNO"));
    return 1;
  }
  int number = atomic_fetch_add(&calls, 1) + 1;
  int first = atoi(setting("FAIL_AT"));
  if (first == 0 || number < first || number >= first + atoi(setting("FAIL_TIMES"))) return 0;
  note();
  errno = atoi(setting("FAIL_ERRNO"));
  return 1;
}

static int fails_at(const char *kind, int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  return fails(kind, path);
}

/** Creates the file that marks the begin of this sync, and waits for the file that ends it. */
static void hold(int file) {
  char link[64], path[4096], name[4200];
  if (strcmp(setting("FAIL_KIND"), "hold") != 0) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return;
  path[length] = '\0';
  if (!is_below(path)) return;
  int number = atomic_fetch_add(&calls, 1) + 1;
  snprintf(name, sizeof name, "%s.begun.%d", setting("FAIL_HOLD"), number);
  close(real_open(name, O_WRONLY | O_CREAT, 0600));
  snprintf(name, sizeof name, "%s.done.%d", setting("FAIL_HOLD"), number);
  while (access(name, F_OK) != 0) usleep(1000);
}

__attribute__((destructor)) static void report(void) {
  const char *path = setting("FAIL_COUNT");
  FILE *file = *path == '\0' ? NULL : fopen(path, "w");
  if (file == NULL) return;
  fprintf(file, "%d", atomic_load(&calls));
  fclose(file);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPEN(name)                                                    \
  int name(const char *path, int flags, ...) {                        \
    va_list more;                                                     \
    va_start(more, flags);                                            \
    int mode = va_arg(more, int);                                     \
    va_end(more);                                                     \
    return fails("open", path) ? -1 : REAL(name)(path, flags, mode);  \
  }
OPEN(open)
OPEN(open64)

ssize_t write(int file, const void *data, size_t size) {
  return fails_at("write", file) ? -1 : REAL(write)(file, data, size);
}
ssize_t pwrite(int file, const void *data, size_t size, off_t at) {
  return fails_at("write", file) ? -1 : REAL(pwrite)(file, data, size, at);
}
ssize_t pwrite64(int file, const void *data, size_t size, off64_t at) {
  return fails_at("write", file) ? -1 : REAL(pwrite64)(file, data, size, at);
}
ssize_t writev(int file, const struct iovec *pieces, int count) {
  return fails_at("write", file) ? -1 : REAL(writev)(file, pieces, count);
}
int fsync(int file) {
  hold(file);
  return fails_at("sync", file) ? -1 : REAL(fsync)(file);
}
int fdatasync(int file) {
  hold(file);
  return fails_at("sync", file) ? -1 : REAL(fdatasync)(file);
}
int rename(const char *from, const char *to) { return fails("rename", from) ? -1 : REAL(rename)(from, to); }
int symlink(const char *target, const char *path) {
  return fails("symlink", path) ? -1 : REAL(symlink)(target, path);
}
int link(const char *from, const char *to) { return fails("rename", from) ? -1 : REAL(link)(from, to); }
