#include "deployment/read.h"

#include <string.h>

#include "deployment/words.h"

enum { PERCENT_CAP_MAX = 1000 }; /* hard limits may be more than an instance has */

static const taskfit_field headroom_fields[] = {
    {TASKFIT_KEY("memoryPercent", taskfit_decode_count, taskfit_policy, headroom_memory_percent), .low = 0,
     .high = 100},
    {TASKFIT_KEY("cpuPercent", taskfit_decode_count, taskfit_policy, headroom_cpu_percent), .low = 0, .high = 100},
};

static void read_headroom(taskfit_decoder *decoder, const taskfit_field *field TASKFIT_UNUSED, taskfit_node *value,
                          void *object) {
    (void)taskfit_decode_map(decoder, value, headroom_fields, TASKFIT_COUNT_OF(headroom_fields), object);
}

/* ---- antiAffinity ---- */

static void read_glob(taskfit_decoder *decoder, taskfit_node *item, size_t index, void *arg) {
    const char **globs = arg;
    (void)taskfit_decode_text_of(decoder, item, &globs[index]);
}

static void read_glob_list(taskfit_decoder *decoder, taskfit_node *item, size_t index, void *arg) {
    const char *const **lists = arg;
    const char **globs =
        TASKFIT_ARRAY(decoder->arena, taskfit_decode_size(item) + 1, const char *); /* NULL-terminated */
    taskfit_decode_items(decoder, item, read_glob, globs);
    if (item->kind == TASKFIT_NODE_LIST && item->n == 0) {
        taskfit_decode_defect(decoder, item->position, "must hold at least one service name");
    }
    lists[index] = globs;
}

static void read_anti_affinity(taskfit_decoder *decoder, const taskfit_field *field TASKFIT_UNUSED, taskfit_node *value,
                               void *object) {
    taskfit_policy *policy = object;
    const char *const **lists = TASKFIT_ARRAY(decoder->arena, taskfit_decode_size(value), const char *const *);
    taskfit_decode_items(decoder, value, read_glob_list, lists);
    policy->anti_affinity = lists;
    policy->n_anti_affinity = taskfit_decode_size(value);
}

/* ---- objective ---- */

static void read_goal(taskfit_decoder *decoder, taskfit_node *item, size_t index, void *arg) {
    taskfit_policy *policy = arg;
    int goal = 0;
    if (index >= TASKFIT_COUNT_OF(policy->objective) ||
        !taskfit_decode_word_of(decoder, item, taskfit_goal_words, &goal)) {
        return;
    }
    for (size_t i = 0; i < policy->n_objective; i++) {
        if ((int)policy->objective[i] == goal) {
            taskfit_decode_defect(decoder, item->position, "goal '%s' is given twice", item->text);
            return;
        }
    }
    policy->objective[policy->n_objective++] = (taskfit_goal)goal;
}

/* A list of goals, or one goal alone. */
static void read_objective(taskfit_decoder *decoder, const taskfit_field *field TASKFIT_UNUSED, taskfit_node *value,
                           void *object) {
    taskfit_policy *policy = object;
    const size_t n_max = TASKFIT_COUNT_OF(policy->objective);
    policy->n_objective = 0;
    if (value->kind == TASKFIT_NODE_SCALAR) {
        read_goal(decoder, value, 0, policy);
        return;
    }
    taskfit_decode_items(decoder, value, read_goal, policy);
    if (value->kind == TASKFIT_NODE_LIST && (value->n == 0 || value->n > n_max)) {
        taskfit_decode_defect(decoder, value->position, "%zu goals (name from 1 to %zu)", value->n, n_max);
    }
}

/* ---- the policy ---- */

static const taskfit_field policy_fields[] = {
    {.key = "headroom", .read = read_headroom},
    {TASKFIT_KEY("maxHardMemoryPercent", taskfit_decode_count, taskfit_policy, max_hard_memory_percent), .low = 1,
     .high = PERCENT_CAP_MAX},
    {TASKFIT_KEY("maxExpectedCpuPercent", taskfit_decode_count, taskfit_policy, max_expected_cpu_percent), .low = 1,
     .high = PERCENT_CAP_MAX},
    {TASKFIT_KEY("maxExpectedMemoryPercent", taskfit_decode_count, taskfit_policy, max_expected_memory_percent),
     .low = 1, .high = PERCENT_CAP_MAX},
    {.key = "antiAffinity", .read = read_anti_affinity},
    {TASKFIT_KEY("spread", taskfit_decode_word, taskfit_policy, spread), .words = taskfit_spread_words},
    {TASKFIT_KEY("rollingDeployment", taskfit_decode_word, taskfit_policy, rolling), .words = taskfit_rolling_words},
    {TASKFIT_KEY("surviveLoss", taskfit_decode_word, taskfit_policy, survive), .words = taskfit_survive_words},
    {.key = "objective", .read = read_objective},
};

void taskfit_read_policy(taskfit_reading *reading, taskfit_node *node) {
    taskfit_policy policy = {.max_hard_memory_percent = -1,
                             .max_expected_cpu_percent = -1,
                             .max_expected_memory_percent = -1,
                             .spread = TASKFIT_SPREAD_REQUIRED,
                             .rolling = TASKFIT_ROLLING_ONE_SERVICE,
                             .survive = TASKFIT_SURVIVE_NONE,
                             .objective = {TASKFIT_GOAL_COUNT, TASKFIT_GOAL_COST, TASKFIT_GOAL_BALANCE},
                             .n_objective = 3};
    const taskfit_path path = {.key = "policy"};
    reading->decoder.path = &path;
    if (node) {
        (void)taskfit_decode_map(&reading->decoder, node, policy_fields, TASKFIT_COUNT_OF(policy_fields), &policy);
    }
    reading->decoder.path = NULL;
    reading->deployment->policy = policy;
}

bool taskfit_policy_has_limits(const taskfit_policy *policy) {
    return policy->headroom_memory_percent > 0 || policy->headroom_cpu_percent > 0 ||
           policy->max_hard_memory_percent >= 0 || policy->max_expected_cpu_percent >= 0 ||
           policy->max_expected_memory_percent >= 0 || policy->n_anti_affinity > 0;
}

taskfit_rung taskfit_policy_rung(const taskfit_policy *policy) {
    if (policy->survive != TASKFIT_SURVIVE_NONE) {
        return TASKFIT_RUNG_SURVIVE;
    }
    if (policy->rolling != TASKFIT_ROLLING_NONE) {
        return TASKFIT_RUNG_ROLLING;
    }
    if (policy->spread != TASKFIT_SPREAD_PREFERRED) {
        return TASKFIT_RUNG_SPREAD;
    }
    return taskfit_policy_has_limits(policy) ? TASKFIT_RUNG_LIMITS : TASKFIT_RUNG_PACKING;
}
