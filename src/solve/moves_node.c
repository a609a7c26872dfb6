#include "solve/moves_finder.h"

#include <math.h>
#include <string.h>

taskfit_moves_node *taskfit_moves_node_root(const taskfit_moves_finder *f) {
    const taskfit_moves_board *board = f->board;
    taskfit_moves_node *node = TASKFIT_NEW(f->arena, taskfit_moves_node);
    node->low = TASKFIT_ARRAY(f->arena, board->n_stands, const int64_t *);
    node->high = TASKFIT_ARRAY(f->arena, board->n_stands, const int64_t *);
    node->state = TASKFIT_ARRAY(f->arena, board->n_stands, taskfit_moves_state);
    for (size_t i = 0; i < board->n_stands; i++) {
        const taskfit_moves_choice *choice = &board->choices[board->stands[i].choice];
        node->low[i] = board->decision->kinds[board->stands[i].kind].low;
        node->high[i] = board->decision->kinds[board->stands[i].kind].high;
        node->state[i] = choice->n_choose == choice->n_stands ? TASKFIT_MOVES_STAYS : TASKFIT_MOVES_FREE;
    }
    return node;
}

taskfit_moves_node *taskfit_moves_node_copy(const taskfit_moves_finder *f, const taskfit_moves_node *node) {
    const size_t n = f->board->n_stands;
    taskfit_moves_node *copy = TASKFIT_NEW(f->arena, taskfit_moves_node);
    copy->low = TASKFIT_ARRAY(f->arena, n, const int64_t *);
    copy->high = TASKFIT_ARRAY(f->arena, n, const int64_t *);
    copy->state = TASKFIT_ARRAY(f->arena, n, taskfit_moves_state);
    memcpy(copy->low, node->low, n * sizeof *copy->low);
    memcpy(copy->high, node->high, n * sizeof *copy->high);
    memcpy(copy->state, node->state, n * sizeof *copy->state);
    return copy;
}

static const int64_t *with(const taskfit_moves_finder *f, const int64_t *bounds, size_t profile, int64_t value) {
    const size_t n = f->board->decision->n_profiles;
    int64_t *copy = TASKFIT_ARRAY(f->arena, n, int64_t);
    memcpy(copy, bounds, n * sizeof *copy);
    copy[profile] = value;
    return copy;
}

bool taskfit_moves_node_apply(const taskfit_moves_finder *f, taskfit_moves_node *node, const taskfit_moves_branching *b, bool up) {
    if (b->profile != SIZE_MAX && up) {
        node->low[b->stand] = with(f, node->low[b->stand], b->profile, b->tasks);
    } else if (b->profile != SIZE_MAX) {
        node->high[b->stand] = with(f, node->high[b->stand], b->profile, b->tasks - 1);
        return node->low[b->stand][b->profile] <= b->tasks - 1 || node->state[b->stand] != TASKFIT_MOVES_STAYS;
    }
    if (node->state[b->stand] == (up ? TASKFIT_MOVES_GOES : TASKFIT_MOVES_STAYS)) {
        return false;
    }
    node->state[b->stand] = up ? TASKFIT_MOVES_STAYS : TASKFIT_MOVES_GOES;
    const taskfit_moves_choice *choice = &f->board->choices[f->board->stands[b->stand].choice];
    size_t n_stay = 0;
    size_t n_go = 0;
    for (size_t i = choice->first; i < choice->first + choice->n_stands; i++) {
        n_stay += node->state[i] == TASKFIT_MOVES_STAYS ? 1 : 0;
        n_go += node->state[i] == TASKFIT_MOVES_GOES ? 1 : 0;
    }
    if (n_stay > choice->n_choose || n_go > choice->n_stands - choice->n_choose) {
        return false;
    }
    for (size_t i = choice->first; i < choice->first + choice->n_stands; i++) {
        if (node->state[i] == TASKFIT_MOVES_FREE && n_stay == choice->n_choose) {
            node->state[i] = TASKFIT_MOVES_GOES;
        } else if (node->state[i] == TASKFIT_MOVES_FREE && n_go == choice->n_stands - choice->n_choose) {
            node->state[i] = TASKFIT_MOVES_STAYS;
        }
    }
    return true;
}

/* ---- what the relaxation says ---- */

