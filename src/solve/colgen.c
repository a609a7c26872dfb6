#include "solve/decision.h"

#include "solve/dive.h"
#include "solve/enumerate.h"

/*
 * The exact stage: column generation at the root, a short dive, then - where the root is so tight that few patterns are
 * of use - branching among those, else a long dive and branch and price.
 */

enum { CONVERGE_SHARE = 4 };

typedef struct stage {
    const taskfit_decision *decision;
    taskfit_budget *budget;
    taskfit_arena *answers, *scratch;
    taskfit_pattern_pool *pool;
} stage;

static bool dive(const stage *s, const taskfit_master *master, size_t discrepancies, int64_t nodes, taskfit_answer *answer) {
    const taskfit_dive_settings settings = {.discrepancies = discrepancies, .nodes = nodes, .stage = "dive"};
    return taskfit_dive(master->residual, s->pool, &master->list, &settings, s->budget, s->answers, answer);
}

static taskfit_answer close_gap(const stage *s, taskfit_master *master) {
    const int64_t n_instances = s->decision->n_instances;
    taskfit_brancher brancher = {.arena = s->scratch, .pool = s->pool, .budget = s->budget};
    taskfit_answer answer;
    taskfit_budget_stage(s->budget, "dive");
    if (dive(s, master, 1, 2 * n_instances + 20, &answer)) {
        return answer;
    }
    taskfit_budget_stage(s->budget, "enumerate");
    if (taskfit_enumerate(&brancher, master)) {
        taskfit_budget_stage(s->budget, "branch");
        return taskfit_branch(&brancher, master->residual, taskfit_columns_new(s->scratch, master->residual), s->answers);
    }
    taskfit_budget_stage(s->budget, "dive");
    if (dive(s, master, TASKFIT_DIVE_DISCREPANCIES, 20 * n_instances + 100, &answer)) {
        return answer;
    }
    taskfit_budget_stage(s->budget, "branch");
    const taskfit_residual *root = master->residual;
    if (root->n_classes == s->decision->n_zones) {
        return taskfit_branch(&brancher, root, &master->list, s->answers);
    }
    root = taskfit_residual_new(s->scratch, s->decision, true);
    return taskfit_branch(&brancher, root, taskfit_columns_new(s->scratch, root), s->answers);
}

/* Windows tightened the bounds of instances: they hold for this number of instances, and so does what was proved with them. */
static bool tightened(const taskfit_residual *root, const taskfit_decision *asked) {
    for (size_t k = 0; k < root->decision.n_kinds; k++) {
        const taskfit_kind *kind = &asked->kinds[root->origin[k]];
        for (size_t p = 0; p < asked->n_profiles; p++) {
            if (root->kinds[k].low[p] != kind->low[p] || root->kinds[k].high[p] != kind->high[p]) {
                return true;
            }
        }
    }
    return false;
}

/* A cover within the fleet, then as good a one as a share of the work finds: that only helps what comes after. */
static taskfit_generated generate(const stage *s, taskfit_generator *generator, taskfit_master *master) {
    const taskfit_generated generated = taskfit_generate(generator, master, s->budget);
    if (generated != TASKFIT_GENERATED_FITS) {
        return generated;
    }
    taskfit_budget own = *s->budget;
    const int64_t given = own.work_left / CONVERGE_SHARE;
    own.work_left = given;
    generator->converge = true;
    const bool refuted = taskfit_generate(generator, master, &own) == TASKFIT_GENERATED_REFUTED;
    s->budget->work_left -= given - own.work_left;
    s->budget->stopped = own.stopped;
    s->budget->glpk_fallbacks = own.glpk_fallbacks;
    return refuted                                   ? TASKFIT_GENERATED_REFUTED
           : taskfit_master_solve(master, s->budget) ? TASKFIT_GENERATED_FITS /* it may have been cut with columns unsolved */
                                                     : TASKFIT_GENERATED_STOPPED;
}

static taskfit_answer decide(const stage *s) {
    const taskfit_residual *root = taskfit_residual_new(s->scratch, s->decision, false);
    if (root->decision.impossible) {
        return (taskfit_answer){.verdict = TASKFIT_VERDICT_REFUTED, .proof = TASKFIT_PROOF_EXACT, .stage = "windows"};
    }
    taskfit_master *master = taskfit_master_new(s->scratch, root, s->pool, taskfit_columns_new(s->scratch, root));
    taskfit_budget_stage(s->budget, "colgen");
    taskfit_generate_start(master);
    taskfit_generator generator = {.whole_bound = !tightened(root, s->decision)};
    taskfit_answer answer = {.verdict = TASKFIT_VERDICT_OPEN, .stage = "colgen"};
    switch (generate(s, &generator, master)) {
    case TASKFIT_GENERATED_REFUTED:
        answer.verdict = TASKFIT_VERDICT_REFUTED;
        answer.proof = TASKFIT_PROOF_EXACT;
        answer.lower_bound = generator.whole_bound ? generator.instance_bound : 0;
        break;
    case TASKFIT_GENERATED_FITS:
        answer = close_gap(s, master);
        break;
    case TASKFIT_GENERATED_OVER:
    case TASKFIT_GENERATED_STOPPED:
        break;
    }
    taskfit_master_free(master);
    return answer;
}

taskfit_answer taskfit_colgen_decide(const taskfit_decision *decision, taskfit_budget *budget, taskfit_arena *arena) {
    taskfit_arena *scratch = taskfit_arena_new();
    const stage s = {.decision = decision,
                     .budget = budget,
                     .answers = arena,
                     .scratch = scratch,
                     .pool = taskfit_pattern_pool_new(scratch)};
    const taskfit_answer answer = decide(&s);
    taskfit_arena_free(scratch);
    return answer;
}
