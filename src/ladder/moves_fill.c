/* plan->moves: who each instance was, who goes, and the order in which tasks move. */

#include <assert.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "deployment/accounting.h"
#include "ladder/move_order.h"
#include "ladder/moves.h"

typedef struct filler {
    taskfit_plan *plan;
    const taskfit_problem *problem;
    const taskfit_given *given;
    const char *const *ids;      /* of the plan's instances */
    const size_t *given_of;      /* [machines of the plan] machine of the given plan; SIZE_MAX: new */
    const size_t *problem_service; /* [services of the deployment] SIZE_MAX: no task is desired */
    size_t *leaving;             /* machines of the given plan that go */
    size_t n_leaving;
    taskfit_order_share *shares;
    size_t n_shares, shares_capacity;
    taskfit_plan_step *steps;
    size_t n_steps, steps_capacity;
    taskfit_arena *arena; /* of the plan */
} filler;

typedef struct seat { /* an instance of the plan */
    taskfit_machine machine;
    size_t given, index;
} seat;

/* In each place of the fleet those that stay go first, as the given plan has them. */
static int seat_compare(const void *left, const void *right) {
    const seat *a = left;
    const seat *b = right;
    const size_t keys[][2] = {{a->machine.group, b->machine.group}, {a->machine.az, b->machine.az}, {a->machine.type, b->machine.type},
                              {a->given, b->given}, {a->index, b->index}};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        if (keys[k][0] != keys[k][1]) {
            return keys[k][0] < keys[k][1] ? -1 : 1;
        }
    }
    return 0;
}

static void find_given(filler *f, const taskfit_rearranged *rearranged) {
    taskfit_fleet *fleet = f->plan->fleet;
    const size_t n_given = f->given->plan->fleet->n_machines;
    seat *seats = TASKFIT_ARRAY(f->arena, fleet->n_machines, seat);
    size_t *given_of = TASKFIT_ARRAY(f->arena, fleet->n_machines, size_t);
    bool *stays = TASKFIT_ARRAY(f->arena, n_given, bool);
    for (size_t m = 0; m < fleet->n_machines; m++) {
        const size_t standing = rearranged->standing[m];
        seats[m] = (seat){fleet->machines[m], standing == SIZE_MAX ? SIZE_MAX : f->given->machine_of[standing], m};
    }
    if (fleet->n_machines > 0) {
        qsort(seats, fleet->n_machines, sizeof *seats, seat_compare);
    }
    for (size_t m = 0; m < fleet->n_machines; m++) {
        fleet->machines[m] = seats[m].machine;
        given_of[m] = seats[m].given;
        if (given_of[m] != SIZE_MAX) {
            assert(!stays[given_of[m]]);
            stays[given_of[m]] = true;
        }
    }
    f->leaving = TASKFIT_ARRAY(f->arena, n_given, size_t);
    for (size_t m = 0; m < n_given; m++) {
        if (!stays[m]) {
            f->leaving[f->n_leaving++] = m;
        }
    }
    f->given_of = given_of;
}

/* Who stays keeps its id; nobody new gets one that the given plan has. */
static void name_machines(filler *f) {
    taskfit_fleet *fleet = f->plan->fleet;
    taskfit_fleet all = {.n_machines = fleet->n_machines + f->n_leaving};
    all.machines = TASKFIT_ARRAY(f->arena, all.n_machines, taskfit_machine);
    for (size_t m = 0; m < fleet->n_machines; m++) {
        fleet->machines[m].id = f->given_of[m] == SIZE_MAX ? NULL : f->given->ids[f->given_of[m]];
        all.machines[m] = fleet->machines[m];
    }
    for (size_t i = 0; i < f->n_leaving; i++) {
        all.machines[fleet->n_machines + i] = (taskfit_machine){.id = f->given->ids[f->leaving[i]]};
    }
    f->ids = taskfit_fleet_ids(f->plan->deployment, &all, f->arena);
    for (size_t m = 0; m < fleet->n_machines; m++) {
        fleet->machines[m].id = f->ids[m];
    }
}

