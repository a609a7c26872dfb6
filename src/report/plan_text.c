#include "report/plan_report.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "check/rules.h"
#include "report/plan_write.h"
#include "report/table.h"

enum { WARNINGS_SHOWN = 12, WARNINGS_ALIKE = 2 /* of one code, told one by one */ };

/* ---- shared pieces ---- */

void taskfit_report_toned(const taskfit_report *report, taskfit_report_tone tone, const char *text) {
    static const char *const codes[] = {
        [TASKFIT_TONE_HEADING] = "\033[1m",
        [TASKFIT_TONE_WARNING] = "\033[33m",
        [TASKFIT_TONE_BAD] = "\033[1;31m",
    };
    taskfit_strbuf_printf(report->out, "%s%s%s", report->color ? codes[tone] : "", text, report->color ? "\033[0m" : "");
}

void taskfit_report_wrap(const taskfit_report *report, const char *text, size_t column, size_t indent) {
    taskfit_strbuf *out = report->out;
    bool first = true;
    while (*text) {
        size_t bytes = strcspn(text, " \n");
        while (text[bytes] == ' ' && text[bytes + 1] == '%') { /* "95.6 %" stays together */
            bytes += 1 + strcspn(text + bytes + 1, " \n");
        }
        size_t width = 0;
        for (size_t i = 0; i < bytes; i++) {
            width += ((unsigned char)text[i] & 0xc0) != 0x80;
        }
        if (!first && column + 1 + width > TASKFIT_REPORT_COLUMNS) {
            taskfit_strbuf_addc(out, '\n');
            taskfit_strbuf_repeat(out, " ", indent);
            column = indent;
        } else if (!first) {
            taskfit_strbuf_addc(out, ' ');
            column++;
        }
        taskfit_strbuf_add(out, text, bytes);
        column += width;
        text += bytes;
        text += strspn(text, " \n");
        first = false;
    }
    taskfit_strbuf_addc(out, '\n');
}

const char *taskfit_report_number(const taskfit_report *report, int64_t value) {
    TASKFIT_STRBUF(text);
    taskfit_add_grouped(&text, value);
    return taskfit_arena_strndup(report->arena, text.data, text.len);
}

const char *taskfit_report_percent(const taskfit_report *report, int64_t part, int64_t whole) {
    if (whole <= 0) {
        return "-";
    }
    int64_t tenths = (int64_t)((double)part * 1000.0 / (double)whole + 0.5);
    return taskfit_arena_printf(report->arena, "%" PRId64 ".%" PRId64 " %%", tenths / 10, tenths % 10);
}

static int64_t cents_per_month(const taskfit_report *report, int64_t usd_micros) {
    return taskfit_usd_cents_per_month(usd_micros, report->plan->deployment->hours_per_month);
}

static const char *usd_text(const taskfit_report *report, int64_t cents) {
    TASKFIT_STRBUF(text);
    taskfit_add_usd_cents_grouped(&text, cents);
    return taskfit_arena_strndup(report->arena, text.data, text.len);
}

static void heading(const taskfit_report *report, const char *text) {
    taskfit_strbuf_addc(report->out, '\n');
    taskfit_report_toned(report, TASKFIT_TONE_HEADING, text);
    taskfit_strbuf_addc(report->out, '\n');
}

static const char *counted(const taskfit_report *report, int64_t n, const char *noun) {
    return taskfit_arena_printf(report->arena, "%s %s%s", taskfit_report_number(report, n), noun, n == 1 ? "" : "s");
}

/* ---- headline ---- */

/* "8 instances of r7g.2xlarge", or each group's types with their counts. The fleet is sorted by group. */
static const char *composition(const taskfit_report *report) {
    const taskfit_plan *plan = report->plan;
    const taskfit_deployment *deployment = plan->deployment;
    TASKFIT_STRBUF(parts);
    size_t n_parts = 0;
    const char *only = NULL;
    for (size_t group = 0; group < deployment->n_groups; group++) {
        for (size_t type = 0; type < deployment->groups[group].n_types; type++) {
            int64_t n = 0;
            for (size_t machine = 0; machine < plan->fleet->n_machines; machine++) {
                n += plan->fleet->machines[machine].group == group && plan->fleet->machines[machine].type == type;
            }
            if (n > 0) {
                only = deployment->groups[group].types[type].type.name;
                taskfit_strbuf_printf(&parts, "%s%s of %s in %s", n_parts++ > 0 ? ", " : "", taskfit_report_number(report, n),
                                      only, deployment->groups[group].name);
            }
        }
    }
    const char *total = counted(report, plan->instances, "instance");
    if (n_parts <= 1) {
        return only ? taskfit_arena_printf(report->arena, "%s of %s", total, only) : total;
    }
    return taskfit_arena_printf(report->arena, "%s (%s)", total, parts.data);
}

