#include "base/clock.h"
#include "solve/decision.h"

bool taskfit_budget_spend(taskfit_budget *budget, int64_t work) {
    /* The clock is read once in about 4096 units, so that inner loops can afford to ask. */
    enum { CLOCK_STEP = 4096, REPORT_STEP = 100000000 };
    const int64_t before = budget->work_left;
    budget->work_left -= work;
    if (before / CLOCK_STEP != budget->work_left / CLOCK_STEP && !budget->stopped) {
        budget->stopped = (budget->stop != NULL && budget->stop(budget->stop_arg)) ||
                          (budget->deadline_ms > 0 && taskfit_clock_ms() >= budget->deadline_ms);
    }
    if (budget->report != NULL && before / REPORT_STEP != budget->work_left / REPORT_STEP) {
        budget->report(budget);
    }
    return budget->work_left > 0 && !budget->stopped;
}

void taskfit_budget_stage(taskfit_budget *budget, const char *stage) {
    budget->stage = stage;
    if (budget->report != NULL) {
        budget->report(budget);
    }
}
