#include "solve/moves_deal.h"

#include <assert.h>

#include "base/int64.h"
#include "solve/glpk_build.h"

/*
 *     minimize  - sum stays[s,j]
 *     sum over s  stays[s,j] + comes[s,j]  =  tasks[j]                         each instance j
 *     sum over j in z  stays + comes       in  low .. high of a service        each service s, AZ z
 *     sum over j  stays + comes            =  replicas                         each service s
 *     stays <= before,  low <= stays + comes <= high of a service on the instance
 *
 * A network, so its linear program has whole solutions and GLPK need not branch. Lows on an instance are put into its bounds by
 * dealing them first.
 */

typedef struct deal {
    const taskfit_moves_board *board;
    const taskfit_moves_machine *machines;
    size_t n_machines;
    const int64_t *before; /* [n_services][n_stands] */
    int64_t *dealt;        /* [n_services][n_machines] */
    taskfit_budget *budget;
} deal;

static size_t zone_of(const deal *d, size_t machine) {
    const taskfit_decision *decision = d->board->decision;
    return decision->kinds[decision->offer_kind[d->machines[machine].offer]].zone;
}

/* Round a table, zone after zone: on any instances in a row two services differ by one at most (expand.c). */
static void deal_evenly(const deal *d, size_t p) {
    const taskfit_profile *profile = &d->board->decision->profiles[p];
    int64_t turn = 0;
    for (size_t zone = 0; zone < d->board->decision->n_zones; zone++) {
        for (size_t j = 0; j < d->n_machines; j++) {
            for (int64_t n = zone_of(d, j) == zone ? d->machines[j].tasks[p] : 0; n > 0; n--) {
                d->dealt[profile->services[turn] * d->n_machines + j]++;
                turn = (turn + 1) % profile->n_services;
            }
        }
    }
}

static int64_t instances_in_class(const deal *d, const taskfit_problem_service *service, bool by_zone, size_t zone) {
    int64_t n = 0;
    for (size_t j = 0; j < d->n_machines; j++) {
        n += service->may_stand[d->machines[j].offer] && (!by_zone || zone_of(d, j) == zone) ? 1 : 0;
    }
    return n;
}

/* The most tasks of one service of the profile on an instance. */
static int64_t most_on(const deal *d, const taskfit_profile *profile, size_t j) {
    const taskfit_problem_service *service = &d->board->problem->services[profile->services[0]];
    const int64_t in_class = profile->spread_az ? profile->zone_high[zone_of(d, j)] / profile->n_services : profile->replicas;
    int64_t most = service->distinct_instance || service->n_ports > 0 ? 1 : in_class;
    if (service->spread_instance) {
        const int64_t n = instances_in_class(d, service, profile->spread_az, zone_of(d, j));
        most = min64(most, (in_class + n - 1) / n);
    }
    return most;
}

typedef struct flow {
    const deal *d;
    const taskfit_profile *profile;
    size_t p;
    taskfit_program *program;
    size_t *stays, *comes; /* [n_services][n_machines] columns; SIZE_MAX: none */
    int64_t *low;          /* [n_machines] tasks of each service in any case */
} flow;

static void add_columns(flow *f) {
    const deal *d = f->d;
    for (int64_t s = 0; s < f->profile->n_services; s++) {
        const size_t service = f->profile->services[s];
        for (size_t j = 0; j < d->n_machines; j++) {
            const size_t at = (size_t)s * d->n_machines + j;
            const int64_t most = min64(most_on(d, f->profile, j), d->machines[j].tasks[f->p]) - f->low[j];
            const size_t stand = d->machines[j].stand;
            int64_t before = stand == SIZE_MAX ? 0 : d->before[service * d->board->n_stands + stand] - f->low[j];
            before = before < 0 ? 0 : min64(before, most);
            f->stays[at] = before > 0 ? taskfit_program_column(f->program, 0, before, -1, NULL) : SIZE_MAX;
            f->comes[at] = most > before ? taskfit_program_column(f->program, 0, most - before, 0, NULL) : SIZE_MAX;
        }
    }
}

static void add_entries(flow *f, size_t row, size_t at) {
    if (f->stays[at] != SIZE_MAX) {
        taskfit_program_entry(f->program, row, f->stays[at], 1);
    }
    if (f->comes[at] != SIZE_MAX) {
        taskfit_program_entry(f->program, row, f->comes[at], 1);
    }
}

static void add_rows(flow *f) {
    const deal *d = f->d;
    const taskfit_profile *profile = f->profile;
    for (size_t j = 0; j < d->n_machines; j++) {
        const int64_t tasks = d->machines[j].tasks[f->p] - profile->n_services * f->low[j];
        const size_t row = taskfit_program_row(f->program, tasks, tasks, NULL);
        for (int64_t s = 0; s < profile->n_services; s++) {
            add_entries(f, row, (size_t)s * d->n_machines + j);
        }
    }
    for (int64_t s = 0; s < profile->n_services; s++) {
        int64_t lows = 0;
        for (size_t zone = 0; zone < d->board->decision->n_zones; zone++) {
            int64_t in_zone = 0;
            for (size_t j = 0; j < d->n_machines; j++) {
                in_zone += zone_of(d, j) == zone ? f->low[j] : 0;
            }
            lows += in_zone;
            if (!profile->spread_az) {
                continue;
            }
            const size_t row = taskfit_program_row(f->program, profile->zone_low[zone] / profile->n_services - in_zone,
                                                   profile->zone_high[zone] / profile->n_services - in_zone, NULL);
            for (size_t j = 0; j < d->n_machines; j++) {
                if (zone_of(d, j) == zone) {
                    add_entries(f, row, (size_t)s * d->n_machines + j);
                }
            }
        }
        const size_t row = taskfit_program_row(f->program, profile->replicas - lows, profile->replicas - lows, NULL);
        for (size_t j = 0; j < d->n_machines; j++) {
            add_entries(f, row, (size_t)s * d->n_machines + j);
        }
    }
}

