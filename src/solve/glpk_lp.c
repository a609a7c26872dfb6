#include "solve/glpk_lp.h"

#include <assert.h>
#include <glpk.h>

#include "solve/glpk_guard.h"

/*
 * glp_simplex may cycle for ever on degenerate masters, so every call has an iteration limit, in proportion to the
 * size, and a wall-clock limit behind it. A call that does not end in an optimum is followed by the next rung of
 * a ladder: the dual simplex method, a crash basis, at last the slack basis with textbook pricing and ratio test.
 */

enum { WALL_LIMIT_MS = 60 * 1000 };

struct taskfit_lp {
    glp_prob *problem;
    int generation; /* of the guard: the problem is gone when it differs */
    size_t n_rows;
    int *indexes; /* [n_rows + 1] of the column being added, as GLPK wants them */
    double *values;
};

typedef struct solve_call {
    taskfit_lp *lp;
    bool dual_first;
    taskfit_budget *budget;
    bool optimal;
} solve_call;

static int index_of(size_t zero_based) {
    assert(zero_based < 1000 * 1000 * 100);
    return (int)zero_based + 1;
}

static bool alive(const taskfit_lp *lp) {
    return lp->generation == taskfit_glpk_generation();
}

taskfit_lp *taskfit_lp_new(taskfit_arena *arena, size_t n_rows) {
    taskfit_lp *lp = TASKFIT_NEW(arena, taskfit_lp);
    lp->generation = taskfit_glpk_generation();
    lp->problem = glp_create_prob();
    lp->n_rows = n_rows;
    lp->indexes = TASKFIT_ARRAY(arena, n_rows + 1, int);
    lp->values = TASKFIT_ARRAY(arena, n_rows + 1, double);
    if (n_rows > 0) {
        glp_add_rows(lp->problem, index_of(n_rows - 1));
    }
    for (size_t row = 0; row < n_rows; row++) {
        taskfit_lp_set_row(lp, row, TASKFIT_LP_AT_LEAST, 0.0);
    }
    return lp;
}

void taskfit_lp_free(taskfit_lp *lp) {
    if (lp != NULL && alive(lp)) {
        glp_delete_prob(lp->problem);
    }
}

void taskfit_lp_set_row(taskfit_lp *lp, size_t row, taskfit_lp_sense sense, double bound) {
    const int type = sense == TASKFIT_LP_AT_LEAST ? GLP_LO : sense == TASKFIT_LP_AT_MOST ? GLP_UP : GLP_FX;
    glp_set_row_bnds(lp->problem, index_of(row), type, bound, bound);
}

size_t taskfit_lp_add_column(taskfit_lp *lp, double cost, size_t n, const size_t *rows, const double *coefficients) {
    assert(n <= lp->n_rows);
    for (size_t i = 0; i < n; i++) {
        lp->indexes[i + 1] = index_of(rows[i]);
        lp->values[i + 1] = coefficients[i];
    }
    const int column = glp_add_cols(lp->problem, 1);
    glp_set_col_bnds(lp->problem, column, GLP_LO, 0.0, 0.0);
    glp_set_obj_coef(lp->problem, column, cost);
    glp_set_mat_col(lp->problem, column, (int)n, lp->indexes, lp->values);
    return (size_t)column - 1;
}

void taskfit_lp_fix_column(taskfit_lp *lp, size_t column, bool fixed) {
    glp_set_col_bnds(lp->problem, index_of(column), fixed ? GLP_FX : GLP_LO, 0.0, 0.0);
}

void taskfit_lp_set_cost(taskfit_lp *lp, size_t column, double cost) {
    glp_set_obj_coef(lp->problem, index_of(column), cost);
}

bool taskfit_lp_row_basic(const taskfit_lp *lp, size_t row) {
    return glp_get_row_stat(lp->problem, index_of(row)) == GLP_BS;
}

bool taskfit_lp_column_basic(const taskfit_lp *lp, size_t column) {
    return glp_get_col_stat(lp->problem, index_of(column)) == GLP_BS;
}

void taskfit_lp_set_row_basic(taskfit_lp *lp, size_t row, bool basic) {
    const int type = glp_get_row_type(lp->problem, index_of(row));
    glp_set_row_stat(lp->problem, index_of(row), basic ? GLP_BS : type == GLP_LO ? GLP_NL : type == GLP_UP ? GLP_NU : GLP_NS);
}

void taskfit_lp_set_column_basic(taskfit_lp *lp, size_t column, bool basic) {
    glp_set_col_stat(lp->problem, index_of(column), basic ? GLP_BS : GLP_NL);
}

static bool attempt(const solve_call *call, int method, bool textbook) {
    glp_prob *problem = call->lp->problem;
    const int n_rows = glp_get_num_rows(problem);
    glp_smcp parameters;
    glp_init_smcp(&parameters);
    parameters.msg_lev = GLP_MSG_OFF;
    parameters.meth = method;
    parameters.pricing = textbook ? GLP_PT_STD : GLP_PT_PSE;
    parameters.r_test = textbook ? GLP_RT_STD : GLP_RT_HAR;
    parameters.it_lim = 2000 + 10 * n_rows;
    parameters.tm_lim = WALL_LIMIT_MS;
    const int before = glp_get_it_cnt(problem);
    const int code = glp_simplex(problem, &parameters);
    const int64_t pivots = glp_get_it_cnt(problem) - before;
    const int64_t size = 6 * (int64_t)n_rows + glp_get_num_cols(problem) / 8 + 50;
    (void)taskfit_budget_spend(call->budget, (pivots + 1) * size);
    return code == 0 && glp_get_status(problem) == GLP_OPT;
}

static void solve_body(void *arg) {
    solve_call *call = arg;
    glp_prob *problem = call->lp->problem;
    if (attempt(call, call->dual_first ? GLP_DUALP : GLP_PRIMAL, false)) {
        call->optimal = true;
        return;
    }
    for (int rung = 0; rung < 3 && !call->optimal && !call->budget->stopped; rung++) {
        call->budget->glpk_fallbacks++;
        if (rung == 1) {
            glp_adv_basis(problem, 0);
        } else if (rung == 2) {
            glp_std_basis(problem);
        }
        call->optimal = attempt(call, rung == 0 && !call->dual_first ? GLP_DUALP : GLP_PRIMAL, rung == 2);
    }
}

bool taskfit_lp_solve(taskfit_lp *lp, bool dual_first, taskfit_budget *budget) {
    if (!alive(lp)) {
        return false;
    }
    solve_call call = {.lp = lp, .dual_first = dual_first, .budget = budget};
    return taskfit_glpk_run(solve_body, &call, NULL) == TASKFIT_OK && call.optimal;
}

double taskfit_lp_objective(const taskfit_lp *lp) {
    return glp_get_obj_val(lp->problem);
}

double taskfit_lp_value(const taskfit_lp *lp, size_t column) {
    return glp_get_col_prim(lp->problem, index_of(column));
}

double taskfit_lp_price(const taskfit_lp *lp, size_t row) {
    return glp_get_row_dual(lp->problem, index_of(row));
}

double taskfit_lp_reduced_cost(const taskfit_lp *lp, size_t column) {
    return glp_get_col_dual(lp->problem, index_of(column));
}
