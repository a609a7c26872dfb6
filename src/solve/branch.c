#include "solve/branch.h"

#include <math.h>
#include <string.h>

#include "solve/dive.h"

enum { MAX_DEPTH = 400, PAIR_LIMIT = 2048, NODES_TO_A_DIVE = 16 };
#define FRACTION 1e-5

typedef enum split_type { SPLIT_NONE, SPLIT_WINDOW, SPLIT_PAIR, SPLIT_KIND } split_type;

typedef struct split {
    split_type type;
    size_t profile, other; /* PAIR */
    size_t zone;           /* WINDOW */
    size_t block;          /* KIND */
    int64_t tasks;         /* WINDOW: ends at; KIND: k */
    int64_t instances;     /* KIND: floor(F) */
    double score;          /* distance of the fraction to the nearest integer */
} split;

typedef struct node {
    taskfit_residual *residual;
    taskfit_columns *columns;
} node;

typedef struct tree {
    const taskfit_brancher *with;
    taskfit_arena *answers;
    taskfit_answer answer; /* FITS once found */
    taskfit_proof proof;
    bool open; /* some node could not be decided */
    int64_t n_nodes;
} tree;

/* ---- which split ---- */

static double distance(double value) {
    const double fraction = value - floor(value);
    return fraction < 0.5 ? fraction : 1.0 - fraction;
}

static void offer(split *best, split candidate) {
    if (candidate.score > FRACTION && candidate.score > best->score + 1e-9) {
        *best = candidate;
    }
}

/* Tasks of a profile in a zone; only where zones are classes of their own. */
static void find_window(const taskfit_master *master, taskfit_arena *scratch, split *best) {
    const taskfit_residual *r = master->residual;
    const size_t n = r->decision.n_profiles;
    const size_t n_zones = r->decision.n_zones;
    if (n_zones == 1 || r->n_classes != n_zones) {
        return;
    }
    double *held = TASKFIT_ARRAY(scratch, n * n_zones, double);
    size_t *zone_of = TASKFIT_ARRAY(scratch, r->n_blocks, size_t);
    for (size_t k = 0; k < r->decision.n_kinds; k++) {
        zone_of[r->block[k]] = r->kinds[k].zone;
    }
    for (size_t i = 0; i < master->list.n_columns; i++) {
        const taskfit_pattern *pattern = &master->pool->patterns[master->list.columns[i].pattern];
        for (size_t part = 0; part < pattern->n_parts; part++) {
            held[pattern->parts[part].profile * n_zones + zone_of[master->list.columns[i].block]] +=
                (double)pattern->parts[part].count * taskfit_master_value(master, i);
        }
    }
    for (size_t p = 0; p < n; p++) {
        for (size_t z = 0; z < n_zones; z++) {
            const double tasks = held[p * n_zones + z];
            if (tasks > (double)r->zone_low[p * n_zones + z] && tasks < (double)r->zone_high[p * n_zones + z]) {
                offer(best, (split){.type = SPLIT_WINDOW, .profile = p, .zone = z, .tasks = (int64_t)floor(tasks),
                                    .score = distance(tasks)});
            }
        }
    }
}

static bool is_single(const taskfit_residual *r, size_t profile) {
    for (size_t k = 0; k < r->decision.n_kinds; k++) {
        if (r->kinds[k].count > 0 && r->kinds[k].low[profile] > 0) {
            return false;
        }
    }
    return r->profiles[profile].tasks == 1;
}

static void find_pair(const taskfit_master *master, taskfit_arena *scratch, split *best) {
    const taskfit_residual *r = master->residual;
    const size_t n = r->decision.n_profiles;
    if (n > PAIR_LIMIT) {
        return;
    }
    bool *single = TASKFIT_ARRAY(scratch, n, bool);
    for (size_t p = 0; p < n; p++) {
        single[p] = is_single(r, p);
    }
    double *together = TASKFIT_ARRAY(scratch, n * n, double);
    for (size_t i = 0; i < master->list.n_columns; i++) {
        const double value = taskfit_master_value(master, i);
        const taskfit_pattern *pattern = &master->pool->patterns[master->list.columns[i].pattern];
        for (size_t a = 0; value > FRACTION && a < pattern->n_parts; a++) {
            for (size_t b = a + 1; b < pattern->n_parts; b++) {
                together[pattern->parts[a].profile * n + pattern->parts[b].profile] += value;
            }
        }
    }
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a + 1; b < n && single[a]; b++) {
            if (single[b]) {
                offer(best, (split){.type = SPLIT_PAIR, .profile = a, .other = b, .score = distance(together[a * n + b])});
            }
        }
    }
}

