#include "solve/room.h"

#include <assert.h>

#include "solve/expand.h"
#include "solve/level.h"

/*
 * Levelling takes away the instances that were kept free for the largest tasks. So it is tried in full, and where that
 * leaves too little room, with half as many steps, and so on.
 */

enum { LEVEL_WORK = 400000000, MAX_TRIES = 12 };

/* Tasks of each profile on each machine, as an answer to the decision of the same fleet. */
static taskfit_answer as_answer(const taskfit_problem *problem, const taskfit_decision *d, const taskfit_fleet *fleet,
                                taskfit_arena *arena) {
    size_t *profile_of = TASKFIT_ARRAY(arena, problem->deployment->n_services, size_t);
    for (size_t p = 0; p < d->n_profiles; p++) {
        for (int64_t i = 0; i < d->profiles[p].n_services; i++) {
            profile_of[problem->services[d->profiles[p].services[i]].service] = p;
        }
    }
    taskfit_content *contents = TASKFIT_ARRAY(arena, fleet->n_machines, taskfit_content);
    for (size_t m = 0; m < fleet->n_machines; m++) {
        const taskfit_machine *machine = &fleet->machines[m];
        int64_t *tasks = TASKFIT_ARRAY(arena, d->n_profiles, int64_t);
        for (size_t i = 0; i < machine->n_tasks; i++) {
            tasks[profile_of[machine->tasks[i].service]] += machine->tasks[i].count;
        }
        const size_t kind = d->offer_kind[taskfit_room_offer_of(problem, machine)];
        contents[m] = taskfit_content_from_dense(arena, kind, 1, tasks, d->n_profiles);
    }
    return (taskfit_answer){.verdict = TASKFIT_VERDICT_FITS,
                            .proof = TASKFIT_PROOF_NONE,
                            .contents = contents,
                            .n_contents = fleet->n_machines};
}

taskfit_fleet *taskfit_room_level(const taskfit_problem *problem, const int64_t *count, taskfit_fleet *fleet,
                                  const taskfit_budget *budget, taskfit_arena *arena) {
    taskfit_arena *scratch = taskfit_arena_new();
    const taskfit_decision *d = taskfit_decision_new(scratch, problem, count);
    const taskfit_answer start = as_answer(problem, d, fleet, scratch);
    taskfit_fleet *levelled = fleet;
    int64_t work = LEVEL_WORK;
    for (int attempt = 0; attempt < MAX_TRIES && levelled == fleet && work > 0; attempt++) {
        taskfit_budget own = *budget;
        own.work_left = work;
        const taskfit_answer answer = taskfit_level(d, &start, &own, scratch);
        work = (work - own.work_left) / 2;
        own = *budget;
        own.work_left = LEVEL_WORK;
        const taskfit_fleet *tried = taskfit_expand(d, answer.contents, answer.n_contents, scratch);
        if (taskfit_room_check(problem, tried, &own) == TASKFIT_VERDICT_FITS) {
            levelled = taskfit_fleet_copy(arena, tried);
        }
    }
    taskfit_arena_free(scratch);
    return levelled;
}
