/*
 * FOLIO-like deployments with AZ spread through the stages of solve/:
 *     build/folio [--verbose] SERVICES TYPE CPU REPLICAS SEED...
 *     TYPE m6i | r7g | menu3 | menu4 | menu7, CPU low | mix, REPLICAS 2 | 3 | mixed (1, 2, 3, 4, 6 and 40 tasks on an instance)
 * prints a line for each seed: name,instances,lower_bound,stage,cpu_seconds,peak_mib
 * With a menu of several types the cheapest mix is asked for, and micro-dollars per hour stand for instances.
 * Services are distinct on instances and spread over 3 AZs, whose numbers of instances differ by at most 1.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "folio_draw.h"
#include "problem_builder.h"
#include "solve/decision.h"
#include "solve/solve.h"

enum { N_AZS = 3, TIME_LIMIT_S = 60 };

typedef struct menu {
    const char *name;
    size_t n_types;
    builder_type types[BUILDER_MAX_TYPES];
} menu;

/* Registered memory less an agent's share as in data/instances_us-east-1.csv, on-demand prices of us-east-1 in July 2026. The
 * first two are what the sets with one type have always had: their prices do not matter. */
static const menu menus[] = {
    {"m6i", 1, {{.memory_mib = 31700, .cpu_units = 8192}}},
    {"r7g", 1, {{.memory_mib = 63500, .cpu_units = 8192}}},
    {"menu3", 3, /* r7g in three sizes */
     {{.memory_mib = 31498, .cpu_units = 4096, .price_usd_micros = 214200},
      {.memory_mib = 63138, .cpu_units = 8192, .price_usd_micros = 428400},
      {.memory_mib = 126515, .cpu_units = 16384, .price_usd_micros = 856800}}},
    {"menu4", 4, /* m7g.xlarge, m7g.2xlarge, r7g.2xlarge, c7g.2xlarge */
     {{.memory_mib = 15677, .cpu_units = 4096, .price_usd_micros = 163200},
      {.memory_mib = 31497, .cpu_units = 8192, .price_usd_micros = 326400},
      {.memory_mib = 63138, .cpu_units = 8192, .price_usd_micros = 428400},
      {.memory_mib = 15677, .cpu_units = 8192, .price_usd_micros = 290000}}},
    {"menu7", 7, /* m6i.xlarge, m6i.2xlarge, r6i.2xlarge, r7g.xlarge, r7g.2xlarge, c7g.xlarge, c7g.2xlarge */
     {{.memory_mib = 15697, .cpu_units = 4096, .price_usd_micros = 192000},
      {.memory_mib = 31548, .cpu_units = 8192, .price_usd_micros = 384000},
      {.memory_mib = 63252, .cpu_units = 8192, .price_usd_micros = 504000},
      {.memory_mib = 31498, .cpu_units = 4096, .price_usd_micros = 214200},
      {.memory_mib = 63138, .cpu_units = 8192, .price_usd_micros = 428400},
      {.memory_mib = 7767, .cpu_units = 4096, .price_usd_micros = 145000},
      {.memory_mib = 15677, .cpu_units = 8192, .price_usd_micros = 290000}}},
};

typedef struct recipe {
    long n_services;
    const menu *menu;
    bool mixed_cpu;
    long replicas; /* 0: mixed */
} recipe;

static problem_builder *build(const recipe *r, uint64_t seed) {
    folio_draw draw = folio_draw_new(seed);
    problem_builder *b = problem_builder_new(N_AZS);
    builder_group group = {.max_instances = 100000, .n_types = r->menu->n_types, .mixed = r->menu->n_types > 1};
    for (size_t t = 0; t < group.n_types; t++) {
        group.types[t] = r->menu->types[t];
        group.types[t].tasks = r->replicas == 0 ? 40 : 0;
    }
    problem_builder_group(b, &group);
    if (group.mixed) {
        problem_builder_objective(b, (const taskfit_goal[]){TASKFIT_GOAL_COST, TASKFIT_GOAL_COUNT}, 2);
    }
    for (long i = 0; i < r->n_services; i++) {
        const folio_task task = folio_draw_task(&draw, r->mixed_cpu, r->replicas);
        problem_builder_service(b, &(builder_service){.replicas = task.replicas,
                                                      .memory_mib = task.memory_mib,
                                                      .cpu_units = task.cpu_units,
                                                      .distinct_instance = true,
                                                      .spread_az = true});
    }
    return b;
}