static double instances_with(const taskfit_master *master, size_t block, size_t profile, int64_t tasks) {
    double sum = 0.0;
    for (size_t i = 0; i < master->list.n_columns; i++) {
        const taskfit_pattern *pattern = &master->pool->patterns[master->list.columns[i].pattern];
        for (size_t part = 0; master->list.columns[i].block == block && part < pattern->n_parts; part++) {
            if (pattern->parts[part].profile == profile && pattern->parts[part].count >= tasks) {
                sum += taskfit_master_value(master, i);
            }
        }
    }
    return sum;
}

/* Each threshold that some used column of the block reaches. With nothing fractional, a threshold that some of
 * the instances reach and some do not still makes two smaller kinds. */
static void find_kind(const taskfit_master *master, split *best) {
    split whole = {.type = SPLIT_NONE};
    for (size_t i = 0; i < master->list.n_columns; i++) {
        const taskfit_column *column = &master->list.columns[i];
        const taskfit_pattern *pattern = &master->pool->patterns[column->pattern];
        const double count = (double)master->block_count[column->block];
        for (size_t part = 0; taskfit_master_value(master, i) > FRACTION && part < pattern->n_parts; part++) {
            const double with = instances_with(master, column->block, pattern->parts[part].profile, pattern->parts[part].count);
            const split candidate = {.type = SPLIT_KIND,
                                     .profile = pattern->parts[part].profile,
                                     .block = column->block,
                                     .tasks = pattern->parts[part].count,
                                     .instances = (int64_t)floor(with),
                                     .score = distance(with)};
            if (with < count) {
                offer(best, candidate);
            }
            if (whole.type == SPLIT_NONE && with > 0.5 && with < count - 0.5) {
                whole = candidate;
                whole.instances = (int64_t)floor(with + 0.5) - 1;
            }
        }
    }
    if (best->type == SPLIT_NONE) {
        *best = whole;
    }
}

static split find_split(const taskfit_master *master, taskfit_arena *scratch) {
    split best = {.type = SPLIT_NONE};
    find_window(master, scratch, &best);
    if (best.type == SPLIT_NONE) {
        find_pair(master, scratch, &best);
    }
    if (best.type == SPLIT_NONE) {
        find_kind(master, &best);
    }
    return best;
}

/* ---- columns of a branch ---- */

/* Frozen, a part of a pattern is of use only if it is worth enough, as all others are. */
static bool of_use(const tree *t, const taskfit_residual *r, const int64_t *tasks) {
    if (!t->with->frozen) {
        return true;
    }
    int64_t worth = 0;
    for (size_t p = 0; p < r->decision.n_profiles; p++) {
        worth += tasks[p] * t->with->price[p];
    }
    for (size_t i = r->n_merges; i-- > 0;) { /* a task that others were merged into stands for all of them */
        size_t root = r->merges[i].a;
        for (size_t j = i; j-- > 0;) {
            root = r->merges[j].b == root ? r->merges[j].a : root;
        }
        worth += tasks[root] * t->with->price[r->merges[i].b];
    }
    return worth >= t->with->at_least;
}

static void add_column(const tree *t, node *child, const int64_t *tasks, size_t block) {
    const size_t pattern = taskfit_pattern_pool_add(t->with->pool, tasks, child->residual->decision.n_profiles);
    taskfit_columns_add(t->with->arena, child->columns, pattern, block);
}

/* Columns above the upper bounds of a kind, cut down to them: else a frozen branch would miss patterns. */
static void add_trimmed(const tree *t, node *child) {
    const taskfit_residual *r = child->residual;
    const size_t n = r->decision.n_profiles;
    int64_t *tasks = TASKFIT_ARRAY(t->with->arena, n, int64_t);
    const size_t n_columns = child->columns->n_columns;
    for (size_t i = 0; i < n_columns; i++) {
        const taskfit_column column = child->columns->columns[i];
        for (size_t k = 0; k < r->decision.n_kinds && !column.shut; k++) {
            if (r->block[k] != column.block || r->kinds[k].count == 0) {
                continue;
            }
            taskfit_pattern_expand(&t->with->pool->patterns[column.pattern], tasks, n);
            bool cut = false;
            for (size_t p = 0; p < n; p++) {
                cut = cut || tasks[p] > r->kinds[k].high[p];
                tasks[p] = tasks[p] > r->kinds[k].high[p] ? r->kinds[k].high[p] : tasks[p];
            }
            if (cut && of_use(t, r, tasks)) {
                add_column(t, child, tasks, column.block);
            }
        }
    }
}

