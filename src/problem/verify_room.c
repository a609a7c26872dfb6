/*
 * Do some tasks find room beside those that stand? Only ECS's own rules and antiAffinity bind them. First fit in several
 * orders finds most answers; what it does not, a search through all placements, up to a limit of work.
 */

#include "problem/verify.h"

#include <stdlib.h>
#include <string.h>

enum { SEARCH_STEPS = 400000, N_ORDERS = 3 };

/* What ECS looks at; hard limits and expected use are the policy's. */
enum { PLACED = TASKFIT_RESOURCE_PORTS + 1 };

typedef struct guest { /* a task that comes */
    size_t service;
    int64_t size;
    size_t machine; /* where it went */
} guest;

struct taskfit_judged_room {
    taskfit_judge *judge;
    bool *lost;            /* [n_machines] or not located */
    int64_t *left;         /* [n_machines][PLACED] without guests */
    int64_t *left_now;     /* with them */
    bool *in_list;         /* [n_lists * n_services] of antiAffinity; no lists where it is not in force */
    size_t n_lists;
    guest *guests;
    size_t n_guests, guests_capacity;
    size_t *first_guest;   /* [n_machines] index + 1 of the guest that came last; 0: none */
    size_t *next_guest;    /* [n_guests] index + 1 of the one before it on its machine */
    int64_t steps;
};

static const taskfit_service *service_of(const taskfit_judged_room *room, size_t service) {
    return &room->judge->deployment->services[service];
}

static void find_lists(taskfit_judged_room *room) {
    const taskfit_deployment *deployment = room->judge->deployment;
    const taskfit_policy *policy = &deployment->policy;
    const size_t n = deployment->n_services;
    room->n_lists = room->judge->limits_in_force ? policy->n_anti_affinity : 0;
    room->in_list = TASKFIT_ARRAY(room->judge->arena, room->n_lists * n, bool);
    for (size_t i = 0; i < room->n_lists * n; i++) {
        room->in_list[i] = taskfit_judge_matches(policy->anti_affinity[i / n], deployment->services[i % n].name);
    }
}

taskfit_judged_room *taskfit_judged_room_new(taskfit_judge *judge) {
    taskfit_judged_room *room = TASKFIT_NEW(judge->arena, taskfit_judged_room);
    room->judge = judge;
    room->lost = TASKFIT_ARRAY(judge->arena, judge->n_machines, bool);
    room->left = TASKFIT_ARRAY(judge->arena, judge->n_machines * PLACED, int64_t);
    room->left_now = TASKFIT_ARRAY(judge->arena, judge->n_machines * PLACED, int64_t);
    room->first_guest = TASKFIT_ARRAY(judge->arena, judge->n_machines, size_t);
    for (size_t m = 0; m < judge->n_machines; m++) {
        const taskfit_judged_machine *machine = &judge->machines[m];
        room->lost[m] = !machine->located;
        for (size_t r = 0; r < PLACED && machine->located; r++) {
            room->left[m * PLACED + r] = machine->capacity->amount[r] - machine->capacity->daemons[r] - machine->held[r];
        }
    }
    find_lists(room);
    return room;
}

void taskfit_judged_room_lose(taskfit_judged_room *room, size_t machine, bool lost) {
    room->lost[machine] = lost || !room->judge->machines[machine].located;
}

/* ---- who may stand with whom ---- */

static bool share_a_port(const taskfit_task_demand *a, const taskfit_task_demand *b) {
    for (size_t i = 0; i < a->n_ports; i++) {
        for (size_t k = 0; k < b->n_ports; k++) {
            if (a->ports[i].protocol == b->ports[k].protocol && a->ports[i].host_port == b->ports[k].host_port) {
                return true;
            }
        }
    }
    return false;
}

