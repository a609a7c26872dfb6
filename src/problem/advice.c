#include "problem/advice.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "deployment/accounting.h"
#include "problem/problem.h"

enum { NAMES_SHOWN = 5, HEAVY_PERCENT = 25 /* of an instance's CPU */ };

typedef struct advice {
    const taskfit_plan *plan;
    const taskfit_deployment *deployment;
    const taskfit_task_demand *demands; /* [n_services] */
    const char *const *ids;             /* [n_machines] */
    taskfit_arena *arena;               /* of the plan, for messages */
    taskfit_arena *scratch;
    taskfit_advice_fn *tell;
    void *arg;
} advice;

static void add_name(taskfit_strbuf *names, size_t *n, const char *name) {
    if (*n < NAMES_SHOWN) {
        taskfit_strbuf_printf(names, "%s%s", *n > 0 ? ", " : "", name);
    } else if (*n == NAMES_SHOWN) {
        taskfit_strbuf_adds(names, ", ...");
    }
    ++*n;
}

static const char *number(const advice *a, int64_t value) {
    TASKFIT_STRBUF(text);
    taskfit_add_grouped(&text, value);
    return taskfit_arena_strndup(a->arena, text.data, text.len);
}

/* ---- heavy tasks without CPU units ---- */

typedef struct heavy {
    int64_t cpu_units; /* observed, of one task */
    size_t service;
} heavy;

static int heavier_first(const void *left, const void *right) {
    const heavy *a = left;
    const heavy *b = right;
    if (a->cpu_units != b->cpu_units) {
        return a->cpu_units > b->cpu_units ? -1 : 1;
    }
    return (a->service > b->service) - (a->service < b->service);
}

/* The observed use from which a task is one of the n heaviest without CPU units; 0: there are none. */
static int64_t heavy_from(const advice *a, int64_t n) {
    heavy *all = TASKFIT_ARRAY(a->scratch, a->deployment->n_services, heavy);
    size_t n_all = 0;
    for (size_t s = 0; s < a->deployment->n_services; s++) {
        if (a->demands[s].amount[TASKFIT_RESOURCE_CPU] == 0 && a->demands[s].expected_cpu_complete &&
            a->demands[s].amount[TASKFIT_RESOURCE_EXPECTED_CPU] > 0 && a->deployment->services[s].desired_count > 0) {
            all[n_all++] = (heavy){.cpu_units = a->demands[s].amount[TASKFIT_RESOURCE_EXPECTED_CPU], .service = s};
        }
    }
    if (n_all > 0) {
        qsort(all, n_all, sizeof *all, heavier_first);
    }
    for (size_t i = 0; i < n_all; i++) {
        n -= a->deployment->services[all[i].service].desired_count;
        if (n <= 0 || i + 1 == n_all) {
            return all[i].cpu_units;
        }
    }
    return 0;
}

/* Nothing that ECS counts keeps tasks without CPU units apart; as many of the heaviest as there are instances could
 * stand alone. */
static void advise_of_heavy(const advice *a) {
    const taskfit_fleet *fleet = a->plan->fleet;
    const int64_t from = heavy_from(a, (int64_t)fleet->n_machines);
    const taskfit_machine_use *use = taskfit_fleet_use(a->deployment, fleet, a->scratch);
    size_t worst = 0;
    int64_t worst_tasks = 0;
    int64_t worst_percent = 0;
    for (size_t m = 0; from > 0 && m < fleet->n_machines; m++) {
        int64_t cpu_units = 0;
        int64_t tasks = 0;
        for (size_t i = 0; i < fleet->machines[m].n_tasks; i++) {
            const taskfit_machine_task *task = &fleet->machines[m].tasks[i];
            const taskfit_task_demand *demand = &a->demands[task->service];
            if (demand->amount[TASKFIT_RESOURCE_CPU] == 0 && demand->expected_cpu_complete &&
                demand->amount[TASKFIT_RESOURCE_EXPECTED_CPU] >= from) {
                cpu_units += task->count * demand->amount[TASKFIT_RESOURCE_EXPECTED_CPU];
                tasks += task->count;
            }
        }
        const int64_t percent = use[m].total_cpu_units > 0 ? cpu_units * 100 / use[m].total_cpu_units : 0;
        if (tasks > 1 && percent > worst_percent) {
            worst = m;
            worst_tasks = tasks;
            worst_percent = percent;
        }
    }
    if (worst_percent < HEAVY_PERCENT) {
        return;
    }
    TASKFIT_STRBUF(names);
    size_t n_names = 0;
    for (size_t i = 0; i < fleet->machines[worst].n_tasks; i++) {
        const size_t s = fleet->machines[worst].tasks[i].service;
        if (a->demands[s].amount[TASKFIT_RESOURCE_CPU] == 0 && a->demands[s].expected_cpu_complete &&
            a->demands[s].amount[TASKFIT_RESOURCE_EXPECTED_CPU] >= from) {
            add_name(&names, &n_names, a->deployment->services[s].name);
        }
    }
    a->tell(a->arg, "CPU002",
            taskfit_arena_printf(a->arena,
                                 "%" PRId64 " of the heaviest tasks without CPU units, by observed use, stand together on %s and use %" PRId64
                                 " %% of it: %s (CPU units or policy.antiAffinity keep them apart)",
                                 worst_tasks, a->ids[worst], worst_percent, names.data));
}

