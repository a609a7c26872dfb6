#include <string.h>

#include "solve/search.h"

#include "base/int64.h"

/* The best plan so far: keeping it, and finding a first one by greedy. */

enum {
    MAX_GREEDY_MIXES = 8,
    CLOSE_SHARE = 1000 /* a first plan need not be greedy's best to the last instance in a thousand */
};

int64_t taskfit_search_first(const taskfit_search *s, const taskfit_mix *mix) {
    return s->cost_first ? mix->cost_usd_micros : mix->count;
}

int64_t taskfit_search_second(const taskfit_search *s, const taskfit_mix *mix) {
    return s->cost_first ? mix->count : mix->cost_usd_micros;
}

bool taskfit_search_better(const taskfit_search *s, const taskfit_mix *mix) {
    const int64_t first = taskfit_search_first(s, mix);
    return !s->has_plan || first < s->first || (first == s->first && taskfit_search_second(s, mix) < s->second);
}

void taskfit_search_keep(taskfit_search *s, const taskfit_mix *mix, const int64_t *count, const taskfit_answer *answer) {
    taskfit_content *contents = TASKFIT_ARRAY(s->arena, answer->n_contents, taskfit_content);
    for (size_t i = 0; i < answer->n_contents; i++) {
        taskfit_content_task *tasks = TASKFIT_ARRAY(s->arena, answer->contents[i].n_tasks, taskfit_content_task);
        for (size_t task = 0; task < answer->contents[i].n_tasks; task++) {
            tasks[task] = answer->contents[i].tasks[task];
        }
        contents[i] = answer->contents[i];
        contents[i].tasks = tasks;
    }
    s->has_plan = true;
    s->placed = s->rooms ? taskfit_fleet_copy(s->arena, s->found) : NULL;
    s->plan = *answer;
    s->plan.contents = contents;
    s->first = taskfit_search_first(s, mix);
    s->second = taskfit_search_second(s, mix);
    memcpy(s->fleet_count, count, s->problem->n_offers * sizeof *count);
    taskfit_search_log_plan(s);
}

/* Stopped, with a plan to show for it. */
static bool enough(const taskfit_search *s) {
    return s->budget.stopped && s->has_plan;
}

/* Greedy on some mixes of exactly n instances, cheapest first. */
static bool greedy_on_count(taskfit_search *s, const taskfit_walk *by_count, int64_t n, taskfit_greedy_guide *guide) {
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_mixes mixes = taskfit_walk_mixes(by_count, n, n, arena);
    bool found = false;
    for (size_t i = 0; i < mixes.n_items && i < MAX_GREEDY_MIXES && !found && !enough(s); i++) {
        /* spread the tries over all mixes of that count */
        const size_t step = mixes.n_items > MAX_GREEDY_MIXES ? mixes.n_items / MAX_GREEDY_MIXES : 1;
        const taskfit_mix *mix = &mixes.items[i * step];
        size_t n_layouts;
        bool complete;
        const int64_t *const *layouts = taskfit_walk_layouts(by_count, mix, arena, &n_layouts, &complete);
        for (size_t layout = 0; layout < n_layouts && layout < 3 && !found; layout++) {
            const taskfit_answer answer = taskfit_search_ask_cheaply(s, layouts[layout], guide);
            found = answer.verdict == TASKFIT_VERDICT_FITS;
            if (found && taskfit_search_better(s, mix)) {
                taskfit_search_keep(s, mix, layouts[layout], &answer);
            }
        }
    }
    taskfit_arena_free(arena);
    return found;
}

/* Goes upward by what greedy is short of until it places everything, then halves the way back. */
void taskfit_search_first_plan(taskfit_search *s, int64_t from) {
    s->sought_incumbent = true;
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_walk *by_count = taskfit_walk_new(s->problem, false, arena);
    const int64_t most = taskfit_walk_max_instances(by_count);
    taskfit_greedy_guide guide = {0};
    int64_t failed = from - 1;
    int64_t n = min64(from, most);
    int64_t step = 1;
    while (!greedy_on_count(s, by_count, n, &guide)) {
        if (n == most || enough(s)) {
            taskfit_arena_free(arena);
            return;
        }
        failed = n;
        n = min64(most, n + max64(step, guide.missing));
        step += max64(1, step / 2);
    }
    while (n - failed > 1 + n / CLOSE_SHARE && !enough(s)) {
        const int64_t middle = failed + (n - failed) / 2;
        if (greedy_on_count(s, by_count, middle, &guide)) {
            n = middle;
        } else {
            failed = middle;
        }
    }
    taskfit_arena_free(arena);
}
