#include "cli/progress.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli/io.h"

enum { FIRST_MS = 1000, EVERY_MS = 200, LINE_MAX_BYTES = 100 };

/* The program's only mutable state: a signal handler can reach nothing else. */
static volatile sig_atomic_t stop_wanted;
static struct {
    bool on_terminal;
    bool verbose;
    bool shown; /* a line stands on the terminal */
    int64_t start_ms, last_ms;
    char text[LINE_MAX_BYTES];
} progress;

static int64_t now_ms(void) {
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void on_signal(int number) {
    (void)number;
    stop_wanted = 1;
}

static void draw(void) {
    int64_t now = now_ms();
    if (!progress.on_terminal || now - progress.start_ms < FIRST_MS || now - progress.last_ms < EVERY_MS) {
        return;
    }
    progress.last_ms = now;
    progress.shown = true;
    (void)fprintf(stderr, "\r\033[K%lld s  %s", (long long)((now - progress.start_ms) / 1000), progress.text);
    (void)fflush(stderr);
}

void cli_progress_clear(void) {
    if (progress.shown) {
        (void)fputs("\r\033[K", stderr);
        progress.shown = false;
    }
}

static bool stop(void *arg) {
    (void)arg;
    draw();
    return stop_wanted != 0;
}

static void log_line(void *arg, const char *line) {
    (void)arg;
    (void)snprintf(progress.text, sizeof progress.text, "%s", line);
    if (progress.verbose) {
        cli_say("%s", line);
    }
    draw();
}

static void handle(void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = (int)SA_RESETHAND};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

void cli_progress_start(const cli_options *options, taskfit_settings *settings) {
    stop_wanted = 0;
    progress.on_terminal = isatty(STDERR_FILENO) && !options->quiet;
    progress.verbose = options->verbose;
    progress.start_ms = progress.last_ms = now_ms();
    settings->stop = stop;
    settings->log = log_line;
    handle(on_signal);
}

bool cli_progress_end(void) {
    cli_progress_clear();
    handle(SIG_DFL);
    return stop_wanted != 0;
}