void taskfit_moves_read_values(taskfit_moves_finder *f) {
    const taskfit_moves_board *board = f->board;
    const size_t n = board->decision->n_profiles;
    memset(f->share, 0, board->n_stands * sizeof *f->share);
    memset(f->kept, 0, board->n_stands * n * sizeof *f->kept);
    for (size_t i = 0; i < f->master->n_columns; i++) {
        const taskfit_moves_column *column = &f->master->columns[i];
        const double value = taskfit_moves_master_value(f->master, i);
        if (column->block >= board->n_stands || value <= 0.0) {
            continue;
        }
        f->share[column->block] += value;
        const taskfit_pattern *pattern = &f->master->pool->patterns[column->pattern];
        for (size_t part = 0; part < pattern->n_parts; part++) {
            const int64_t before = board->stands[column->block].before[pattern->parts[part].profile];
            const int64_t count = pattern->parts[part].count < before ? pattern->parts[part].count : before;
            f->kept[column->block * n + pattern->parts[part].profile] += value * (double)count;
        }
    }
}

static double fraction(double value) {
    return value - floor(value + TASKFIT_MOVES_WHOLE);
}

taskfit_moves_branching taskfit_moves_choose_branch(const taskfit_moves_finder *f, const taskfit_moves_node *node) {
    const taskfit_moves_board *board = f->board;
    const size_t n = board->decision->n_profiles;
    taskfit_moves_branching b = {.any = false};
    double best = TASKFIT_MOVES_WHOLE;
    for (size_t i = 0; i < board->n_stands; i++) {
        if (node->state[i] == TASKFIT_MOVES_FREE && fraction(f->share[i]) > best) {
            best = fraction(f->share[i]);
            b = (taskfit_moves_branching){.any = true, .stand = i, .profile = SIZE_MAX};
        }
    }
    for (size_t i = 0; i < board->n_stands * n && (!b.any || b.profile != SIZE_MAX); i++) {
        if (fraction(f->kept[i]) > best && node->state[i / n] != TASKFIT_MOVES_GOES) {
            best = fraction(f->kept[i]);
            const int64_t tasks = (int64_t)ceil(f->kept[i] - TASKFIT_MOVES_WHOLE);
            b = (taskfit_moves_branching){.any = true, .stand = i / n, .profile = i % n, .tasks = tasks};
        }
    }
    return b;
}

static int64_t most_kept(const taskfit_moves_finder *f, const taskfit_moves_node *node, size_t stand, size_t profile) {
    const int64_t before = f->board->stands[stand].before[profile];
    return before < node->high[stand][profile] ? before : node->high[stand][profile];
}

int64_t taskfit_moves_count_bound(const taskfit_moves_finder *f, const taskfit_moves_node *node) {
    int64_t bound = 0;
    for (size_t i = 0; i < f->board->n_stands; i++) {
        for (size_t p = 0; p < f->board->decision->n_profiles && node->state[i] != TASKFIT_MOVES_GOES; p++) {
            bound += most_kept(f, node, i, p);
        }
    }
    return bound;
}

/* Tasks that the relaxation says do not stay, and the bounds not yet. */
static taskfit_moves_branching choose_loose(const taskfit_moves_finder *f, const taskfit_moves_node *node) {
    const size_t n = f->board->decision->n_profiles;
    for (size_t i = 0; i < f->board->n_stands * n; i++) {
        const int64_t low = node->low[i / n][i % n];
        if (node->state[i / n] == TASKFIT_MOVES_STAYS && low < most_kept(f, node, i / n, i % n)) {
            return (taskfit_moves_branching){.any = true, .stand = i / n, .profile = i % n, .tasks = low + 1};
        }
    }
    return (taskfit_moves_branching){.any = false};
}

taskfit_moves_branching taskfit_moves_choose_whole(const taskfit_moves_finder *f, const taskfit_moves_node *node) {
    const taskfit_moves_board *board = f->board;
    const size_t n = board->decision->n_profiles;
    for (size_t i = 0; i < board->n_stands; i++) {
        if (node->state[i] == TASKFIT_MOVES_FREE) {
            return (taskfit_moves_branching){.any = true, .stand = i, .profile = SIZE_MAX};
        }
    }
    for (size_t i = 0; i < board->n_stands * n; i++) {
        const int64_t tasks = llround(f->kept[i]);
        if (node->state[i / n] == TASKFIT_MOVES_STAYS && tasks > node->low[i / n][i % n]) {
            return (taskfit_moves_branching){.any = true, .stand = i / n, .profile = i % n, .tasks = tasks};
        }
    }
    return choose_loose(f, node);
}
