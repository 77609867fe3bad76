#pragma once
// What Glibc's module leaves out of Linux. Feature macros and headers that Glibc's module has too stay out of here: the
// compiler refuses a type that two modules define differently.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// `epoll_event` holds a packed union that Swift imports without its fields.
static inline int tm_epoll_ctl(int epoll, int operation, int descriptor, uint32_t events, uint64_t data) {
    struct epoll_event event = {.events = events, .data = {.u64 = data}};
    return epoll_ctl(epoll, operation, descriptor, &event);
}
static inline uint64_t tm_epoll_data(const struct epoll_event *event) { return event->data.u64; }
static inline uint32_t tm_epoll_events(const struct epoll_event *event) { return event->events; }
// accept4(2), non-blocking and close-on-exec: O_NONBLOCK and O_CLOEXEC by their numbers on Linux.
static inline int tm_accept(int descriptor) { return (int)syscall(SYS_accept4, descriptor, 0, 0, 04000 | 02000000); }
// A thread's niceness on Linux is set through its thread id.
static inline int tm_set_thread_nice(int nice) {
    return (int)syscall(SYS_setpriority, 0, syscall(SYS_gettid), nice);
}
// Names the calling thread, at most 15 bytes.
static inline int tm_set_thread_name(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }
// The calling process is killed when its parent ends.
static inline int tm_end_with_parent(void) { return prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0); }
// The calling thread, and those it starts, run on these cores only: bit n is core n.
static inline int tm_run_on_cores(unsigned long mask) {
    return (int)syscall(SYS_sched_setaffinity, 0, sizeof mask, &mask) < 0 ? -1 : 0;
}
// pipe2(2), close-on-exec: O_CLOEXEC by its number on Linux.
static inline int tm_pipe(int *ends) { return (int)syscall(SYS_pipe2, ends, 02000000); }
// posix_spawn_file_actions_addclosefrom_np(3), which Glibc's module leaves out. Its argument is a posix_spawn_file_actions_t.
int tm_spawn_close_from(void *actions, int from) __asm__("posix_spawn_file_actions_addclosefrom_np");
