#include "solve/glpk_build.h"

#include <assert.h>
#include <glpk.h>
#include <float.h>
#include <limits.h>
#include <math.h>

#include "base/clock.h"
#include "base/error.h"
#include "solve/glpk_guard.h"

enum { GRACE_MS = 2000 };

typedef struct bounded { /* a column or row */
    int64_t low, high, cost;
    const char *name;
} bounded;

typedef struct entry {
    size_t row, column;
    int64_t value;
} entry;

struct taskfit_program {
    taskfit_arena *arena;
    bounded *columns;
    size_t n_columns, columns_capacity;
    bounded *rows;
    size_t n_rows, rows_capacity;
    entry *entries;
    size_t n_entries, entries_capacity;
};

taskfit_program *taskfit_program_new(taskfit_arena *arena) {
    taskfit_program *program = TASKFIT_NEW(arena, taskfit_program);
    program->arena = arena;
    return program;
}

size_t taskfit_program_column(taskfit_program *program, int64_t low, int64_t high, int64_t cost, const char *name) {
    assert(low <= high && low != TASKFIT_PROGRAM_NONE);
    TASKFIT_GROW(program->arena, program->columns, program->n_columns, program->columns_capacity);
    program->columns[program->n_columns] = (bounded){.low = low, .high = high, .cost = cost, .name = name};
    return program->n_columns++;
}

size_t taskfit_program_row(taskfit_program *program, int64_t low, int64_t high, const char *name) {
    assert(low == TASKFIT_PROGRAM_NONE || high == TASKFIT_PROGRAM_NONE || low <= high);
    TASKFIT_GROW(program->arena, program->rows, program->n_rows, program->rows_capacity);
    program->rows[program->n_rows] = (bounded){.low = low, .high = high, .name = name};
    return program->n_rows++;
}

void taskfit_program_entry(taskfit_program *program, size_t row, size_t column, int64_t value) {
    assert(row < program->n_rows && column < program->n_columns);
    if (value != 0) {
        TASKFIT_GROW(program->arena, program->entries, program->n_entries, program->entries_capacity);
        program->entries[program->n_entries++] = (entry){.row = row, .column = column, .value = value};
    }
}

size_t taskfit_program_n_columns(const taskfit_program *program) {
    return program->n_columns;
}

/* ---- under the guard ---- */

typedef struct run {
    const taskfit_program *program;
    taskfit_budget *budget;
    const char *path; /* writing */
    taskfit_model_format format;
    int pivots_charged;
    bool terminated;
    int code, status;
    double bound;
    double *values; /* [n_columns] the caller's */
} run;

static int bound_type(const bounded *item) {
    if (item->low == TASKFIT_PROGRAM_NONE) {
        return item->high == TASKFIT_PROGRAM_NONE ? GLP_FR : GLP_UP;
    }
    if (item->high == TASKFIT_PROGRAM_NONE) {
        return GLP_LO;
    }
    return item->low == item->high ? GLP_FX : GLP_DB;
}

static double edge(int64_t bound) {
    return bound == TASKFIT_PROGRAM_NONE ? 0.0 : (double)bound;
}

static glp_prob *load(const run *r) {
    const taskfit_program *program = r->program;
    glp_prob *lp = glp_create_prob();
    glp_set_obj_dir(lp, GLP_MIN);
    for (size_t i = 0; i < program->n_rows; i++) {
        const bounded *row = &program->rows[i];
        const int index = glp_add_rows(lp, 1);
        glp_set_row_bnds(lp, index, bound_type(row), edge(row->low), edge(row->high));
        glp_set_row_name(lp, index, row->name);
    }
    for (size_t i = 0; i < program->n_columns; i++) {
        const bounded *column = &program->columns[i];
        const int index = glp_add_cols(lp, 1);
        glp_set_col_kind(lp, index, GLP_IV);
        glp_set_col_bnds(lp, index, bound_type(column), edge(column->low), edge(column->high));
        glp_set_obj_coef(lp, index, (double)column->cost);
        glp_set_col_name(lp, index, column->name);
    }
    int *rows = glp_alloc((int)program->n_entries + 1, sizeof *rows);
    int *columns = glp_alloc((int)program->n_entries + 1, sizeof *columns);
    double *values = glp_alloc((int)program->n_entries + 1, sizeof *values);
    for (size_t i = 0; i < program->n_entries; i++) {
        rows[i + 1] = (int)program->entries[i].row + 1;
        columns[i + 1] = (int)program->entries[i].column + 1;
        values[i + 1] = (double)program->entries[i].value;
    }
    glp_load_matrix(lp, (int)program->n_entries, rows, columns, values);
    glp_free(rows);
    glp_free(columns);
    glp_free(values);
    return lp;
}

/* Charges the pivots since last time; a pivot touches every row, at the price of ten pattern nodes each. */
static bool charge(run *r, glp_prob *lp) {
    const int pivots = glp_get_it_cnt(lp) - r->pivots_charged;
    r->pivots_charged += pivots;
    return taskfit_budget_spend(r->budget, ((int64_t)pivots + 1) * ((int64_t)r->program->n_rows + 10) * 10);
}

static void watch(glp_tree *tree, void *arg) {
    run *r = arg;
    const int best = glp_ios_best_node(tree);
    if (best != 0) {
        r->bound = glp_ios_node_bound(tree, best); /* not to be had once glp_intopt returns */
    }
    if (!charge(r, glp_ios_get_prob(tree))) {
        r->terminated = true;
        glp_ios_terminate(tree);
    }
}

