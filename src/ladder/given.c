#include "ladder/given.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "deployment/accounting.h"

typedef struct named {
    const char *name;
    size_t index;
} named;

static int by_name(const void *a, const void *b) {
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

/* Copies, as the given plan may go before the new one. */
static const char *const *ids_of(const taskfit_plan *plan, taskfit_arena *arena) {
    const char *const *theirs = taskfit_fleet_ids(plan->deployment, plan->fleet, arena);
    const char **ids = TASKFIT_ARRAY(arena, plan->fleet->n_machines, const char *);
    for (size_t m = 0; m < plan->fleet->n_machines; m++) {
        ids[m] = taskfit_arena_strdup(arena, theirs[m]);
    }
    return ids;
}

/* ---- may it be come from? ---- */

static taskfit_status check_ids(const taskfit_plan *plan, taskfit_arena *scratch, taskfit_error *err) {
    const size_t n = plan->fleet->n_machines;
    const char *const *ids = ids_of(plan, scratch);
    named *sorted = TASKFIT_ARRAY(scratch, n, named);
    for (size_t m = 0; m < n; m++) {
        sorted[m] = (named){ids[m], m};
        if (plan->stated && !plan->fleet->machines[m].id) {
            return taskfit_fail(err, TASKFIT_E_INPUT, "an instance of the given plan has no id");
        }
    }
    if (n > 0) {
        qsort(sorted, n, sizeof *sorted, by_name);
    }
    for (size_t m = 0; m < n; m++) {
        if (strcmp(sorted[m].name, TASKFIT_SPARE_ID) == 0) {
            return taskfit_fail(err, TASKFIT_E_INPUT, "an instance of the given plan is called '%s', which means another one in steps",
                                TASKFIT_SPARE_ID);
        }
        if (m > 0 && strcmp(sorted[m].name, sorted[m - 1].name) == 0) {
            return taskfit_fail(err, TASKFIT_E_INPUT, "two instances of the given plan are called '%s'", sorted[m].name);
        }
    }
    return TASKFIT_OK;
}

taskfit_status taskfit_given_check(const taskfit_plan *plan, taskfit_error *err) {
    taskfit_status status = TASKFIT_OK;
    if (plan->instances < 0 || plan->fleet == NULL) {
        status = taskfit_fail(err, TASKFIT_E_INPUT, "the given plan has no placement to come from (its outcome is '%s')",
                              taskfit_outcome_name(plan->outcome));
    } else if (plan->n_strangers > 0) {
        status = taskfit_fail(err, TASKFIT_E_INPUT,
                              "%lld of the given plan's instances and tasks %s not of its own deployment (taskfit verify tells which)",
                              (long long)plan->n_strangers, plan->n_strangers == 1 ? "is" : "are");
    } else {
        taskfit_arena *scratch = taskfit_arena_new();
        status = check_ids(plan, scratch, err);
        taskfit_arena_free(scratch);
    }
    if (status != TASKFIT_OK && plan->file) {
        taskfit_error_at(err, "%s", plan->file);
    }
    return status;
}

/* ---- instances ---- */

/* The offer of a problem group with this type in this AZ; SIZE_MAX: none. */
static size_t offer_in(const taskfit_problem *problem, size_t group, const char *type, const char *az) {
    const taskfit_deployment *deployment = problem->deployment;
    const taskfit_problem_group *of = &problem->groups[group];
    for (size_t t = 0; t < of->n_types; t++) {
        for (size_t k = 0; k < of->n_azs && strcmp(deployment->groups[group].types[t].type.name, type) == 0; k++) {
            if (strcmp(deployment->azs[of->azs[k]], az) == 0) {
                return of->first_offer + t * of->n_azs + k;
            }
        }
    }
    return SIZE_MAX;
}

static size_t offer_of(const taskfit_problem *problem, const taskfit_deployment *given, const taskfit_machine *machine) {
    const taskfit_instance_group *group = &given->groups[machine->group];
    const char *type = group->types[machine->type].type.name;
    const char *az = given->azs[machine->az];
    size_t anywhere = SIZE_MAX;
    for (size_t g = 0; g < problem->n_groups; g++) {
        const size_t offer = offer_in(problem, g, type, az);
        if (offer != SIZE_MAX && strcmp(problem->deployment->groups[g].name, group->name) == 0) {
            return offer;
        }
        anywhere = anywhere == SIZE_MAX ? offer : anywhere;
    }
    return anywhere;
}

/* ---- services ---- */

static const size_t *match_services(const taskfit_deployment *old, const taskfit_deployment *new, taskfit_arena *arena) {
    named *sorted = TASKFIT_ARRAY(arena, new->n_services, named);
    for (size_t s = 0; s < new->n_services; s++) {
        sorted[s] = (named){new->services[s].name, s};
    }
    if (new->n_services > 0) {
        qsort(sorted, new->n_services, sizeof *sorted, by_name);
    }
    size_t *new_service = TASKFIT_ARRAY(arena, old->n_services, size_t);
    for (size_t s = 0; s < old->n_services; s++) {
        const named key = {old->services[s].name, 0};
        const named *found = new->n_services > 0 ? bsearch(&key, sorted, new->n_services, sizeof key, by_name) : NULL;
        new_service[s] = found ? found->index : SIZE_MAX;
    }
    return new_service;
}

static const int64_t *count_placed(const taskfit_plan *plan, taskfit_arena *arena) {
    int64_t *n_placed = TASKFIT_ARRAY(arena, plan->deployment->n_services, int64_t);
    for (size_t m = 0; m < plan->fleet->n_machines; m++) {
        const taskfit_machine *machine = &plan->fleet->machines[m];
        for (size_t t = 0; t < machine->n_tasks; t++) {
            n_placed[machine->tasks[t].service] += machine->tasks[t].count;
        }
    }
    return n_placed;
}

static void count_tasks(taskfit_given *given, const taskfit_deployment *new) {
    const taskfit_deployment *old = given->plan->deployment;
    for (size_t s = 0; s < new->n_services; s++) {
        given->starts += new->services[s].desired_count;
    }
    for (size_t s = 0; s < old->n_services; s++) {
        const int64_t wanted = given->new_service[s] == SIZE_MAX ? 0 : new->services[given->new_service[s]].desired_count;
        const int64_t both = given->n_placed[s] < wanted ? given->n_placed[s] : wanted;
        given->of += both;
        given->starts -= both;
        given->stops += given->n_placed[s] - both;
    }
}

/* ---- the standing ---- */

static int by_service(const void *a, const void *b) {
    const size_t left = ((const taskfit_machine_task *)a)->service;
    const size_t right = ((const taskfit_machine_task *)b)->service;
    return (left > right) - (left < right);
}

/* problem_service: of each service of the new deployment, SIZE_MAX where no task of it is desired. */
static taskfit_standing_instance stand(const taskfit_given *given, const taskfit_machine *machine, size_t offer,
                                       const size_t *problem_service, taskfit_arena *arena) {
    taskfit_machine_task *tasks = TASKFIT_ARRAY(arena, machine->n_tasks, taskfit_machine_task);
    size_t n = 0;
    for (size_t t = 0; t < machine->n_tasks; t++) {
        const size_t new = given->new_service[machine->tasks[t].service];
        if (new != SIZE_MAX && problem_service[new] != SIZE_MAX) {
            tasks[n++] = (taskfit_machine_task){problem_service[new], machine->tasks[t].count};
        }
    }
    if (n > 0) {
        qsort(tasks, n, sizeof *tasks, by_service);
    }
    return (taskfit_standing_instance){.offer = offer, .tasks = tasks, .n_tasks = n};
}

const taskfit_given *taskfit_given_new(const taskfit_plan *plan, const taskfit_problem *problem, taskfit_arena *arena) {
    const taskfit_deployment *new = problem->deployment;
    const size_t n = plan->fleet->n_machines;
    taskfit_given *given = TASKFIT_NEW(arena, taskfit_given);
    taskfit_standing_instance *instances = TASKFIT_ARRAY(arena, n, taskfit_standing_instance);
    size_t *machine_of = TASKFIT_ARRAY(arena, n, size_t);
    size_t *problem_service = TASKFIT_ARRAY(arena, new->n_services, size_t);
    *given = (taskfit_given){.plan = plan, .ids = ids_of(plan, arena), .new_service = match_services(plan->deployment, new, arena)};
    given->n_placed = count_placed(plan, arena);
    count_tasks(given, new);
    for (size_t s = 0; s < new->n_services; s++) {
        problem_service[s] = SIZE_MAX;
    }
    for (size_t s = 0; s < problem->n_services; s++) {
        problem_service[problem->services[s].service] = s;
    }
    for (size_t m = 0; m < n; m++) {
        const size_t offer = offer_of(problem, plan->deployment, &plan->fleet->machines[m]);
        if (offer != SIZE_MAX) {
            machine_of[given->standing.n_instances] = m;
            instances[given->standing.n_instances++] = stand(given, &plan->fleet->machines[m], offer, problem_service, arena);
        }
    }
    given->standing.instances = instances;
    given->machine_of = machine_of;
    return given;
}

const char *taskfit_given_resized(const taskfit_given *given, const taskfit_deployment *deployment, taskfit_arena *arena) {
    enum { NAMES_MAX = 5 };
    const taskfit_deployment *old = given->plan->deployment;
    taskfit_arena *scratch = taskfit_arena_new();
    TASKFIT_STRBUF(names);
    size_t n_resized = 0;
    for (size_t s = 0; s < old->n_services; s++) {
        const size_t new = given->new_service[s];
        if (new == SIZE_MAX || given->n_placed[s] == 0 || deployment->services[new].desired_count == 0) {
            continue;
        }
        const taskfit_task_demand before = taskfit_task_demand_of(&old->services[s], scratch);
        const taskfit_task_demand after = taskfit_task_demand_of(&deployment->services[new], scratch);
        if (memcmp(before.amount, after.amount, (TASKFIT_RESOURCE_HARD_MEMORY + 1) * sizeof *before.amount) != 0) {
            if (n_resized++ < NAMES_MAX) {
                taskfit_strbuf_printf(&names, "%s%s", n_resized > 1 ? ", " : "", old->services[s].name);
            }
        }
    }
    if (n_resized > NAMES_MAX) {
        taskfit_strbuf_printf(&names, ", ... (%zu in all)", n_resized);
    }
    taskfit_arena_free(scratch);
    return n_resized > 0 ? taskfit_arena_strndup(arena, names.data, names.len) : NULL;
}
