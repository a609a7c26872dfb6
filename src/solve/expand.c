#include "solve/expand.h"

#include <assert.h>
#include <stdlib.h>

/*
 * A profile's tasks are dealt like cards: its services sit round a table, instances come by zone after zone,
 * and each takes its number of tasks from the next services in turn. So on every instance, in every zone and in
 * all, the numbers of tasks of two services differ by at most 1. With the windows of decision.h that is all
 * the rules ask: a services' tasks in a zone are S*q..S*(q+1) in sum, hence q or q+1 each, and so on an
 * instance; at most S on an instance are at most 1 of each.
 */

typedef struct stand { /* tasks of a profile on a machine */
    size_t profile;
    size_t machine;
    int64_t count;
} stand;

typedef struct expansion {
    const taskfit_decision *d;
    taskfit_arena *arena;
    taskfit_fleet *fleet;
    stand *stands; /* by profile, then AZ, then machine */
    size_t n_stands;
    size_t *n_tasks; /* [n_machines] room made in the machine's list */
} expansion;

static int stand_compare(const void *left, const void *right) {
    const stand *a = left;
    const stand *b = right;
    if (a->profile != b->profile) {
        return a->profile < b->profile ? -1 : 1;
    }
    return (a->machine > b->machine) - (a->machine < b->machine);
}

/* Machines in the order of AZs, each offer's in a row; contents of a kind are dealt over its offers in turn. */
static void make_machines(expansion *e) {
    const taskfit_problem *problem = e->d->problem;
    size_t n = 0;
    e->fleet->machines = TASKFIT_ARRAY(e->arena, (size_t)e->d->n_instances, taskfit_machine);
    for (size_t az = 0; az < problem->n_azs; az++) {
        for (size_t o = 0; o < problem->n_offers; o++) {
            for (int64_t i = 0; problem->offers[o].az == az && i < e->d->offer_count[o]; i++) {
                const taskfit_offer *offer = &problem->offers[o];
                e->fleet->machines[n++] = (taskfit_machine){.group = offer->group, .type = offer->type, .az = offer->az};
            }
        }
    }
    assert(n == (size_t)e->d->n_instances);
    e->fleet->n_machines = n;
}

/* Machines of each kind, ascending: machines_out[first[k] ..]. */
static size_t *machines_by_kind(const expansion *e, taskfit_arena *scratch, size_t *next_of_kind) {
    const taskfit_problem *problem = e->d->problem;
    size_t *machines = TASKFIT_ARRAY(scratch, e->fleet->n_machines, size_t);
    size_t first = 0;
    for (size_t k = 0; k < e->d->n_kinds; k++) {
        next_of_kind[k] = first;
        first += (size_t)e->d->kinds[k].count;
    }
    size_t *fill = TASKFIT_ARRAY(scratch, e->d->n_kinds, size_t);
    size_t machine = 0;
    for (size_t az = 0; az < problem->n_azs; az++) {
        for (size_t o = 0; o < problem->n_offers; o++) {
            for (int64_t i = 0; problem->offers[o].az == az && i < e->d->offer_count[o]; i++) {
                const size_t kind = e->d->offer_kind[o];
                machines[next_of_kind[kind] + fill[kind]++] = machine++;
            }
        }
    }
    return machines;
}

static void make_stands(expansion *e, taskfit_arena *scratch, const taskfit_content *contents, size_t n_contents) {
    size_t *next_of_kind = TASKFIT_ARRAY(scratch, e->d->n_kinds, size_t);
    const size_t *machines = machines_by_kind(e, scratch, next_of_kind);
    size_t n = 0;
    for (size_t i = 0; i < n_contents; i++) {
        n += (size_t)contents[i].count * contents[i].n_tasks;
    }
    e->stands = TASKFIT_ARRAY(scratch, n, stand);
    for (size_t i = 0; i < n_contents; i++) {
        for (int64_t copy = 0; copy < contents[i].count; copy++) {
            const size_t machine = machines[next_of_kind[contents[i].kind]++];
            for (size_t task = 0; task < contents[i].n_tasks; task++) {
                const size_t profile = contents[i].tasks[task].profile;
                e->stands[e->n_stands++] =
                    (stand){.profile = profile, .machine = machine, .count = contents[i].tasks[task].count};
            }
        }
    }
    if (n > 0) {
        qsort(e->stands, n, sizeof *e->stands, stand_compare);
    }
}

static void reserve_lists(expansion *e) {
    size_t *capacity = TASKFIT_ARRAY(e->arena, e->fleet->n_machines, size_t);
    for (size_t i = 0; i < e->n_stands; i++) {
        const int64_t n_services = e->d->profiles[e->stands[i].profile].n_services;
        capacity[e->stands[i].machine] += (size_t)(e->stands[i].count < n_services ? e->stands[i].count : n_services);
    }
    for (size_t m = 0; m < e->fleet->n_machines; m++) {
        e->fleet->machines[m].tasks = TASKFIT_ARRAY(e->arena, capacity[m], taskfit_machine_task);
    }
}

static void deal_profile(expansion *e, size_t first, size_t next, int64_t *dealt) {
    const taskfit_profile *profile = &e->d->profiles[e->stands[first].profile];
    const int64_t n_services = profile->n_services;
    int64_t turn = 0;
    for (int64_t s = 0; s < n_services; s++) {
        dealt[s] = 0;
    }
    for (size_t i = first; i < next; i++) {
        taskfit_machine *machine = &e->fleet->machines[e->stands[i].machine];
        const int64_t count = e->stands[i].count;
        const int64_t takers = count < n_services ? count : n_services;
        for (int64_t taker = 0; taker < takers; taker++) {
            const int64_t s = (turn + taker) % n_services;
            const int64_t tasks = count / n_services + (taker < count % n_services ? 1 : 0);
            const size_t service = e->d->problem->services[profile->services[s]].service;
            machine->tasks[machine->n_tasks++] = (taskfit_machine_task){.service = service, .count = tasks};
            dealt[s] += tasks;
        }
        turn = (turn + count) % n_services;
    }
    for (int64_t s = 0; s < n_services; s++) {
        assert(dealt[s] == profile->replicas);
    }
}

taskfit_fleet *taskfit_expand(const taskfit_decision *decision, const taskfit_content *contents, size_t n_contents,
                              taskfit_arena *arena) {
    assert(taskfit_contents_valid(decision, contents, n_contents));
    taskfit_arena *scratch = taskfit_arena_new();
    expansion e = {.d = decision, .arena = arena, .fleet = TASKFIT_NEW(arena, taskfit_fleet)};
    make_machines(&e);
    make_stands(&e, scratch, contents, n_contents);
    reserve_lists(&e);
    int64_t *dealt = TASKFIT_ARRAY(scratch, decision->problem->n_services, int64_t);
    for (size_t first = 0, next; first < e.n_stands; first = next) {
        for (next = first + 1; next < e.n_stands && e.stands[next].profile == e.stands[first].profile; next++) {
        }
        deal_profile(&e, first, next, dealt);
    }
    taskfit_arena_free(scratch);
    taskfit_fleet_canonicalize(e.fleet);
    return e.fleet;
}
