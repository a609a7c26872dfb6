#include "import/placement.h"

#include <assert.h>
#include <string.h>

#include "base/sha256.h"
#include "base/units.h"
#include "problem/plan.h"
#include "problem/verify.h"

/* ---- the deployment ---- */

/* A taskfit_diag_fn. */
static void add_defect(void *arg, const char *text) {
    taskfit_import_note(arg, TASKFIT_IMPORT_DEFECT, (taskfit_position){.file = NULL}, NULL,
                        "the deployment makes no plan: %s", text);
}

/* The policy under which what runs is a plan: what Amazon ECS enforces and no more. */
static taskfit_node *packing_policy(taskfit_arena *arena) {
    taskfit_node *policy = taskfit_node_map(arena);
    taskfit_node_set(arena, policy, "spread", taskfit_node_string(arena, "preferred"));
    taskfit_node_set(arena, policy, "rollingDeployment", taskfit_node_string(arena, "none"));
    taskfit_node *goals = taskfit_node_list(arena);
    taskfit_node_append(arena, goals, taskfit_node_string(arena, "count"));
    taskfit_node_append(arena, goals, taskfit_node_string(arena, "cost"));
    taskfit_node_set(arena, policy, "objective", goals);
    return policy;
}

static taskfit_deployment *parse_deployment(taskfit_importer *importer, const taskfit_node *root) {
    taskfit_node *copy = taskfit_node_copy(importer->arena, root);
    taskfit_node_set(importer->arena, copy, "policy", packing_policy(importer->arena));
    TASKFIT_STRBUF(text);
    taskfit_node_write_yaml(copy, &text);
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    options.catalogue = importer->options->catalogue;
    options.diag = add_defect;
    options.diag_arg = importer;
    taskfit_deployment *deployment = NULL;
    taskfit_error err = {.status = TASKFIT_OK};
    const char *name = importer->options->name ? importer->options->name : "deployment";
    if (taskfit_deployment_parse(name, text.data, text.len, &options, &deployment, &err) != TASKFIT_OK) {
        return NULL;
    }
    return deployment;
}

/* ---- the fleet ---- */

struct named_service {
    const char *name;
    size_t index;
};

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct named_service *)a)->name, ((const struct named_service *)b)->name);
}

static struct named_service *sorted_services(taskfit_arena *arena, const taskfit_deployment *deployment) {
    struct named_service *sorted = TASKFIT_ARRAY(arena, deployment->n_services, struct named_service);
    for (size_t i = 0; i < deployment->n_services; i++) {
        sorted[i] = (struct named_service){deployment->services[i].name, i};
    }
    if (deployment->n_services > 1) {
        qsort(sorted, deployment->n_services, sizeof *sorted, by_name);
    }
    return sorted;
}

/* False where the deployment has no such instance: --type, or what it was imported into, says another. */
static bool locate(const taskfit_deployment *deployment, const taskfit_placed_instance *instance, taskfit_machine *machine_out) {
    taskfit_machine machine = {.group = 0};
    while (machine.group < deployment->n_groups && strcmp(deployment->groups[machine.group].name, instance->group) != 0) {
        machine.group++;
    }
    if (machine.group == deployment->n_groups) {
        return false;
    }
    const taskfit_instance_group *group = &deployment->groups[machine.group];
    while (machine.type < group->n_types && strcmp(group->types[machine.type].type.name, instance->type) != 0) {
        machine.type++;
    }
    while (machine.az < deployment->n_azs && strcmp(deployment->azs[machine.az], instance->az) != 0) {
        machine.az++;
    }
    *machine_out = machine;
    return machine.type < group->n_types && machine.az < deployment->n_azs;
}

/* Services of an instance's tasks, by instance, then service. */
struct stand {
    size_t instance, service;
};

static int compare_stands(const void *a, const void *b) {
    const struct stand *left = a;
    const struct stand *right = b;
    if (left->instance != right->instance) {
        return left->instance < right->instance ? -1 : 1;
    }
    return left->service < right->service ? -1 : left->service > right->service;
}

/* Tasks of daemons are not listed in plans, those of unknown services cannot be. */
static struct stand *stands_of(taskfit_importer *importer, const taskfit_deployment *deployment, taskfit_arena *arena, size_t *n_out) {
    const taskfit_placement *placement = importer->placement;
    struct stand *stands = TASKFIT_ARRAY(arena, placement->n_tasks, struct stand);
    const struct named_service *sorted = sorted_services(arena, deployment);
    size_t n = 0;
    for (size_t i = 0; i < placement->n_tasks; i++) {
        const struct named_service key = {.name = placement->tasks[i].service};
        const struct named_service *found =
            deployment->n_services > 0 ? bsearch(&key, sorted, deployment->n_services, sizeof key, by_name) : NULL;
        if (found) {
            stands[n++] = (struct stand){placement->tasks[i].instance, found->index};
        }
    }
    if (n > 1) {
        qsort(stands, n, sizeof *stands, compare_stands);
    }
    *n_out = n;
    return stands;
}

