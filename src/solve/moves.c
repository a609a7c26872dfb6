#include "solve/moves.h"

#include <stdlib.h>

static int64_t min64(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int descending(const void *left, const void *right) {
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;
    return (a < b) - (a > b);
}

/* Each service keeps at most the tasks it has and those that stand, each instance at most what stands on it, and there
 * are only so many instances. */
static int64_t simple_bound(const taskfit_moves_query *query) {
    const taskfit_standing *standing = query->standing;
    const taskfit_problem *problem = query->problem;
    taskfit_arena *scratch = taskfit_arena_new();
    int64_t *of_service = TASKFIT_ARRAY(scratch, problem->n_services, int64_t);
    int64_t *of_instance = TASKFIT_ARRAY(scratch, standing->n_instances, int64_t);
    for (size_t i = 0; i < standing->n_instances; i++) {
        const taskfit_standing_instance *at = &standing->instances[i];
        for (size_t t = 0; t < at->n_tasks; t++) {
            const taskfit_problem_service *service = &problem->services[at->tasks[t].service];
            const int64_t most = service->may_stand[at->offer] ? min64(at->tasks[t].count, service->replicas) : 0;
            of_service[at->tasks[t].service] += most;
            of_instance[i] += most;
        }
    }
    int64_t by_service = 0;
    for (size_t s = 0; s < problem->n_services; s++) {
        by_service += min64(of_service[s], problem->services[s].replicas);
    }
    if (standing->n_instances > 0) {
        qsort(of_instance, standing->n_instances, sizeof *of_instance, descending);
    }
    int64_t by_instance = 0;
    for (size_t i = 0; i < standing->n_instances && (query->n_instances < 0 || (int64_t)i < query->n_instances); i++) {
        by_instance += of_instance[i];
    }
    taskfit_arena_free(scratch);
    return min64(by_service, by_instance);
}

taskfit_moves_answer taskfit_moves_solve(const taskfit_moves_query *query, taskfit_budget *budget, taskfit_arena *arena) {
    (void)budget;
    taskfit_moves_answer answer = {.kept_bound = simple_bound(query), .proof = TASKFIT_PROOF_GAP};
    if (query->hint != NULL) {
        answer.fleet = taskfit_fleet_copy(arena, query->hint);
        answer.standing = taskfit_moves_match(query->problem, query->standing, answer.fleet, arena, &answer.kept);
        answer.proof = answer.kept == answer.kept_bound ? TASKFIT_PROOF_EXACT : TASKFIT_PROOF_GAP;
    }
    return answer;
}
