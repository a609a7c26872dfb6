/*
 * Fewest moves of FOLIO-like deployments (see folio.c) from where Amazon ECS would have put the tasks to fewer instances:
 *     build/moves [--rolling] SERVICES m6i|r7g low|mix REPLICAS NOW TARGET SEED...
 *     NOW 0: what volume needs, and a quarter more; TARGET counts from the fewest instances that hold the tasks: 0, 1, 2...
 * prints a line for each seed: name,now,target,tasks,moves,moves_bound,proof,cpu_seconds,peak_mib
 * The time is that of the fewest moves alone, with the optimizer's plan for the target as a hint.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "folio_draw.h"
#include "problem_builder.h"
#include "solve/moves.h"
#include "solve/solve.h"

enum { N_AZS = 3, TIME_LIMIT_S = 60, TRIES = 50 };

typedef struct recipe {
    bool rolling, r7g, mixed_cpu;
    long n_services, replicas, now, target;
} recipe;

static uint64_t seed;

static int64_t draw(int64_t below) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (int64_t)(seed % (uint64_t)below);
}

static problem_builder *build(const recipe *r) {
    folio_draw tasks = {.state = seed};
    problem_builder *b = problem_builder_new(N_AZS);
    problem_builder_group(b, &(builder_group){.max_instances = 100000,
                                              .n_types = 1,
                                              .types = {{.memory_mib = r->r7g ? 63500 : 31700, .cpu_units = 8192}}});
    for (long i = 0; i < r->n_services; i++) {
        const folio_task task = folio_draw_task(&tasks, r->mixed_cpu, r->replicas);
        problem_builder_service(b, &(builder_service){.replicas = task.replicas,
                                                      .memory_mib = task.memory_mib,
                                                      .cpu_units = task.cpu_units,
                                                      .spread_az = true,
                                                      .spread_instance = true});
    }
    seed = tasks.state;
    if (r->rolling) {
        problem_builder_rooms(b, TASKFIT_ROLLING_ONE_SERVICE, TASKFIT_SURVIVE_NONE);
    }
    return b;
}

/* ---- what stands ---- */

typedef struct cluster {
    const taskfit_problem *problem;
    size_t n;
    int64_t *on;          /* [n_services][n] */
    int64_t *memory, *cpu; /* [n] left */
} cluster;

/* The AZ with fewest tasks of the service, there the instance with fewest, ties at random: Amazon ECS's own steps. SIZE_MAX: none
 * has room. */
static size_t choose(const cluster *c, size_t s) {
    const taskfit_problem_service *service = &c->problem->services[s];
    int64_t in_az[N_AZS] = {0};
    for (size_t i = 0; i < c->n; i++) {
        in_az[i % N_AZS] += c->on[s * c->n + i];
    }
    size_t best = SIZE_MAX;
    int64_t ties = 0;
    for (size_t i = 0; i < c->n; i++) {
        if (service->demand[TASKFIT_RESOURCE_MEMORY] > c->memory[i] || service->demand[TASKFIT_RESOURCE_CPU] > c->cpu[i]) {
            continue;
        }
        const int64_t rank = in_az[i % N_AZS] * 100 + c->on[s * c->n + i];
        const int64_t best_rank = best == SIZE_MAX ? INT64_MAX : in_az[best % N_AZS] * 100 + c->on[s * c->n + best];
        ties = rank < best_rank ? 1 : rank == best_rank ? ties + 1 : ties;
        best = rank < best_rank || (rank == best_rank && draw(ties) == 0) ? i : best;
    }
    return best;
}

static bool fill(cluster *c) {
    const size_t n_services = c->problem->n_services;
    const taskfit_offer *offer = &c->problem->offers[0];
    size_t *order = TASKFIT_ARRAY(c->problem->arena, n_services, size_t);
    memset(c->on, 0, n_services * c->n * sizeof *c->on);
    for (size_t i = 0; i < c->n; i++) {
        c->memory[i] = offer->capacity[TASKFIT_RESOURCE_MEMORY];
        c->cpu[i] = offer->capacity[TASKFIT_RESOURCE_CPU];
    }
    for (size_t s = 0; s < n_services; s++) {
        const size_t at = (size_t)draw((int64_t)s + 1);
        order[s] = order[at];
        order[at] = s;
    }
    for (size_t k = 0; k < n_services; k++) {
        const taskfit_problem_service *service = &c->problem->services[order[k]];
        for (int64_t task = 0; task < service->replicas; task++) {
            const size_t i = choose(c, order[k]);
            if (i == SIZE_MAX) {
                return false;
            }
            c->on[order[k] * c->n + i]++;
            c->memory[i] -= service->demand[TASKFIT_RESOURCE_MEMORY];
            c->cpu[i] -= service->demand[TASKFIT_RESOURCE_CPU];
        }
    }
    return true;
}

