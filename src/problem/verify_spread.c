/*
 * Spread as a rule. A service's spread strategies hold in their order, each inside every class that the ones
 * before it made: an AZ rule over the AZs where the service may stand, empty ones included; an instance rule
 * inside each AZ when an AZ rule precedes it, else over all instances where the service may stand. Behind an
 * instance rule a class is one instance, where nothing is left to spread.
 */

#include "problem/verify.h"

#include <assert.h>

typedef struct offer { /* a kind of instance */
    size_t group, type, az;
    const taskfit_instance_capacity *capacity;
    int64_t n_machines; /* of the fleet */
} offer;

typedef struct standing { /* tasks of one service on one machine */
    size_t machine;
    int64_t count;
} standing;

typedef struct spread {
    taskfit_judge *judge;
    offer *offers;
    size_t n_offers;
    const size_t *first_offer;  /* [n_groups] */
    standing *standings;        /* by service, then by machine */
    const size_t *first_standing; /* [n_services + 1] */
    bool *eligible;             /* [n_offers] of the service at hand */
} spread;

/* Kinds by group, type and AZ of the cluster; AZs outside the group have no machines and are never eligible. */
static void list_offers(spread *s) {
    taskfit_judge *judge = s->judge;
    const taskfit_deployment *deployment = judge->deployment;
    size_t *first = TASKFIT_ARRAY(judge->arena, deployment->n_groups, size_t);
    for (size_t group = 0; group < deployment->n_groups; group++) {
        first[group] = s->n_offers;
        s->n_offers += deployment->groups[group].n_types * deployment->n_azs;
    }
    s->first_offer = first;
    s->offers = TASKFIT_ARRAY(judge->arena, s->n_offers, offer);
    s->eligible = TASKFIT_ARRAY(judge->arena, s->n_offers, bool);
    for (size_t group = 0; group < deployment->n_groups; group++) {
        const taskfit_instance_group *instances = &deployment->groups[group];
        for (size_t type = 0; type < instances->n_types; type++) {
            for (size_t i = 0; i < instances->n_azs; i++) {
                size_t az = instances->azs[i];
                s->offers[first[group] + type * deployment->n_azs + az] =
                    (offer){group, type, az, taskfit_judge_capacity(judge, group, type, az), 0};
            }
        }
    }
}

static size_t offer_of(const spread *s, const taskfit_judged_machine *machine) {
    return s->first_offer[machine->group] + machine->type * s->judge->deployment->n_azs + machine->az;
}

/* The fleet's tasks regrouped by service. */
static void list_standings(spread *s) {
    taskfit_judge *judge = s->judge;
    size_t n_services = judge->deployment->n_services;
    size_t *first = TASKFIT_ARRAY(judge->arena, n_services + 2, size_t);
    for (size_t i = 0; i < judge->n_machines; i++) {
        for (size_t t = 0; t < judge->machines[i].n_tasks; t++) {
            first[judge->machines[i].tasks[t].service + 2]++;
        }
    }
    for (size_t service = 2; service < n_services + 2; service++) {
        first[service] += first[service - 1];
    }
    s->standings = TASKFIT_ARRAY(judge->arena, first[n_services + 1], standing);
    for (size_t i = 0; i < judge->n_machines; i++) {
        const taskfit_judged_machine *machine = &judge->machines[i];
        if (machine->located) {
            s->offers[offer_of(s, machine)].n_machines++;
        }
        for (size_t t = 0; t < machine->n_tasks; t++) {
            s->standings[first[machine->tasks[t].service + 1]++] = (standing){i, machine->tasks[t].count};
        }
    }
    s->first_standing = first;
}

static void find_eligible(spread *s, size_t service) {
    const taskfit_deployment *deployment = s->judge->deployment;
    for (size_t i = 0; i < s->n_offers; i++) {
        const offer *kind = &s->offers[i];
        s->eligible[i] = kind->capacity &&
                         taskfit_service_permitted(deployment, &deployment->services[service], kind->group, kind->type, kind->az) &&
                         !taskfit_judge_port_taken(kind->capacity, &s->judge->demands[service]);
    }
}

static bool az_is_eligible(const spread *s, size_t az) {
    for (size_t i = 0; i < s->n_offers; i++) {
        if (s->eligible[i] && s->offers[i].az == az) {
            return true;
        }
    }
    return false;
}

static const char *name_of(const spread *s, size_t service) {
    return s->judge->deployment->services[service].name;
}

