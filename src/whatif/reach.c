#include "whatif/reach.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "deployment/accounting.h"
#include "whatif/range.h"
#include "whatif/workers.h"

/*
 * Fewer is never harder: a plan found at one figure stands at every smaller one. So the largest figure that does is found
 * between a value that does and one that does not, as range.c finds its changes: how far a plan still stands is
 * checked without solving, then the value behind it is solved; in turn with bisection.
 */

enum {
    PERMILLE = 1000,
    TYPES_TRIED_MAX = 40,
    TRIAL_WORK = 60000000 /* of one solve where nothing is said: many are made, and an open one only makes a row less sharp */
};

typedef struct job { /* a lever, two, or the instance type */
    const taskfit_cut *first, *second; /* second NULL: one; both NULL: the type */
    size_t n_more;                     /* cuts behind `first` that go further each: the first that is enough counts */
    taskfit_arena *arena;
    taskfit_reach_row row;
    bool has_row;
    taskfit_status status;
    taskfit_error err;
} job;

typedef struct reaching {
    const taskfit_reach_options *options;
    taskfit_reach *reach;
    job *jobs;
    size_t n_jobs;
    int64_t deadline_ms; /* of everything together; 0: none */
} reaching;

typedef struct trial { /* a value that was solved */
    int64_t value;
    const taskfit_deployment *deployment;
    taskfit_plan *plan;
} trial;

/* ---- variants ---- */

static bool is_rule(const taskfit_cut *cut) {
    return cut->kind == TASKFIT_CUT_RULE;
}

/* The figure of a pair: the second lever's where the first is a rule, given up throughout; the first's where the second is
 * one; else the share of both that is left, in permille. */
static int64_t high_of(const job *j) {
    if (!j->second || is_rule(j->second)) {
        return j->first->high;
    }
    return is_rule(j->first) ? j->second->high : PERMILLE;
}

static int64_t low_of(const job *j) {
    if (!j->second || is_rule(j->second)) {
        return j->first->low;
    }
    return is_rule(j->first) ? j->second->low : 0;
}

static int64_t share_of(const taskfit_cut *cut, int64_t permille) {
    return cut->low + (cut->high - cut->low) * permille / PERMILLE;
}

typedef struct values {
    int64_t first, second;
} values;

static values values_of(const job *j, int64_t value) {
    if (!j->second) {
        return (values){value, 0};
    }
    if (is_rule(j->second)) {
        return (values){value, j->second->low};
    }
    if (is_rule(j->first)) {
        return (values){j->first->low, value};
    }
    return (values){share_of(j->first, value), share_of(j->second, value)};
}

static const taskfit_deployment *variant_of(const reaching *r, const job *j, int64_t value, taskfit_arena *arena) {
    taskfit_draft draft = taskfit_draft_of(r->reach->deployment, arena);
    const values both = values_of(j, value);
    taskfit_cut_apply(j->first, both.first, &draft);
    if (j->second) {
        taskfit_cut_apply(j->second, both.second, &draft);
    }
    return draft.deployment;
}

/* ---- the search ---- */

static bool within(const taskfit_plan *plan, int64_t target) {
    return plan->instances >= 0 && plan->instances <= target;
}

/* That no plan has so few. */
static bool refuted(const taskfit_plan *plan, int64_t target) {
    return plan->outcome == TASKFIT_INFEASIBLE || plan->lower_bound > target;
}

/* The settings with what is left of the time. */
static taskfit_settings limited(const reaching *r, const taskfit_settings *settings) {
    taskfit_settings left = *settings;
    if (r->deadline_ms > 0) {
        const int64_t left_ms = r->deadline_ms - taskfit_clock_ms();
        left.time_limit_ms = left_ms > 1 ? left_ms : 1;
    }
    return left;
}

static taskfit_status solve(const reaching *r, job *j, int64_t value, const taskfit_settings *settings, trial *trial_out,
                            taskfit_error *err) {
    trial one = {.value = value, .deployment = variant_of(r, j, value, j->arena)};
    const taskfit_settings left = limited(r, settings);
    taskfit_status status = taskfit_size(one.deployment, &left, &one.plan, err);
    if (status == TASKFIT_OK) {
        *trial_out = one;
    }
    return status;
}

