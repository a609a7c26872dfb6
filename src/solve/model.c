#include "solve/model.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "solve/decision.h"
#include "solve/mathprog.h"
#include "solve/solve.h"

enum {
    BOUND_WORK = 100 * 1000 * 1000, /* for the plan that says how many instances can be needed */
    BOUND_TIME_MS = 60000,
    SYMBOL_MAX = 100 /* characters MathProg takes */
};

typedef struct writer {
    const taskfit_problem *problem;
    const taskfit_decision *decision; /* of a fleet with every kind: its profiles, resources and conflicts */
    const int64_t *most;              /* [n_offers] */
    taskfit_arena *arena;
    taskfit_strbuf *out;
} writer;

/* ---- how many instances can be needed ---- */

static bool cost_first(const taskfit_problem *problem) {
    return problem->n_objective > 0 && problem->objective[0] == TASKFIT_GOAL_COST;
}

static int64_t cheapest(const taskfit_problem *problem, const taskfit_problem_group *group) {
    int64_t price = INT64_MAX;
    for (size_t o = 0; o < group->n_types * group->n_azs; o++) {
        int64_t other = problem->offers[group->first_offer + o].price_usd_micros;
        price = other < price ? other : price;
    }
    return price;
}

/* No better fleet has more: by count, or for what it costs. Without a plan: one for each task. */
static int64_t most_of_group(const taskfit_problem *problem, const taskfit_problem_group *group, const taskfit_solve_result *plan) {
    int64_t n = 1;
    for (size_t s = 0; s < problem->n_services; s++) {
        n += problem->services[s].replicas;
    }
    if (plan->fleet) {
        int64_t price = cheapest(problem, group);
        if (!cost_first(problem)) {
            n = (int64_t)plan->fleet->n_machines;
        } else if (price > 0) {
            n = plan->cost_usd_micros / price;
        }
    }
    n = n > group->min_instances ? n : group->min_instances;
    return n < group->max_instances ? n : group->max_instances;
}

static taskfit_status count_most(writer *w, taskfit_error *err) {
    const taskfit_problem *problem = w->problem;
    const taskfit_settings settings = {.time_limit_ms = BOUND_TIME_MS, .work_limit = BOUND_WORK, .seed = 1};
    taskfit_solve_result plan;
    taskfit_status status = taskfit_solve(problem, &settings, 0, NULL, w->arena, &plan, err);
    if (status != TASKFIT_OK) {
        return status;
    }
    int64_t *most = TASKFIT_ARRAY(w->arena, problem->n_offers, int64_t);
    for (size_t g = 0; g < problem->n_groups; g++) {
        const taskfit_problem_group *group = &problem->groups[g];
        int64_t n = most_of_group(problem, group, &plan);
        int64_t n_azs = (int64_t)group->n_azs;
        for (size_t o = 0; o < group->n_types * group->n_azs; o++) {
            int64_t stock = group->stock[o / group->n_azs];
            int64_t in_az = (n + n_azs - 1) / n_azs; /* balanced */
            most[group->first_offer + o] = stock >= 0 && stock < in_az ? stock : in_az;
        }
    }
    w->most = most;
    return TASKFIT_OK;
}

/* ---- words ---- */

/* A name as MathProg takes it; one that it does not is replaced by its index, which no name can be. */
static const char *symbol(const writer *w, const char *name, size_t index) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    size_t len = strlen(name);
    if (len == 0 || len > SYMBOL_MAX || strspn(name, plain) != len) {
        return taskfit_arena_printf(w->arena, "'#%zu'", index);
    }
    return taskfit_arena_printf(w->arena, "'%s'", name);
}

static const char *az_symbol(const writer *w, size_t az) {
    return symbol(w, w->problem->deployment->azs[az], az);
}

static const char *group_symbol(const writer *w, size_t group) {
    return symbol(w, w->problem->deployment->groups[group].name, group);
}

static const char *type_symbol(const writer *w, size_t group, size_t type) {
    return symbol(w, w->problem->deployment->groups[group].types[type].type.name, type);
}

static const char *resource_symbol(const writer *w, size_t dim) {
    int resource = w->decision->dim_resource[dim];
    return resource >= 0 ? taskfit_resource_name((taskfit_resource)resource) : taskfit_arena_printf(w->arena, "port%zu", dim);
}

