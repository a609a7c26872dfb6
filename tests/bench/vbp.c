/*
 * Vector bin packing through the stages of solve/, without deployments: prints a line for each file,
 *     file,instances,lower_bound,stage,cpu_seconds,peak_mib
 * (peak_mib of the process so far). A file holds the number of dimensions; capacities; the number of distinct items; then for each
 * its sizes and its demand.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "solve/decision.h"

enum { MAX_DIMS = 64, MAX_ITEMS = 100000, MAX_TASKS = 1 << 22 };
#define MAX_SIZE (INT64_C(1) << 40)

static const char usage[] =
    "usage: vbp FILE.vbp... [--time-limit SECONDS] [--verbose]\n"
    "\n"
    "Packs vector bin packing instances: prints file,instances,lower_bound,stage,cpu_seconds,peak_mib\n"
    "\n"
    "  --time-limit SECONDS  of CPU time for each file (default 60); then the best plan so far\n"
    "  --verbose             each number of instances tried\n"
    "\n"
    "Exit status: 0 done, 1 a file cannot be read, 2 wrong usage, 3 a file is no instance or an item fits nowhere\n";

typedef struct instance {
    taskfit_arena *arena;
    size_t n_dims, n_profiles;
    int64_t *capacity;         /* [n_dims] */
    taskfit_profile *profiles; /* items of equal sizes are one */
    int64_t *high;             /* [n_profiles] that fit into an empty bin, at most all */
    int64_t n_tasks;
} instance;

typedef struct report {
    int64_t instances, lower_bound;
    const char *stage;
} report;

/* ---- reading ---- */

static bool read_numbers(FILE *file, int64_t *numbers, size_t n, int64_t most) {
    for (size_t i = 0; i < n; i++) {
        if (fscanf(file, "%" SCNd64, &numbers[i]) != 1 || numbers[i] < 0 || numbers[i] > most) {
            return false;
        }
    }
    return true;
}

static bool read_item(FILE *file, instance *in) {
    int64_t *sizes = TASKFIT_ARRAY(in->arena, in->n_dims, int64_t);
    int64_t demand = 0;
    if (!read_numbers(file, sizes, in->n_dims, MAX_SIZE) || !read_numbers(file, &demand, 1, MAX_TASKS - in->n_tasks)) {
        return false;
    }
    size_t p = 0;
    while (p < in->n_profiles && memcmp(in->profiles[p].demand, sizes, in->n_dims * sizeof *sizes) != 0) {
        p++;
    }
    in->n_profiles += p == in->n_profiles && demand > 0;
    if (demand > 0) {
        in->profiles[p].demand = sizes;
        in->profiles[p].tasks += demand;
        in->n_tasks += demand;
    }
    return true;
}

/* NULL, or what is wrong. */
static const char *read_instance(FILE *file, instance *in) {
    int64_t n = 0;
    if (!read_numbers(file, &n, 1, MAX_DIMS) || n < 1) {
        return "no number of dimensions from 1 to 64";
    }
    in->n_dims = (size_t)n;
    in->capacity = TASKFIT_ARRAY(in->arena, in->n_dims, int64_t);
    if (!read_numbers(file, in->capacity, in->n_dims, MAX_SIZE)) {
        return "not a capacity from 0 to 2^40 for each dimension";
    }
    if (!read_numbers(file, &n, 1, MAX_ITEMS)) {
        return "no number of items from 0 to 100000";
    }
    in->profiles = TASKFIT_ARRAY(in->arena, (size_t)n + 1, taskfit_profile);
    for (int64_t i = 0; i < n; i++) {
        if (!read_item(file, in)) {
            return "an item is not its sizes and its demand (numbers from 0 to 2^40, 4,194,304 items in all)";
        }
    }
    char rest;
    return fscanf(file, " %c", &rest) == 1 ? "something follows the last item" : NULL;
}

/* False: some item fits nowhere. */
static bool complete_profiles(instance *in) {
    int64_t *zeros = TASKFIT_ARRAY(in->arena, 1, int64_t);
    bool fits = true;
    in->high = TASKFIT_ARRAY(in->arena, in->n_profiles, int64_t);
    for (size_t p = 0; p < in->n_profiles; p++) {
        taskfit_profile *profile = &in->profiles[p];
        in->high[p] = profile->tasks;
        for (size_t d = 0; d < in->n_dims; d++) {
            const int64_t size = profile->demand[d];
            in->high[p] = size > 0 && in->capacity[d] / size < in->high[p] ? in->capacity[d] / size : in->high[p];
        }
        profile->n_services = profile->tasks;
        profile->replicas = 1;
        profile->zone_low = zeros;
        profile->zone_high = &profile->tasks;
        fits = fits && in->high[p] > 0;
    }
    return fits;
}

/* ---- packing ---- */

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
        fprintf(stderr, "vbp: %s gave a wrong plan\n", answer.stage);
        abort();
    }
    return answer;
}

static taskfit_answer ask_count(const instance *in, int64_t n_instances, taskfit_budget *budget, taskfit_arena *arena) {
    const taskfit_kind kind = {.count = n_instances,
                               .capacity = in->capacity,
                               .low = TASKFIT_ARRAY(arena, in->n_profiles, int64_t),
                               .high = in->high};
    const taskfit_decision decision = {.n_dims = in->n_dims,
                                       .dim_resource = TASKFIT_ARRAY(arena, in->n_dims, int), /* any: memory */
                                       .profiles = in->profiles,
                                       .n_profiles = in->n_profiles,
                                       .n_zones = 1,
                                       .kinds = &kind,
                                       .n_kinds = 1,
                                       .n_instances = n_instances};
    budget->work_left = INT64_C(1) << 40;
    return ask(&decision, budget, arena);
}