/* The largest value below `end` at which the plan still stands. */
static int64_t extend(const reaching *r, const job *j, const trial *from, int64_t end) {
    int64_t good = from->value;
    taskfit_arena *scratch = taskfit_arena_new();
    while (good + 1 < end) {
        const int64_t middle = good + (end - good) / 2;
        if (taskfit_plan_still_holds(from->plan, variant_of(r, j, middle, scratch))) {
            good = middle;
        } else {
            end = middle;
        }
        taskfit_arena_reset(scratch);
    }
    taskfit_arena_free(scratch);
    return good;
}

typedef struct search {
    int64_t target;
    trial good;  /* within the target */
    int64_t bad; /* smallest value known not to be */
    bool bad_proved;
} search;

/* Solves a value between and moves one end to it. */
static taskfit_status step(const reaching *r, job *j, int64_t value, const taskfit_settings *settings, search *s, taskfit_error *err) {
    trial next;
    taskfit_status status = solve(r, j, value, settings, &next, err);
    if (status != TASKFIT_OK) {
        return status;
    }
    if (within(next.plan, s->target)) {
        taskfit_plan_free(s->good.plan);
        s->good = next;
    } else {
        s->bad = value;
        s->bad_proved = refuted(next.plan, s->target);
        taskfit_plan_free(next.plan);
    }
    return TASKFIT_OK;
}

static taskfit_status narrow(const reaching *r, job *j, const taskfit_settings *settings, search *s, taskfit_error *err) {
    taskfit_status status = TASKFIT_OK;
    while (status == TASKFIT_OK && s->good.value + 1 < s->bad) {
        const int64_t reach = extend(r, j, &s->good, s->bad);
        status = step(r, j, reach + 1 < s->bad ? reach + 1 : reach, settings, s, err);
        if (status == TASKFIT_OK && s->bad == reach + 1 && s->good.value < reach) {
            status = step(r, j, reach, settings, s, err); /* the plan that is shown */
        } else if (status == TASKFIT_OK && s->good.value + 1 < s->bad) {
            status = step(r, j, s->good.value + (s->bad - s->good.value) / 2, settings, s, err);
        }
    }
    return status;
}

/* ---- risks ---- */

static int64_t jvm_need_mib(const taskfit_container *container) {
    const taskfit_jvm *jvm = &container->jvm;
    if (!jvm->present || jvm->xmx_mib < 0) {
        return -1;
    }
    const int64_t metaspace_mib = jvm->max_metaspace_mib >= 0 ? jvm->max_metaspace_mib : jvm->metaspace_mib;
    return jvm->xmx_mib + (metaspace_mib > 0 ? metaspace_mib : 0);
}

static bool newly_above(int64_t need_mib, const taskfit_container *before, const taskfit_container *after) {
    return need_mib >= 0 && need_mib <= taskfit_soft_limit(before) && need_mib > taskfit_soft_limit(after);
}

static taskfit_reach_risk risk_of(const taskfit_deployment *before, const taskfit_deployment *after, taskfit_arena *arena) {
    taskfit_reach_risk risk = {0};
    int64_t worst_mib = 0;
    for (size_t s = 0; s < before->n_services; s++) {
        for (size_t c = 0; c < before->services[s].n_containers; c++) {
            const taskfit_container *old = &before->services[s].containers[c];
            const taskfit_container *new = &after->services[s].containers[c];
            const int64_t jvm_mib = jvm_need_mib(old);
            const bool observed = newly_above(old->observed_memory_mib, old, new);
            const bool jvm = newly_above(jvm_mib, old, new);
            const int64_t need_mib = observed && (!jvm || old->observed_memory_mib > jvm_mib) ? old->observed_memory_mib : jvm_mib;
            risk.n_observed_above += observed;
            risk.n_jvm_above += jvm;
            if ((observed || jvm) && need_mib - taskfit_soft_limit(new) > worst_mib) {
                worst_mib = need_mib - taskfit_soft_limit(new);
                risk.worst = taskfit_arena_printf(arena, "%s: %lld MiB needed, %lld reserved", before->services[s].name,
                                                  (long long)need_mib, (long long)taskfit_soft_limit(new));
            }
        }
    }
    return risk;
}