/* ---- spread while an instance is away ---- */

static bool spreads_over_azs(const taskfit_service *service) {
    for (size_t i = 0; i < service->n_strategies; i++) {
        if (service->strategies[i].type == TASKFIT_STRATEGY_SPREAD_AZ || service->strategies[i].type == TASKFIT_STRATEGY_SPREAD_INSTANCE) {
            return service->strategies[i].type == TASKFIT_STRATEGY_SPREAD_AZ;
        }
    }
    return false;
}

typedef struct az_books { /* counted once */
    int64_t *tasks;    /* [n_services * n_azs] */
    int64_t *share;    /* [n_services] tasks that no AZ may go below; 0: no rule */
    int64_t *free_mib; /* [n_azs] over its instances */
} az_books;

static int64_t eligible_azs(const advice *a, size_t service) {
    int64_t n = 0;
    for (size_t az = 0; az < a->deployment->n_azs; az++) {
        bool eligible = false;
        for (size_t g = 0; g < a->deployment->n_groups; g++) {
            const taskfit_instance_group *group = &a->deployment->groups[g];
            for (size_t i = 0; i < group->n_types * group->n_azs; i++) {
                eligible = eligible || (group->azs[i % group->n_azs] == az &&
                                        taskfit_service_permitted(a->deployment, &a->deployment->services[service], g, i / group->n_azs, az));
            }
        }
        n += eligible;
    }
    return n;
}

static int64_t free_mib(const taskfit_machine_use *use) {
    const int64_t left = use->capacity[TASKFIT_RESOURCE_MEMORY] - use->daemons[TASKFIT_RESOURCE_MEMORY] - use->reserved[TASKFIT_RESOURCE_MEMORY];
    return left < 0 ? 0 : left;
}

static az_books open_books(const advice *a, const taskfit_machine_use *use) {
    const size_t n_azs = a->deployment->n_azs;
    const taskfit_fleet *fleet = a->plan->fleet;
    az_books books = {.tasks = TASKFIT_ARRAY(a->scratch, a->deployment->n_services * n_azs, int64_t),
                      .share = TASKFIT_ARRAY(a->scratch, a->deployment->n_services, int64_t),
                      .free_mib = TASKFIT_ARRAY(a->scratch, n_azs, int64_t)};
    for (size_t s = 0; s < a->deployment->n_services; s++) {
        const int64_t n_eligible = spreads_over_azs(&a->deployment->services[s]) ? eligible_azs(a, s) : 0;
        books.share[s] = n_eligible > 1 ? a->deployment->services[s].desired_count / n_eligible : 0;
    }
    for (size_t m = 0; m < fleet->n_machines; m++) {
        books.free_mib[fleet->machines[m].az] += free_mib(&use[m]);
        for (size_t i = 0; i < fleet->machines[m].n_tasks; i++) {
            const taskfit_machine_task *task = &fleet->machines[m].tasks[i];
            books.tasks[task->service * n_azs + fleet->machines[m].az] += task->count;
        }
    }
    return books;
}

/* Memory of the tasks on this machine that must stay in its AZ: no AZ may have fewer than its even share, rounded down. */
static int64_t tied_mib(const advice *a, const az_books *books, const taskfit_machine *drained) {
    int64_t need_mib = 0;
    for (size_t i = 0; i < drained->n_tasks; i++) {
        const taskfit_machine_task *task = &drained->tasks[i];
        const int64_t others = books->tasks[task->service * a->deployment->n_azs + drained->az] - task->count;
        const int64_t tied = books->share[task->service] - others;
        need_mib += tied > 0 ? tied * a->demands[task->service].amount[TASKFIT_RESOURCE_MEMORY] : 0;
    }
    return need_mib;
}

/* By volume alone, so that what is said is certain as long as ECS moves nothing that runs. */
static void advise_of_drain(const advice *a) {
    const taskfit_fleet *fleet = a->plan->fleet;
    const taskfit_machine_use *use = taskfit_fleet_use(a->deployment, fleet, a->scratch);
    const az_books books = open_books(a, use);
    size_t n_short = 0;
    size_t worst = 0;
    int64_t worst_short_mib = 0;
    int64_t worst_need_mib = 0;
    for (size_t m = 0; a->deployment->n_azs > 1 && m < fleet->n_machines; m++) {
        const int64_t need_mib = tied_mib(a, &books, &fleet->machines[m]);
        const int64_t room_mib = books.free_mib[fleet->machines[m].az] - free_mib(&use[m]);
        n_short += need_mib > room_mib;
        if (need_mib - room_mib > worst_short_mib) {
            worst = m;
            worst_short_mib = need_mib - room_mib;
            worst_need_mib = need_mib;
        }
    }
    if (n_short > 0) {
        a->tell(a->arg, "SPREAD004",
                taskfit_arena_printf(a->arena,
                                     "spread over availability zones cannot hold while %s is drained: of what %s holds, %s must keep %s MiB and "
                                     "has room for %s",
                                     n_short == fleet->n_machines ? "any instance" : taskfit_arena_printf(a->arena, "one of %zu instances", n_short),
                                     a->ids[worst], a->deployment->azs[fleet->machines[worst].az],
                                     number(a, worst_need_mib), number(a, worst_need_mib - worst_short_mib)));
    }
}