static const char *proof_text(taskfit_proof proof) {
    switch (proof) {
    case TASKFIT_PROOF_EXACT: return "proved by integer arithmetic";
    case TASKFIT_PROOF_SOLVER: return "proved by GLPK's branch and bound";
    case TASKFIT_PROOF_INFEASIBLE: return "proved infeasible";
    case TASKFIT_PROOF_GAP:
    case TASKFIT_PROOF_NONE: break;
    }
    return "not proved";
}

/* Where moves or balance come first: NULL otherwise. */
static const char *claim_of_placement(const taskfit_report *report, const char *rung) {
    const taskfit_plan *plan = report->plan;
    const taskfit_plan_goal *first = plan->n_goals > 0 ? &plan->goals[0] : NULL;
    const bool optimal = plan->outcome == TASKFIT_OPTIMAL;
    if (first != NULL && strcmp(first->goal, "moves") == 0) {
        return strcmp(first->value, "0") == 0 ? "No task moves."
               : optimal ? taskfit_arena_printf(report->arena, "No plan on rung '%s' moves fewer tasks than %s (%s).", rung, first->value,
                                                proof_text(first->proof))
                         : taskfit_arena_printf(report->arena, "Not proved to move the fewest tasks: on rung '%s' at least %s must move.",
                                                rung, first->bound ? first->bound : "0");
    }
    if (first != NULL && strcmp(first->goal, "balance") == 0 && plan->instances > 0) {
        return optimal ? taskfit_arena_printf(report->arena, "No plan on rung '%s' leaves the fullest instance more free memory (%s).",
                                              rung, proof_text(first->proof))
                       : taskfit_arena_printf(report->arena, "Not proved to be the best balanced: on rung '%s' the fullest instance keeps %s "
                                                             "of its memory free, at most %s can be.",
                                              rung, first->value, first->bound ? first->bound : "1.0000");
    }
    return NULL;
}

/* Why not fewer, or not cheaper, in one sentence. */
static const char *claim(const taskfit_report *report) {
    const taskfit_plan *plan = report->plan;
    const char *rung = taskfit_rung_name(plan->rung);
    const char *proof = proof_text(plan->n_goals > 0 ? plan->goals[0].proof : TASKFIT_PROOF_NONE);
    bool by_cost = plan->n_goals > 0 && strcmp(plan->goals[0].goal, "cost") == 0;
    const char *of_placement = claim_of_placement(report, rung);
    if (of_placement != NULL) {
        return of_placement;
    }
    if (plan->outcome == TASKFIT_OPTIMAL && by_cost) {
        return taskfit_arena_printf(report->arena, "No cheaper fleet keeps the rules of rung '%s' (%s).", rung, proof);
    }
    if (plan->outcome == TASKFIT_OPTIMAL) {
        const char *min = plan->binding_resource && strcmp(plan->binding_resource, "min") == 0 ? " and the groups' min" : "";
        return plan->instances > 0 ? taskfit_arena_printf(report->arena, "No smaller fleet keeps the rules of rung '%s'%s (%s).",
                                                          rung, min, proof)
                                   : "No task is desired, so no instance is needed.";
    }
    if (by_cost) {
        TASKFIT_STRBUF(text);
        taskfit_add_usd_per_hour(&text, plan->cost_bound_usd_micros < 0 ? 0 : plan->cost_bound_usd_micros);
        return taskfit_arena_printf(report->arena, "Not proved to be the cheapest: the bound on rung '%s' is %s USD/hour.", rung,
                                    text.data);
    }
    return taskfit_arena_printf(report->arena, "Not proved to be the fewest: on rung '%s' at least %s %s needed.", rung,
                                counted(report, plan->lower_bound, "instance"), plan->lower_bound == 1 ? "is" : "are");
}