/* ---- one lever ---- */

static const char *chosen_names(const taskfit_deployment *deployment, const taskfit_cut *cut, taskfit_arena *arena) {
    if (!cut->chosen) {
        return NULL;
    }
    TASKFIT_STRBUF(text);
    for (size_t s = 0; s < deployment->n_services; s++) {
        if (cut->chosen[s]) {
            taskfit_strbuf_printf(&text, "%s%s", text.len > 0 ? ", " : "", deployment->services[s].name);
        }
    }
    return taskfit_arena_strndup(arena, text.data, text.len);
}

static void describe(const reaching *r, job *j, int64_t value) {
    const values both = values_of(j, value);
    j->row.lever = taskfit_cut_name(j->first, j->arena);
    j->row.change = taskfit_cut_change(j->first, both.first, j->arena);
    j->row.applies = chosen_names(r->reach->deployment, j->first, j->arena);
    j->row.value = is_rule(j->first) ? -1 : both.first;
    if (j->second) {
        j->row.lever = taskfit_arena_printf(j->arena, "%s and %s", j->row.lever, taskfit_cut_name(j->second, j->arena));
        j->row.change = taskfit_arena_printf(j->arena, "%s, %s", j->row.change, taskfit_cut_change(j->second, both.second, j->arena));
        j->row.value = -1;
    }
}

static void fill_row(const reaching *r, job *j, const trial *found) {
    j->row.outcome = found->plan->outcome;
    j->row.instances = found->plan->instances;
    j->row.figures = taskfit_row_figures_of(found->plan, j->arena);
    j->row.risk = risk_of(r->reach->deployment, found->deployment, j->arena);
    j->has_row = true;
}

/* Pulls a lever as far as it goes, then as little as does it. A rule has no values between. */
static taskfit_status pull(const reaching *r, job *j, const taskfit_settings *settings, taskfit_error *err) {
    search s = {.target = r->reach->target, .bad = high_of(j), .bad_proved = refuted(r->reach->plan, r->reach->target)};
    const int64_t as_it_is = r->reach->plan->instances < 0 ? INT64_MAX : r->reach->plan->instances;
    taskfit_status status = solve(r, j, low_of(j), settings, &s.good, err);
    if (status != TASKFIT_OK) {
        return status;
    }
    j->row.reaches = within(s.good.plan, s.target);
    j->row.helps = s.good.plan->instances >= 0 && s.good.plan->instances < as_it_is;
    const bool never = refuted(s.good.plan, s.target);
    if (!j->row.reaches && j->row.helps) { /* as far as it goes */
        s.target = s.good.plan->instances;
    }
    if (j->row.helps) {
        if (j->second && is_rule(j->first) != is_rule(j->second)) {
            /* the rule alone may do: then the other lever stays as it is */
            status = step(r, j, high_of(j), settings, &s, err);
        }
        if (status == TASKFIT_OK && s.good.value < s.bad) {
            status = narrow(r, j, settings, &s, err);
        }
    }
    if (status == TASKFIT_OK) {
        j->row.proved = j->row.reaches ? s.bad_proved : never;
        describe(r, j, s.good.value);
        fill_row(r, j, &s.good);
        j->has_row = !j->second || (j->row.helps && s.good.value < high_of(j)); /* a pair that is one lever is no row */
    }
    taskfit_plan_free(s.good.plan);
    return status;
}

static taskfit_status pull_least(const reaching *r, job *j, const taskfit_settings *settings, taskfit_error *err) {
    for (size_t more = j->n_more; more > 0; more--) {
        trial far;
        taskfit_status status = solve(r, j, low_of(j), settings, &far, err);
        if (status != TASKFIT_OK) {
            return status;
        }
        const bool enough = within(far.plan, r->reach->target);
        taskfit_plan_free(far.plan);
        if (enough) {
            break;
        }
        j->first++;
    }
    return pull(r, j, settings, err);
}

