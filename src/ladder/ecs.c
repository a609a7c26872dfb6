#include "ladder/ecs.h"

#include <assert.h>
#include <string.h>

#include "simulate/cluster.h"
#include "simulate/launch.h"
#include "simulate/orders.h"

/*
 * A fleet that fails is left at the first order that fails: then it is known to be too small. Only the one below the
 * figure is run through once more, for its share.
 */

enum { N_ORDERS = 1000, MAX_STEPS = 200000000 /* tasks x instances looked at: some seconds */ };

typedef struct figure {
    taskfit_plan *plan;
    const taskfit_settings *settings;
    taskfit_arena *arena; /* of one fleet */
    size_t n_services;
    size_t *type;         /* [n_groups] that the group grows by; SIZE_MAX: the plan has none of it */
    int64_t *n_in_group;  /* [n_groups] of what was added; the plan's own machines stay as they are */
    bool single;          /* one group, one type */
    int64_t n_tasks;
    int64_t steps_left;
    int64_t *left_over;   /* [n_services] of the order that failed */
} figure;

typedef struct trial {
    int64_t n_placed_all, n_spread_lost, n_orders;
    bool over; /* no more work, or stopped */
} trial;

static size_t n_base(const figure *f) {
    return f->single ? 0 : f->plan->fleet->n_machines;
}

/* The plan's machines, empty, and those that were added, group by group, balanced over its AZs. */
static const taskfit_fleet *make_fleet(const figure *f) {
    const taskfit_deployment *deployment = f->plan->deployment;
    size_t n = n_base(f);
    for (size_t g = 0; g < deployment->n_groups; g++) {
        n += (size_t)f->n_in_group[g];
    }
    taskfit_fleet *fleet = TASKFIT_NEW(f->arena, taskfit_fleet);
    fleet->machines = TASKFIT_ARRAY(f->arena, n, taskfit_machine);
    int64_t *in_az = TASKFIT_ARRAY(f->arena, deployment->n_azs, int64_t);
    for (size_t g = 0; g < deployment->n_groups; g++) {
        const taskfit_instance_group *group = &deployment->groups[g];
        memset(in_az, 0, deployment->n_azs * sizeof *in_az);
        for (size_t m = 0; m < n_base(f); m++) {
            const taskfit_machine *machine = &f->plan->fleet->machines[m];
            if (machine->group == g) {
                in_az[machine->az]++;
                fleet->machines[fleet->n_machines++] =
                    (taskfit_machine){.group = g, .type = machine->type, .az = machine->az};
            }
        }
        for (int64_t i = 0; i < f->n_in_group[g]; i++) {
            size_t az = group->azs[0];
            for (size_t k = 1; k < group->n_azs; k++) {
                az = in_az[group->azs[k]] < in_az[az] ? group->azs[k] : az;
            }
            in_az[az]++;
            fleet->machines[fleet->n_machines++] = (taskfit_machine){.group = g, .type = f->type[g], .az = az};
        }
    }
    assert(fleet->n_machines == n);
    return fleet;
}

/* Launches until one fails, or all. */
static trial run(figure *f, bool all) {
    taskfit_arena_reset(f->arena);
    trial t = {0};
    const taskfit_fleet *fleet = make_fleet(f);
    const int64_t steps = f->n_tasks * (int64_t)fleet->n_machines + (int64_t)(f->n_services * fleet->n_machines);
    if (steps > f->steps_left / N_ORDERS) {
        t.over = true;
        return t;
    }
    taskfit_cluster *cluster = taskfit_cluster_new(f->arena, f->plan->deployment, fleet);
    taskfit_launcher *launcher = taskfit_launcher_new(f->arena, cluster);
    size_t *order = TASKFIT_ARRAY(f->arena, f->n_services, size_t);
    for (int64_t k = 0; k < N_ORDERS && (all || t.n_placed_all == k); k++) {
        f->steps_left -= steps;
        t.over = f->settings->stop != NULL && f->settings->stop(f->settings->stop_arg);
        if (t.over) {
            break;
        }
        taskfit_rand order_dice = taskfit_order_dice(f->settings->seed + (uint64_t)k);
        taskfit_rand ties_dice = taskfit_ties_dice(f->settings->seed + (uint64_t)k);
        taskfit_launch_order(launcher, TASKFIT_ORDER_RANDOM, &order_dice, order);
        const taskfit_launch launch = taskfit_launch_run(launcher, order, TASKFIT_TIES_RANDOM, &ties_dice);
        t.n_orders++;
        t.n_placed_all += launch.n_left == 0 ? 1 : 0;
        t.n_spread_lost += launch.n_spread_lost > 0 ? 1 : 0;
        if (launch.n_left > 0 && !all) {
            memcpy(f->left_over, launch.left, f->n_services * sizeof *f->left_over);
        }
    }
    return t;
}

