#include "solve/moves.h"

#include <assert.h>

#include "solve/room.h"

/*
 * Instances of one offer are alike but for what stands on them, so each offer is a problem of its own: give the instances
 * of the fleet to the standing ones, as many as there are of both, so that most tasks stay. An assignment problem,
 * solved by shortest augmenting paths with potentials: exact, in integers, O(rows^2 columns) at worst.
 *
 *     cost[row][column] = -(tasks that stay), rows <= columns; the rows are the rarer side
 */

typedef struct assignment {
    size_t n_rows, n_columns;
    const int64_t *cost;   /* [n_rows][n_columns] */
    int64_t *row_price, *column_price; /* potentials: cost - row_price - column_price >= 0, 0 where assigned */
    size_t *row_of;        /* [n_columns] SIZE_MAX: free */
    int64_t *distance;     /* [n_columns] of the path being looked for */
    size_t *from;          /* [n_columns] the column before on the path; SIZE_MAX: the row itself */
    bool *done;            /* [n_columns] */
} assignment;

static size_t nearest_column(const assignment *a) {
    size_t best = SIZE_MAX;
    for (size_t c = 0; c < a->n_columns; c++) {
        if (!a->done[c] && (best == SIZE_MAX || a->distance[c] < a->distance[best])) {
            best = c;
        }
    }
    return best;
}

static void relax_columns(assignment *a, size_t row, int64_t reached, size_t from) {
    for (size_t c = 0; c < a->n_columns; c++) {
        const int64_t length = reached + a->cost[row * a->n_columns + c] - a->row_price[row] - a->column_price[c];
        if (!a->done[c] && length < a->distance[c]) {
            a->distance[c] = length;
            a->from[c] = from;
        }
    }
}

/* Dijkstra from the row to the nearest free column, then the columns on the path change their rows. */
static void assign_row(assignment *a, size_t row) {
    for (size_t c = 0; c < a->n_columns; c++) {
        a->distance[c] = INT64_MAX;
        a->done[c] = false;
    }
    relax_columns(a, row, 0, SIZE_MAX);
    size_t end = nearest_column(a);
    while (a->row_of[end] != SIZE_MAX) {
        a->done[end] = true;
        relax_columns(a, a->row_of[end], a->distance[end], end);
        end = nearest_column(a);
    }
    a->row_price[row] += a->distance[end];
    for (size_t c = 0; c < a->n_columns; c++) {
        if (a->done[c]) {
            a->row_price[a->row_of[c]] += a->distance[end] - a->distance[c];
            a->column_price[c] -= a->distance[end] - a->distance[c];
        }
    }
    for (; a->from[end] != SIZE_MAX; end = a->from[end]) {
        a->row_of[end] = a->row_of[a->from[end]];
    }
    a->row_of[end] = row;
}

static void assign_rows(assignment *a, taskfit_arena *scratch) {
    a->row_price = TASKFIT_ARRAY(scratch, a->n_rows, int64_t);
    a->column_price = TASKFIT_ARRAY(scratch, a->n_columns, int64_t);
    a->row_of = TASKFIT_ARRAY(scratch, a->n_columns, size_t);
    a->distance = TASKFIT_ARRAY(scratch, a->n_columns, int64_t);
    a->from = TASKFIT_ARRAY(scratch, a->n_columns, size_t);
    a->done = TASKFIT_ARRAY(scratch, a->n_columns, bool);
    for (size_t c = 0; c < a->n_columns; c++) {
        a->row_of[c] = SIZE_MAX;
    }
    for (size_t row = 0; row < a->n_rows; row++) { /* rows start dual feasible: every reduced cost at least 0 */
        a->row_price[row] = a->cost[row * a->n_columns];
        for (size_t c = 1; c < a->n_columns; c++) {
            const int64_t cost = a->cost[row * a->n_columns + c];
            a->row_price[row] = cost < a->row_price[row] ? cost : a->row_price[row];
        }
    }
    for (size_t row = 0; row < a->n_rows; row++) {
        assign_row(a, row);
    }
}

/* ---- tasks that stay ---- */

/* [n_services of the deployment] index into problem->services; SIZE_MAX: none. */
static size_t *services_of_deployment(const taskfit_problem *problem, taskfit_arena *scratch, size_t *n_out) {
    size_t n = problem->deployment == NULL ? 0 : problem->deployment->n_services;
    for (size_t s = 0; s < problem->n_services; s++) {
        n = problem->services[s].service >= n ? problem->services[s].service + 1 : n;
    }
    size_t *index = TASKFIT_ARRAY(scratch, n, size_t);
    for (size_t i = 0; i < n; i++) {
        index[i] = SIZE_MAX;
    }
    for (size_t s = 0; s < problem->n_services; s++) {
        index[problem->services[s].service] = s;
    }
    *n_out = n;
    return index;
}