static void judge_azs(spread *s, size_t service) {
    taskfit_judge *judge = s->judge;
    size_t n_azs = judge->deployment->n_azs;
    int64_t *n_tasks = TASKFIT_ARRAY(judge->arena, n_azs, int64_t);
    for (size_t i = s->first_standing[service]; i < s->first_standing[service + 1]; i++) {
        const taskfit_judged_machine *machine = &judge->machines[s->standings[i].machine];
        if (machine->located) {
            n_tasks[machine->az] += s->standings[i].count;
        }
    }
    size_t most = n_azs;
    size_t fewest = n_azs;
    for (size_t az = 0; az < n_azs; az++) {
        if (az_is_eligible(s, az)) {
            most = most == n_azs || n_tasks[az] > n_tasks[most] ? az : most;
            fewest = fewest == n_azs || n_tasks[az] < n_tasks[fewest] ? az : fewest;
        }
    }
    if (most < n_azs && n_tasks[most] - n_tasks[fewest] > 1) {
        taskfit_judge_tell(judge, "%s: %s tasks in %s, %s in %s (rule: spread over availability zones)", name_of(s, service),
                           taskfit_judge_number(judge, n_tasks[most]), judge->deployment->azs[most],
                           taskfit_judge_number(judge, n_tasks[fewest]), judge->deployment->azs[fewest]);
    }
}

static bool in_class(const spread *s, const taskfit_judged_machine *machine, size_t az) {
    return machine->located && s->eligible[offer_of(s, machine)] && (az == SIZE_MAX || machine->az == az);
}

/* An eligible machine of the class without a task of the service, or n_machines. Standings are by machine. */
static size_t find_empty(const spread *s, size_t service, size_t az) {
    size_t next = s->first_standing[service];
    for (size_t machine = 0; machine < s->judge->n_machines; machine++) {
        bool holds = next < s->first_standing[service + 1] && s->standings[next].machine == machine;
        next += holds;
        if (!holds && in_class(s, &s->judge->machines[machine], az)) {
            return machine;
        }
    }
    return s->judge->n_machines;
}

/* One class: the machines of an AZ, or all (az SIZE_MAX), where the service may stand. */
static void judge_instances(spread *s, size_t service, size_t az) {
    taskfit_judge *judge = s->judge;
    int64_t n_eligible = 0;
    for (size_t i = 0; i < s->n_offers; i++) {
        n_eligible += s->eligible[i] && (az == SIZE_MAX || s->offers[i].az == az) ? s->offers[i].n_machines : 0;
    }
    const standing *most = NULL;
    const standing *fewest = NULL;
    int64_t n_holding = 0;
    for (size_t i = s->first_standing[service]; i < s->first_standing[service + 1]; i++) {
        const standing *here = &s->standings[i];
        if (!in_class(s, &judge->machines[here->machine], az)) {
            continue;
        }
        n_holding++;
        most = !most || here->count > most->count ? here : most;
        fewest = !fewest || here->count < fewest->count ? here : fewest;
    }
    if (!most) {
        return;
    }
    standing empty = {0, 0};
    if (n_holding < n_eligible && most->count > 1) {
        empty.machine = find_empty(s, service, az);
        assert(empty.machine < judge->n_machines);
        fewest = &empty;
    }
    if (most->count - fewest->count > 1) {
        taskfit_judge_tell(judge, "%s: %s tasks on %s, %s on %s (rule: spread over instances)", name_of(s, service),
                           taskfit_judge_number(judge, most->count), judge->machines[most->machine].id,
                           taskfit_judge_number(judge, fewest->count), judge->machines[fewest->machine].id);
    }
}

static void judge_service(spread *s, size_t index) {
    const taskfit_service *service = &s->judge->deployment->services[index];
    find_eligible(s, index);
    bool by_az = false;
    for (size_t i = 0; i < service->n_strategies; i++) {
        if (service->strategies[i].type == TASKFIT_STRATEGY_SPREAD_AZ) {
            if (!by_az) {
                judge_azs(s, index);
            }
            by_az = true;
        } else if (service->strategies[i].type == TASKFIT_STRATEGY_SPREAD_INSTANCE) {
            if (!by_az) {
                judge_instances(s, index, SIZE_MAX);
            }
            for (size_t az = 0; by_az && az < s->judge->deployment->n_azs; az++) {
                judge_instances(s, index, az);
            }
            return;
        }
    }
}

void taskfit_judge_spread(taskfit_judge *judge) {
    spread s = {.judge = judge};
    list_offers(&s);
    list_standings(&s);
    for (size_t service = 0; service < judge->deployment->n_services; service++) {
        if (judge->deployment->services[service].desired_count > 0) {
            judge_service(&s, service);
        }
    }
}