/* ---- branches ---- */

static node copy_node(const tree *t, const taskfit_master *master) {
    taskfit_arena *arena = t->with->arena;
    return (node){.residual = taskfit_residual_copy(arena, master->residual),
                  .columns = taskfit_columns_copy(arena, &master->list, master->residual->n_blocks)};
}

static node window_branch(const tree *t, const taskfit_master *master, const split *s, bool below) {
    node child = copy_node(t, master);
    taskfit_residual *r = child.residual;
    const size_t at = s->profile * r->decision.n_zones + s->zone;
    if (below) {
        r->zone_high[at] = s->tasks;
    } else {
        r->zone_low[at] = s->tasks + 1;
    }
    taskfit_residual_tighten(r);
    add_trimmed(t, &child);
    return child;
}

static void add_conflict(taskfit_arena *arena, taskfit_residual *r, size_t a, size_t b) {
    taskfit_conflict *conflicts = TASKFIT_ARRAY(arena, r->decision.n_conflicts + 1, taskfit_conflict);
    if (r->decision.n_conflicts > 0) {
        memcpy(conflicts, r->decision.conflicts, r->decision.n_conflicts * sizeof *conflicts);
    }
    conflicts[r->decision.n_conflicts++] = a < b ? (taskfit_conflict){a, b} : (taskfit_conflict){b, a};
    r->decision.conflicts = conflicts;
}

static node apart_branch(const tree *t, const taskfit_master *master, const split *s) {
    node child = copy_node(t, master);
    const size_t n = child.residual->decision.n_profiles;
    int64_t *tasks = TASKFIT_ARRAY(t->with->arena, n, int64_t);
    const size_t n_columns = child.columns->n_columns;
    for (size_t i = 0; i < n_columns; i++) {
        taskfit_column *column = &child.columns->columns[i];
        taskfit_pattern_expand(&t->with->pool->patterns[column->pattern], tasks, n);
        if (tasks[s->profile] > 0 && tasks[s->other] > 0) {
            column->shut = true;
            const size_t block = column->block;
            for (size_t side = 0; side < 2; side++) {
                const size_t without = side == 0 ? s->profile : s->other;
                tasks[without]--;
                if (of_use(t, child.residual, tasks)) {
                    add_column(t, &child, tasks, block);
                }
                tasks[without]++;
            }
        }
    }
    add_conflict(t->with->arena, child.residual, s->profile, s->other);
    return child;
}

/* `other` becomes part of `profile`. */
static void merge(taskfit_arena *arena, taskfit_residual *r, size_t profile, size_t other) {
    const size_t n_dims = r->decision.n_dims;
    int64_t *demand = TASKFIT_ARRAY(arena, n_dims, int64_t);
    for (size_t d = 0; d < n_dims; d++) {
        demand[d] = r->profiles[profile].demand[d] + r->profiles[other].demand[d];
    }
    r->profiles[profile].demand = demand;
    r->profiles[other].tasks = 0;
    for (size_t z = 0; z < r->decision.n_zones; z++) {
        int64_t *mine = r->zone_high + profile * r->decision.n_zones + z;
        int64_t *its = r->zone_high + other * r->decision.n_zones + z;
        *mine = *its < *mine ? *its : *mine;
        *its = 0;
        mine = r->zone_low + profile * r->decision.n_zones + z;
        its = r->zone_low + other * r->decision.n_zones + z;
        *mine = *its > *mine ? *its : *mine;
        *its = 0;
    }
    for (size_t k = 0; k < r->decision.n_kinds; k++) {
        int64_t *mine = r->high + k * r->decision.n_profiles + profile;
        int64_t *its = r->high + k * r->decision.n_profiles + other;
        *mine = *its < *mine ? *its : *mine;
        *its = 0;
    }
    for (size_t i = 0, n = r->decision.n_conflicts; i < n; i++) {
        const taskfit_conflict pair = r->decision.conflicts[i];
        if (pair.a == other || pair.b == other) {
            const size_t rival = pair.a == other ? pair.b : pair.a;
            r->decision.impossible = r->decision.impossible || rival == profile;
            add_conflict(arena, r, profile, rival);
        }
    }
    taskfit_conflict *merges = TASKFIT_ARRAY(arena, r->n_merges + 1, taskfit_conflict);
    if (r->n_merges > 0) {
        memcpy(merges, r->merges, r->n_merges * sizeof *merges);
    }
    merges[r->n_merges++] = (taskfit_conflict){.a = profile, .b = other};
    r->merges = merges;
}