static int64_t stay(const taskfit_standing_instance *before, const int64_t *after) {
    int64_t kept = 0;
    for (size_t i = 0; i < before->n_tasks; i++) {
        const int64_t n = after[before->tasks[i].service];
        kept += before->tasks[i].count < n ? before->tasks[i].count : n;
    }
    return kept;
}

typedef struct matching {
    const taskfit_problem *problem;
    const taskfit_standing *standing;
    const taskfit_fleet *fleet;
    const size_t *offer_of; /* [n_machines] */
    const int64_t *after;   /* [n_machines][n_services] */
    size_t *standing_of;    /* the answer */
    int64_t kept;
} matching;

static void match_offer(matching *m, size_t offer, taskfit_arena *scratch) {
    size_t *machines = TASKFIT_ARRAY(scratch, m->fleet->n_machines, size_t);
    size_t *stands = TASKFIT_ARRAY(scratch, m->standing->n_instances, size_t);
    size_t n_machines = 0;
    size_t n_stands = 0;
    for (size_t i = 0; i < m->fleet->n_machines; i++) {
        if (m->offer_of[i] == offer) {
            machines[n_machines++] = i;
        }
    }
    for (size_t i = 0; i < m->standing->n_instances; i++) {
        if (m->standing->instances[i].offer == offer) {
            stands[n_stands++] = i;
        }
    }
    if (n_machines == 0 || n_stands == 0) {
        return;
    }
    const bool machine_rows = n_machines <= n_stands;
    const size_t *rows = machine_rows ? machines : stands;
    const size_t *columns = machine_rows ? stands : machines;
    assignment a = {.n_rows = machine_rows ? n_machines : n_stands, .n_columns = machine_rows ? n_stands : n_machines};
    int64_t *cost = TASKFIT_ARRAY(scratch, a.n_rows * a.n_columns, int64_t);
    for (size_t row = 0; row < a.n_rows; row++) {
        for (size_t c = 0; c < a.n_columns; c++) {
            const size_t machine = machine_rows ? rows[row] : columns[c];
            const size_t stand = machine_rows ? columns[c] : rows[row];
            cost[row * a.n_columns + c] =
                -stay(&m->standing->instances[stand], m->after + machine * m->problem->n_services);
        }
    }
    a.cost = cost;
    assign_rows(&a, scratch);
    for (size_t c = 0; c < a.n_columns; c++) {
        const size_t row = a.row_of[c];
        if (row != SIZE_MAX) {
            m->standing_of[machine_rows ? rows[row] : columns[c]] = machine_rows ? columns[c] : rows[row];
            m->kept -= cost[row * a.n_columns + c];
        }
    }
}

const size_t *taskfit_moves_match(const taskfit_problem *problem, const taskfit_standing *standing, const taskfit_fleet *fleet,
                                  taskfit_arena *arena, int64_t *kept_out) {
    taskfit_arena *scratch = taskfit_arena_new();
    size_t n_named;
    const size_t *index = services_of_deployment(problem, scratch, &n_named);
    size_t *offer_of = TASKFIT_ARRAY(scratch, fleet->n_machines, size_t);
    int64_t *after = TASKFIT_ARRAY(scratch, fleet->n_machines * problem->n_services, int64_t);
    matching m = {.problem = problem,
                  .standing = standing,
                  .fleet = fleet,
                  .offer_of = offer_of,
                  .after = after,
                  .standing_of = TASKFIT_ARRAY(arena, fleet->n_machines, size_t)};
    for (size_t i = 0; i < fleet->n_machines; i++) {
        m.standing_of[i] = SIZE_MAX;
        offer_of[i] = taskfit_room_offer_of(problem, &fleet->machines[i]);
        for (size_t t = 0; t < fleet->machines[i].n_tasks; t++) {
            const taskfit_machine_task *task = &fleet->machines[i].tasks[t];
            assert(task->service < n_named && index[task->service] != SIZE_MAX);
            after[i * problem->n_services + index[task->service]] += task->count;
        }
    }
    taskfit_arena *part = taskfit_arena_new();
    for (size_t offer = 0; offer < problem->n_offers; offer++) {
        match_offer(&m, offer, part);
        taskfit_arena_reset(part);
    }
    taskfit_arena_free(part);
    taskfit_arena_free(scratch);
    *kept_out = m.kept;
    return m.standing_of;
}