/* On `now` instances, or the next number on which the steps place every task. */
static const taskfit_standing *stand(const taskfit_problem *problem, size_t now) {
    cluster c = {.problem = problem};
    bool filled = false;
    for (c.n = now; !filled; c.n += filled ? 0 : 1) {
        c.on = TASKFIT_ARRAY(problem->arena, problem->n_services * c.n, int64_t);
        c.memory = TASKFIT_ARRAY(problem->arena, c.n, int64_t);
        c.cpu = TASKFIT_ARRAY(problem->arena, c.n, int64_t);
        for (int i = 0; i < TRIES && !filled; i++) {
            filled = fill(&c);
        }
    }
    taskfit_standing_instance *list = TASKFIT_ARRAY(problem->arena, c.n, taskfit_standing_instance);
    for (size_t i = 0; i < c.n; i++) {
        taskfit_machine_task *tasks = TASKFIT_ARRAY(problem->arena, problem->n_services, taskfit_machine_task);
        list[i] = (taskfit_standing_instance){.offer = i % N_AZS, .tasks = tasks};
        for (size_t s = 0; s < problem->n_services; s++) {
            if (c.on[s * c.n + i] > 0) {
                tasks[list[i].n_tasks++] = (taskfit_machine_task){.service = s, .count = c.on[s * c.n + i]};
            }
        }
    }
    taskfit_standing *standing = TASKFIT_NEW(problem->arena, taskfit_standing);
    *standing = (taskfit_standing){.instances = list, .n_instances = c.n};
    return standing;
}

/* ---- the question ---- */

static bool out_of_time(void *arg) {
    const clock_t *end = arg;
    return clock() >= *end;
}

/* The optimizer's plan with the fewest instances and `more`. */
static const taskfit_fleet *plan_for(const taskfit_problem *problem, long more) {
    const taskfit_settings settings = {.work_limit = INT64_C(1) << 34};
    taskfit_solve_result result;
    if (taskfit_solve(problem, &settings, 0, NULL, problem->arena, &result, NULL) != TASKFIT_OK || result.fleet == NULL) {
        abort();
    }
    if (more > 0) {
        taskfit_problem_group *group = (taskfit_problem_group *)(uintptr_t)&problem->groups[0];
        group->min_instances = (int64_t)result.fleet->n_machines + more;
        if (taskfit_solve(problem, &settings, 0, NULL, problem->arena, &result, NULL) != TASKFIT_OK || result.fleet == NULL) {
            abort();
        }
    }
    return result.fleet;
}

static void run(const recipe *r, uint64_t first_seed) {
    seed = folio_draw_new(first_seed).state;
    problem_builder *b = build(r);
    const taskfit_problem *problem = problem_builder_finish(b);
    int64_t memory_mib = 0;
    int64_t n_tasks = 0;
    for (size_t s = 0; s < problem->n_services; s++) {
        memory_mib += problem->services[s].replicas * problem->services[s].demand[TASKFIT_RESOURCE_MEMORY];
        n_tasks += problem->services[s].replicas;
    }
    const int64_t by_volume = memory_mib / (r->r7g ? 63500 : 31700) + 1;
    const taskfit_standing *standing = stand(problem, (size_t)(r->now > 0 ? r->now : by_volume + by_volume / 4));
    const taskfit_fleet *hint = plan_for(problem, r->target);
    const clock_t start = clock();
    clock_t end = start + TIME_LIMIT_S * CLOCKS_PER_SEC;
    taskfit_budget budget = {.work_left = INT64_C(1) << 40, .stop = out_of_time, .stop_arg = &end};
    const taskfit_moves_query query = {.problem = problem,
                                       .standing = standing,
                                       .n_instances = (int64_t)hint->n_machines,
                                       .max_cost_usd_micros = -1,
                                       .hint = hint};
    const taskfit_moves_answer answer = taskfit_moves_solve(&query, &budget, problem->arena);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("M_%ld_%s_%s_r%ld_%" PRIu64 "%s,%zu,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%s,%.3f,%ld\n", r->n_services,
           r->r7g ? "r7g" : "m6i", r->mixed_cpu ? "mix" : "low", r->replicas, first_seed, r->rolling ? "_rolling" : "",
           standing->n_instances, query.n_instances, n_tasks, n_tasks - answer.kept, n_tasks - answer.kept_bound,
           answer.proof == TASKFIT_PROOF_EXACT ? "exact" : answer.proof == TASKFIT_PROOF_SOLVER ? "solver" : "gap",
           (double)(clock() - start) / CLOCKS_PER_SEC, usage.ru_maxrss / 1024);
    fflush(stdout);
    problem_builder_free(b);
}

int main(int argc, char **argv) {
    const bool rolling = argc > 1 && strcmp(argv[1], "--rolling") == 0;
    argc -= rolling ? 1 : 0;
    argv += rolling ? 1 : 0;
    if (argc < 8) {
        fprintf(stderr, "usage: moves [--rolling] SERVICES m6i|r7g low|mix REPLICAS NOW TARGET SEED...\n");
        return 2;
    }
    const recipe r = {.rolling = rolling,
                      .n_services = strtol(argv[1], NULL, 10),
                      .r7g = strcmp(argv[2], "r7g") == 0,
                      .mixed_cpu = strcmp(argv[3], "mix") == 0,
                      .replicas = strtol(argv[4], NULL, 10),
                      .now = strtol(argv[5], NULL, 10),
                      .target = strtol(argv[6], NULL, 10)};
    for (int i = 7; i < argc; i++) {
        run(&r, strtoull(argv[i], NULL, 10));
    }
    return 0;
}
