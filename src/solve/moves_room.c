#include "solve/moves_room.h"

#include <assert.h>
#include <string.h>

#include "solve/derive.h"
#include "solve/room.h"

/*
 * A placement with room for the deployment of service s is a placement of all tasks and of s's extra ones, *twins* that obey only ECS's
 * rules (derive.h). So fewest moves with the twins of one service among them is a bound; and when the service demands most, what is left
 * without them mostly has room for every other deployment as well, which room_check.c decides. Where no service demands most of everything
 * the first variant has twins that do: it finds placements and proves nothing. With room for all deployments at once all twins are there at once.
 *
 * Headroom and caps do not bind what is deployed: its demand is lowered by the headroom of the instance that keeps most free
 * for a bound, of the one that keeps least for a placement. For losses there is no such problem: the bound is that without the rule.
 */

/* What every offer (most: some offer) leaves beside its capacity. */
static void set_spared(const taskfit_problem *problem, bool most, int64_t *spared) {
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        spared[r] = most ? 0 : TASKFIT_UNLIMITED;
        for (size_t o = 0; o < problem->n_offers; o++) {
            const taskfit_offer *offer = &problem->offers[o];
            const int64_t free = offer->ecs_capacity[r] >= TASKFIT_UNLIMITED ? TASKFIT_UNLIMITED
                                                                             : offer->ecs_capacity[r] - offer->capacity[r];
            spared[r] = (most ? free > spared[r] : free < spared[r]) ? free : spared[r];
        }
    }
}

static taskfit_moves_variant with_twins(const taskfit_problem *problem, const int64_t *extra, bool relaxed, taskfit_arena *arena) {
    int64_t spared[TASKFIT_RESOURCE_COUNT];
    set_spared(problem, relaxed, spared);
    return (taskfit_moves_variant){.problem = taskfit_derive_twins(arena, problem, extra, spared), .relaxed = relaxed};
}

/* The first of the services, with the most that any of them demands. */
static taskfit_moves_variant with_largest(const taskfit_problem *problem, const size_t *list, size_t n, taskfit_arena *arena) {
    int64_t *extra = TASKFIT_ARRAY(arena, problem->n_services, int64_t);
    extra[list[0]] = 1;
    taskfit_moves_variant variant = with_twins(problem, extra, false, arena);
    taskfit_problem *changed = TASKFIT_NEW(arena, taskfit_problem);
    taskfit_problem_service *services = TASKFIT_ARRAY(arena, variant.problem->n_services, taskfit_problem_service);
    *changed = *variant.problem;
    memcpy(services, changed->services, changed->n_services * sizeof *services);
    int64_t spared[TASKFIT_RESOURCE_COUNT];
    set_spared(problem, false, spared);
    taskfit_problem_service *twin = &services[problem->n_services];
    for (size_t i = 0; i < n; i++) {
        const taskfit_problem_service *service = &problem->services[list[i]];
        for (size_t r = 0; r <= TASKFIT_RESOURCE_PORTS; r++) {
            const int64_t demand = service->demand[r] - spared[r];
            twin->demand[r] = demand > twin->demand[r] ? demand : twin->demand[r];
        }
        twin->replicas = service->deploy_tasks > twin->replicas ? service->deploy_tasks : twin->replicas;
    }
    changed->services = services;
    variant.problem = changed;
    return variant;
}

static const taskfit_problem *without_rule(const taskfit_problem *problem, taskfit_arena *arena) {
    taskfit_problem *plain = TASKFIT_NEW(arena, taskfit_problem);
    *plain = *problem;
    plain->rolling = TASKFIT_ROLLING_NONE;
    plain->survive = TASKFIT_SURVIVE_NONE;
    return plain;
}

size_t taskfit_moves_variants(const taskfit_problem *problem, taskfit_moves_variant out[TASKFIT_MOVES_VARIANTS],
                              taskfit_arena *arena) {
    size_t n = 0;
    size_t list[TASKFIT_ROOM_CANDIDATES];
    const size_t n_list = problem->rolling == TASKFIT_ROLLING_NONE ? 0 : taskfit_room_candidates(problem, list);
    int64_t *extra = TASKFIT_ARRAY(arena, problem->n_services, int64_t);
    if (n_list > 0 && problem->rolling == TASKFIT_ROLLING_ALL_SERVICES) {
        for (size_t s = 0; s < problem->n_services; s++) {
            extra[s] = problem->services[s].deploy_tasks;
        }
        out[n++] = with_twins(problem, extra, true, arena);
        if (!taskfit_derive_plain(problem)) {
            out[n++] = with_twins(problem, extra, false, arena);
        }
        return n;
    }
    if (n_list > 1 || (n_list > 0 && !taskfit_derive_plain(problem))) {
        out[n++] = with_largest(problem, list, n_list, arena);
    }
    for (size_t i = 0; i < n_list; i++) {
        int64_t *one = TASKFIT_ARRAY(arena, problem->n_services, int64_t);
        one[list[i]] = problem->services[list[i]].deploy_tasks;
        out[n++] = with_twins(problem, one, true, arena);
    }
    if (n == 0) {
        out[n++] = (taskfit_moves_variant){.problem = without_rule(problem, arena), .relaxed = true};
    }
    return n;
}

const taskfit_fleet *taskfit_moves_strip(const taskfit_problem *problem, const taskfit_fleet *fleet, taskfit_arena *arena) {
    taskfit_fleet *bare = taskfit_fleet_copy(arena, fleet);
    for (size_t m = 0; m < bare->n_machines; m++) {
        taskfit_machine *machine = &bare->machines[m];
        while (machine->n_tasks > 0 && machine->tasks[machine->n_tasks - 1].service >= problem->deployment->n_services) {
            machine->n_tasks--;
        }
    }
    taskfit_fleet_canonicalize(bare);
    return bare;
}