static const char *reason_text(const taskfit_plan_reason *reason) {
    return reason->message ? reason->message : reason->resource;
}

/* "Today 10 instances run (current): 2 fewer." where every group says what runs. */
static void add_comparison(const taskfit_report *report) {
    const taskfit_deployment *deployment = report->plan->deployment;
    int64_t n_today = 0;
    for (size_t group = 0; group < deployment->n_groups; group++) {
        if (deployment->groups[group].current_instances < 0) {
            return;
        }
        n_today += deployment->groups[group].current_instances;
    }
    int64_t fewer = n_today - report->plan->instances;
    taskfit_strbuf_printf(report->out, "Today %s run%s (current): ", counted(report, n_today, "instance"), n_today == 1 ? "s" : "");
    if (fewer == 0) {
        taskfit_strbuf_adds(report->out, "as many.\n");
    } else {
        taskfit_strbuf_printf(report->out, "%s %s.\n", taskfit_report_number(report, fewer > 0 ? fewer : -fewer),
                              fewer > 0 ? "fewer" : "more");
    }
}

static void add_headline(const taskfit_report *report) {
    const taskfit_plan *plan = report->plan;
    const taskfit_deployment *deployment = plan->deployment;
    taskfit_strbuf *out = report->out;
    int64_t n_tasks = 0;
    for (size_t service = 0; service < deployment->n_services; service++) {
        n_tasks += deployment->services[service].desired_count;
    }
    const char *load = taskfit_arena_printf(report->arena, "%s of %s", counted(report, n_tasks, "task"),
                                            counted(report, (int64_t)deployment->n_services, "service"));
    if (plan->outcome == TASKFIT_INFEASIBLE) {
        taskfit_report_toned(report, TASKFIT_TONE_BAD, taskfit_arena_printf(report->arena, "%s: no fleet holds the %s (rung '%s', proved)",
                                                                    deployment->name, load, taskfit_rung_name(plan->rung)));
        taskfit_strbuf_addc(out, '\n');
        taskfit_report_wrap(report, reason_text(&plan->reason), 0, 0);
        return;
    }
    if (plan->outcome == TASKFIT_UNKNOWN) {
        taskfit_report_toned(report, TASKFIT_TONE_BAD,
                     taskfit_arena_printf(report->arena, "%s: no plan found within the limits for the %s (rung '%s')",
                                          deployment->name, load, taskfit_rung_name(plan->rung)));
        taskfit_strbuf_printf(out, "\nAt least %s needed.\n", counted(report, plan->lower_bound, "instance"));
        return;
    }
    TASKFIT_STRBUF(usd_per_hour);
    taskfit_add_usd_per_hour(&usd_per_hour, plan->cost_usd_micros);
    taskfit_report_toned(report, TASKFIT_TONE_HEADING,
                 taskfit_arena_printf(report->arena, "%s: %s", deployment->name, composition(report)));
    taskfit_strbuf_printf(out, "\n%s USD/hour, %s USD/month for EC2, holding %s\n", usd_per_hour.data,
                          usd_text(report, cents_per_month(report, plan->cost_usd_micros)), load);
    taskfit_report_wrap(report, claim(report), 0, 0);
    add_comparison(report);
}

/* ---- ladder ---- */

static const char *rung_adds(const taskfit_report *report, taskfit_rung rung) {
    const taskfit_policy *policy = &report->plan->deployment->policy;
    switch (rung) {
    case TASKFIT_RUNG_PACKING: return "what Amazon ECS enforces";
    case TASKFIT_RUNG_LIMITS: return "+ limits of the policy";
    case TASKFIT_RUNG_SPREAD: return "+ spread as a rule";
    case TASKFIT_RUNG_ROLLING:
        return policy->rolling == TASKFIT_ROLLING_ALL_SERVICES ? "+ deploying all at once" : "+ deploying any service";
    case TASKFIT_RUNG_SURVIVE:
        return policy->survive == TASKFIT_SURVIVE_AVAILABILITY_ZONE ? "+ losing any AZ" : "+ losing any instance";
    case TASKFIT_RUNG_COUNT: break;
    }
    return "";
}

static const char *difference(const taskfit_report *report, int64_t more) {
    if (more == 0) {
        return "";
    }
    return taskfit_arena_printf(report->arena, "%s%s", more > 0 ? "+" : "-", taskfit_report_number(report, more > 0 ? more : -more));
}