/* ---- figures ---- */

static const taskfit_problem_service *one_of(const writer *w, const taskfit_profile *profile) {
    return &w->problem->services[profile->services[0]];
}

static int64_t demand_of(const writer *w, const taskfit_profile *profile, size_t dim) {
    int resource = w->decision->dim_resource[dim];
    return resource >= 0 ? one_of(w, profile)->demand[resource] : profile->demand[dim] > 0;
}

static int64_t capacity_of(const writer *w, const taskfit_offer *offer, size_t dim) {
    int resource = w->decision->dim_resource[dim];
    int64_t capacity = resource >= 0 ? offer->capacity[resource] : 1;
    int64_t needed = 0; /* more than everything is no limit */
    for (size_t p = 0; p < w->decision->n_profiles; p++) {
        needed += w->decision->profiles[p].tasks * demand_of(w, &w->decision->profiles[p], dim);
    }
    capacity = capacity < needed ? capacity : needed;
    return capacity > 0 ? capacity : 0;
}

/* Most tasks of a service that the rules let into one class of its spread: an AZ, or everything. */
static int64_t tasks_in_class(const writer *w, const taskfit_profile *profile) {
    int64_t n_zones = 0;
    for (size_t az = 0; profile->spread_az && az < w->problem->n_azs; az++) {
        for (size_t o = 0; o < w->problem->n_offers; o++) {
            if (w->problem->offers[o].az == az && one_of(w, profile)->may_stand[o]) {
                n_zones++;
                break;
            }
        }
    }
    return n_zones > 0 ? (profile->replicas + n_zones - 1) / n_zones : profile->replicas;
}

/* Tasks of the profile on one instance. */
static int64_t high_of(const writer *w, const taskfit_profile *profile, size_t offer_index) {
    const taskfit_problem_service *service = one_of(w, profile);
    const taskfit_offer *offer = &w->problem->offers[offer_index];
    bool single = service->distinct_instance || service->n_ports > 0 || tasks_in_class(w, profile) == 1;
    int64_t high = !service->may_stand[offer_index] ? 0 : single ? profile->n_services : profile->tasks;
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        high = offer->capacity[r] < 0 ? 0 : high; /* its daemons alone overfill it */
    }
    for (size_t dim = 0; dim < w->decision->n_dims; dim++) { /* services of a profile may differ in what cannot bind */
        int64_t demand = demand_of(w, profile, dim);
        int64_t fit = demand > 0 ? capacity_of(w, offer, dim) / demand : high;
        high = fit < high ? fit : high;
    }
    return high;
}

/* 0: no rule, 1: over all instances, 2: inside each AZ. */
static int spread_instance_of(const writer *w, const taskfit_profile *profile) {
    if (!one_of(w, profile)->spread_instance || tasks_in_class(w, profile) <= 1) {
        return 0;
    }
    return profile->spread_az ? 2 : 1;
}

/* ---- sections ---- */

static void write_comment(const writer *w) {
    taskfit_strbuf_printf(w->out,
                          "/* Data for models/aggregated.mod: rules of rung %s and below, minimizing %s.\n"
                          " * Written by taskfit; solve it with glpsol -m models/aggregated.mod -d FILE\n",
                          w->problem->rung >= TASKFIT_RUNG_SPREAD ? "spread" : w->problem->rung == TASKFIT_RUNG_LIMITS ? "limits" : "packing",
                          cost_first(w->problem) ? "USD per hour" : "instances");
    for (size_t p = 0; p < w->decision->n_profiles; p++) {
        const taskfit_profile *profile = &w->decision->profiles[p];
        taskfit_strbuf_printf(w->out, " * p%zu:", p + 1);
        for (int64_t s = 0; s < profile->n_services; s++) {
            size_t index = w->problem->services[profile->services[s]].service;
            const char *name = symbol(w, w->problem->deployment->services[index].name, index); /* cannot end the comment */
            taskfit_strbuf_printf(w->out, "%s%s", s == 0 ? " " : s % 8 == 0 ? ",\n *     " : ", ", name);
        }
        taskfit_strbuf_adds(w->out, "\n");
    }
    taskfit_strbuf_adds(w->out, " */\ndata;\n\n");
}

