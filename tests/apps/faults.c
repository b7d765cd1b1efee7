/* A library to preload: makes one call of a function fail, say the 17th write. To try every call
 * of a program without starting it anew each time, the program stops where main begins (it installs
 * its signal handlers first) and serves requests: it reads the number of the call that is to fail
 * from descriptor 198, runs a copy of itself with that fault, and answers on descriptor 199 with
 * the copy's wait status and whether the call was reached.
 *
 * CARL_FAULT_CALL names the function, or "new" for all forms of operator new; CARL_FAULT_ERRNO is
 * the error, or, below zero, a signal that arrives just before the call, which then succeeds. A
 * number -n means: the nth call and all after it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { requests = 198, answers = 199 };

static const char* failing;
static int fault_errno;
static int number; /* 0: not in a copy yet */
static int calls;
static int* reached; /* shared with the server */

static int fails(const char* call) {
  if (number == 0 || strcmp(failing, call) != 0) return 0;
  int now = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
  if (number > 0 ? now != number : now < -number) return 0;
  *reached = 1;
  if (fault_errno < 0) {
    raise(-fault_errno);
    return 0;
  }
  errno = fault_errno;
  return 1;
}

static void serve(void) {
  failing = getenv("CARL_FAULT_CALL");
  if (failing == NULL) return;
  fault_errno = atoi(getenv("CARL_FAULT_ERRNO"));
  reached = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int request = 0;
  while (read(requests, &request, sizeof request) == sizeof request) {
    *reached = 0;
    int answer[2] = {0, 0};
    const pid_t copy = fork();
    if (copy == 0) {
      close(requests);
      close(answers);
      number = request;
      return;
    }
    waitpid(copy, &answer[0], 0);
    answer[1] = *reached;
    if (write(answers, answer, sizeof answer) != sizeof answer) break;
  }
  _exit(0);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int sigaction(int sig, const struct sigaction* act, struct sigaction* old) {
  if (failing == NULL) serve();
  return REAL(sigaction)(sig, act, old);
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return fails("open")
             ? -1
             : ((int (*)(const char*, int, ...))dlsym(RTLD_NEXT, "open"))(path, flags, mode);
}
int open64(const char* path, int flags, ...) __attribute__((alias("open")));
ssize_t read(int fd, void* data, size_t size) {
  return fails("read") ? -1 : REAL(read)(fd, data, size);
}
ssize_t write(int fd, const void* data, size_t size) {
  return fails("write") ? -1 : REAL(write)(fd, data, size);
}
int fsync(int fd) {
  return fails("fsync") ? -1 : REAL(fsync)(fd);
}
int close(int fd) {
  const int failed = fails("close");
  const int result = REAL(close)(fd); /* Linux closes it in any case */
  if (!failed) return result;
  errno = fault_errno;
  return -1;
}
int rename(const char* from, const char* to) {
  return fails("rename") ? -1 : REAL(rename)(from, to);
}
int linkat(int d1, const char* from, int d2, const char* to, int flags) {
  return fails("linkat") ? -1 : REAL(linkat)(d1, from, d2, to, flags);
}
int fchmod(int fd, mode_t mode) {
  return fails("fchmod") ? -1 : REAL(fchmod)(fd, mode);
}

/* For faults_new.cc. */
int carl_fault_fails_new(void) {
  return fails("new");
}
