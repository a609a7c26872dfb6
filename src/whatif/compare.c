#include <assert.h>
#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "input/node.h"
#include "whatif/comparison.h"
#include "whatif/kpi.h"
#include "whatif/range.h"
#include "whatif/workers.h"

/*
 * Combinations become cases, one piece of work each; a case becomes a row, or with a range a row for each number of
 * instances. Cases are read in this thread first, so that defects are told in order; only solving is done in others.
 */

enum { CASES_MAX = 20000 };

typedef struct combination { /* one case */
    taskfit_row row;        /* what is known before it is solved */
    const char **sets;      /* edits of the command line, the range's last */
    size_t n_sets;
    const taskfit_vary *range; /* NULL: none */
    taskfit_range_search search;
    taskfit_status status;
    taskfit_error err;
} combination;

typedef struct comparing {
    const taskfit_compare_options *options;
    taskfit_comparison *comparison;
    taskfit_arena *arena; /* the comparison's */
    combination *cases;
    size_t n_cases, capacity;
} comparing;

void taskfit_compare_options_init(taskfit_compare_options *options) {
    *options = (taskfit_compare_options){.kpi_tolerance_permille = 50};
    taskfit_parse_options_init(&options->parse);
    taskfit_settings_init(&options->settings);
}

/* ---- reading ---- */

static taskfit_status read_case(const comparing *c, const combination *one, bool tell, taskfit_deployment **deployment_out,
                                taskfit_error *err) {
    taskfit_parse_options parse = c->options->parse;
    parse.scenario = one->row.scenario;
    parse.set = one->sets;
    parse.n_set = one->n_sets;
    if (!tell) {
        parse.diag = NULL;
    }
    const taskfit_whatif_file *file = &c->options->files[one->row.file];
    taskfit_status status = taskfit_deployment_parse(file->name, file->data, file->len, &parse, deployment_out, err);
    if (status != TASKFIT_OK && c->options->n_files > 1) {
        taskfit_error_at(err, "%s", file->name);
    }
    return status;
}

typedef struct maker {
    const comparing *comparing;
    const combination *one;
    bool tell;
} maker;

/* A taskfit_range_make_fn: the case with one value of its range. Runs in workers. */
static taskfit_status make_value(void *arg, int64_t value, taskfit_deployment **deployment_out, taskfit_error *err) {
    const maker *m = arg;
    taskfit_arena *scratch = taskfit_arena_new();
    combination one = *m->one;
    one.sets = TASKFIT_ARRAY(scratch, one.n_sets, const char *);
    memcpy(one.sets, m->one->sets, one.n_sets * sizeof *one.sets);
    one.sets[one.n_sets - 1] =
        taskfit_vary_edit(scratch, one.range, taskfit_arena_printf(scratch, "%" PRId64, value));
    taskfit_status status = read_case(m->comparing, &one, m->tell, deployment_out, err);
    taskfit_arena_free(scratch);
    return status;
}

/* What can be said of a deployment before it is solved: that `vary` means something, that every price is known. */
static taskfit_status check(const comparing *c, const taskfit_deployment *deployment, taskfit_error *err) {
    taskfit_status status = TASKFIT_OK;
    for (size_t v = 0; v < c->comparison->n_vary && status == TASKFIT_OK; v++) {
        status = taskfit_vary_check(&c->comparison->vary[v], deployment, err);
    }
    if (status == TASKFIT_OK) {
        taskfit_arena *scratch = taskfit_arena_new();
        taskfit_item_costs costs;
        status = taskfit_item_costs_of(deployment, c->options->prices, 1, scratch, &costs, err);
        taskfit_arena_free(scratch);
    }
    return status;
}

/* A range is read at both ends, which shows nearly everything that can be wrong with it; its points read it again. */
static taskfit_status read_range(const comparing *c, const combination *one, taskfit_error *err) {
    const int64_t ends[] = {one->range->low, one->range->high};
    maker make = {c, one, true};
    taskfit_status status = TASKFIT_OK;
    for (size_t end = 0; end < 2 && status == TASKFIT_OK; end++) {
        taskfit_deployment *deployment = NULL;
        status = make_value(&make, ends[end], &deployment, err);
        if (status == TASKFIT_OK) {
            status = check(c, deployment, err);
        }
        taskfit_deployment_free(deployment);
    }
    return status;
}

static taskfit_status read_all(comparing *c, taskfit_error *err) {
    taskfit_status status = TASKFIT_OK;
    for (size_t i = 0; i < c->n_cases && status == TASKFIT_OK; i++) {
        combination *one = &c->cases[i];
        if (one->range) {
            status = read_range(c, one, err);
            continue;
        }
        status = read_case(c, one, true, &one->row.deployment, err);
        if (status == TASKFIT_OK) {
            status = check(c, one->row.deployment, err);
        }
    }
    return status;
}