static void find_services(filler *f) {
    const size_t n = f->plan->deployment->n_services;
    size_t *problem_service = TASKFIT_ARRAY(f->arena, n, size_t);
    for (size_t s = 0; s < n; s++) {
        problem_service[s] = SIZE_MAX;
    }
    for (size_t s = 0; s < f->problem->n_services; s++) {
        problem_service[f->problem->services[s].service] = s;
    }
    f->problem_service = problem_service;
}

static void add_step(filler *f, taskfit_step_action action, const char *service, const char *from, const char *to) {
    TASKFIT_GROW(f->arena, f->steps, f->n_steps, f->steps_capacity);
    f->steps[f->n_steps++] = (taskfit_plan_step){action, service, from, to};
}

static void add_share(filler *f, taskfit_order_share share) {
    TASKFIT_GROW(f->arena, f->shares, f->n_shares, f->shares_capacity);
    f->shares[f->n_shares++] = share;
}

/* What stood on an instance: shares of services that are still desired; the others just stop. */
static void add_given(filler *f, size_t given_machine, size_t place) {
    const taskfit_plan *given = f->given->plan;
    const taskfit_machine *machine = &given->fleet->machines[given_machine];
    for (size_t t = 0; t < machine->n_tasks; t++) {
        const taskfit_machine_task *task = &machine->tasks[t];
        const size_t new = f->given->new_service[task->service];
        const size_t service = new == SIZE_MAX ? SIZE_MAX : f->problem_service[new];
        if (service != SIZE_MAX) {
            add_share(f, (taskfit_order_share){.service = service, .place = place, .before = task->count});
        }
        const char *name = service == SIZE_MAX ? taskfit_arena_strdup(f->arena, given->deployment->services[task->service].name) : NULL;
        for (int64_t i = 0; i < task->count && name != NULL; i++) {
            add_step(f, TASKFIT_STEP_STOP, name, f->given->ids[given_machine], NULL);
        }
    }
}

static int share_compare(const void *left, const void *right) {
    const taskfit_order_share *a = left;
    const taskfit_order_share *b = right;
    if (a->service != b->service) {
        return a->service < b->service ? -1 : 1;
    }
    return (a->place > b->place) - (a->place < b->place);
}

static void collect_shares(filler *f) {
    const taskfit_fleet *fleet = f->plan->fleet;
    for (size_t m = 0; m < fleet->n_machines; m++) {
        const taskfit_machine *machine = &fleet->machines[m];
        for (size_t t = 0; t < machine->n_tasks; t++) {
            const taskfit_machine_task *task = &machine->tasks[t];
            add_share(f, (taskfit_order_share){.service = f->problem_service[task->service], .place = m, .after = task->count});
        }
        if (f->given_of[m] != SIZE_MAX) {
            add_given(f, f->given_of[m], m);
        }
    }
    for (size_t i = 0; i < f->n_leaving; i++) {
        add_given(f, f->leaving[i], fleet->n_machines + i);
    }
    if (f->n_shares > 0) {
        qsort(f->shares, f->n_shares, sizeof *f->shares, share_compare);
    }
    size_t n = 0;
    for (size_t i = 0; i < f->n_shares; i++) {
        if (n > 0 && share_compare(&f->shares[n - 1], &f->shares[i]) == 0) {
            f->shares[n - 1].before += f->shares[i].before;
            f->shares[n - 1].after += f->shares[i].after;
        } else {
            f->shares[n++] = f->shares[i];
        }
    }
    f->n_shares = n;
}

/* ---- the order, in words of the document ---- */

