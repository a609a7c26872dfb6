#include "whatif/workers.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "solve/glpk_guard.h"

enum { WORKERS_MAX = 256 };

typedef struct pool {
    pthread_mutex_t turn; /* guards everything below, and the caller's callbacks */
    size_t next, n_done;
    const taskfit_settings *settings;
    size_t n_pieces;
    taskfit_work_fn *work;
    void *arg;
} pool;

static void lock(pool *p) {
    (void)pthread_mutex_lock(&p->turn); /* of the default kind, held by no one twice: it does not fail */
}

static void unlock(pool *p) {
    (void)pthread_mutex_unlock(&p->turn);
}

static bool stop(void *arg) {
    pool *p = arg;
    lock(p);
    bool wanted = p->settings->stop && p->settings->stop(p->settings->stop_arg);
    unlock(p);
    return wanted;
}

/* Must be called with the turn. */
static void tell_progress(const pool *p) {
    if (p->settings->log && p->n_pieces > 1) {
        char line[64];
        (void)snprintf(line, sizeof line, "%zu of %zu solved", p->n_done, p->n_pieces);
        p->settings->log(p->settings->log_arg, line);
    }
}

static void *run_worker(void *arg) {
    pool *p = arg;
    taskfit_settings settings = *p->settings;
    settings.stop = stop;
    settings.stop_arg = p;
    settings.log = NULL; /* lines of several solves at once tell nothing */
    lock(p);
    while (p->next < p->n_pieces) {
        size_t piece = p->next++;
        unlock(p);
        p->work(p->arg, piece, &settings);
        lock(p);
        p->n_done++;
        tell_progress(p);
    }
    unlock(p);
    taskfit_glpk_leave_thread();
    return NULL;
}

static size_t count_workers(size_t n_workers, size_t n_pieces) {
    if (n_workers == 0) {
        long n_processors = sysconf(_SC_NPROCESSORS_ONLN);
        n_workers = n_processors > 0 ? (size_t)n_processors : 1;
    }
    n_workers = n_workers < n_pieces ? n_workers : n_pieces;
    return n_workers < WORKERS_MAX ? n_workers : WORKERS_MAX;
}

void taskfit_workers_run(size_t n_workers, size_t n_pieces, const taskfit_settings *settings, taskfit_work_fn *work,
                         void *arg) {
    pool p = {.settings = settings, .n_pieces = n_pieces, .work = work, .arg = arg};
    (void)pthread_mutex_init(&p.turn, NULL);
    pthread_t threads[WORKERS_MAX];
    size_t n_threads = 0;
    n_workers = count_workers(n_workers, n_pieces);
    while (n_threads + 1 < n_workers && pthread_create(&threads[n_threads], NULL, run_worker, &p) == 0) {
        n_threads++; /* fewer threads than wished for only take longer */
    }
    (void)run_worker(&p); /* this thread works too */
    for (size_t t = 0; t < n_threads; t++) {
        (void)pthread_join(threads[t], NULL);
    }
    (void)pthread_mutex_destroy(&p.turn);
}