/* Whether the group may have one instance more of its type. */
static bool may_grow(const figure *f, size_t g) {
    const taskfit_instance_group *group = &f->plan->deployment->groups[g];
    int64_t n = f->n_in_group[g];
    int64_t of_type = f->n_in_group[g];
    for (size_t m = 0; m < n_base(f); m++) {
        const taskfit_machine *machine = &f->plan->fleet->machines[m];
        n += machine->group == g ? 1 : 0;
        of_type += machine->group == g && machine->type == f->type[g] ? 1 : 0;
    }
    return f->type[g] != SIZE_MAX && n < group->max_instances &&
           (group->types[f->type[g]].stock < 0 || of_type < group->types[f->type[g]].stock);
}

static int64_t left_over_in(const figure *f, size_t g) {
    const taskfit_deployment *deployment = f->plan->deployment;
    int64_t n = 0;
    for (size_t s = 0; s < f->n_services; s++) {
        bool permitted = false;
        for (size_t k = 0; k < deployment->groups[g].n_azs && f->left_over[s] > 0 && !permitted; k++) {
            permitted = taskfit_service_permitted(deployment, &deployment->services[s], g, f->type[g],
                                                  deployment->groups[g].azs[k]);
        }
        n += permitted ? f->left_over[s] : 0;
    }
    return n;
}

/* The group that grows next; SIZE_MAX: none may. */
static size_t next_group(const figure *f) {
    size_t next = SIZE_MAX;
    int64_t most = 0;
    for (size_t g = 0; g < f->plan->deployment->n_groups; g++) {
        const int64_t n = may_grow(f, g) ? left_over_in(f, g) : 0;
        if (n > most) {
            most = n;
            next = g;
        }
    }
    return next;
}

/* A group grows by the type that the plan has most of; one that the plan does without, by its first. */
static void choose_types(figure *f, taskfit_arena *arena) {
    const taskfit_deployment *deployment = f->plan->deployment;
    f->type = TASKFIT_ARRAY(arena, deployment->n_groups, size_t);
    for (size_t g = 0; g < deployment->n_groups; g++) {
        int64_t *n = TASKFIT_ARRAY(arena, deployment->groups[g].n_types, int64_t);
        for (size_t m = 0; m < f->plan->fleet->n_machines; m++) {
            const taskfit_machine *machine = &f->plan->fleet->machines[m];
            if (machine->group == g) { /* another group's type is an index into another list */
                n[machine->type]++;
            }
        }
        for (size_t t = 1; t < deployment->groups[g].n_types; t++) {
            f->type[g] = n[t] > n[f->type[g]] ? t : f->type[g];
        }
    }
}

static bool climb(figure *f) {
    taskfit_plan_ecs *ecs = &f->plan->ecs;
    size_t grown = SIZE_MAX;
    for (;;) {
        const trial t = run(f, false);
        if (t.over) {
            return false;
        }
        if (t.n_placed_all == N_ORDERS) {
            *ecs = (taskfit_plan_ecs){.instances = (int64_t)n_base(f),
                                      .orders = N_ORDERS,
                                      .seed = (int64_t)f->settings->seed,
                                      .below_permille = f->single ? 0 : -1,
                                      .spread_lost_permille = t.n_spread_lost * 1000 / N_ORDERS};
            for (size_t g = 0; g < f->plan->deployment->n_groups; g++) {
                ecs->instances += f->n_in_group[g];
            }
            break;
        }
        grown = next_group(f);
        if (grown == SIZE_MAX) {
            return true; /* max or stock */
        }
        f->n_in_group[grown]++;
    }
    if (grown != SIZE_MAX) {
        f->n_in_group[grown]--;
        const trial below = run(f, true);
        ecs->below_permille = below.over ? -1 : below.n_placed_all * 1000 / N_ORDERS;
    }
    return true;
}

bool taskfit_ecs_figure(taskfit_plan *plan, int64_t packing_bound, const taskfit_settings *settings) {
    const taskfit_deployment *deployment = plan->deployment;
    taskfit_arena *arena = taskfit_arena_new();
    figure f = {.plan = plan,
                .settings = settings,
                .arena = taskfit_arena_new(),
                .n_services = deployment->n_services,
                .n_in_group = TASKFIT_ARRAY(arena, deployment->n_groups, int64_t),
                .single = deployment->n_groups == 1 && deployment->groups[0].n_types == 1,
                .steps_left = MAX_STEPS,
                .left_over = TASKFIT_ARRAY(arena, deployment->n_services, int64_t)};
    for (size_t s = 0; s < deployment->n_services; s++) {
        f.n_tasks += deployment->services[s].desired_count;
    }
    choose_types(&f, arena);
    f.n_in_group[0] = f.single ? packing_bound : 0;
    const bool found = climb(&f);
    taskfit_arena_free(f.arena);
    taskfit_arena_free(arena);
    return found;
}
