// The C programs that the benchmarks compare with, one per first argument:
//   echo-server            blocking echo, one thread per connection; prints its port
//   echo-client PORT N B   N round trips of B bytes; prints the round trip times in ns, sorted, one per line
//   http-server BYTES      epoll responder that answers each request head with BYTES of JSON; prints its port
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static void die(const char *what) {
    perror(what);
    exit(1);
}

static int listen_on_loopback(void) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) || listen(listener, 4096)) die("listen");
    getsockname(listener, (struct sockaddr *)&address, &length);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

static void no_delay(int descriptor) {
    int one = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

static void *echo(void *argument) {
    int descriptor = (int)(long)argument;
    char buffer[65536];
    ssize_t count;
    while ((count = read(descriptor, buffer, sizeof buffer)) > 0)
        for (ssize_t sent = 0; sent < count;) {
            ssize_t step = write(descriptor, buffer + sent, count - sent);
            if (step <= 0) goto end;
            sent += step;
        }
end:
    close(descriptor);
    return NULL;
}

static void echo_server(void) {
    int listener = listen_on_loopback();
    for (;;) {
        int descriptor = accept(listener, NULL, NULL);
        if (descriptor < 0) die("accept");
        no_delay(descriptor);
        pthread_t thread;
        pthread_create(&thread, NULL, echo, (void *)(long)descriptor);
        pthread_detach(thread);
    }
}

static int compare(const void *left, const void *right) {
    long a = *(const long *)left, b = *(const long *)right;
    return (a > b) - (a < b);
}

static void echo_client(int port, int rounds, int bytes) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address)) die("connect");
    no_delay(descriptor);
    char *message = calloc(1, bytes), *answer = malloc(bytes);
    long *times = malloc(sizeof(long) * rounds);
    for (int round = 0; round < rounds; round++) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        if (write(descriptor, message, bytes) != bytes) die("write");
        for (int got = 0; got < bytes;) {
            ssize_t step = read(descriptor, answer, bytes - got);
            if (step <= 0) die("read");
            got += step;
        }
        clock_gettime(CLOCK_MONOTONIC, &end);
        times[round] = (end.tv_sec - start.tv_sec) * 1000000000L + end.tv_nsec - start.tv_nsec;
    }
    qsort(times, rounds, sizeof(long), compare);
    for (int round = 0; round < rounds; round++) printf("%ld\n", times[round]);
}

static void http_server(int bytes) {
    char response[8192];
    int length = snprintf(response, sizeof response,
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", bytes);
    memset(response + length, 'x', bytes);
    length += bytes;
    int listener = listen_on_loopback(), queue = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[256];
    epoll_ctl(queue, EPOLL_CTL_ADD, listener, &event);
    char buffer[65536];
    for (;;) {
        int count = epoll_wait(queue, events, 256, -1);
        for (int index = 0; index < count; index++) {
            int descriptor = events[index].data.fd;
            if (descriptor == listener) {
                descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
                if (descriptor < 0) continue;
                no_delay(descriptor);
                event = (struct epoll_event){.events = EPOLLIN, .data.fd = descriptor};
                epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event);
                continue;
            }
            ssize_t got = read(descriptor, buffer, sizeof buffer - 1);
            if (got <= 0) {
                close(descriptor);
                continue;
            }
            buffer[got] = 0;
            // A load generator without pipelining sends one whole head at a time.
            if (strstr(buffer, "\r\n\r\n") && write(descriptor, response, length) != length) close(descriptor);
        }
    }
}

int main(int count, char **arguments) {
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (count == 2 && !strcmp(arguments[1], "echo-server")) echo_server();
    else if (count == 5 && !strcmp(arguments[1], "echo-client"))
        echo_client(atoi(arguments[2]), atoi(arguments[3]), atoi(arguments[4]));
    else if (count == 3 && !strcmp(arguments[1], "http-server")) http_server(atoi(arguments[2]));
    else return fprintf(stderr, "usage: see the head of main.c\n"), 2;
    return 0;
}
