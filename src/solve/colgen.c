#include "solve/decision.h"

#include "solve/dive.h"

/*
 * The exact stage: column generation at the root, a dive.
 */

static taskfit_answer decide(const taskfit_decision *decision, taskfit_budget *budget, taskfit_arena *arena,
                             taskfit_arena *scratch) {
    const taskfit_residual *root = taskfit_residual_new(scratch, decision);
    if (root->decision.impossible) {
        return (taskfit_answer){.verdict = TASKFIT_VERDICT_REFUTED, .proof = TASKFIT_PROOF_EXACT, .stage = "windows"};
    }
    taskfit_pattern_pool *pool = taskfit_pattern_pool_new(scratch);
    taskfit_master *master = taskfit_master_new(scratch, root, pool, taskfit_columns_new(scratch, root));
    taskfit_generate_start(master);
    taskfit_generator generator = {.converge = true, .whole_bound = true};
    taskfit_answer answer = {.verdict = TASKFIT_VERDICT_OPEN, .stage = "colgen"};
    const taskfit_residual *done = NULL;
    
    switch (taskfit_generate(&generator, master, budget)) {
    case TASKFIT_GENERATED_REFUTED:
        answer = (taskfit_answer){.verdict = TASKFIT_VERDICT_REFUTED,
                                  .proof = TASKFIT_PROOF_EXACT,
                                  .stage = "colgen",
                                  .lower_bound = generator.instance_bound};
        break;
    case TASKFIT_GENERATED_FITS:
        if (taskfit_dive(scratch, root, pool, &master->list, budget, &done)) {
            answer = taskfit_residual_answer(arena, done, "dive");
        }
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
    const taskfit_answer answer = decide(decision, budget, arena, scratch);
    taskfit_arena_free(scratch);
    return answer;
}