static void write_set(const writer *w, const char *name, const char *letter, size_t n) {
    taskfit_strbuf_printf(w->out, "set %s :=", name);
    for (size_t i = 1; i <= n; i++) {
        taskfit_strbuf_printf(w->out, " %s%zu", letter, i);
    }
    taskfit_strbuf_adds(w->out, ";\n");
}

static void write_sets(const writer *w) {
    write_set(w, "PROFILES", "p", w->decision->n_profiles);
    write_set(w, "KINDS", "k", w->problem->n_offers);
    taskfit_strbuf_adds(w->out, "set RESOURCES :=");
    for (size_t d = 0; d < w->decision->n_dims; d++) {
        taskfit_strbuf_printf(w->out, " %s", resource_symbol(w, d));
    }
    taskfit_strbuf_adds(w->out, ";\nset ZONES :=");
    for (size_t az = 0; az < w->problem->n_azs; az++) {
        taskfit_strbuf_printf(w->out, " %s", az_symbol(w, az));
    }
    taskfit_strbuf_adds(w->out, ";\nset GROUPS :=");
    for (size_t g = 0; g < w->problem->n_groups; g++) {
        taskfit_strbuf_printf(w->out, " %s", group_symbol(w, g));
    }
    taskfit_strbuf_adds(w->out, ";\n");
    for (size_t c = 0; c < w->decision->n_conflicts; c++) {
        const taskfit_conflict *conflict = &w->decision->conflicts[c];
        taskfit_strbuf_printf(w->out, "%s(p%zu,p%zu)", c == 0 ? "set CONFLICTS := " : " ", conflict->a + 1, conflict->b + 1);
    }
    taskfit_strbuf_adds(w->out, w->decision->n_conflicts > 0 ? ";\n\n" : "\n");
}

static void write_fleet(const writer *w) {
    const taskfit_problem *problem = w->problem;
    taskfit_strbuf_adds(w->out, "param : group type zone weight most :=\n");
    for (size_t o = 0; o < problem->n_offers; o++) {
        const taskfit_offer *offer = &problem->offers[o];
        taskfit_strbuf_printf(w->out, "  k%zu %s %s %s ", o + 1, group_symbol(w, offer->group),
                              type_symbol(w, offer->group, offer->type), az_symbol(w, offer->az));
        if (cost_first(problem)) {
            taskfit_add_usd_per_hour(w->out, offer->price_usd_micros);
        } else {
            taskfit_strbuf_adds(w->out, "1");
        }
        taskfit_strbuf_printf(w->out, " %" PRId64 "\n", w->most[o]);
    }
    taskfit_strbuf_adds(w->out, ";\nparam : mixed group_min group_max :=\n");
    for (size_t g = 0; g < problem->n_groups; g++) {
        const taskfit_problem_group *group = &problem->groups[g];
        taskfit_strbuf_printf(w->out, "  %s %d %" PRId64 " %" PRId64 "\n", group_symbol(w, g), group->mixed, group->min_instances,
                              group->max_instances);
    }
    taskfit_strbuf_adds(w->out, ";\nparam stock :=\n");
    for (size_t g = 0; g < problem->n_groups; g++) {
        for (size_t t = 0; t < problem->groups[g].n_types; t++) {
            if (problem->groups[g].stock[t] >= 0) {
                taskfit_strbuf_printf(w->out, "  %s %s %" PRId64 "\n", group_symbol(w, g), type_symbol(w, g, t),
                                      problem->groups[g].stock[t]);
            }
        }
    }
    taskfit_strbuf_adds(w->out, ";\nparam capacity :=\n");
    for (size_t o = 0; o < problem->n_offers; o++) {
        for (size_t d = 0; d < w->decision->n_dims; d++) {
            taskfit_strbuf_printf(w->out, "  k%zu %s %" PRId64 "\n", o + 1, resource_symbol(w, d),
                                  capacity_of(w, &problem->offers[o], d));
        }
    }
    taskfit_strbuf_adds(w->out, ";\n");
}