/* ---- another instance type ---- */

typedef struct volume {
    int64_t memory_mib, cpu_units;
} volume;

static volume volume_of(const taskfit_deployment *deployment) {
    volume sum = {0};
    taskfit_arena *scratch = taskfit_arena_new();
    for (size_t s = 0; s < deployment->n_services; s++) {
        const taskfit_task_demand demand = taskfit_task_demand_of(&deployment->services[s], scratch);
        taskfit_add_held(&sum.memory_mib, demand.amount[TASKFIT_RESOURCE_MEMORY], deployment->services[s].desired_count);
        taskfit_add_held(&sum.cpu_units, demand.amount[TASKFIT_RESOURCE_CPU], deployment->services[s].desired_count);
    }
    taskfit_arena_free(scratch);
    return sum;
}

static int cheaper_first(const void *left, const void *right) {
    const taskfit_instance_type *a = *(const taskfit_instance_type *const *)left;
    const taskfit_instance_type *b = *(const taskfit_instance_type *const *)right;
    if (a->price_usd_micros != b->price_usd_micros) {
        return a->price_usd_micros < b->price_usd_micros ? -1 : 1;
    }
    return strcmp(a->name, b->name);
}

static bool is_candidate(const taskfit_instance_type *type, const taskfit_instance_group *group, const volume *need, int64_t target) {
    for (size_t t = 0; t < group->n_types; t++) {
        if (strcmp(group->types[t].type.name, type->name) == 0) {
            return false;
        }
    }
    return type->architecture == group->types[0].type.architecture && type->current_generation && !type->burstable &&
           type->gpus == 0 && type->price_usd_micros >= 0 && type->memory_registered_mib >= (need->memory_mib + target - 1) / target &&
           type->vcpu * 1024 >= (need->cpu_units + target - 1) / target;
}

/* Types of the same architecture that could do by volume, the cheapest first. */
static const taskfit_instance_type **candidates(const reaching *r, taskfit_arena *arena, size_t *n_out) {
    const taskfit_catalogue *catalogue = r->options->parse.catalogue ? r->options->parse.catalogue : taskfit_catalogue_builtin();
    const size_t n_types = taskfit_catalogue_count(catalogue);
    const taskfit_instance_type **types = TASKFIT_ARRAY(arena, n_types, const taskfit_instance_type *);
    const volume need = volume_of(r->reach->deployment);
    size_t n = 0;
    for (size_t t = 0; t < n_types; t++) {
        const taskfit_instance_type *type = taskfit_catalogue_at(catalogue, t);
        if (is_candidate(type, &r->reach->deployment->groups[0], &need, r->reach->target)) {
            types[n++] = type;
        }
    }
    qsort(types, n, sizeof *types, cheaper_first);
    *n_out = n < TYPES_TRIED_MAX ? n : TYPES_TRIED_MAX;
    return types;
}

static taskfit_status parse_with(const reaching *r, const char *edit, taskfit_deployment **deployment_out, taskfit_error *err) {
    taskfit_parse_options parse = r->options->parse;
    taskfit_arena *scratch = taskfit_arena_new();
    const char **sets = TASKFIT_ARRAY(scratch, parse.n_set + 1, const char *);
    for (size_t i = 0; i < parse.n_set; i++) {
        sets[i] = parse.set[i];
    }
    sets[parse.n_set] = edit;
    parse.set = sets;
    parse.n_set++;
    parse.diag = NULL;
    taskfit_status status = taskfit_deployment_parse(r->options->file.name, r->options->file.data, r->options->file.len, &parse,
                                                     deployment_out, err);
    taskfit_arena_free(scratch);
    return status;
}

