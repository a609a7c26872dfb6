/*
 * Vector bin packing instances through the stages of solve/: build/vbp FILE.vbp... [--time-limit SECONDS] [--verbose]
 * prints a line for each: file,instances,lower_bound,stage,cpu_seconds,peak_mib
 * A file: number of dimensions; capacities; number of distinct items; then for each its sizes and its demand.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "solve/decision.h"

typedef struct instance {
    taskfit_arena *arena;
    size_t n_dims, n_items;
    int64_t *capacity; /* [n_dims] */
    int64_t *sizes;    /* [n_items][n_dims] */
    int64_t *demand;   /* [n_items] */
} instance;

typedef struct report {
    int64_t instances, lower_bound; /* -1: no plan */
    const char *stage;
    int64_t fallbacks;
} report;

static bool read_numbers(FILE *file, int64_t *numbers, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (fscanf(file, "%" SCNd64, &numbers[i]) != 1 || numbers[i] < 0) {
            return false;
        }
    }
    return true;
}

static bool read_instance(FILE *file, instance *in) {
    int64_t n = 0;
    if (!read_numbers(file, &n, 1) || n < 1 || n > 64) {
        return false;
    }
    in->n_dims = (size_t)n;
    in->capacity = TASKFIT_ARRAY(in->arena, in->n_dims, int64_t);
    if (!read_numbers(file, in->capacity, in->n_dims) || !read_numbers(file, &n, 1) || n > 1000000) {
        return false;
    }
    in->n_items = (size_t)n;
    in->sizes = TASKFIT_ARRAY(in->arena, in->n_items * in->n_dims, int64_t);
    in->demand = TASKFIT_ARRAY(in->arena, in->n_items, int64_t);
    for (size_t i = 0; i < in->n_items; i++) {
        if (!read_numbers(file, in->sizes + i * in->n_dims, in->n_dims) || !read_numbers(file, in->demand + i, 1)) {
            return false;
        }
    }
    return true;
}

/* Items of equal sizes are one profile. */
static taskfit_decision *decision_of(const instance *in, taskfit_arena *arena) {
    taskfit_profile *profiles = TASKFIT_ARRAY(arena, in->n_items, taskfit_profile);
    size_t n = 0;
    for (size_t i = 0; i < in->n_items; i++) {
        const int64_t *sizes = in->sizes + i * in->n_dims;
        size_t p = 0;
        while (p < n && memcmp(profiles[p].demand, sizes, in->n_dims * sizeof *sizes) != 0) {
            p++;
        }
        n += p == n;
        profiles[p].demand = sizes;
        profiles[p].tasks += in->demand[i];
    }
    int64_t *low = TASKFIT_ARRAY(arena, n, int64_t);
    int64_t *high = TASKFIT_ARRAY(arena, n, int64_t);
    int64_t *zone_high = TASKFIT_ARRAY(arena, n, int64_t);
    for (size_t p = 0; p < n; p++) {
        high[p] = zone_high[p] = profiles[p].tasks;
        for (size_t d = 0; d < in->n_dims; d++) {
            const int64_t size = profiles[p].demand[d];
            high[p] = size > 0 && in->capacity[d] / size < high[p] ? in->capacity[d] / size : high[p];
        }
        profiles[p].n_services = profiles[p].tasks;
        profiles[p].replicas = 1;
        profiles[p].zone_low = &low[p];
        profiles[p].zone_high = &zone_high[p];
    }
    taskfit_kind *kind = TASKFIT_NEW(arena, taskfit_kind);
    *kind = (taskfit_kind){.capacity = in->capacity, .low = low, .high = high};
    taskfit_decision *decision = TASKFIT_NEW(arena, taskfit_decision);
    int *resource = TASKFIT_ARRAY(arena, in->n_dims, int); /* any: memory */
    *decision = (taskfit_decision){.n_dims = in->n_dims, .dim_resource = resource, .profiles = profiles, .n_profiles = n, .n_zones = 1,
                                   .kinds = kind, .n_kinds = 1};
    return decision;
}