/* ---- counts that do not divide ---- */

static void advise_of_multiples(const advice *a) {
    const int64_t n_azs = (int64_t)a->deployment->n_azs;
    int64_t before = -1;
    int64_t spread = -1;
    for (size_t i = 0; i < a->plan->n_ladder; i++) {
        const taskfit_plan_rung *rung = &a->plan->ladder[i];
        before = rung->rung < TASKFIT_RUNG_SPREAD ? rung->instances : before;
        spread = rung->rung == TASKFIT_RUNG_SPREAD ? rung->instances : spread;
    }
    if (n_azs < 2 || before < 0 || spread <= before) {
        return;
    }
    if (a->deployment->n_groups == 1 && before % n_azs != 0 && spread == before + n_azs - before % n_azs) {
        a->tell(a->arg, "SPREAD005",
                taskfit_arena_printf(a->arena,
                                     "spread takes %s instances where %s hold the tasks, as %s is no multiple of the %" PRId64 " availability zones",
                                     number(a, spread), number(a, before), number(a, before), n_azs));
    }
}

/* ---- types that capacity providers do not reckon with ---- */

static bool fits_empty(const advice *a, size_t service, size_t group, size_t type) {
    const taskfit_instance_group *of = &a->deployment->groups[group];
    bool fits = false;
    for (size_t k = 0; k < of->n_azs && !fits; k++) {
        const taskfit_instance_capacity given = taskfit_instance_capacity_of(a->deployment, group, type, of->azs[k], a->scratch);
        fits = taskfit_service_permitted(a->deployment, &a->deployment->services[service], group, type, of->azs[k]);
        for (size_t r = 0; r <= TASKFIT_RESOURCE_PORTS; r++) {
            const int64_t need = a->demands[service].amount[r];
            fits = fits && (need == 0 || need <= given.amount[r] - given.daemons[r]);
        }
    }
    return fits;
}

static size_t smallest_type(const taskfit_instance_group *group) {
    size_t smallest = 0;
    for (size_t t = 1; t < group->n_types; t++) {
        const taskfit_instance_type *type = &group->types[t].type;
        const taskfit_instance_type *best = &group->types[smallest].type;
        if (type->memory_registered_mib < best->memory_registered_mib ||
            (type->memory_registered_mib == best->memory_registered_mib && type->vcpu < best->vcpu)) {
            smallest = t;
        }
    }
    return smallest;
}

static void advise_of_types(const advice *a) {
    const taskfit_fleet *fleet = a->plan->fleet;
    for (size_t g = 0; g < a->deployment->n_groups; g++) {
        const taskfit_instance_group *group = &a->deployment->groups[g];
        const size_t smallest = smallest_type(group);
        bool *stands = TASKFIT_ARRAY(a->scratch, a->deployment->n_services, bool);
        for (size_t m = 0; group->mixed && group->n_types > 1 && m < fleet->n_machines; m++) {
            for (size_t i = 0; fleet->machines[m].group == g && i < fleet->machines[m].n_tasks; i++) {
                stands[fleet->machines[m].tasks[i].service] = true;
            }
        }
        TASKFIT_STRBUF(names);
        size_t n_large = 0;
        for (size_t s = 0; s < a->deployment->n_services; s++) {
            if (stands[s] && !fits_empty(a, s, g, smallest)) {
                add_name(&names, &n_large, a->deployment->services[s].name);
            }
        }
        if (n_large > 0) {
            a->tell(a->arg, "GROUP003",
                    taskfit_arena_printf(a->arena,
                                         "group '%s' mixes types, and a capacity provider scales by its smallest, %s, which holds no task of %zu "
                                         "services: they stay PENDING when they need a new instance: %s",
                                         group->name, group->types[smallest].type.name, n_large, names.data));
        }
    }
}

void taskfit_plan_advise(const taskfit_plan *plan, taskfit_advice_fn *tell, void *arg) {
    taskfit_arena *scratch = taskfit_arena_new();
    const taskfit_deployment *deployment = plan->deployment;
    taskfit_task_demand *demands = TASKFIT_ARRAY(scratch, deployment->n_services, taskfit_task_demand);
    for (size_t s = 0; s < deployment->n_services; s++) {
        demands[s] = taskfit_task_demand_of(&deployment->services[s], scratch);
    }
    const advice a = {.plan = plan,
                      .deployment = deployment,
                      .demands = demands,
                      .ids = taskfit_fleet_ids(deployment, plan->fleet, scratch),
                      .arena = plan->arena,
                      .scratch = scratch,
                      .tell = tell,
                      .arg = arg};
    advise_of_heavy(&a);
    advise_of_drain(&a);
    advise_of_multiples(&a);
    advise_of_types(&a);
    taskfit_arena_free(scratch);
}