/* Who stays has one id in both plans. */
static const char *id_of(const filler *f, size_t place) {
    const size_t n = f->plan->fleet->n_machines;
    if (place == TASKFIT_PLACE_NONE || place == TASKFIT_PLACE_SPARE) {
        return place == TASKFIT_PLACE_NONE ? NULL : TASKFIT_SPARE_ID;
    }
    return place < n ? f->ids[place] : f->given->ids[f->leaving[place - n]];
}

static const char *why_none(const filler *f, const taskfit_order *order) {
    if (order->end == TASKFIT_ORDER_OVERFULL) {
        const char *id = f->given->ids[f->given_of[order->place]];
        TASKFIT_STRBUF(held);
        taskfit_add_grouped(&held, order->held);
        taskfit_strbuf_adds(&held, " of ");
        taskfit_add_grouped(&held, order->capacity);
        return taskfit_arena_printf(f->arena,
                                    "at the new sizes what stays or moves takes %s %s on '%s' of the given plan before anything "
                                    "moves (let these tasks keep their sizes until they have moved)",
                                    held.data,
                                    order->resource == TASKFIT_RESOURCE_MEMORY ? "MiB of memory"
                                    : order->resource == TASKFIT_RESOURCE_CPU  ? "CPU units"
                                                                               : taskfit_resource_name((taskfit_resource)order->resource),
                                    id);
    }
    return order->end == TASKFIT_ORDER_LARGE
               ? "too many tasks move to look for an order"
               : "no order was found in which every task fits at every step, not even with one spare instance";
}

static const taskfit_plan_spare *spare_of(const filler *f, const taskfit_order *order) {
    if (order->spare_offer == SIZE_MAX) {
        return NULL;
    }
    const taskfit_deployment *deployment = f->plan->deployment;
    const taskfit_offer *offer = &f->problem->offers[order->spare_offer];
    taskfit_plan_spare *spare = TASKFIT_NEW(f->arena, taskfit_plan_spare);
    *spare = (taskfit_plan_spare){.group = deployment->groups[offer->group].name,
                                  .type = deployment->groups[offer->group].types[offer->type].type.name,
                                  .az = deployment->azs[offer->az]};
    spare->message = taskfit_arena_printf(
        f->arena, "one more %s in %s while tasks move: no order %s every task straight to its place%s, so %zu task%s there meanwhile",
        spare->type, spare->az, order->waiting_proved ? "takes" : "was found that takes", order->waiting_proved ? " (proved)" : "",
        order->n_on_spare, order->n_on_spare == 1 ? " waits" : "s wait");
    return spare;
}

/* SIZE_MAX: the deployment has no such instances. */
static size_t offer_of_given(const filler *f, size_t given_machine) {
    const taskfit_standing *standing = &f->given->standing;
    size_t i = 0;
    while (i < standing->n_instances && f->given->machine_of[i] != given_machine) {
        i++;
    }
    return i < standing->n_instances ? standing->instances[i].offer : SIZE_MAX;
}

/* The instances that go and have tasks waiting on them, in the order of `removed`. */
static void list_waiting(filler *f, const taskfit_order *order, taskfit_plan_moves *moves) {
    const taskfit_deployment *deployment = f->plan->deployment;
    const size_t n = f->plan->fleet->n_machines;
    taskfit_plan_spare *waiting = TASKFIT_ARRAY(f->arena, f->n_leaving, taskfit_plan_spare);
    bool *used = TASKFIT_ARRAY(f->arena, f->n_leaving, bool);
    for (size_t i = 0; i < order->n_steps; i++) {
        const size_t to = order->steps[i].to;
        if (to != TASKFIT_PLACE_NONE && to != TASKFIT_PLACE_SPARE && to >= n) {
            used[to - n] = true;
        }
    }
    for (size_t i = 0; i < f->n_leaving; i++) {
        const size_t offer = used[i] ? offer_of_given(f, f->leaving[i]) : SIZE_MAX;
        if (offer != SIZE_MAX) {
            const taskfit_offer *of = &f->problem->offers[offer];
            waiting[moves->n_waiting++] = (taskfit_plan_spare){.id = f->given->ids[f->leaving[i]],
                                                               .group = deployment->groups[of->group].name,
                                                               .type = deployment->groups[of->group].types[of->type].type.name,
                                                               .az = deployment->azs[of->az]};
        }
    }
    moves->waiting = waiting;
}