/* ---- combinations ---- */

static taskfit_status parse_varies(comparing *c, taskfit_error *err) {
    const taskfit_compare_options *options = c->options;
    taskfit_vary *varies = TASKFIT_ARRAY(c->arena, options->n_vary, taskfit_vary);
    size_t n_ranges = 0;
    for (size_t v = 0; v < options->n_vary; v++) {
        taskfit_status status = taskfit_vary_parse(c->arena, options->vary[v], &varies[v], err);
        if (status != TASKFIT_OK) {
            return status;
        }
        for (size_t before = 0; before < v; before++) {
            if (strcmp(varies[before].path, varies[v].path) == 0) {
                return taskfit_fail(err, TASKFIT_E_ARGUMENT, "'%s' is varied twice (give all its values in one --vary)",
                                    varies[v].path);
            }
        }
        n_ranges += varies[v].range;
    }
    if (n_ranges > 1) {
        return taskfit_fail(err, TASKFIT_E_ARGUMENT, "%zu ranges to vary (one at a time: give values for the others)", n_ranges);
    }
    c->comparison->vary = varies;
    c->comparison->n_vary = options->n_vary;
    return TASKFIT_OK;
}

/* The case of this scenario and these values, one for each vary. */
static void add_case(comparing *c, size_t file, const char *scenario, const size_t *values) {
    const taskfit_compare_options *options = c->options;
    const size_t n_vary = c->comparison->n_vary;
    combination one = {.row = {.file = file, .scenario = scenario, .range = SIZE_MAX}};
    const char **shown = TASKFIT_ARRAY(c->arena, n_vary, const char *);
    one.sets = TASKFIT_ARRAY(c->arena, options->parse.n_set + n_vary, const char *);
    for (size_t i = 0; i < options->parse.n_set; i++) {
        one.sets[one.n_sets++] = options->parse.set[i];
    }
    for (size_t v = 0; v < n_vary; v++) {
        const taskfit_vary *vary = &c->comparison->vary[v];
        if (vary->range) {
            one.range = vary;
        } else {
            shown[v] = vary->values[values[v]];
            one.sets[one.n_sets++] = taskfit_vary_edit(c->arena, vary, shown[v]);
        }
    }
    one.n_sets += one.range != NULL;
    one.row.values = shown;
    TASKFIT_GROW(c->arena, c->cases, c->n_cases, c->capacity);
    c->cases[c->n_cases++] = one;
}

static taskfit_status add_values(comparing *c, size_t file, const char *scenario, taskfit_error *err) {
    const size_t n_vary = c->comparison->n_vary;
    size_t *values = TASKFIT_ARRAY(c->arena, n_vary, size_t);
    for (;;) {
        if (c->n_cases == CASES_MAX) {
            return taskfit_fail(err, TASKFIT_E_ARGUMENT, "more than %d combinations to compare", (int)CASES_MAX);
        }
        add_case(c, file, scenario, values);
        size_t v = n_vary; /* the last one changes fastest */
        while (v > 0 && ++values[v - 1] >= c->comparison->vary[v - 1].n_values) {
            values[--v] = 0;
        }
        if (v == 0) {
            return TASKFIT_OK;
        }
    }
}

/* Every scenario of a file, read from the file as it is. */
static taskfit_status add_all_scenarios(comparing *c, size_t file, const taskfit_deployment *deployment, taskfit_error *err) {
    const taskfit_node *scenarios = taskfit_node_get(deployment->resolved, "scenarios");
    taskfit_status status = TASKFIT_OK;
    for (size_t s = 0; scenarios && scenarios->kind == TASKFIT_NODE_MAP && s < scenarios->n && status == TASKFIT_OK; s++) {
        status = add_values(c, file, taskfit_arena_strdup(c->arena, scenarios->entries[s].key), err);
    }
    return status;
}

static taskfit_status add_file(comparing *c, size_t file, taskfit_error *err) {
    const taskfit_compare_options *options = c->options;
    taskfit_status status = TASKFIT_OK;
    if (options->n_vary == 0 || options->n_scenarios == 0) {
        const size_t first = c->n_cases;
        status = add_values(c, file, NULL, err);
        if (status == TASKFIT_OK) {
            c->cases[first].row.baseline = options->n_scenarios > 0;
        }
    }
    for (size_t s = 0; s < options->n_scenarios && status == TASKFIT_OK; s++) {
        status = add_values(c, file, options->scenarios[s], err);
    }
    if (status == TASKFIT_OK && options->n_scenarios == 0 && options->n_vary == 0) {
        taskfit_deployment *deployment = NULL;
        status = read_case(c, &c->cases[c->n_cases - 1], true, &deployment, err);
        if (status == TASKFIT_OK) {
            status = add_all_scenarios(c, file, deployment, err);
        }
        taskfit_deployment_free(deployment);
    }
    return status;
}

