#include "whatif/cut.h"

#include <assert.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

enum { PERMILLE = 1000, SOFT_LIMIT_MIN_MIB = 4 /* the API refuses less */ };

int64_t taskfit_soft_limit(const taskfit_container *container) {
    return container->memory_reservation_mib >= 0 ? container->memory_reservation_mib : container->memory_mib;
}

/* Short form: the main container, then the sidecar. */
static const taskfit_container *sidecar_of(const taskfit_service *service) {
    return !service->long_form && service->n_containers > 1 ? &service->containers[1] : NULL;
}

static int64_t scaled(int64_t figure, int64_t permille) {
    return (figure * permille + PERMILLE - 1) / PERMILLE;
}

/* ---- which levers there are ---- */

typedef struct ranked {
    int64_t memory_mib; /* of all tasks, main containers only */
    size_t service;
} ranked;

static int largest_first(const void *left, const void *right) {
    const ranked *a = left;
    const ranked *b = right;
    if (a->memory_mib != b->memory_mib) {
        return a->memory_mib > b->memory_mib ? -1 : 1;
    }
    return (a->service > b->service) - (a->service < b->service);
}

static void add_sidecars(const taskfit_deployment *deployment, taskfit_cut *cuts, size_t *n) {
    int64_t highest = 0;
    for (size_t s = 0; s < deployment->n_services; s++) {
        const taskfit_container *sidecar = sidecar_of(&deployment->services[s]);
        const int64_t soft = sidecar ? taskfit_soft_limit(sidecar) : 0;
        highest = soft > highest ? soft : highest;
    }
    if (highest > SOFT_LIMIT_MIN_MIB) {
        cuts[(*n)++] = (taskfit_cut){.kind = TASKFIT_CUT_SIDECARS, .low = SOFT_LIMIT_MIN_MIB, .high = highest};
    }
}

static void add_largest(const taskfit_deployment *deployment, taskfit_arena *arena, taskfit_cut *cuts, size_t *n) {
    ranked *ranks = TASKFIT_ARRAY(arena, deployment->n_services, ranked);
    for (size_t s = 0; s < deployment->n_services; s++) {
        const taskfit_service *service = &deployment->services[s];
        ranks[s] = (ranked){taskfit_soft_limit(&service->containers[0]) * service->desired_count, s};
    }
    qsort(ranks, deployment->n_services, sizeof *ranks, largest_first);
    for (size_t k = 1; k <= TASKFIT_CUT_LARGEST_MAX && k < deployment->n_services; k++) {
        bool *chosen = TASKFIT_ARRAY(arena, deployment->n_services, bool);
        for (size_t i = 0; i < k; i++) {
            chosen[ranks[i].service] = true;
        }
        cuts[(*n)++] = (taskfit_cut){.kind = TASKFIT_CUT_MODULES, .low = 1, .high = PERMILLE, .chosen = chosen, .n_chosen = k};
    }
}

static bool reserves_cpu(const taskfit_deployment *deployment) {
    for (size_t s = 0; s < deployment->n_services; s++) {
        for (size_t c = 0; c < deployment->services[s].n_containers; c++) {
            if (deployment->services[s].containers[c].cpu_units > 0) {
                return true;
            }
        }
    }
    return false;
}

static bool rule_holds(const taskfit_policy *policy, taskfit_cut_rule rule) {
    switch (rule) {
    case TASKFIT_RULE_SPREAD: return policy->spread == TASKFIT_SPREAD_REQUIRED;
    case TASKFIT_RULE_ROLLING: return policy->rolling != TASKFIT_ROLLING_NONE;
    case TASKFIT_RULE_SURVIVE: return policy->survive != TASKFIT_SURVIVE_NONE;
    case TASKFIT_RULE_HEADROOM: return policy->headroom_memory_percent > 0 || policy->headroom_cpu_percent > 0;
    case TASKFIT_RULE_HARD: return policy->max_hard_memory_percent >= 0;
    case TASKFIT_RULE_EXPECTED_CPU: return policy->max_expected_cpu_percent >= 0;
    case TASKFIT_RULE_EXPECTED_MEMORY: return policy->max_expected_memory_percent >= 0;
    case TASKFIT_RULE_ANTI_AFFINITY: return policy->n_anti_affinity > 0;
    case TASKFIT_RULE_COUNT: break;
    }
    return false;
}

