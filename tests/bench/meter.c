/*
 * Runs a command and notes what it took:
 *     meter FILE SECONDS COMMAND [ARGUMENT...]   writes "cpu_seconds,peak_mib" to FILE; exit status of the command
 *     meter --calibrate                          prints the CPU seconds of a piece of work that is always the same
 * A command that has used SECONDS of CPU time is interrupted as by Ctrl-C, and killed when that does not end it. CPU time does
 * not depend on what else runs; the calibration lets figures of two machines be compared.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds_of(const struct timeval *time) {
    return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

/* ---- running ---- */

static double used_s(pid_t child) {
    clockid_t clock_id;
    struct timespec used = {0};
    if (clock_getcpuclockid(child, &clock_id) != 0 || clock_gettime(clock_id, &used) != 0) {
        return 0.0;
    }
    return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

/* Looks after the child more seldom the longer it takes. */
static int watch(pid_t child, double limit_s) {
    enum { GRACE_S = 10, MOST_NS = 50000000 };
    struct timespec pause = {.tv_nsec = 200000};
    int status = 0;
    bool asked = false; /* once: a second Ctrl-C kills */
    while (waitpid(child, &status, WNOHANG) == 0) {
        const double used = used_s(child);
        if (used > limit_s + GRACE_S) {
            (void)kill(child, SIGKILL);
        } else if (used > limit_s && !asked) {
            asked = kill(child, SIGINT) == 0;
        }
        (void)nanosleep(&pause, NULL);
        pause.tv_nsec = pause.tv_nsec * 2 < MOST_NS ? pause.tv_nsec * 2 : MOST_NS;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int run(const char *path, double limit_s, char **command) {
    const pid_t child = fork();
    if (child < 0) {
        fprintf(stderr, "meter: %s\n", strerror(errno));
        return 1;
    }
    if (child == 0) {
        (void)signal(SIGINT, SIG_DFL); /* a job in the background is born deaf to it */
        (void)execvp(command[0], command);
        fprintf(stderr, "meter: '%s': %s\n", command[0], strerror(errno));
        _exit(127);
    }
    const int status = watch(child, limit_s);
    struct rusage usage;
    (void)getrusage(RUSAGE_CHILDREN, &usage);
    FILE *file = fopen(path, "w");
    if (file == NULL || fprintf(file, "%.3f,%ld\n", seconds_of(&usage.ru_utime) + seconds_of(&usage.ru_stime), usage.ru_maxrss / 1024) < 0 ||
        fclose(file) != 0) {
        fprintf(stderr, "meter: cannot write '%s'\n", path);
        return 1;
    }
    return status;
}

/* ---- calibrating ---- */

/* Of both kinds of work that a search does: integer arithmetic over a table, and floating point over a dense matrix. */
static uint64_t workload(void) {
    enum { CELLS = 100000, ITEMS = 400, ROWS = 200 };
    static int64_t best[CELLS + 1];
    static double matrix[ROWS][ROWS];
    uint64_t random = 88172645463325252u;
    memset(best, 0, sizeof best);
    for (int i = 0; i < ITEMS; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        const int size = 100 + (int)(random % 9000);
        const int64_t worth = size * 64 + (int64_t)(random >> 58);
        for (int c = CELLS; c >= size; c--) {
            const int64_t with = best[c - size] + worth;
            best[c] = with > best[c] ? with : best[c];
        }
    }
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < ROWS; j++) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            matrix[i][j] = i == j ? ROWS : (double)(random >> 40) / (1 << 24);
        }
    }
    for (int i = 0; i < ROWS; i++) {
        for (int r = i + 1; r < ROWS; r++) {
            const double factor = matrix[r][i] / matrix[i][i];
            for (int j = i; j < ROWS; j++) {
                matrix[r][j] -= factor * matrix[i][j];
            }
        }
    }
    return (uint64_t)best[CELLS] + (uint64_t)matrix[ROWS - 1][ROWS - 1];
}

/* The fastest of several: what is slower was disturbed. */
static int calibrate(void) {
    double fastest = 1e9;
    volatile uint64_t sink = 0;
    for (int i = 0; i < 15; i++) {
        const clock_t start = clock();
        sink += workload();
        const double took = (double)(clock() - start) / CLOCKS_PER_SEC;
        fastest = took < fastest ? took : fastest;
    }
    printf("%.4f\n", fastest);
    return sink == 0;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--calibrate") == 0) {
        return calibrate();
    }
    const double limit_s = argc > 3 ? strtod(argv[2], NULL) : 0.0;
    if (limit_s <= 0.0) {
        fputs("usage: meter FILE SECONDS COMMAND [ARGUMENT...]\n       meter --calibrate\n", stderr);
        return 2;
    }
    return run(argv[1], limit_s, argv + 3);
}