/* ---- solving ---- */

/* A taskfit_work_fn. */
static void solve_case(void *arg, size_t piece, const taskfit_settings *settings) {
    comparing *c = arg;
    combination *one = &c->cases[piece];
    if (!one->range) {
        one->status = taskfit_size(one->row.deployment, settings, &one->row.plan, &one->err);
        return;
    }
    maker make = {c, one, false};
    one->search = (taskfit_range_search){.low = one->range->low,
                                         .high = one->range->high,
                                         .trend = taskfit_vary_trend(one->range),
                                         .make = make_value,
                                         .make_arg = &make,
                                         .settings = settings};
    one->status = taskfit_range_run(&one->search, &one->err);
}

/* ---- rows ---- */

static int64_t count_of(const taskfit_range_point *point) {
    return point->plan->instances;
}

static void add_connection_warnings(comparing *c, taskfit_row *row) {
    const taskfit_deployment *deployment = row->deployment;
    taskfit_warning *warnings = TASKFIT_ARRAY(c->arena, row->plan->n_warnings + deployment->n_cost_items, taskfit_warning);
    size_t n = 0;
    for (; n < row->plan->n_warnings; n++) {
        warnings[n] = row->plan->warnings[n];
    }
    for (size_t i = 0; i < deployment->n_cost_items; i++) {
        n += taskfit_connections_exceeded(deployment, &deployment->cost_items[i], c->arena, &warnings[n]);
    }
    row->plan->warnings = warnings;
    row->plan->n_warnings = n;
}

/* Moves the plan of a solved value into the next row. Prices were found to be known before. */
static void add_row(comparing *c, const combination *one, taskfit_deployment *deployment, taskfit_plan *plan) {
    taskfit_row *row = &c->comparison->rows[c->comparison->n_rows++];
    *row = one->row;
    row->deployment = deployment;
    row->plan = plan;
    row->figures = taskfit_row_figures_of(plan, c->arena);
    if (plan->instances >= 0 &&
        taskfit_item_costs_of(deployment, c->options->prices, plan->instances, c->arena, &row->costs, NULL) == TASKFIT_OK) {
        row->figures.usd_cents = row->figures.ec2_usd_cents + row->costs.usd_cents;
    }
    add_connection_warnings(c, row);
}

static void add_range_rows(comparing *c, combination *one) {
    taskfit_range_search *search = &one->search;
    const size_t index = c->comparison->n_ranges++;
    c->comparison->ranges[index] = search->result;
    for (size_t first = 0; first < search->n_points;) {
        size_t last = first;
        while (last + 1 < search->n_points && count_of(&search->points[last + 1]) == count_of(&search->points[first])) {
            last++;
        }
        taskfit_range_point *shown = &search->points[search->result.trend == TASKFIT_TREND_DOWN ? first : last];
        add_row(c, one, shown->deployment, shown->plan);
        taskfit_row *row = &c->comparison->rows[c->comparison->n_rows - 1];
        shown->deployment = NULL;
        shown->plan = NULL;
        row->range = index;
        row->low = search->points[first].value;
        row->high = search->points[last].value;
        const char **values = TASKFIT_ARRAY(c->arena, c->comparison->n_vary, const char *);
        for (size_t v = 0; v < c->comparison->n_vary; v++) {
            values[v] = !c->comparison->vary[v].range ? one->row.values[v]
                        : row->low == row->high   ? taskfit_arena_printf(c->arena, "%" PRId64, row->low)
                                                  : taskfit_arena_printf(c->arena, "%" PRId64 "..%" PRId64, row->low, row->high);
        }
        row->values = values;
        first = last + 1;
    }
}

static void add_rows(comparing *c) {
    size_t n_rows = 0;
    size_t n_ranges = 0;
    for (size_t i = 0; i < c->n_cases; i++) {
        n_rows += c->cases[i].range ? c->cases[i].search.n_points : 1;
        n_ranges += c->cases[i].range != NULL;
    }
    c->comparison->rows = TASKFIT_ARRAY(c->arena, n_rows, taskfit_row);
    c->comparison->ranges = TASKFIT_ARRAY(c->arena, n_ranges, taskfit_range);
    for (size_t i = 0; i < c->n_cases; i++) {
        combination *one = &c->cases[i];
        if (one->range) {
            add_range_rows(c, one);
        } else {
            add_row(c, one, one->row.deployment, one->row.plan);
            one->row.deployment = NULL;
            one->row.plan = NULL;
        }
    }
}