static bool names(const taskfit_service *service, const char *other) {
    for (size_t q = 0; q < service->n_member_of; q++) {
        size_t n = 0;
        const char *const *refused = taskfit_query_conflicts(service->queries[q], &n);
        for (size_t i = 0; i < n; i++) {
            if (strcmp(refused[i], other) == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool share_a_list(const taskfit_judged_room *room, size_t a, size_t b) {
    const size_t n_services = room->judge->deployment->n_services;
    for (size_t list = 0; list < room->n_lists; list++) {
        if (room->in_list[list * n_services + a] && room->in_list[list * n_services + b]) {
            return true;
        }
    }
    return false;
}

bool taskfit_judged_bear(const taskfit_judged_room *room, size_t a, size_t b) {
    const taskfit_service *one = service_of(room, a);
    const taskfit_service *other = service_of(room, b);
    const taskfit_task_demand *demands = room->judge->demands;
    if (a == b && (one->distinct_instance || demands[a].n_ports > 0)) {
        return false;
    }
    return !share_a_port(&demands[a], &demands[b]) && !names(one, other->name) && !names(other, one->name) &&
           (a == b || !share_a_list(room, a, b));
}

static bool amounts_fit(const int64_t *left, const taskfit_task_demand *demand) {
    for (size_t r = 0; r < PLACED; r++) {
        if (demand->amount[r] > 0 && demand->amount[r] > left[r]) {
            return false;
        }
    }
    return true;
}

/* One task of the service beside those that stand. */
static bool takes(const taskfit_judged_room *room, size_t m, size_t service) {
    const taskfit_judge *judge = room->judge;
    const taskfit_judged_machine *machine = &judge->machines[m];
    const taskfit_task_demand *demand = &judge->demands[service];
    if (room->lost[m] || !amounts_fit(room->left + m * PLACED, demand) ||
        !taskfit_service_permitted(judge->deployment, service_of(room, service), machine->group, machine->type, machine->az) ||
        taskfit_judge_port_taken(machine->capacity, demand)) {
        return false;
    }
    for (size_t i = 0; i < machine->n_tasks; i++) {
        if (!taskfit_judged_bear(room, service, machine->tasks[i].service)) {
            return false;
        }
    }
    return true;
}

static bool takes_now(const taskfit_judged_room *room, size_t m, size_t service) {
    if (!amounts_fit(room->left_now + m * PLACED, &room->judge->demands[service]) || !takes(room, m, service)) {
        return false;
    }
    for (size_t g = room->first_guest[m]; g != 0; g = room->next_guest[g - 1]) {
        if (!taskfit_judged_bear(room, service, room->guests[g - 1].service)) {
            return false;
        }
    }
    return true;
}

int64_t taskfit_judged_room_alone(const taskfit_judged_room *room, size_t service, int64_t most) {
    const taskfit_task_demand *demand = &room->judge->demands[service];
    int64_t n = 0;
    for (size_t m = 0; m < room->judge->n_machines && n < most; m++) {
        if (!takes(room, m, service)) {
            continue;
        }
        int64_t here = taskfit_judged_bear(room, service, service) ? most - n : 1;
        for (size_t r = 0; r < PLACED; r++) {
            const int64_t fit = demand->amount[r] > 0 ? room->left[m * PLACED + r] / demand->amount[r] : here;
            here = fit < here ? fit : here;
        }
        n += here;
    }
    return n;
}

/* ---- several guests ---- */

static void come(taskfit_judged_room *room, size_t g, size_t m) {
    room->guests[g].machine = m;
    room->next_guest[g] = room->first_guest[m];
    room->first_guest[m] = g + 1;
    for (size_t r = 0; r < PLACED; r++) {
        room->left_now[m * PLACED + r] -= room->judge->demands[room->guests[g].service].amount[r];
    }
}

/* The guest that came last. */
static void leave(taskfit_judged_room *room, size_t g) {
    const size_t m = room->guests[g].machine;
    room->first_guest[m] = room->next_guest[g];
    for (size_t r = 0; r < PLACED; r++) {
        room->left_now[m * PLACED + r] += room->judge->demands[room->guests[g].service].amount[r];
    }
}

static void clear(taskfit_judged_room *room) {
    const size_t n = room->judge->n_machines;
    memset(room->first_guest, 0, n * sizeof *room->first_guest);
    memcpy(room->left_now, room->left, n * PLACED * sizeof *room->left_now);
}

static int by_size(const void *left, const void *right) {
    const guest *a = left;
    const guest *b = right;
    if (a->size != b->size) {
        return a->size > b->size ? -1 : 1;
    }
    return (a->service > b->service) - (a->service < b->service);
}

/* Largest first: by memory, by CPU, by the larger of their shares of all that is left. */
static void put_in_order(taskfit_judged_room *room, int order) {
    int64_t total[2] = {1, 1};
    for (size_t m = 0; m < room->judge->n_machines; m++) {
        for (size_t r = 0; r < 2 && !room->lost[m]; r++) {
            taskfit_judge_add(&total[r], room->left[m * PLACED + r] > 0 ? room->left[m * PLACED + r] : 0, 1);
        }
    }
    for (size_t g = 0; g < room->n_guests; g++) {
        const int64_t *amount = room->judge->demands[room->guests[g].service].amount;
        const double memory = (double)amount[TASKFIT_RESOURCE_MEMORY] / (double)total[0];
        const double cpu = (double)amount[TASKFIT_RESOURCE_CPU] / (double)total[1];
        const double share = memory > cpu ? memory : cpu;
        room->guests[g].size = order == 0   ? amount[TASKFIT_RESOURCE_MEMORY]
                               : order == 1 ? amount[TASKFIT_RESOURCE_CPU]
                                            : (int64_t)(share * 1e12);
    }
    qsort(room->guests, room->n_guests, sizeof *room->guests, by_size);
}

static bool fit_each(taskfit_judged_room *room, bool tightest) {
    clear(room);
    for (size_t g = 0; g < room->n_guests; g++) {
        size_t chosen = SIZE_MAX;
        for (size_t m = 0; m < room->judge->n_machines && (tightest || chosen == SIZE_MAX); m++) {
            const bool tighter =
                chosen == SIZE_MAX || room->left_now[m * PLACED] < room->left_now[chosen * PLACED]; /* memory */
            if (tighter && takes_now(room, m, room->guests[g].service)) {
                chosen = m;
            }
        }
        if (chosen == SIZE_MAX) {
            return false;
        }
        come(room, g, chosen);
    }
    return true;
}

/* Guests of one service are alike: each goes to the machine of the one before it or to a later one. Runs in a loop,
 * since there may be many guests. */
static taskfit_found search(taskfit_judged_room *room) {
    const size_t n_machines = room->judge->n_machines;
    size_t *next = TASKFIT_ARRAY(room->judge->arena, room->n_guests + 1, size_t); /* the machine to try next */
    size_t g = 0;
    clear(room);
    room->steps = 0;
    while (g < room->n_guests) {
        size_t m = next[g];
        while (m < n_machines && !takes_now(room, m, room->guests[g].service)) {
            m++;
        }
        room->steps += (int64_t)(m - next[g]) + 1;
        if (room->steps > SEARCH_STEPS) {
            return TASKFIT_UNDECIDED;
        }
        if (m < n_machines) {
            come(room, g, m);
            next[g] = m + 1;
            g++;
            next[g] = g < room->n_guests && room->guests[g].service == room->guests[g - 1].service ? m : 0;
        } else if (g == 0) {
            return TASKFIT_NOT_THERE;
        } else {
            g--;
            leave(room, g);
        }
    }
    return TASKFIT_FOUND;
}

static void list_guests(taskfit_judged_room *room, const int64_t *extra) {
    room->n_guests = 0;
    for (size_t s = 0; s < room->judge->deployment->n_services; s++) {
        for (int64_t i = 0; i < extra[s]; i++) {
            TASKFIT_GROW(room->judge->arena, room->guests, room->n_guests, room->guests_capacity);
            room->guests[room->n_guests++] = (guest){.service = s};
        }
    }
    room->next_guest = TASKFIT_ARRAY(room->judge->arena, room->n_guests, size_t);
}

/* A service whose tasks do not even fit alone, or SIZE_MAX. */
static size_t short_alone(const taskfit_judged_room *room, const int64_t *extra) {
    for (size_t s = 0; s < room->judge->deployment->n_services; s++) {
        if (extra[s] > 0 && taskfit_judged_room_alone(room, s, extra[s]) < extra[s]) {
            return s;
        }
    }
    return SIZE_MAX;
}

taskfit_found taskfit_judged_room_together(taskfit_judged_room *room, const int64_t *extra, size_t *short_out) {
    list_guests(room, extra);
    *short_out = SIZE_MAX;
    if (room->n_guests == 0) {
        return TASKFIT_FOUND;
    }
    for (int order = 0; order < N_ORDERS; order++) {
        put_in_order(room, order);
        if (fit_each(room, true) || fit_each(room, false)) {
            return TASKFIT_FOUND;
        }
    }
    *short_out = short_alone(room, extra);
    return *short_out != SIZE_MAX ? TASKFIT_NOT_THERE : search(room);
}

void taskfit_judge_undecided(taskfit_judge *judge, const char *what, const char *rule) {
    if (!judge->undecided_told) {
        taskfit_judge_tell(judge, "%s: not decided within the work limit whether all tasks find room (rule: %s, undecided)",
                           what, rule);
    }
}
