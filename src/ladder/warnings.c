#include "ladder/warnings.h"

#include <assert.h>

#include "base/strbuf.h"
#include "check/findings.h"
#include "deployment/accounting.h"
#include "ladder/replace.h"
#include "problem/advice.h"
#include "problem/problem.h"

typedef struct warner {
    taskfit_plan *plan;
    taskfit_warning *warnings;
    size_t n_warnings, capacity;
} warner;

static void warn(warner *w, const char *code, const char *message) {
    TASKFIT_GROW(w->plan->arena, w->warnings, w->n_warnings, w->capacity);
    w->warnings[w->n_warnings++] = (taskfit_warning){.code = code, .message = message};
}

/* ---- spread that is not a rule ---- */

typedef struct az_counts {
    int64_t *tasks;  /* [n_services][n_azs] */
    bool *eligible;  /* [n_services][n_azs] */
} az_counts;

static az_counts count_by_az(const taskfit_plan *plan, taskfit_arena *scratch) {
    const taskfit_deployment *deployment = plan->deployment;
    const size_t n_azs = deployment->n_azs;
    az_counts counts = {.tasks = TASKFIT_ARRAY(scratch, deployment->n_services * n_azs, int64_t),
                        .eligible = TASKFIT_ARRAY(scratch, deployment->n_services * n_azs, bool)};
    for (size_t m = 0; m < plan->fleet->n_machines; m++) {
        const taskfit_machine *machine = &plan->fleet->machines[m];
        for (size_t i = 0; i < machine->n_tasks; i++) {
            counts.tasks[machine->tasks[i].service * n_azs + machine->az] += machine->tasks[i].count;
        }
    }
    for (size_t s = 0; s < deployment->n_services; s++) {
        for (size_t g = 0; g < deployment->n_groups; g++) {
            const taskfit_instance_group *group = &deployment->groups[g];
            for (size_t k = 0; k < group->n_azs * group->n_types; k++) {
                const size_t az = group->azs[k / group->n_types];
                bool *eligible = &counts.eligible[s * n_azs + az];
                *eligible = *eligible || taskfit_service_permitted(deployment, &deployment->services[s], g,
                                                                   k % group->n_types, az);
            }
        }
    }
    return counts;
}

static bool wants_az_spread(const taskfit_service *service) {
    for (size_t i = 0; i < service->n_strategies; i++) {
        if (service->strategies[i].type == TASKFIT_STRATEGY_SPREAD_INSTANCE) {
            return false;
        }
        if (service->strategies[i].type == TASKFIT_STRATEGY_SPREAD_AZ) {
            return true;
        }
    }
    return false;
}

static bool az_spread_lost(const az_counts *counts, size_t service, size_t n_azs) {
    int64_t least = INT64_MAX;
    int64_t most = 0;
    for (size_t az = 0; az < n_azs; az++) {
        if (counts->eligible[service * n_azs + az]) {
            const int64_t tasks = counts->tasks[service * n_azs + az];
            least = tasks < least ? tasks : least;
            most = tasks > most ? tasks : most;
        }
    }
    return most > least && most - least > 1;
}

static void warn_of_lost_spread(warner *w) {
    enum { MAX_NAMES = 5 };
    const taskfit_deployment *deployment = w->plan->deployment;
    if (taskfit_spread_in_force(&deployment->policy, w->plan->rung) || deployment->n_azs < 2) {
        return;
    }
    taskfit_arena *scratch = taskfit_arena_new();
    const az_counts counts = count_by_az(w->plan, scratch);
    TASKFIT_STRBUF(names);
    size_t n_lost = 0;
    for (size_t s = 0; s < deployment->n_services; s++) {
        if (wants_az_spread(&deployment->services[s]) && az_spread_lost(&counts, s, deployment->n_azs)) {
            if (n_lost < MAX_NAMES) {
                taskfit_strbuf_printf(&names, "%s%s", n_lost > 0 ? ", " : "", deployment->services[s].name);
            }
            n_lost++;
        }
    }
    if (n_lost > 0) {
        warn(w, "SPREAD003",
             taskfit_arena_printf(w->plan->arena, "spread is no rule here, and this plan does not spread the tasks of %zu services "
                                                  "over availability zones: %s%s",
                                  n_lost, names.data, n_lost > MAX_NAMES ? ", ..." : ""));
    }
    taskfit_arena_free(scratch);
}

/* ---- what runs hot, and what an Auto Scaling group cannot keep ---- */

static void warn_of_cpu(warner *w) {
    enum { WARM_PERCENT = 70 };
    const taskfit_plan *plan = w->plan;
    const taskfit_machine_use *use = taskfit_fleet_use(plan->deployment, plan->fleet, plan->arena);
    const char *const *ids = taskfit_fleet_ids(plan->deployment, plan->fleet, plan->arena);
    size_t n_warm = 0;
    size_t warmest = 0;
    int64_t warmest_percent = 0;
    for (size_t m = 0; m < plan->fleet->n_machines; m++) {
        const int64_t total = use[m].total_cpu_units;
        const int64_t percent = use[m].expected_cpu_units > 0 && total > 0 ? use[m].expected_cpu_units * 100 / total : 0;
        n_warm += use[m].expected_cpu_units * 100 > total * WARM_PERCENT ? 1 : 0;
        if (percent > warmest_percent) {
            warmest = m;
            warmest_percent = percent;
        }
    }
    if (n_warm > 0) {
        warn(w, "CPU001",
             taskfit_arena_printf(w->plan->arena, "expected CPU is above %d %% on %zu of %zu instances, %lld %% on %s "
                                                  "(policy.maxExpectedCpuPercent sets a cap)",
                                  WARM_PERCENT, n_warm, plan->fleet->n_machines, (long long)warmest_percent, ids[warmest]));
    }
}