static void order_moves(filler *f, taskfit_plan_moves *moves) {
    const taskfit_fleet *fleet = f->plan->fleet;
    size_t *offers = TASKFIT_ARRAY(f->arena, fleet->n_machines + f->n_leaving, size_t);
    for (size_t m = 0; m < fleet->n_machines; m++) {
        const taskfit_machine *machine = &fleet->machines[m];
        const taskfit_problem_group *group = &f->problem->groups[machine->group];
        size_t k = 0;
        while (group->azs[k] != machine->az) {
            k++;
        }
        offers[m] = group->first_offer + machine->type * group->n_azs + k;
    }
    for (size_t i = 0; i < f->n_leaving; i++) {
        offers[fleet->n_machines + i] = offer_of_given(f, f->leaving[i]);
    }
    taskfit_arena *scratch = taskfit_arena_new();
    const taskfit_order_query query = {.problem = f->problem,
                                       .offers = offers,
                                       .n_places = fleet->n_machines,
                                       .n_leaving = f->n_leaving,
                                       .shares = f->shares,
                                       .n_shares = f->n_shares};
    const taskfit_order order = taskfit_move_order(&query, scratch);
    if (order.end == TASKFIT_ORDER_FOUND) {
        for (size_t i = 0; i < order.n_steps; i++) {
            const taskfit_order_step *step = &order.steps[i];
            const size_t service = f->problem->services[step->service].service;
            add_step(f, step->action, f->plan->deployment->services[service].name, id_of(f, step->from), id_of(f, step->to));
        }
        moves->steps = f->steps;
        moves->n_steps = f->n_steps;
        moves->spare = spare_of(f, &order);
        list_waiting(f, &order, moves);
    } else {
        moves->no_order = why_none(f, &order);
    }
    taskfit_arena_free(scratch);
}

void taskfit_plan_fill_moves(taskfit_plan *plan, const taskfit_problem *problem, const taskfit_given *given,
                             const taskfit_rearranged *rearranged) {
    taskfit_arena *arena = plan->arena;
    filler f = {.plan = plan, .problem = problem, .given = given, .arena = arena};
    find_given(&f, rearranged);
    name_machines(&f);
    find_services(&f);
    collect_shares(&f);
    taskfit_plan_moves *moves = TASKFIT_NEW(arena, taskfit_plan_moves);
    const char **was = TASKFIT_ARRAY(arena, plan->fleet->n_machines, const char *);
    const char **removed = TASKFIT_ARRAY(arena, f.n_leaving, const char *);
    for (size_t m = 0; m < plan->fleet->n_machines; m++) {
        was[m] = f.given_of[m] == SIZE_MAX ? NULL : given->ids[f.given_of[m]];
    }
    for (size_t i = 0; i < f.n_leaving; i++) {
        removed[i] = given->ids[f.leaving[i]];
    }
    *moves = (taskfit_plan_moves){.file = given->plan->file ? taskfit_arena_strdup(arena, given->plan->file) : NULL,
                                  .sha256 = given->plan->sha256 ? taskfit_arena_strdup(arena, given->plan->sha256) : NULL,
                                  .n_given = (int64_t)given->plan->fleet->n_machines,
                                  .tasks = given->of - rearranged->kept,
                                  .of = given->of,
                                  .kept = rearranged->kept,
                                  .starts = given->starts,
                                  .stops = given->stops,
                                  .was = was,
                                  .removed = removed,
                                  .n_removed = f.n_leaving};
    order_moves(&f, moves);
    plan->moves = moves;
}