static taskfit_answer ask(const taskfit_decision *decision, taskfit_budget *budget, taskfit_arena *arena) {
    taskfit_answer answer = taskfit_bound_decide(decision, arena);
    if (answer.verdict == TASKFIT_VERDICT_OPEN) {
        taskfit_budget quick = {.work_left = INT64_C(1) << 40};
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

/* The limit is CPU time, so that a busy machine does not change the figures. */
static bool out_of_time(void *arg) {
    const clock_t *end = arg;
    return clock() >= *end;
}

static int64_t volume_bound(const recipe *r, const taskfit_problem *problem) {
    int64_t memory_mib = 0;
    for (size_t s = 0; s < problem->n_services; s++) {
        memory_mib += problem->services[s].replicas * problem->services[s].demand[TASKFIT_RESOURCE_MEMORY];
    }
    return memory_mib / r->menu->types[0].memory_mib;
}

static taskfit_answer ask_fleet(const taskfit_problem *problem, int64_t n, taskfit_budget *budget) {
    taskfit_arena *arena = taskfit_arena_new();
    int64_t count[N_AZS];
    for (int64_t z = 0; z < N_AZS; z++) {
        count[z] = n / N_AZS + (z < n % N_AZS);
    }
    budget->work_left = INT64_C(1) << 40;
    const taskfit_answer answer = ask(taskfit_decision_new(arena, problem, count), budget, arena);
    taskfit_arena_free(arena);
    return answer;
}

typedef struct outcome {
    int64_t value, bound;
    const char *stage;
} outcome;

/* One number of instances after the other, from the volume bound upward. */
static outcome fewest(const recipe *r, const taskfit_problem *problem, clock_t start, bool verbose) {
    clock_t end = start + TIME_LIMIT_S * CLOCKS_PER_SEC;
    taskfit_budget budget = {.stop = out_of_time, .stop_arg = &end};
    int64_t n = volume_bound(r, problem); /* this many at least */
    int64_t bound = n;
    bool proved = true;
    taskfit_answer answer = {.verdict = TASKFIT_VERDICT_OPEN};
    for (; answer.verdict != TASKFIT_VERDICT_FITS; n++) {
        answer = ask_fleet(problem, n, &budget);
        proved = proved && answer.verdict == TASKFIT_VERDICT_REFUTED;
        bound = proved ? n + 1 : bound;
        if (verbose && strcmp(answer.stage, "volume") != 0) {
            fprintf(stderr, "%" PRId64 " %s by %s, cpu %.3f\n", n,
                    answer.verdict == TASKFIT_VERDICT_OPEN ? "open" : answer.verdict == TASKFIT_VERDICT_FITS ? "fits" : "refuted",
                    answer.stage, (double)(clock() - start) / CLOCKS_PER_SEC);
        }
    }
    return (outcome){.value = n - 1, .bound = bound, .stage = answer.stage};
}

static void log_line(void *arg, const char *line) {
    const clock_t *start = arg;
    fprintf(stderr, "%.3f %s\n", (double)(clock() - *start) / CLOCKS_PER_SEC, line);
}

static outcome cheapest(const taskfit_problem *problem, clock_t start, bool verbose, taskfit_arena *arena) {
    clock_t end = start + TIME_LIMIT_S * CLOCKS_PER_SEC;
    const taskfit_settings settings = {
        .stop = out_of_time, .stop_arg = &end, .log = verbose ? log_line : NULL, .log_arg = &start};
    taskfit_solve_result result;
    if (taskfit_solve(problem, &settings, 0, NULL, arena, &result, NULL) != TASKFIT_OK) {
        abort();
    }
    return (outcome){.value = result.cost_usd_micros, .bound = result.cost_bound_usd_micros, .stage = result.stage};
}

static void run(const recipe *r, uint64_t first_seed, bool verbose) {
    problem_builder *b = build(r, first_seed);
    const taskfit_problem *problem = problem_builder_finish(b);
    taskfit_arena *arena = taskfit_arena_new();
    const clock_t start = clock();
    const outcome out = r->menu->n_types > 1 ? cheapest(problem, start, verbose, arena) : fewest(r, problem, start, verbose);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("F_%ld_%s_%s_r%ld_%" PRIu64 ",%" PRId64 ",%" PRId64 ",%s,%.3f,%ld\n", r->n_services, r->menu->name,
           r->mixed_cpu ? "mix" : "low", r->replicas, first_seed, out.value, out.bound, out.stage,
           (double)(clock() - start) / CLOCKS_PER_SEC, usage.ru_maxrss / 1024);
    fflush(stdout);
    taskfit_arena_free(arena);
    problem_builder_free(b);
}

static const menu *menu_named(const char *name) {
    for (size_t i = 0; i < sizeof menus / sizeof menus[0]; i++) {
        if (strcmp(menus[i].name, name) == 0) {
            return &menus[i];
        }
    }
    return NULL;
}

int main(int argc, char **argv) {
    bool verbose = false;
    if (argc > 1 && strcmp(argv[1], "--verbose") == 0) {
        verbose = true;
        argc--;
        argv++;
    }
    if (argc < 6 || menu_named(argv[2]) == NULL) {
        fprintf(stderr, "usage: folio [--verbose] SERVICES m6i|r7g|menu3|menu4|menu7 low|mix REPLICAS|mixed SEED...\n");
        return 2;
    }
    const recipe r = {.n_services = strtol(argv[1], NULL, 10),
                      .menu = menu_named(argv[2]),
                      .mixed_cpu = strcmp(argv[3], "mix") == 0,
                      .replicas = strcmp(argv[4], "mixed") == 0 ? 0 : strtol(argv[4], NULL, 10)};
    for (int i = 5; i < argc; i++) {
        run(&r, strtoull(argv[i], NULL, 10), verbose);
    }
    return 0;
}