static node together_branch(const tree *t, const taskfit_master *master, const split *s) {
    node child = copy_node(t, master);
    const size_t n = child.residual->decision.n_profiles;
    int64_t *tasks = TASKFIT_ARRAY(t->with->arena, n, int64_t);
    child.columns->n_columns = 0;
    child.columns->has_basis = false;
    for (size_t i = 0; i < master->list.n_columns; i++) {
        const taskfit_column *column = &master->list.columns[i];
        if (column->shut) {
            continue;
        }
        taskfit_pattern_expand(&t->with->pool->patterns[column->pattern], tasks, n);
        const bool both = tasks[s->profile] == tasks[s->other];
        if (!both) {
            tasks[s->profile] = 0;
        }
        tasks[s->other] = 0;
        if (both || of_use(t, child.residual, tasks)) {
            add_column(t, &child, tasks, column->block);
        }
    }
    merge(t->with->arena, child.residual, s->profile, s->other);
    if (!child.residual->decision.impossible) {
        taskfit_residual_tighten(child.residual);
    }
    return child;
}

/* Splits off `count` instances of the block's only kind as a new kind and block; returns it. */
static size_t split_kind(taskfit_arena *arena, taskfit_residual *r, size_t block, int64_t count) {
    const size_t n = r->decision.n_profiles;
    const size_t n_kinds = r->decision.n_kinds;
    size_t from = 0;
    while (r->block[from] != block || r->kinds[from].count == 0) {
        from++;
    }
    taskfit_residual wider = *r;
    wider.decision.n_kinds = n_kinds + 1;
    taskfit_kind *kinds = TASKFIT_ARRAY(arena, n_kinds + 1, taskfit_kind);
    size_t *origin = TASKFIT_ARRAY(arena, n_kinds + 1, size_t);
    size_t *blocks = TASKFIT_ARRAY(arena, n_kinds + 1, size_t);
    wider.low = TASKFIT_ARRAY(arena, (n_kinds + 1) * n, int64_t);
    wider.high = TASKFIT_ARRAY(arena, (n_kinds + 1) * n, int64_t);
    memcpy(kinds, r->kinds, n_kinds * sizeof *kinds);
    memcpy(origin, r->origin, n_kinds * sizeof *origin);
    memcpy(blocks, r->block, n_kinds * sizeof *blocks);
    memcpy(wider.low, r->low, n_kinds * n * sizeof *wider.low);
    memcpy(wider.high, r->high, n_kinds * n * sizeof *wider.high);
    memcpy(wider.low + n_kinds * n, r->low + from * n, n * sizeof *wider.low);
    memcpy(wider.high + n_kinds * n, r->high + from * n, n * sizeof *wider.high);
    kinds[n_kinds] = kinds[from];
    kinds[n_kinds].count = count;
    kinds[from].count -= count;
    origin[n_kinds] = origin[from];
    blocks[n_kinds] = r->n_blocks;
    wider.n_blocks = r->n_blocks + 1;
    wider.kinds = kinds;
    wider.decision.kinds = kinds;
    wider.origin = origin;
    wider.block = blocks;
    *r = *taskfit_residual_copy(arena, &wider);
    return n_kinds;
}