static bool deal_by_flow(const deal *d, size_t p) {
    const taskfit_profile *profile = &d->board->decision->profiles[p];
    taskfit_arena *scratch = taskfit_arena_new();
    const size_t n = (size_t)profile->n_services * d->n_machines;
    flow f = {.d = d,
              .profile = profile,
              .p = p,
              .program = taskfit_program_new(scratch),
              .stays = TASKFIT_ARRAY(scratch, n, size_t),
              .comes = TASKFIT_ARRAY(scratch, n, size_t),
              .low = TASKFIT_ARRAY(scratch, d->n_machines, int64_t)};
    for (size_t j = 0; j < d->n_machines; j++) {
        const taskfit_decision *decision = d->board->decision;
        f.low[j] = decision->kinds[decision->offer_kind[d->machines[j].offer]].low[p] / profile->n_services;
    }
    add_columns(&f);
    add_rows(&f);
    taskfit_program_result result;
    const bool solved = taskfit_program_solve(f.program, d->budget, scratch, &result, NULL) == TASKFIT_OK &&
                        (result.outcome == TASKFIT_OPTIMAL || result.outcome == TASKFIT_FEASIBLE);
    for (size_t at = 0; at < n && solved; at++) {
        const size_t j = at % d->n_machines;
        d->dealt[profile->services[at / d->n_machines] * d->n_machines + j] =
            f.low[j] + (f.stays[at] == SIZE_MAX ? 0 : result.values[f.stays[at]]) +
            (f.comes[at] == SIZE_MAX ? 0 : result.values[f.comes[at]]);
    }
    taskfit_arena_free(scratch);
    return solved;
}

static bool stands_somewhere(const taskfit_moves_board *board, size_t p) {
    for (size_t i = 0; i < board->n_stands; i++) {
        if (board->stands[i].before[p] > 0) {
            return true;
        }
    }
    return false;
}

const int64_t *taskfit_moves_deal(const taskfit_moves_board *board, const taskfit_moves_machine *machines, size_t n_machines,
                                  taskfit_budget *budget, taskfit_arena *arena) {
    const size_t n_services = board->problem->n_services;
    taskfit_arena *scratch = taskfit_arena_new();
    int64_t *before = TASKFIT_ARRAY(scratch, n_services * board->n_stands, int64_t);
    for (size_t i = 0; i < board->n_stands; i++) {
        const taskfit_standing_instance *at = &board->standing->instances[board->stands[i].standing];
        for (size_t t = 0; t < at->n_tasks; t++) {
            before[at->tasks[t].service * board->n_stands + i] = at->tasks[t].count;
        }
    }
    const deal d = {.board = board,
                    .machines = machines,
                    .n_machines = n_machines,
                    .before = before,
                    .dealt = TASKFIT_ARRAY(arena, n_services * n_machines, int64_t),
                    .budget = budget};
    for (size_t p = 0; p < board->decision->n_profiles; p++) {
        const bool alone = board->decision->profiles[p].n_services == 1;
        if (alone || !stands_somewhere(board, p) || !deal_by_flow(&d, p)) {
            deal_evenly(&d, p);
        }
    }
    taskfit_arena_free(scratch);
    return d.dealt;
}

taskfit_fleet *taskfit_moves_fleet(const taskfit_moves_board *board, const taskfit_moves_machine *machines, size_t n_machines,
                                   const int64_t *dealt, taskfit_arena *arena) {
    const taskfit_problem *problem = board->problem;
    taskfit_fleet *fleet = TASKFIT_NEW(arena, taskfit_fleet);
    fleet->n_machines = n_machines;
    fleet->machines = TASKFIT_ARRAY(arena, n_machines, taskfit_machine);
    for (size_t j = 0; j < n_machines; j++) {
        const taskfit_offer *offer = &problem->offers[machines[j].offer];
        size_t n = 0;
        for (size_t s = 0; s < problem->n_services; s++) {
            n += dealt[s * n_machines + j] > 0 ? 1 : 0;
        }
        taskfit_machine_task *tasks = TASKFIT_ARRAY(arena, n, taskfit_machine_task);
        n = 0;
        for (size_t s = 0; s < problem->n_services; s++) {
            const int64_t count = dealt[s * n_machines + j];
            if (count > 0) {
                tasks[n++] = (taskfit_machine_task){.service = problem->services[s].service, .count = count};
            }
        }
        fleet->machines[j] =
            (taskfit_machine){.group = offer->group, .type = offer->type, .az = offer->az, .tasks = tasks, .n_tasks = n};
    }
    taskfit_fleet_canonicalize(fleet);
    return fleet;
}