static int time_left_ms(const taskfit_budget *budget) {
    if (budget->deadline_ms <= 0) {
        return INT_MAX;
    }
    const int64_t left = budget->deadline_ms - taskfit_clock_ms();
    return left < 1 ? 1 : left > INT_MAX ? INT_MAX : (int)left;
}

/* The root is solved apart, since only glp_simplex takes an iteration limit. */
static int solve_root(run *r, glp_prob *lp) {
    glp_smcp simplex;
    glp_init_smcp(&simplex);
    simplex.meth = GLP_DUALP;
    simplex.tm_lim = time_left_ms(r->budget);
    simplex.it_lim = 20000 + 10 * (int)r->program->n_rows;
    glp_adv_basis(lp, 0);
    int code = glp_simplex(lp, &simplex);
    if (code != 0) { /* cycling or a singular basis: once more from the start, the plain way */
        r->budget->glpk_fallbacks++;
        glp_std_basis(lp);
        simplex.meth = GLP_PRIMAL;
        simplex.pricing = GLP_PT_STD;
        simplex.r_test = GLP_RT_STD;
        code = glp_simplex(lp, &simplex);
    }
    return code;
}

static void solve_body(void *arg) {
    run *r = arg;
    glp_prob *lp = load(r);
    r->bound = -DBL_MAX;
    r->code = solve_root(r, lp);
    r->status = GLP_UNDEF;
    if (r->code == 0 && (glp_get_status(lp) == GLP_NOFEAS || glp_get_status(lp) == GLP_INFEAS)) {
        r->status = glp_get_status(lp) == GLP_NOFEAS ? GLP_NOFEAS : GLP_UNDEF;
    } else if (r->code == 0 && charge(r, lp)) {
        glp_iocp options;
        glp_init_iocp(&options);
        options.cb_func = watch;
        options.cb_info = r;
        options.tm_lim = time_left_ms(r->budget);
        options.msg_lev = GLP_MSG_ON; /* for the deadline, which tm_lim should forestall */
        taskfit_glpk_set_deadline(r->budget->deadline_ms > 0 ? r->budget->deadline_ms + GRACE_MS : 0);
        options.br_tech = GLP_BR_DTH;
        options.bt_tech = GLP_BT_BLB;
        r->code = glp_intopt(lp, &options);
        r->status = glp_mip_status(lp);
        for (size_t i = 0; i < r->program->n_columns; i++) {
            r->values[i] = glp_mip_col_val(lp, (int)i + 1);
        }
    } else if (r->code == 0) {
        r->terminated = true;
    }
    glp_delete_prob(lp);
}

taskfit_outcome taskfit_glpk_outcome(int code, int status) {
    switch (status) {
    case GLP_OPT:
        return TASKFIT_OPTIMAL;
    case GLP_FEAS:
        return TASKFIT_FEASIBLE;
    case GLP_NOFEAS: /* 0, or GLP_ENOPFS of the presolver */
        return code == 0 || code == GLP_ENOPFS ? TASKFIT_INFEASIBLE : TASKFIT_UNKNOWN;
    default:
        return TASKFIT_UNKNOWN; /* at a limit the objective value is 0, which reads like a plan */
    }
}

taskfit_status taskfit_program_solve(const taskfit_program *program, taskfit_budget *budget, taskfit_arena *arena,
                                     taskfit_program_result *result_out, taskfit_error *err) {
    run r = {.program = program, .budget = budget, .values = TASKFIT_ARRAY(arena, program->n_columns, double)};
    const taskfit_status status = taskfit_glpk_run(solve_body, &r, err);
    if (status != TASKFIT_OK) {
        return status;
    }
    taskfit_program_result result = {.outcome = taskfit_glpk_outcome(r.code, r.status), .bound = r.bound};
    if (result.outcome == TASKFIT_OPTIMAL || result.outcome == TASKFIT_FEASIBLE) {
        int64_t *values = TASKFIT_ARRAY(arena, program->n_columns, int64_t);
        for (size_t i = 0; i < program->n_columns; i++) {
            values[i] = llround(r.values[i]);
            if (fabs(r.values[i] - (double)values[i]) > 1e-4) {
                return taskfit_fail(err, TASKFIT_E_INTERNAL, "GLPK gave a fraction where a whole number was asked");
            }
        }
        result.values = values;
    }
    *result_out = result;
    return TASKFIT_OK;
}

static void write_body(void *arg) {
    run *r = arg;
    glp_prob *lp = load(r);
    r->code = r->format == TASKFIT_MODEL_LP ? glp_write_lp(lp, NULL, r->path) : glp_write_mps(lp, GLP_MPS_FILE, NULL, r->path);
    glp_delete_prob(lp);
}

taskfit_status taskfit_program_write(const taskfit_program *program, taskfit_model_format format, const char *path,
                                     taskfit_error *err) {
    assert(format == TASKFIT_MODEL_LP || format == TASKFIT_MODEL_MPS);
    run r = {.program = program, .format = format, .path = path};
    const taskfit_status status = taskfit_glpk_run(write_body, &r, err);
    if (status == TASKFIT_OK && r.code != 0) {
        return taskfit_fail(err, TASKFIT_E_SYSTEM, "the model cannot be written");
    }
    return status;
}
