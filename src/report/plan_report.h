#ifndef TASKFIT_REPORT_PLAN_REPORT_H
#define TASKFIT_REPORT_PLAN_REPORT_H

/*
 * A plan for people: what the files of the text report share. At most 100 columns wide, every figure with its
 * unit, colour only on headings and only when asked for.
 *
 *     plan_text.c   headline, ladder, binding, warnings
 *     plan_fleet.c  the instances, what each holds, the services
 *     moves_report.c  who stays of a given plan, the steps, moves against instances
 */

#include "base/arena.h"
#include "base/strbuf.h"
#include "problem/plan.h"

enum { TASKFIT_REPORT_COLUMNS = 100 };

typedef struct taskfit_report {
    const taskfit_plan *plan;
    const taskfit_machine_use *uses; /* [n_machines] */
    const char *const *ids;          /* [n_machines] */
    bool wide, color;
    taskfit_arena *arena;
    taskfit_strbuf *out;
} taskfit_report;

typedef enum taskfit_report_tone { TASKFIT_TONE_HEADING, TASKFIT_TONE_WARNING, TASKFIT_TONE_BAD } taskfit_report_tone;

/* Text in a colour when colours are on. */
void taskfit_report_toned(const taskfit_report *report, taskfit_report_tone tone, const char *text);
/* Words, broken at blanks; `column` is where the line stands already, further lines begin at `indent`. */
void taskfit_report_wrap(const taskfit_report *report, const char *text, size_t column, size_t indent);
/* "62,942" and "95.6 %" in the report's arena. A share of nothing is "-". */
const char *taskfit_report_number(const taskfit_report *report, int64_t value);
const char *taskfit_report_percent(const taskfit_report *report, int64_t part, int64_t whole);

void taskfit_report_fleet(const taskfit_report *report);
void taskfit_report_services(const taskfit_report *report);
void taskfit_report_moves(const taskfit_report *report);
void taskfit_report_front(const taskfit_report *report);

#endif