/* One row; `before` is the next lower rung that has a plan, or NULL. */
static void add_rung(const taskfit_report *report, taskfit_table *table, const taskfit_plan_rung *rung,
                     const taskfit_plan_rung *before) {
    bool placed = rung->instances >= 0;
    bool infeasible = rung->proof == TASKFIT_PROOF_INFEASIBLE;
    bool priced = placed && rung->cost_usd_micros >= 0;
    bool compared = priced && before && before->cost_usd_micros >= 0;
    int64_t cents = priced ? cents_per_month(report, rung->cost_usd_micros) : 0;
    /* of the rounded figures, so that the column adds up */
    int64_t more = compared ? cents - cents_per_month(report, before->cost_usd_micros) : 0;
    taskfit_table_cell(table, "%s", taskfit_rung_name(rung->rung));
    taskfit_table_cell(table, "%s", rung_adds(report, rung->rung));
    taskfit_table_cell(table, "%s", placed ? taskfit_report_number(report, rung->instances) : "none");
    taskfit_table_cell(table, "%s", placed && before ? difference(report, rung->instances - before->instances) : "");
    taskfit_table_cell(table, "%s", infeasible ? "-" : taskfit_report_number(report, rung->lower_bound));
    taskfit_table_cell(table, "%s", taskfit_proof_name(rung->proof));
    taskfit_table_cell(table, "%s", priced ? usd_text(report, cents) : "-");
    taskfit_table_cell(table, "%s%s", more > 0 ? "+" : "", more == 0 ? "" : usd_text(report, more));
    taskfit_table_cell(table, "%s", rung->rung == report->plan->rung ? "<-" : "");
}

/* Beside the ladder: what Amazon ECS's own placement makes of it. */
static void add_ecs(const taskfit_report *report) {
    const taskfit_plan_ecs *ecs = &report->plan->ecs;
    if (ecs->orders == 0) {
        return;
    }
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&text, "Amazon ECS's own placement fills %s in each of %s launch orders",
                          counted(report, ecs->instances, "instance"), taskfit_report_number(report, ecs->orders));
    if (ecs->below_permille >= 0) {
        taskfit_strbuf_printf(&text, ", one less in %s of them", taskfit_report_percent(report, ecs->below_permille, 1000));
    }
    if (ecs->spread_lost_permille > 0) {
        taskfit_strbuf_printf(&text, "; spread over availability zones is lost in %s",
                              taskfit_report_percent(report, ecs->spread_lost_permille, 1000));
    }
    taskfit_strbuf_adds(&text, " (room for deployments or losses aside)");
    taskfit_strbuf_adds(report->out, "ecs: ");
    taskfit_report_wrap(report, text.data, strlen("ecs: "), 2);
}

static void add_ladder(const taskfit_report *report) {
    static const char *const headers[] = {"rung",  "adds",        ">instances", ">more", ">bound", "proof",
                                          ">USD/month", ">more", ""};
    const taskfit_plan *plan = report->plan;
    if (plan->n_ladder == 0) {
        return;
    }
    heading(report, "What each rule costs");
    taskfit_table *table = taskfit_table_new(report->arena, headers, sizeof headers / sizeof headers[0]);
    const taskfit_plan_rung *before = NULL;
    for (size_t i = 0; i < plan->n_ladder; i++) {
        add_rung(report, table, &plan->ladder[i], before);
        before = plan->ladder[i].instances >= 0 ? &plan->ladder[i] : before;
    }
    taskfit_table_write(table, report->out);
    add_ecs(report);
    const char *told = plan->outcome == TASKFIT_INFEASIBLE ? reason_text(&plan->reason) : "";
    for (size_t i = 0; i < plan->n_ladder; i++) {
        const taskfit_plan_rung *rung = &plan->ladder[i];
        if (rung->reason && strcmp(reason_text(rung->reason), told) != 0) {
            told = reason_text(rung->reason);
            taskfit_strbuf_printf(report->out, "%s: ", taskfit_rung_name(rung->rung));
            taskfit_report_wrap(report, told, strlen(taskfit_rung_name(rung->rung)) + 2, 2);
        }
    }
}

/* ---- the rest ---- */