/* ---- Fargate ---- */

/* Whether a service may run on this architecture. */
static bool may_run_on(const taskfit_deployment *deployment, taskfit_architecture architecture) {
    for (size_t s = 0; s < deployment->n_services; s++) {
        if (deployment->services[s].architecture == TASKFIT_ARCH_ANY || deployment->services[s].architecture == architecture) {
            return true;
        }
    }
    return false;
}

static taskfit_status add_fargate(comparing *c, taskfit_error *err) {
    static const taskfit_architecture architectures[] = {TASKFIT_ARCH_X86_64, TASKFIT_ARCH_ARM64};
    taskfit_comparison *comparison = c->comparison;
    comparison->fargate = TASKFIT_ARRAY(c->arena, 2 * comparison->n_rows, taskfit_fargate_row);
    for (size_t r = 0; r < comparison->n_rows; r++) {
        const taskfit_deployment *deployment = comparison->rows[r].deployment;
        for (size_t a = 0; a < 2 && (c->options->fargate || taskfit_fargate_wanted(deployment)); a++) {
            if (!may_run_on(deployment, architectures[a])) {
                continue;
            }
            taskfit_item_costs costs;
            taskfit_fargate_row fargate = {.row = r, .architecture = architectures[a]};
            taskfit_status status = taskfit_fargate_cost(deployment, c->options->prices, architectures[a], &fargate.usd_micros, err);
            if (status == TASKFIT_OK) {
                status = taskfit_item_costs_of(deployment, c->options->prices, 0, c->arena, &costs, err);
            }
            if (status != TASKFIT_OK) {
                return status;
            }
            fargate.usd_cents = taskfit_usd_cents_per_month(fargate.usd_micros, deployment->hours_per_month) + costs.usd_cents;
            comparison->fargate[comparison->n_fargate++] = fargate;
        }
    }
    return TASKFIT_OK;
}

static void release_cases(comparing *c) {
    for (size_t i = 0; i < c->n_cases; i++) {
        taskfit_range_release(&c->cases[i].search);
        taskfit_plan_free(c->cases[i].row.plan);
        taskfit_deployment_free(c->cases[i].row.deployment);
    }
}

static taskfit_status solve_all(comparing *c, taskfit_error *err) {
    taskfit_settings settings = c->options->settings;
    settings.ladder = false;
    taskfit_workers_run(c->options->n_workers, c->n_cases, &settings, solve_case, c);
    for (size_t i = 0; i < c->n_cases; i++) {
        if (c->cases[i].status != TASKFIT_OK) {
            taskfit_error_at(err, "%s", c->cases[i].err.where);
            return taskfit_fail(err, c->cases[i].status, "%s", c->cases[i].err.message);
        }
    }
    return TASKFIT_OK;
}

taskfit_status taskfit_compare(const taskfit_compare_options *options, taskfit_comparison **comparison_out,
                               taskfit_error *err) {
    assert(options->n_files > 0);
    taskfit_arena *arena = taskfit_arena_new();
    comparing c = {.options = options, .comparison = TASKFIT_NEW(arena, taskfit_comparison), .arena = arena};
    c.comparison->arena = arena;
    const char **files = TASKFIT_ARRAY(arena, options->n_files, const char *);
    c.comparison->files = files;
    c.comparison->n_files = options->n_files;
    taskfit_status status = parse_varies(&c, err);
    for (size_t file = 0; file < options->n_files && status == TASKFIT_OK; file++) {
        files[file] = taskfit_arena_strdup(arena, options->files[file].name);
        status = add_file(&c, file, err);
    }
    if (status == TASKFIT_OK) {
        status = read_all(&c, err);
    }
    if (status == TASKFIT_OK) {
        status = solve_all(&c, err);
    }
    if (status == TASKFIT_OK) {
        add_rows(&c);
        status = add_fargate(&c, err);
    }
    if (status == TASKFIT_OK && c.comparison->rows[0].deployment->n_kpi_files > 0) {
        c.comparison->kpis = TASKFIT_NEW(arena, taskfit_kpis);
        c.comparison->kpi_tolerance_permille = options->kpi_tolerance_permille;
        status = taskfit_kpis_read(c.comparison, &options->parse, c.comparison->kpis, err);
    }
    release_cases(&c);
    if (status != TASKFIT_OK) {
        taskfit_comparison_free(c.comparison);
        return status;
    }
    *comparison_out = c.comparison;
    return TASKFIT_OK;
}
