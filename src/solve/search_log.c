#include "base/strbuf.h"
#include "base/units.h"
#include "problem/plan.h"
#include "solve/search.h"

/*
 * The log of a search: every line says what is being done or was found, the bound, the plan and the work so far. Lines come
 * by work, never by the clock, so that the same search writes the same lines.
 */

static void add_goal(const taskfit_search *s, int64_t value, taskfit_strbuf *line) {
    if (s->cost_first) {
        taskfit_add_usd_per_hour(line, value);
        taskfit_strbuf_adds(line, " USD/hour");
    } else {
        taskfit_strbuf_printf(line, "%lld", (long long)value);
    }
}

/* `in_stage`: work of a stage that is not yet charged to the search. */
static void say(const taskfit_search *s, taskfit_strbuf *line, int64_t in_stage, int64_t glpk_fallbacks) {
    taskfit_strbuf_adds(line, ", bound ");
    add_goal(s, s->has_plan && s->first < s->bound ? s->first : s->bound, line);
    if (s->has_plan) {
        taskfit_strbuf_adds(line, ", plan ");
        add_goal(s, s->first, line);
    }
    taskfit_strbuf_printf(line, ", work %lld", (long long)(s->work_limit - s->budget.work_left + in_stage));
    if (glpk_fallbacks > 0) {
        taskfit_strbuf_printf(line, ", GLPK restarted %lld times", (long long)glpk_fallbacks);
    }
    s->settings->log(s->settings->log_arg, line->data);
}

void taskfit_search_report(const taskfit_budget *budget) {
    const taskfit_search *s = budget->report_arg;
    if (budget->stage != NULL) {
        TASKFIT_STRBUF(line);
        taskfit_strbuf_printf(&line, "%lld instances: %s", (long long)s->asked, budget->stage);
        say(s, &line, s->given > 0 ? s->given - budget->work_left : 0, budget->glpk_fallbacks);
    }
}

void taskfit_search_log_answer(const taskfit_search *s, const taskfit_answer *answer) {
    static const char *const verdicts[] = {[TASKFIT_VERDICT_OPEN] = "left open", [TASKFIT_VERDICT_FITS] = "hold all tasks",
                                           [TASKFIT_VERDICT_REFUTED] = "refuted"};
    if (s->settings->log != NULL) {
        TASKFIT_STRBUF(line);
        taskfit_strbuf_printf(&line, "%lld instances: %s by %s", (long long)s->asked, verdicts[answer->verdict], answer->stage);
        say(s, &line, 0, s->budget.glpk_fallbacks);
    }
}

void taskfit_search_log_plan(const taskfit_search *s) {
    if (s->settings->log != NULL) {
        int64_t instances = 0;
        for (size_t o = 0; o < s->problem->n_offers; o++) {
            instances += s->fleet_count[o];
        }
        TASKFIT_STRBUF(line);
        taskfit_strbuf_printf(&line, "plan of %lld instances by %s", (long long)instances, s->plan.stage);
        say(s, &line, 0, s->budget.glpk_fallbacks);
    }
}

void taskfit_search_log_end(const taskfit_search *s, const taskfit_solve_result *result) {
    if (s->settings->log != NULL) {
        TASKFIT_STRBUF(line);
        const bool closed = result->outcome == TASKFIT_OPTIMAL || result->outcome == TASKFIT_INFEASIBLE;
        taskfit_strbuf_printf(&line, "rung '%s' %s by %s", taskfit_rung_name(s->problem->rung), closed ? "closed" : "left open", result->stage);
        say(s, &line, 0, s->budget.glpk_fallbacks);
    }
}
