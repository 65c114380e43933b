/* Loaded before the C library (LD_PRELOAD), this counts the calls that change files and lets one of them go wrong.

   Built and armed by faulting.py. Before it is armed, and after `faults_arm(-1, 0, 0)`, every call goes through.
   SQLite and Python alike reach the disk through these functions, so a test can stop either at any of its writes. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* The numbers are those of `Way` in faulting.py. */
enum { OFF, KILL, TEAR, FAIL_ONCE, FAIL_FROM };

static long step = -1, count;
static int way = OFF, code;

void faults_arm(long at, int how, int error) { count = 0; step = at; way = how; code = error; }
long faults_seen(void) { return count; }

static void die(void) { kill(getpid(), SIGKILL); for (;;) pause(); }

/* True when this call is the one that goes wrong and the process is to live on. */
static int strikes(int is_write) {
    if (way == OFF || step < 0) return 0;
    long now = count++;
    if (now < step || (now > step && way != FAIL_FROM)) return 0;
    if (way == KILL || (way == TEAR && !is_write)) die();
    errno = code;
    return 1;
}

#define REAL(name) static typeof(&name) real; if (!real) real = (typeof(&name))dlsym(RTLD_NEXT, #name)

#define SIMPLE(name, params, args)                                  \
    int name params { REAL(name); return strikes(0) ? -1 : real args; }

SIMPLE(fsync, (int fd), (fd))
SIMPLE(fdatasync, (int fd), (fd))
SIMPLE(ftruncate, (int fd, off_t size), (fd, size))
SIMPLE(ftruncate64, (int fd, off64_t size), (fd, size))
SIMPLE(rename, (const char *from, const char *to), (from, to))
SIMPLE(renameat, (int a, const char *from, int b, const char *to), (a, from, b, to))
SIMPLE(link, (const char *from, const char *to), (from, to))
SIMPLE(linkat, (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags))
SIMPLE(unlink, (const char *path), (path))
SIMPLE(unlinkat, (int at, const char *path, int flags), (at, path, flags))
SIMPLE(mkdir, (const char *path, mode_t mode), (path, mode))
SIMPLE(mkdirat, (int at, const char *path, mode_t mode), (at, path, mode))

/* Pipes, terminals and what is printed are none of a test's business. */
static int is_file(int fd) { struct stat found; return fstat(fd, &found) == 0 && S_ISREG(found.st_mode); }

ssize_t write(int fd, const void *data, size_t size) {
    REAL(write);
    if (fd <= 2 || !is_file(fd) || !strikes(1)) return real(fd, data, size);
    if (way != TEAR) return -1;
    real(fd, data, size / 2);
    die();
    return -1;
}

#define PWRITE(name, offset_type)                                           \
    ssize_t name(int fd, const void *data, size_t size, offset_type at) {   \
        REAL(name);                                                         \
        if (!strikes(1)) return real(fd, data, size, at);                   \
        if (way != TEAR) return -1;                                         \
        real(fd, data, size / 2, at);                                       \
        die();                                                              \
        return -1;                                                          \
    }

PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define OPEN(name)                                                          \
    int name(const char *path, int flags, ...) {                            \
        va_list more; va_start(more, flags); mode_t mode = va_arg(more, mode_t); va_end(more); \
        REAL(name);                                                         \
        return (flags & O_CREAT) && strikes(0) ? -1 : real(path, flags, mode); \
    }

OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                        \
    int name(int at, const char *path, int flags, ...) {                    \
        va_list more; va_start(more, flags); mode_t mode = va_arg(more, mode_t); va_end(more); \
        REAL(name);                                                         \
        return (flags & O_CREAT) && strikes(0) ? -1 : real(at, path, flags, mode); \
    }

OPENAT(openat)
OPENAT(openat64)