static taskfit_answer ask(const taskfit_decision *decision, taskfit_budget *budget, taskfit_arena *arena) {
    taskfit_answer answer = taskfit_bound_decide(decision, arena);
    if (answer.verdict == TASKFIT_VERDICT_OPEN) {
        taskfit_budget quick = {.work_left = INT64_C(1) << 40}; /* greedy still serves after the time limit */
        answer = taskfit_greedy_decide(decision, &quick, arena);
    }
    if (answer.verdict == TASKFIT_VERDICT_OPEN && !budget->stopped) {
        answer = taskfit_colgen_decide(decision, budget, arena);
    }
    if (answer.verdict == TASKFIT_VERDICT_FITS && !taskfit_contents_valid(decision, answer.contents, answer.n_contents)) {
        fprintf(stderr, "%s gave a wrong plan\n", answer.stage);
        abort();
    }
    return answer;
}

static int64_t volume_bound(const instance *in) {
    int64_t bound = 0;
    for (size_t d = 0; d < in->n_dims; d++) {
        int64_t sum = 0;
        for (size_t i = 0; i < in->n_items; i++) {
            sum += in->sizes[i * in->n_dims + d] * in->demand[i];
        }
        const int64_t instances = in->capacity[d] > 0 ? (sum + in->capacity[d] - 1) / in->capacity[d] : 0;
        bound = instances > bound ? instances : bound;
    }
    return bound;
}

/* Numbers of instances from the bound upward; the bound stays where the first open one was. */
static report solve(const instance *in, taskfit_budget *budget, bool verbose) {
    report r = {.instances = -1, .lower_bound = volume_bound(in), .stage = "volume"};
    bool proved = true;
    for (int64_t n = r.lower_bound;; n++) {
        taskfit_arena *arena = taskfit_arena_new();
        taskfit_decision *decision = decision_of(in, arena);
        ((taskfit_kind *)(uintptr_t)decision->kinds)->count = n;
        decision->n_instances = n;
        budget->work_left = INT64_C(1) << 40;
        const taskfit_answer answer = n > 0 ? ask(decision, budget, arena) : (taskfit_answer){.verdict = TASKFIT_VERDICT_REFUTED};
        if (verbose) {
            fprintf(stderr, "%" PRId64 " instances: %s by %s, bound %" PRId64 ", work %" PRId64 ", cpu %.2f\n", n,
                    answer.verdict == TASKFIT_VERDICT_FITS ? "fits" : answer.verdict == TASKFIT_VERDICT_OPEN ? "open" : "refuted",
                    answer.stage, answer.lower_bound, (INT64_C(1) << 40) - budget->work_left,
                    (double)clock() / CLOCKS_PER_SEC);
        }
        proved = proved && answer.verdict == TASKFIT_VERDICT_REFUTED;
        const int64_t next = answer.lower_bound > n + 1 ? answer.lower_bound : n + 1;
        if (proved) {
            r.lower_bound = next;
            r.stage = answer.stage;
            n = next - 1;
        }
        const bool fits = answer.verdict == TASKFIT_VERDICT_FITS;
        if (fits) {
            r.instances = n;
            r.stage = answer.stage;
        }
        taskfit_arena_free(arena);
        if (fits) {
            return r;
        }
    }
}

/* The limit is CPU time, so that a busy machine does not change the figures. */
static bool out_of_time(void *arg) {
    const clock_t *end = arg;
    return clock() >= *end;
}

int main(int argc, char **argv) {
    double limit_s = 60.0;
    bool verbose = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--time-limit") == 0 && i + 1 < argc) {
            limit_s = strtod(argv[++i], NULL);
            continue;
        }
        if (strcmp(argv[i], "--verbose") == 0) {
            verbose = true;
            continue;
        }
        instance in = {.arena = taskfit_arena_new()};
        FILE *file = fopen(argv[i], "r");
        if (file == NULL || !read_instance(file, &in)) {
            fprintf(stderr, "vbp: '%s' is not a vector packing instance\n", argv[i]);
            return 1;
        }
        fclose(file);
        const clock_t start = clock();
        clock_t end = start + (clock_t)(limit_s * CLOCKS_PER_SEC);
        taskfit_budget budget = {.stop = out_of_time, .stop_arg = &end};
        const report r = solve(&in, &budget, verbose);
        struct rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        const char *slash = strrchr(argv[i], '/');
        printf("%s,%" PRId64 ",%" PRId64 ",%s,%.3f,%ld\n", slash != NULL ? slash + 1 : argv[i], r.instances, r.lower_bound,
               r.stage, (double)(clock() - start) / CLOCKS_PER_SEC, usage.ru_maxrss / 1024);
        fflush(stdout);
        taskfit_arena_free(in.arena);
    }
    return 0;
}