static void warn_of_types(warner *w) {
    const taskfit_deployment *deployment = w->plan->deployment;
    for (size_t g = 0; g < deployment->n_groups; g++) {
        size_t type = SIZE_MAX;
        bool several = false;
        for (size_t m = 0; m < w->plan->fleet->n_machines; m++) {
            const taskfit_machine *machine = &w->plan->fleet->machines[m];
            if (machine->group == g) {
                several = several || (type != SIZE_MAX && type != machine->type);
                type = machine->type;
            }
        }
        if (several) {
            warn(w, "GROUP001",
                 taskfit_arena_printf(w->plan->arena, "group '%s' has several instance types in this plan: an Auto Scaling group "
                                                      "does not keep their numbers, so make one for each type",
                                      deployment->groups[g].name));
        }
    }
}

/* An Auto Scaling group balances its AZs, but chooses itself which of them have an instance more. */
static void warn_of_azs(warner *w) {
    const taskfit_deployment *deployment = w->plan->deployment;
    for (size_t g = 0; g < deployment->n_groups; g++) {
        const taskfit_instance_group *group = &deployment->groups[g];
        TASKFIT_STRBUF(counts);
        bool uneven = false;
        int64_t before = -1;
        for (size_t k = 0; k < group->n_azs; k++) {
            int64_t n = 0;
            for (size_t m = 0; m < w->plan->fleet->n_machines; m++) {
                n += w->plan->fleet->machines[m].group == g && w->plan->fleet->machines[m].az == group->azs[k] ? 1 : 0;
            }
            uneven = uneven || (before >= 0 && n != before);
            before = n;
            taskfit_strbuf_printf(&counts, "%s%lld in %s", k > 0 ? ", " : "", (long long)n, deployment->azs[group->azs[k]]);
        }
        if (uneven) {
            warn(w, "GROUP002",
                 taskfit_arena_printf(w->plan->arena, "group '%s' has %s, and it may matter which has more: an Auto Scaling group "
                                                      "chooses that itself, so make one for each availability zone",
                                      group->name, counts.data));
        }
    }
}

/* A taskfit_advice_fn. */
static void add_advice(void *arg, const char *code, const char *message) {
    warn(arg, code, message);
}

/* What `check` finds in the deployment, by the same codes; behind what is said of the plan, since it may be long. */
static void warn_of_deployment(warner *w) {
    size_t n = 0;
    taskfit_findings *findings = taskfit_findings_new();
    taskfit_findings_add_deployment(findings, w->plan->deployment);
    const taskfit_warning *warnings = taskfit_findings_warnings(findings, w->plan->arena, &n);
    for (size_t i = 0; i < n; i++) {
        TASKFIT_GROW(w->plan->arena, w->warnings, w->n_warnings, w->capacity);
        w->warnings[w->n_warnings++] = warnings[i];
    }
    taskfit_findings_free(findings);
}

/* Room that ECS's own placement does not find in every order. */
static void warn_of_losses(warner *w) {
    const taskfit_plan *plan = w->plan;
    const taskfit_survive_policy survive = taskfit_survive_in_force(&plan->deployment->policy, plan->rung);
    const bool by_az = survive == TASKFIT_SURVIVE_AVAILABILITY_ZONE;
    taskfit_replacements found;
    if (survive == TASKFIT_SURVIVE_NONE || !taskfit_replace_losses(plan, by_az, 1, &found) || found.n_placed_all == found.n_tried) {
        return;
    }
    const char *worst = by_az ? plan->deployment->azs[found.worst]
                              : taskfit_fleet_ids(plan->deployment, plan->fleet, plan->arena)[found.worst];
    const int64_t permille = found.n_placed_all * 1000 / found.n_tried;
    warn(w, "SURV001",
         taskfit_arena_printf(plan->arena, "there is room for what any %s holds, but Amazon ECS's own placement finds it in "
                                           "%lld.%lld %% of %lld tries, in %lld.%lld %% when %s is lost",
                              by_az ? "availability zone" : "instance", (long long)(permille / 10), (long long)(permille % 10),
                              (long long)found.n_tried, (long long)(found.worst_permille / 10),
                              (long long)(found.worst_permille % 10), worst));
}

void taskfit_plan_warn(taskfit_plan *plan, const taskfit_solve_result *answer, bool no_ecs, bool undecided) {
    warner w = {.plan = plan};
    if (answer->stopped) {
        warn(&w, "LIMIT001", "the search was cut by the time limit or on request: another run may answer otherwise");
    }
    if (no_ecs) {
        warn(&w, "ECS006",
             "what Amazon ECS's own placement needs was not found: there are too many tasks and instances to try 1,000 launch "
             "orders");
    }
    if (undecided) {
        warn(&w, "VERIFY001",
             "the verifier did not decide within its limits whether there is room for every deployment and loss");
    }
    if (plan->fleet->n_machines > 0) {
        warn_of_lost_spread(&w);
        warn_of_losses(&w);
        warn_of_cpu(&w);
        warn_of_types(&w);
        taskfit_plan_advise(plan, add_advice, &w);
        if (answer->layout_matters) {
            warn_of_azs(&w);
        }
    }
    warn_of_deployment(&w);
    plan->warnings = w.warnings;
    plan->n_warnings = w.n_warnings;
}

void taskfit_plan_warn_more(taskfit_plan *plan, const char *code, const char *message) {
    taskfit_warning *warnings = TASKFIT_ARRAY(plan->arena, plan->n_warnings + 1, taskfit_warning);
    for (size_t i = 0; i < plan->n_warnings; i++) {
        warnings[i] = plan->warnings[i];
    }
    warnings[plan->n_warnings++] = (taskfit_warning){.code = code, .message = message};
    plan->warnings = warnings;
}