/* The cheapest type that gets there. A type that services refuse (memberOf, architecture) is passed over. */
static taskfit_status change_type(const reaching *r, job *j, const taskfit_settings *settings, taskfit_error *err) {
    size_t n_types = 0;
    const taskfit_instance_type **types = candidates(r, j->arena, &n_types);
    for (size_t t = 0; t < n_types && !j->has_row; t++) {
        taskfit_deployment *deployment = NULL;
        trial one = {.value = -1};
        const char *edit = taskfit_arena_printf(j->arena, "cluster.instanceGroups.0.types=[%s]", types[t]->name);
        if (parse_with(r, edit, &deployment, NULL) != TASKFIT_OK) {
            continue;
        }
        const taskfit_settings left = limited(r, settings);
        taskfit_status status = taskfit_size(deployment, &left, &one.plan, err);
        if (status != TASKFIT_OK) {
            taskfit_deployment_free(deployment);
            return status;
        }
        if (within(one.plan, r->reach->target)) {
            one.deployment = deployment;
            j->row = (taskfit_reach_row){.lever = "instance type",
                                         .change = taskfit_arena_printf(j->arena, "%s -> %s", r->reach->deployment->groups[0].types[0].type.name,
                                                                        types[t]->name),
                                         .value = -1,
                                         .reaches = true,
                                         .helps = true,
                                         .proved = true};
            fill_row(r, j, &one);
        }
        taskfit_plan_free(one.plan);
        taskfit_deployment_free(deployment);
    }
    return TASKFIT_OK;
}

/* ---- all levers ---- */

/* A taskfit_work_fn. */
static void work(void *arg, size_t piece, const taskfit_settings *settings) {
    const reaching *r = arg;
    job *j = &r->jobs[piece];
    j->status = j->first ? pull_least(r, j, settings, &j->err) : change_type(r, j, settings, &j->err);
}

static void add_job(reaching *r, const taskfit_cut *first, const taskfit_cut *second) {
    r->jobs[r->n_jobs++] = (job){.first = first, .second = second, .arena = taskfit_arena_new()};
}

/* Levers on some of the modules are parts of the one on all: they are not paired. */
static bool is_paired(const taskfit_cut *cut) {
    return cut->kind != TASKFIT_CUT_MODULES || cut->n_chosen == 0;
}

static void add_jobs(reaching *r) {
    taskfit_arena *arena = r->reach->arena;
    taskfit_cut *cuts = TASKFIT_ARRAY(arena, TASKFIT_CUTS_MAX, taskfit_cut);
    const size_t n = taskfit_cuts_of(r->reach->deployment, r->options->services, r->options->n_services, arena, cuts);
    r->jobs = TASKFIT_ARRAY(arena, n + 1 + n * n, job);
    for (size_t i = 0; i < n; i++) {
        if (cuts[i].kind == TASKFIT_CUT_MODULES && cuts[i].n_chosen > 1) {
            r->jobs[r->n_jobs - 1].n_more++; /* the k largest modules: one row for all k */
        } else {
            add_job(r, &cuts[i], NULL);
        }
    }
    if (r->reach->deployment->n_groups == 1) {
        add_job(r, NULL, NULL);
    }
    for (size_t i = 0; i < n && r->options->pairs; i++) {
        for (size_t k = i + 1; k < n; k++) {
            if (is_paired(&cuts[i]) && is_paired(&cuts[k])) {
                add_job(r, &cuts[i], &cuts[k]);
            }
        }
    }
}

static taskfit_status gather(reaching *r, taskfit_error *err) {
    taskfit_reach *reach = r->reach;
    taskfit_status status = TASKFIT_OK;
    reach->rows = TASKFIT_ARRAY(reach->arena, r->n_jobs, taskfit_reach_row);
    reach->arenas = TASKFIT_ARRAY(reach->arena, r->n_jobs, taskfit_arena *);
    for (size_t i = 0; i < r->n_jobs; i++) {
        reach->arenas[reach->n_arenas++] = r->jobs[i].arena;
        if (r->jobs[i].status != TASKFIT_OK && status == TASKFIT_OK) {
            taskfit_error_at(err, "%s", r->jobs[i].err.where);
            status = taskfit_fail(err, r->jobs[i].status, "%s", r->jobs[i].err.message);
        }
        if (r->jobs[i].has_row) {
            reach->rows[reach->n_rows++] = r->jobs[i].row;
        }
    }
    return status;
}