static void add_binding(const taskfit_report *report) {
    const taskfit_plan *plan = report->plan;
    if (!plan->binding_resource) {
        return;
    }
    heading(report, "What binds");
    const char *text = plan->binding_note ? taskfit_arena_printf(report->arena, "%s: %s", plan->binding_resource, plan->binding_note)
                                          : plan->binding_resource;
    taskfit_report_wrap(report, text, 0, 0);
}

/* Warnings of one code that speak of services: many are told in one line. */
typedef struct tally {
    const char *code;
    size_t n;
    bool told;
} tally;

typedef struct tallies {
    tally *items;
    size_t n, capacity;
} tallies;

static tally *tally_of(const taskfit_report *report, tallies *all, const char *code) {
    for (size_t i = 0; i < all->n; i++) {
        if (strcmp(all->items[i].code, code) == 0) {
            return &all->items[i];
        }
    }
    TASKFIT_GROW(report->arena, all->items, all->n, all->capacity);
    all->items[all->n] = (tally){.code = code};
    return &all->items[all->n++];
}

/* The line of a warning; NULL when an earlier one stands for all of its code. */
static const char *warning_text(const taskfit_report *report, const taskfit_warning *warning, tallies *all) {
    if (!warning->service) {
        return warning->message;
    }
    tally *alike = tally_of(report, all, warning->code);
    const taskfit_rule *rule = !report->wide && alike->n > WARNINGS_ALIKE ? taskfit_rule_find(warning->code) : NULL;
    if (!rule) {
        return taskfit_arena_printf(report->arena, "%s: %s", warning->service, warning->message);
    }
    if (alike->told) {
        return NULL;
    }
    alike->told = true;
    return taskfit_arena_printf(report->arena, "%zu times, first in %s: %s (taskfit check, or -o wide, tells all)", alike->n,
                                warning->service, rule->what);
}

static void add_warnings(const taskfit_report *report) {
    const taskfit_plan *plan = report->plan;
    if (plan->n_warnings == 0) {
        return;
    }
    heading(report, "Warnings");
    tallies all = {.items = NULL};
    for (size_t i = 0; i < plan->n_warnings; i++) {
        if (plan->warnings[i].service) {
            tally_of(report, &all, plan->warnings[i].code)->n++;
        }
    }
    const char **lines = TASKFIT_ARRAY(report->arena, plan->n_warnings, const char *);
    size_t n_lines = 0;
    for (size_t i = 0; i < plan->n_warnings; i++) {
        lines[i] = warning_text(report, &plan->warnings[i], &all);
        n_lines += lines[i] != NULL;
    }
    const size_t n_shown = report->wide || n_lines <= WARNINGS_SHOWN ? n_lines : WARNINGS_SHOWN - 2;
    size_t n_told = 0;
    for (size_t i = 0; n_told < n_shown; i++) {
        if (lines[i]) {
            taskfit_report_toned(report, TASKFIT_TONE_WARNING, plan->warnings[i].code);
            taskfit_strbuf_addc(report->out, ' ');
            taskfit_report_wrap(report, lines[i], strlen(plan->warnings[i].code) + 1, 2);
            n_told++;
        }
    }
    if (n_shown < n_lines) {
        taskfit_strbuf_printf(report->out, "... and %zu more (-o wide shows all)\n", n_lines - n_shown);
    }
}

void taskfit_plan_write_text(const taskfit_plan *plan, bool wide, bool color, taskfit_strbuf *out) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_report report = {.plan = plan, .wide = wide, .color = color, .arena = arena, .out = out};
    bool has_plan = plan->outcome == TASKFIT_OPTIMAL || plan->outcome == TASKFIT_FEASIBLE;
    assert(!has_plan || plan->fleet);
    if (has_plan) {
        report.uses = taskfit_fleet_use(plan->deployment, plan->fleet, arena);
        report.ids = taskfit_fleet_ids(plan->deployment, plan->fleet, arena);
    }
    add_headline(&report);
    add_ladder(&report);
    add_binding(&report);
    if (has_plan && plan->fleet->n_machines > 0) {
        heading(&report, "Fleet");
        taskfit_report_fleet(&report);
    }
    taskfit_report_moves(&report);
    taskfit_report_front(&report);
    if (wide) {
        heading(&report, "Services");
        taskfit_report_services(&report);
    }
    add_warnings(&report);
    taskfit_arena_free(arena);
}