static node kind_branch(const tree *t, const taskfit_master *master, const split *s, bool below) {
    taskfit_arena *arena = t->with->arena;
    node child = copy_node(t, master);
    taskfit_residual *r = child.residual;
    const int64_t whole = master->block_count[s->block];
    const size_t new_kind = split_kind(arena, r, s->block, below ? whole - s->instances : s->instances + 1);
    const size_t n = r->decision.n_profiles;
    int64_t *low = r->low + new_kind * n + s->profile;
    int64_t *high = r->high + new_kind * n + s->profile;
    if (below) {
        *high = s->tasks - 1 < *high ? s->tasks - 1 : *high;
    } else {
        *low = s->tasks > *low ? s->tasks : *low;
    }
    r->decision.impossible = *high < *low;
    if (!r->decision.impossible) {
        taskfit_residual_tighten(r);
    }
    child.columns->has_basis = false;
    child.columns->block_basic = TASKFIT_ARRAY(arena, r->n_blocks, bool);
    const size_t n_columns = child.columns->n_columns;
    for (size_t i = 0; i < n_columns; i++) {
        child.columns->columns[i].basic = false;
        const taskfit_column column = child.columns->columns[i];
        if (column.block == s->block && !column.shut) {
            taskfit_columns_add(arena, child.columns, column.pattern, r->block[new_kind]);
        }
    }
    add_trimmed(t, &child);
    return child;
}

static node make_branch(const tree *t, const taskfit_master *master, const split *s, bool second) {
    switch (s->type) {
    case SPLIT_WINDOW:
        return window_branch(t, master, s, second);
    case SPLIT_PAIR:
        return second ? apart_branch(t, master, s) : together_branch(t, master, s);
    case SPLIT_KIND:
    case SPLIT_NONE:
        break;
    }
    return kind_branch(t, master, s, second);
}

/* ---- the tree ---- */

static bool visit(tree *t, const node *at, int depth);

static void note_open(tree *t) {
    t->open = true;
}

static bool dive_once(tree *t, const taskfit_master *master) {
    const taskfit_dive_settings settings = {.nodes = master->residual->decision.n_instances + 10,
                                            .frozen = t->with->frozen,
                                            .stage = "branch"};
    return taskfit_dive(master->residual, t->with->pool, &master->list, &settings, t->with->budget, t->answers, &t->answer);
}

static bool visit_below(tree *t, const node *at, int depth, taskfit_arena *scratch) {
    const taskfit_brancher *with = t->with;
    taskfit_master *master = taskfit_master_new(scratch, at->residual, with->pool, at->columns);
    taskfit_generator generator = {.frozen = with->frozen};
    bool found = false;
    switch (taskfit_generate(&generator, master, with->budget)) {
    case TASKFIT_GENERATED_REFUTED:
        break;
    case TASKFIT_GENERATED_OVER:
        t->proof = TASKFIT_PROOF_SOLVER;
        break;
    case TASKFIT_GENERATED_STOPPED:
        note_open(t);
        break;
    case TASKFIT_GENERATED_FITS:;
        const split s = find_split(master, scratch);
        if (s.type == SPLIT_NONE || t->n_nodes++ % NODES_TO_A_DIVE == 0) {
            found = dive_once(t, master);
        }
        if (found) {
            break;
        }
        if (s.type == SPLIT_NONE || depth >= MAX_DEPTH) {
            note_open(t);
            break;
        }
        for (int second = 0; second < 2 && !found && !t->open; second++) {
            const node child = make_branch(t, master, &s, second == 1);
            found = visit(t, &child, depth + 1);
        }
        break;
    }
    taskfit_master_free(master);
    return found;
}

static bool visit(tree *t, const node *at, int depth) {
    if (at->residual->decision.impossible) {
        return false;
    }
    if (!taskfit_budget_spend(t->with->budget, 1)) {
        note_open(t);
        return false;
    }
    taskfit_arena *scratch = taskfit_arena_new();
    tree below = *t;
    taskfit_brancher with = *t->with;
    with.arena = scratch;
    below.with = &with;
    const bool found = visit_below(&below, at, depth, scratch);
    below.with = t->with;
    *t = below;
    taskfit_arena_free(scratch);
    return found;
}

taskfit_answer taskfit_branch(const taskfit_brancher *brancher, const taskfit_residual *residual,
                              const taskfit_columns *columns, taskfit_arena *answers) {
    tree t = {.with = brancher, .answers = answers, .proof = TASKFIT_PROOF_EXACT};
    const node root = {.residual = taskfit_residual_copy(brancher->arena, residual),
                       .columns = taskfit_columns_copy(brancher->arena, columns, residual->n_blocks)};
    if (visit(&t, &root, 0)) {
        return t.answer;
    }
    if (t.open) {
        return (taskfit_answer){.verdict = TASKFIT_VERDICT_OPEN, .stage = "branch"};
    }
    return (taskfit_answer){.verdict = TASKFIT_VERDICT_REFUTED, .proof = t.proof, .stage = "branch"};
}