static void add_counts(const taskfit_deployment *deployment, const char *const *globs, size_t n_globs, taskfit_arena *arena,
                       taskfit_cut *cuts, size_t *n) {
    bool *chosen = TASKFIT_ARRAY(arena, deployment->n_services, bool);
    TASKFIT_STRBUF(text);
    int64_t highest = 0;
    size_t n_chosen = 0;
    for (size_t s = 0; s < deployment->n_services; s++) {
        for (size_t g = 0; g < n_globs; g++) {
            chosen[s] = chosen[s] || fnmatch(globs[g], deployment->services[s].name, 0) == 0;
        }
        if (chosen[s]) {
            n_chosen++;
            highest = deployment->services[s].desired_count > highest ? deployment->services[s].desired_count : highest;
        }
    }
    for (size_t g = 0; g < n_globs; g++) {
        taskfit_strbuf_printf(&text, "%s%s", g > 0 ? "," : "", globs[g]);
    }
    if (highest > 0) {
        cuts[(*n)++] = (taskfit_cut){.kind = TASKFIT_CUT_COUNTS,
                                     .low = 0,
                                     .high = highest,
                                     .chosen = chosen,
                                     .n_chosen = n_chosen,
                                     .text = taskfit_arena_strdup(arena, text.data)};
    }
}

size_t taskfit_cuts_of(const taskfit_deployment *deployment, const char *const *globs, size_t n_globs, taskfit_arena *arena,
                       taskfit_cut *cuts) {
    size_t n = 0;
    add_sidecars(deployment, cuts, &n);
    if (deployment->n_services > 0) {
        cuts[n++] = (taskfit_cut){.kind = TASKFIT_CUT_MODULES, .low = 1, .high = PERMILLE};
    }
    add_largest(deployment, arena, cuts, &n);
    if (reserves_cpu(deployment)) {
        cuts[n++] = (taskfit_cut){.kind = TASKFIT_CUT_CPU, .low = 0, .high = PERMILLE};
    }
    for (int rule = 0; rule < TASKFIT_RULE_COUNT; rule++) {
        if (rule_holds(&deployment->policy, (taskfit_cut_rule)rule)) {
            cuts[n++] = (taskfit_cut){.kind = TASKFIT_CUT_RULE, .low = 0, .high = 1, .rule = (taskfit_cut_rule)rule};
        }
    }
    add_counts(deployment, globs, n_globs, arena, cuts, &n);
    assert(n <= TASKFIT_CUTS_MAX);
    return n;
}

/* ---- what they do ---- */

taskfit_draft taskfit_draft_of(const taskfit_deployment *deployment, taskfit_arena *arena) {
    taskfit_draft draft = {.deployment = TASKFIT_NEW(arena, taskfit_deployment),
                           .services = TASKFIT_ARRAY(arena, deployment->n_services, taskfit_service),
                           .containers = TASKFIT_ARRAY(arena, deployment->n_services, taskfit_container *)};
    *draft.deployment = *deployment;
    draft.deployment->services = draft.services;
    for (size_t s = 0; s < deployment->n_services; s++) {
        const taskfit_service *service = &deployment->services[s];
        draft.services[s] = *service;
        draft.containers[s] = TASKFIT_ARRAY(arena, service->n_containers, taskfit_container);
        memcpy(draft.containers[s], service->containers, service->n_containers * sizeof *service->containers);
        draft.services[s].containers = draft.containers[s];
    }
    return draft;
}

static void cap_soft_limit(taskfit_container *container, int64_t most_mib) {
    const int64_t floor_mib = most_mib > SOFT_LIMIT_MIN_MIB ? most_mib : SOFT_LIMIT_MIN_MIB;
    if (taskfit_soft_limit(container) > floor_mib) {
        container->memory_reservation_mib = floor_mib;
    }
}

static void cut_service(const taskfit_cut *cut, int64_t value, taskfit_service *service, taskfit_container *containers) {
    switch (cut->kind) {
    case TASKFIT_CUT_SIDECARS:
        if (sidecar_of(service)) {
            cap_soft_limit(&containers[1], value);
        }
        break;
    case TASKFIT_CUT_MODULES:
        cap_soft_limit(&containers[0], scaled(taskfit_soft_limit(&containers[0]), value));
        break;
    case TASKFIT_CUT_CPU:
        for (size_t c = 0; c < service->n_containers; c++) {
            containers[c].cpu_units = scaled(containers[c].cpu_units, value);
        }
        service->task_cpu_units = service->task_cpu_units > 0 ? scaled(service->task_cpu_units, value) : service->task_cpu_units;
        break;
    case TASKFIT_CUT_COUNTS:
        service->desired_count = service->desired_count < value ? service->desired_count : value;
        break;
    case TASKFIT_CUT_RULE: break;
    }
}