void taskfit_reach_options_init(taskfit_reach_options *options) {
    *options = (taskfit_reach_options){.instances = 1};
    taskfit_parse_options_init(&options->parse);
    taskfit_settings_init(&options->settings);
}

/* Every glob must name a service. */
static taskfit_status check_services(const reaching *r, taskfit_error *err) {
    taskfit_arena *scratch = taskfit_arena_new();
    taskfit_status status = TASKFIT_OK;
    for (size_t g = 0; g < r->options->n_services && status == TASKFIT_OK; g++) {
        taskfit_cut *cuts = TASKFIT_ARRAY(scratch, TASKFIT_CUTS_MAX, taskfit_cut);
        const size_t n = taskfit_cuts_of(r->reach->deployment, &r->options->services[g], 1, scratch, cuts);
        if (n == 0 || cuts[n - 1].kind != TASKFIT_CUT_COUNTS) {
            status = taskfit_fail(err, TASKFIT_E_ARGUMENT, "no service with tasks matches '%s' (--services)", r->options->services[g]);
        }
    }
    taskfit_arena_free(scratch);
    return status;
}

static taskfit_status run(reaching *r, taskfit_error *err) {
    taskfit_reach *reach = r->reach;
    const taskfit_whatif_file *file = &r->options->file;
    taskfit_settings settings = r->options->settings;
    settings.ladder = false;
    settings.work_limit = settings.work_limit > 0 ? settings.work_limit : TRIAL_WORK;
    r->deadline_ms = settings.time_limit_ms > 0 ? taskfit_clock_ms() + settings.time_limit_ms : 0;
    taskfit_status status = taskfit_deployment_parse(file->name, file->data, file->len, &r->options->parse, &reach->deployment, err);
    if (status == TASKFIT_OK) {
        status = check_services(r, err);
    }
    if (status == TASKFIT_OK) { /* instances are to be few, whatever the policy wants first */
        taskfit_policy *policy = &reach->deployment->policy;
        policy->objective[0] = TASKFIT_GOAL_COUNT;
        policy->objective[1] = TASKFIT_GOAL_COST;
        policy->n_objective = 2;
        status = taskfit_size(reach->deployment, &settings, &reach->plan, err);
    }
    if (status != TASKFIT_OK) {
        return status;
    }
    reach->already = within(reach->plan, reach->target);
    if (reach->already) {
        return TASKFIT_OK;
    }
    add_jobs(r);
    taskfit_workers_run(r->options->n_workers, r->n_jobs, &settings, work, r);
    return gather(r, err);
}

taskfit_status taskfit_reach_new(const taskfit_reach_options *options, taskfit_reach **reach_out, taskfit_error *err) {
    if (options->instances < 1) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "nothing fits on no instance (give 1 or more)");
    }
    taskfit_arena *arena = taskfit_arena_new();
    reaching r = {.options = options, .reach = TASKFIT_NEW(arena, taskfit_reach)};
    r.reach->arena = arena;
    r.reach->target = options->instances;
    taskfit_status status = run(&r, err);
    if (status != TASKFIT_OK) {
        taskfit_reach_free(r.reach);
        return status;
    }
    *reach_out = r.reach;
    return TASKFIT_OK;
}

void taskfit_reach_free(taskfit_reach *reach) {
    if (!reach) {
        return;
    }
    for (size_t i = 0; i < reach->n_arenas; i++) {
        taskfit_arena_free(reach->arenas[i]);
    }
    taskfit_plan_free(reach->plan);
    taskfit_deployment_free(reach->deployment);
    taskfit_arena_free(reach->arena);
}

taskfit_outcome taskfit_reach_outcome(const taskfit_reach *reach) {
    bool all_refuted = true;
    for (size_t i = 0; i < reach->n_rows; i++) {
        if (reach->rows[i].reaches) {
            return TASKFIT_OPTIMAL;
        }
        all_refuted = all_refuted && reach->rows[i].proved;
    }
    return reach->already ? TASKFIT_OPTIMAL : all_refuted ? TASKFIT_INFEASIBLE : TASKFIT_UNKNOWN;
}