static int64_t volume_bound(const instance *in) {
    int64_t bound = 1;
    for (size_t d = 0; d < in->n_dims; d++) {
        int64_t sum = 0;
        for (size_t p = 0; p < in->n_profiles; p++) {
            sum += in->profiles[p].demand[d] * in->profiles[p].tasks; /* below 2^62 */
        }
        const int64_t instances = in->capacity[d] > 0 ? (sum + in->capacity[d] - 1) / in->capacity[d] : 0;
        bound = instances > bound ? instances : bound;
    }
    return bound;
}

typedef struct deadline {
    clock_t end, last;
} deadline;

/* Numbers of instances from the bound upward; the bound stays where the first open one was. */
static report solve(const instance *in, taskfit_budget *budget, deadline *limit, bool verbose) {
    static const char *const verdicts[] = {"open", "fits", "refuted"}; /* as taskfit_verdict */
    report r = {.lower_bound = volume_bound(in), .stage = "volume"};
    bool proved = true;
    bool fits = false;
    for (int64_t n = r.lower_bound; !fits; n++) {
        taskfit_arena *arena = taskfit_arena_new();
        const taskfit_answer answer = ask_count(in, n, budget, arena);
        if (verbose) {
            fprintf(stderr, "%" PRId64 " instances: %s by %s, bound %" PRId64 ", work %" PRId64 ", cpu %.2f, GLPK restarted %" PRId64 " times\n",
                    n, verdicts[answer.verdict], answer.stage, answer.lower_bound, (INT64_C(1) << 40) - budget->work_left,
                    (double)clock() / CLOCKS_PER_SEC, budget->glpk_fallbacks);
        }
        fits = answer.verdict == TASKFIT_VERDICT_FITS;
        if (budget->stopped && limit->end < limit->last) { /* it stays open: what is left is for a good plan */
            limit->end = limit->last;
            budget->stopped = false;
        }
        proved = proved && answer.verdict == TASKFIT_VERDICT_REFUTED;
        if (proved) {
            r.lower_bound = answer.lower_bound > n + 1 ? answer.lower_bound : n + 1;
            n = r.lower_bound - 1;
        }
        if (fits || proved) {
            r.instances = n;
            r.stage = answer.stage;
        }
        taskfit_arena_free(arena);
    }
    return r;
}

/* The limit is CPU time, so that a busy machine does not change the figures. */
static bool out_of_time(void *arg) {
    const deadline *limit = arg;
    return clock() >= limit->end;
}

static int pack(const char *path, double limit_s, bool verbose) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "vbp: cannot read '%s'\n", path);
        return 1;
    }
    instance in = {.arena = taskfit_arena_new()};
    const char *wrong = read_instance(file, &in);
    const bool broken = ferror(file) != 0;
    fclose(file);
    if (wrong == NULL && !complete_profiles(&in)) {
        wrong = "an item fits nowhere";
    }
    if (broken || wrong != NULL) {
        fprintf(stderr, "vbp: '%s': %s\n", path, broken ? "cannot be read" : wrong);
        taskfit_arena_free(in.arena);
        return broken ? 1 : 3;
    }
    const clock_t start = clock();
    deadline limit = {.end = start + (clock_t)(limit_s * 0.9 * CLOCKS_PER_SEC), .last = start + (clock_t)(limit_s * CLOCKS_PER_SEC)};
    taskfit_budget budget = {.stop = out_of_time, .stop_arg = &limit};
    const report r = in.n_tasks > 0 ? solve(&in, &budget, &limit, verbose) : (report){.stage = "volume"};
    struct rusage resources;
    getrusage(RUSAGE_SELF, &resources);
    const char *slash = strrchr(path, '/');
    printf("%s,%" PRId64 ",%" PRId64 ",%s,%.3f,%ld\n", slash != NULL ? slash + 1 : path, r.instances, r.lower_bound, r.stage,
           (double)(clock() - start) / CLOCKS_PER_SEC, resources.ru_maxrss / 1024);
    taskfit_arena_free(in.arena);
    return fflush(stdout) == 0 ? 0 : 1;
}

typedef struct options {
    double limit_s;
    bool verbose, help;
    int n_files; /* they stand at the beginning of argv */
} options;

static bool read_options(int argc, char **argv, options *o) {
    *o = (options){.limit_s = 60.0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            o->help = true;
        } else if (strcmp(argv[i], "--verbose") == 0) {
            o->verbose = true;
        } else if (strcmp(argv[i], "--time-limit") == 0) {
            char *end = NULL;
            o->limit_s = i + 1 < argc ? strtod(argv[++i], &end) : -1.0;
            if (end == NULL || end == argv[i] || *end != '\0' || !(o->limit_s >= 0.0 && o->limit_s <= 1e6)) {
                fputs("vbp: --time-limit wants seconds from 0 to 1000000\n", stderr);
                return false;
            }
        } else if (argv[i][0] == '-') {
            fprintf(stderr, "vbp: unknown option '%s' (--help lists them)\n", argv[i]);
            return false;
        } else {
            argv[o->n_files++] = argv[i];
        }
    }
    if (o->n_files == 0 && !o->help) {
        fputs(usage, stderr);
    }
    return o->n_files > 0 || o->help;
}

int main(int argc, char **argv) {
    options o;
    if (!read_options(argc, argv, &o)) {
        return 2;
    }
    if (o.help) {
        return fputs(usage, stdout) == EOF ? 1 : 0;
    }
    int status = 0;
    for (int i = 0; i < o.n_files; i++) {
        const int one = pack(argv[i], o.limit_s, o.verbose);
        status = one > status ? one : status;
    }
    return status;
}