static void write_profiles(const writer *w) {
    const taskfit_decision *decision = w->decision;
    taskfit_strbuf_adds(w->out, "param : services replicas spread_instance :=\n");
    for (size_t p = 0; p < decision->n_profiles; p++) {
        const taskfit_profile *profile = &decision->profiles[p];
        taskfit_strbuf_printf(w->out, "  p%zu %" PRId64 " %" PRId64 " %d\n", p + 1, profile->n_services, profile->replicas,
                              spread_instance_of(w, profile));
    }
    taskfit_strbuf_adds(w->out, ";\nparam demand :=\n");
    for (size_t p = 0; p < decision->n_profiles; p++) {
        for (size_t d = 0; d < decision->n_dims; d++) {
            int64_t demand = demand_of(w, &decision->profiles[p], d);
            if (demand > 0) {
                taskfit_strbuf_printf(w->out, "  p%zu %s %" PRId64 "\n", p + 1, resource_symbol(w, d), demand);
            }
        }
    }
    taskfit_strbuf_adds(w->out, ";\n");
}

static void write_high(const writer *w) {
    taskfit_strbuf_adds(w->out, "param : high may_stand :=\n");
    for (size_t p = 0; p < w->decision->n_profiles; p++) {
        for (size_t o = 0; o < w->problem->n_offers; o++) {
            const taskfit_profile *profile = &w->decision->profiles[p];
            taskfit_strbuf_printf(w->out, "  p%zu k%zu %" PRId64 " %d\n", p + 1, o + 1, high_of(w, profile, o),
                                  one_of(w, profile)->may_stand[o]);
        }
    }
    taskfit_strbuf_adds(w->out, ";\n");
}

/* Zones of the decision are AZs here: with every kind in the fleet there is no other order. */
static void write_zones(const writer *w) {
    taskfit_strbuf_adds(w->out, "param : zone_low zone_high :=\n");
    for (size_t p = 0; p < w->decision->n_profiles; p++) {
        const taskfit_profile *profile = &w->decision->profiles[p];
        size_t zone = 0;
        for (size_t az = 0; profile->spread_az && az < w->problem->n_azs; az++) {
            bool used = false;
            for (size_t o = 0; o < w->problem->n_offers; o++) {
                used = used || w->problem->offers[o].az == az;
            }
            if (used) {
                taskfit_strbuf_printf(w->out, "  p%zu %s %" PRId64 " %" PRId64 "\n", p + 1, az_symbol(w, az), profile->zone_low[zone],
                                      profile->zone_high[zone]);
                zone++;
            }
        }
        assert(!profile->spread_az || zone == w->decision->n_zones);
    }
    taskfit_strbuf_adds(w->out, ";\n\nend;\n");
}

taskfit_status taskfit_model_data(const taskfit_problem *problem, taskfit_strbuf *out, taskfit_error *err) {
    taskfit_arena *arena = taskfit_arena_new();
    writer w = {.problem = problem, .arena = arena, .out = out};
    taskfit_status status = count_most(&w, err);
    if (status == TASKFIT_OK) {
        int64_t *one_each = TASKFIT_ARRAY(arena, problem->n_offers, int64_t);
        for (size_t o = 0; o < problem->n_offers; o++) {
            one_each[o] = 1;
        }
        w.decision = taskfit_decision_new(arena, problem, one_each);
        write_comment(&w);
        write_sets(&w);
        write_fleet(&w);
        write_profiles(&w);
        write_high(&w);
        write_zones(&w);
    }
    taskfit_arena_free(arena);
    return status;
}

taskfit_status taskfit_model_write(const taskfit_deployment *deployment, taskfit_model_format format, taskfit_write_fn *write,
                                   void *sink, taskfit_error *err) {
    TASKFIT_STRBUF(data);
    TASKFIT_STRBUF(program);
    taskfit_problem *problem = taskfit_problem_new(deployment, taskfit_policy_rung(&deployment->policy));
    taskfit_status status = taskfit_model_data(problem, &data, err);
    taskfit_problem_free(problem);
    const taskfit_strbuf *out = &data;
    if (status == TASKFIT_OK && format != TASKFIT_MODEL_DATA) {
        status = taskfit_mathprog_write(taskfit_aggregated_model, data.data,
                                        format == TASKFIT_MODEL_LP ? TASKFIT_MATHPROG_LP : TASKFIT_MATHPROG_MPS, &program, err);
        out = &program;
    }
    if (status == TASKFIT_OK && write(sink, out->data, out->len) != 0) {
        status = taskfit_fail(err, TASKFIT_E_SYSTEM, "the model cannot be written");
    }
    return status;
}