/* The tasks of one instance: the stands from *next on. */
static void fill(taskfit_machine *machine, size_t instance, const struct stand *stands, size_t n_stands, size_t *next,
                 taskfit_arena *arena) {
    const size_t first = *next;
    while (*next < n_stands && stands[*next].instance == instance) {
        (*next)++;
    }
    machine->tasks = TASKFIT_ARRAY(arena, *next - first, taskfit_machine_task);
    for (size_t stand = first; stand < *next; stand++) {
        if (machine->n_tasks > 0 && machine->tasks[machine->n_tasks - 1].service == stands[stand].service) {
            machine->tasks[machine->n_tasks - 1].count++;
        } else {
            machine->tasks[machine->n_tasks++] = (taskfit_machine_task){stands[stand].service, 1};
        }
    }
}

/* NULL with a defect. */
static taskfit_fleet *fleet_of(taskfit_importer *importer, const taskfit_deployment *deployment, taskfit_arena *arena) {
    const taskfit_placement *placement = importer->placement;
    taskfit_fleet *fleet = TASKFIT_NEW(arena, taskfit_fleet);
    fleet->n_machines = placement->n_instances;
    fleet->machines = TASKFIT_ARRAY(arena, fleet->n_machines, taskfit_machine);
    size_t n_stands = 0;
    const struct stand *stands = stands_of(importer, deployment, arena, &n_stands);
    size_t next = 0;
    for (size_t i = 0; i < fleet->n_machines; i++) {
        const taskfit_placed_instance *instance = &placement->instances[i];
        if (!locate(deployment, instance, &fleet->machines[i])) {
            taskfit_import_note(importer, TASKFIT_IMPORT_DEFECT, (taskfit_position){.file = NULL}, NULL,
                                "an instance of group '%s' is a %s in %s, which the deployment does not have there", instance->group,
                                instance->type, instance->az);
            return NULL;
        }
        fill(&fleet->machines[i], i, stands, n_stands, &next, arena);
    }
    taskfit_fleet_canonicalize(fleet);
    return fleet;
}

/* ---- the plan ---- */

static const taskfit_plan_goal *goals_of(const taskfit_plan *plan) {
    const taskfit_policy *policy = &plan->deployment->policy;
    taskfit_plan_goal *goals = TASKFIT_ARRAY(plan->arena, policy->n_objective, taskfit_plan_goal);
    TASKFIT_STRBUF(cost);
    taskfit_add_usd_per_hour(&cost, plan->cost_usd_micros);
    for (size_t i = 0; i < policy->n_objective; i++) {
        const taskfit_goal goal = policy->objective[i];
        assert(goal == TASKFIT_GOAL_COUNT || goal == TASKFIT_GOAL_COST); /* of the packing policy */
        goals[i] = (taskfit_plan_goal){.goal = taskfit_goal_name(goal), .proof = TASKFIT_PROOF_NONE};
        goals[i].value = goal == TASKFIT_GOAL_COUNT ? taskfit_arena_printf(plan->arena, "%lld", (long long)plan->instances)
                                                    : taskfit_arena_strdup(plan->arena, cost.data);
    }
    return goals;
}

/* A taskfit_diag_fn. */
static void doubt(void *arg, const char *text) {
    taskfit_import_note(arg, TASKFIT_IMPORT_DOUBTFUL, (taskfit_position){.file = NULL}, NULL, "the placement of today: %s", text);
}

static void put_answer(taskfit_plan *plan, const taskfit_placement *placement) {
    plan->outcome = TASKFIT_FEASIBLE;
    plan->rung = TASKFIT_RUNG_PACKING;
    plan->instances = (int64_t)plan->fleet->n_machines;
    plan->lower_bound = placement->n_tasks > 0 ? 1 : 0; /* nobody has looked for a better one */
    plan->cost_bound_usd_micros = -1;
    for (size_t i = 0; i < plan->fleet->n_machines; i++) {
        const taskfit_machine *machine = &plan->fleet->machines[i];
        plan->cost_usd_micros += plan->deployment->groups[machine->group].types[machine->type].price_usd_micros;
    }
    plan->goals = goals_of(plan);
    plan->n_goals = plan->deployment->policy.n_objective;
    taskfit_plan_rung *rung = TASKFIT_NEW(plan->arena, taskfit_plan_rung);
    *rung = (taskfit_plan_rung){.rung = plan->rung,
                                .instances = plan->instances,
                                .lower_bound = plan->lower_bound,
                                .proof = TASKFIT_PROOF_NONE,
                                .cost_usd_micros = plan->cost_usd_micros};
    plan->ladder = rung;
    plan->n_ladder = 1;
}

taskfit_plan *taskfit_placement_plan(taskfit_importer *importer, const taskfit_node *root) {
    taskfit_deployment *deployment = parse_deployment(importer, root);
    if (!deployment) {
        return NULL;
    }
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_plan *plan = TASKFIT_NEW(arena, taskfit_plan);
    *plan = (taskfit_plan){.arena = arena, .deployment = deployment, .owned_deployment = deployment};
    plan->fleet = fleet_of(importer, deployment, arena);
    if (!plan->fleet) {
        taskfit_plan_free(plan);
        return NULL;
    }
    put_answer(plan, importer->placement);
    (void)taskfit_verify(taskfit_plan_tree(plan, importer->arena), deployment, doubt, importer);
    return plan;
}

void taskfit_placement_write(taskfit_plan *plan, const taskfit_strbuf *deployment, taskfit_strbuf *out) {
    taskfit_sha256_hex(deployment->data, deployment->len, plan->owned_deployment->sha256);
    taskfit_arena *scratch = taskfit_arena_new();
    taskfit_node_write_json(taskfit_plan_tree(plan, scratch), out);
    taskfit_arena_free(scratch);
}