static void give_up(taskfit_policy *policy, taskfit_cut_rule rule) {
    switch (rule) {
    case TASKFIT_RULE_SPREAD: policy->spread = TASKFIT_SPREAD_PREFERRED; break;
    case TASKFIT_RULE_ROLLING: policy->rolling = TASKFIT_ROLLING_NONE; break;
    case TASKFIT_RULE_SURVIVE: policy->survive = TASKFIT_SURVIVE_NONE; break;
    case TASKFIT_RULE_HEADROOM: policy->headroom_memory_percent = policy->headroom_cpu_percent = 0; break;
    case TASKFIT_RULE_HARD: policy->max_hard_memory_percent = -1; break;
    case TASKFIT_RULE_EXPECTED_CPU: policy->max_expected_cpu_percent = -1; break;
    case TASKFIT_RULE_EXPECTED_MEMORY: policy->max_expected_memory_percent = -1; break;
    case TASKFIT_RULE_ANTI_AFFINITY: policy->n_anti_affinity = 0; break;
    case TASKFIT_RULE_COUNT: break;
    }
}

void taskfit_cut_apply(const taskfit_cut *cut, int64_t value, taskfit_draft *draft) {
    assert(value >= cut->low && value <= cut->high);
    if (value == cut->high) {
        return;
    }
    if (cut->kind == TASKFIT_CUT_RULE) {
        give_up(&draft->deployment->policy, cut->rule);
        return;
    }
    for (size_t s = 0; s < draft->deployment->n_services; s++) {
        if (!cut->chosen || cut->chosen[s]) {
            cut_service(cut, value, &draft->services[s], draft->containers[s]);
        }
    }
}

/* ---- words ---- */

static const struct {
    const char *path, *given_up;
} rules[TASKFIT_RULE_COUNT] = {
    [TASKFIT_RULE_SPREAD] = {"policy.spread", "preferred"},
    [TASKFIT_RULE_ROLLING] = {"policy.rollingDeployment", "none"},
    [TASKFIT_RULE_SURVIVE] = {"policy.surviveLoss", "none"},
    [TASKFIT_RULE_HEADROOM] = {"policy.headroom", "0 %"},
    [TASKFIT_RULE_HARD] = {"policy.maxHardMemoryPercent", "none"},
    [TASKFIT_RULE_EXPECTED_CPU] = {"policy.maxExpectedCpuPercent", "none"},
    [TASKFIT_RULE_EXPECTED_MEMORY] = {"policy.maxExpectedMemoryPercent", "none"},
    [TASKFIT_RULE_ANTI_AFFINITY] = {"policy.antiAffinity", "none"},
};

const char *taskfit_cut_name(const taskfit_cut *cut, taskfit_arena *arena) {
    switch (cut->kind) {
    case TASKFIT_CUT_SIDECARS: return "sidecar.memoryReservation";
    case TASKFIT_CUT_MODULES:
        return cut->n_chosen == 0   ? "memoryReservation of all modules"
               : cut->n_chosen == 1 ? "memoryReservation of the largest module"
                                    : taskfit_arena_printf(arena, "memoryReservation of the %zu largest modules", cut->n_chosen);
    case TASKFIT_CUT_CPU: return "cpu of all containers";
    case TASKFIT_CUT_RULE: return rules[cut->rule].path;
    case TASKFIT_CUT_COUNTS: return taskfit_arena_printf(arena, "desiredCount of %s", cut->text);
    }
    return "";
}

const char *taskfit_cut_change(const taskfit_cut *cut, int64_t value, taskfit_arena *arena) {
    switch (cut->kind) {
    case TASKFIT_CUT_SIDECARS: return taskfit_arena_printf(arena, "%" PRId64 " -> %" PRId64 " MiB", cut->high, value);
    case TASKFIT_CUT_MODULES:
    case TASKFIT_CUT_CPU: return taskfit_arena_printf(arena, "x %" PRId64 ".%03" PRId64, value / PERMILLE, value % PERMILLE);
    case TASKFIT_CUT_RULE: return taskfit_arena_printf(arena, "-> %s", rules[cut->rule].given_up);
    case TASKFIT_CUT_COUNTS: return taskfit_arena_printf(arena, "%" PRId64 " -> %" PRId64, cut->high, value);
    }
    return "";
}
