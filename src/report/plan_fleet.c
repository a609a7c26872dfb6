/*
 * The instances of a plan for people: by AZ, with bars of what is reserved. A fleet of more instances than fit a
 * screen is summed up: those alike in every figure share a row, and only the fullest and the emptiest rows of a
 * section are shown.
 */

#include "report/plan_report.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "deployment/accounting.h"
#include "report/table.h"

enum {
    BAR_CELLS = 10,
    MACHINES_SHOWN = 40, /* a larger fleet is summed up */
    ROWS_AT_ENDS = 3     /* of a section of a fleet that is summed up */
};

/* Instances of one group, AZ and type stand together in a canonical fleet. */
typedef struct section {
    size_t begin, end;
} section;

typedef struct row { /* machines alike in what is shown */
    size_t machine;
    size_t n_alike;
    size_t n_left_out; /* instances between this row and the one before that are not shown */
} row;

static bool same_section(const taskfit_machine *a, const taskfit_machine *b) {
    return a->group == b->group && a->az == b->az && a->type == b->type;
}

static int64_t reserved(const taskfit_machine_use *use, taskfit_resource resource) {
    return use->reserved[resource] + use->daemons[resource];
}

/* ---- which rows ---- */

static int compare_figures(const taskfit_machine_use *a, const taskfit_machine_use *b) {
    const int64_t left[] = {reserved(a, TASKFIT_RESOURCE_MEMORY), reserved(a, TASKFIT_RESOURCE_CPU), a->hard_memory_mib,
                            a->expected_memory_mib,               a->expected_cpu_units,             a->n_tasks};
    const int64_t right[] = {reserved(b, TASKFIT_RESOURCE_MEMORY), reserved(b, TASKFIT_RESOURCE_CPU), b->hard_memory_mib,
                             b->expected_memory_mib,               b->expected_cpu_units,             b->n_tasks};
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
        if (left[i] != right[i]) {
            return left[i] > right[i] ? -1 : 1;
        }
    }
    return 0;
}

typedef struct ranked {
    const taskfit_machine_use *use;
    size_t machine;
} ranked;

static int by_fullness(const void *a, const void *b) {
    const ranked *left = a;
    const ranked *right = b;
    int order = compare_figures(left->use, right->use);
    return order != 0 ? order : (left->machine > right->machine) - (left->machine < right->machine);
}

/* Fullest first, alike ones joined. */
static size_t summed_rows(const taskfit_report *report, section part, row *rows) {
    size_t n = part.end - part.begin;
    ranked *order = TASKFIT_ARRAY(report->arena, n, ranked);
    for (size_t i = 0; i < n; i++) {
        order[i] = (ranked){&report->uses[part.begin + i], part.begin + i};
    }
    qsort(order, n, sizeof *order, by_fullness);
    size_t n_rows = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && compare_figures(order[i - 1].use, order[i].use) == 0) {
            rows[n_rows - 1].n_alike++;
        } else {
            rows[n_rows++] = (row){.machine = order[i].machine, .n_alike = 1};
        }
    }
    if (n_rows <= 2 * ROWS_AT_ENDS + 1) {
        return n_rows;
    }
    for (size_t i = ROWS_AT_ENDS; i < n_rows - ROWS_AT_ENDS; i++) {
        rows[n_rows - ROWS_AT_ENDS].n_left_out += rows[i].n_alike;
    }
    memmove(rows + ROWS_AT_ENDS, rows + n_rows - ROWS_AT_ENDS, ROWS_AT_ENDS * sizeof *rows);
    return 2 * (size_t)ROWS_AT_ENDS;
}

static bool is_summed(const taskfit_report *report) {
    return !report->wide && report->plan->fleet->n_machines > MACHINES_SHOWN;
}

static size_t section_rows(const taskfit_report *report, section part, row *rows) {
    if (is_summed(report)) {
        return summed_rows(report, part, rows);
    }
    for (size_t machine = part.begin; machine < part.end; machine++) {
        rows[machine - part.begin] = (row){.machine = machine, .n_alike = 1};
    }
    return part.end - part.begin;
}

/* ---- the table ---- */

/* Which figures have a column. */
typedef struct columns {
    bool eni, gpu, expected_memory, expected_cpu;
} columns;

static const char *bar(const taskfit_report *report, columns shown, int64_t part, int64_t whole) {
    /* shorter beside further columns, so that lines stay within the page */
    const int64_t n_cells = BAR_CELLS - 2 * (shown.expected_memory + shown.expected_cpu) - shown.eni - shown.gpu;
    int64_t n_full = part >= whole ? n_cells : (part * n_cells + whole / 2) / whole;
    TASKFIT_STRBUF(text);
    taskfit_strbuf_repeat(&text, "█", (size_t)n_full);
    taskfit_strbuf_repeat(&text, "░", (size_t)(n_cells - n_full));
    return taskfit_arena_strndup(report->arena, text.data, text.len);
}

static columns find_columns(const taskfit_report *report) {
    columns shown = {0};
    for (size_t machine = 0; machine < report->plan->fleet->n_machines; machine++) {
        const taskfit_machine_use *use = &report->uses[machine];
        bool loaded = use->n_tasks + use->n_daemons > 0;
        shown.eni = shown.eni || reserved(use, TASKFIT_RESOURCE_ENI) > 0;
        shown.gpu = shown.gpu || reserved(use, TASKFIT_RESOURCE_GPU) > 0;
        shown.expected_memory = shown.expected_memory || (loaded && use->expected_memory_mib >= 0);
        shown.expected_cpu = shown.expected_cpu || (loaded && use->expected_cpu_units >= 0);
    }
    return shown;
}

static taskfit_table *new_table(const taskfit_report *report, columns shown) {
    const char **headers = TASKFIT_ARRAY(report->arena, 13, const char *);
    size_t n = 0;
    headers[n++] = "  instance";
    headers[n++] = "memory";
    headers[n++] = ">MiB";
    headers[n++] = ">";
    headers[n++] = "CPU";
    headers[n++] = ">units";
    headers[n++] = ">";
    headers[n++] = ">hard";
    if (shown.expected_memory) {
        headers[n++] = ">exp.mem";
    }
    if (shown.expected_cpu) {
        headers[n++] = ">exp.CPU";
    }
    if (shown.eni) {
        headers[n++] = ">ENI";
    }
    if (shown.gpu) {
        headers[n++] = ">GPU";
    }
    headers[n++] = ">tasks";
    return taskfit_table_new(report->arena, headers, n);
}

static void add_row(const taskfit_report *report, taskfit_table *table, columns shown, const row *at) {
    const taskfit_machine_use *use = &report->uses[at->machine];
    int64_t memory_mib = reserved(use, TASKFIT_RESOURCE_MEMORY);
    int64_t cpu_units = reserved(use, TASKFIT_RESOURCE_CPU);
    if (at->n_alike > 1) {
        taskfit_table_cell(table, "  %s +%zu", report->ids[at->machine], at->n_alike - 1);
    } else {
        taskfit_table_cell(table, "  %s", report->ids[at->machine]);
    }
    taskfit_table_cell(table, "%s", bar(report, shown, memory_mib, use->registered_memory_mib));
    taskfit_table_cell(table, "%s", taskfit_report_number(report, memory_mib));
    taskfit_table_cell(table, "%s", taskfit_report_percent(report, memory_mib, use->registered_memory_mib));
    taskfit_table_cell(table, "%s", bar(report, shown, cpu_units, use->total_cpu_units));
    taskfit_table_cell(table, "%s", taskfit_report_number(report, cpu_units));
    taskfit_table_cell(table, "%s", taskfit_report_percent(report, cpu_units, use->total_cpu_units));
    taskfit_table_cell(table, "%s", taskfit_report_percent(report, use->hard_memory_mib, use->registered_memory_mib));
    const struct {
        bool shown;
        int64_t value, whole;
    } expected[] = {
        {shown.expected_memory, use->expected_memory_mib, use->registered_memory_mib},
        {shown.expected_cpu, use->expected_cpu_units, use->total_cpu_units},
    };
    for (size_t i = 0; i < 2; i++) {
        if (expected[i].shown) {
            taskfit_table_cell(table, "%s",
                               expected[i].value < 0 ? "?" : taskfit_report_percent(report, expected[i].value, expected[i].whole));
        }
    }
    if (shown.eni) {
        taskfit_table_cell(table, "%" PRId64, reserved(use, TASKFIT_RESOURCE_ENI));
    }
    if (shown.gpu) {
        taskfit_table_cell(table, "%" PRId64, reserved(use, TASKFIT_RESOURCE_GPU));
    }
    taskfit_table_cell(table, "%s", taskfit_report_number(report, use->n_tasks));
}

/* ---- around the table ---- */

/* "us-east-1a, main: 2 r7g.2xlarge of 63,138 MiB and 8,192 CPU units, daemons 256 MiB and 128 units" */
static void add_section_heading(const taskfit_report *report, section part) {
    const taskfit_deployment *deployment = report->plan->deployment;
    const taskfit_machine *machine = &report->plan->fleet->machines[part.begin];
    const taskfit_instance_group *group = &deployment->groups[machine->group];
    const taskfit_machine_use *use = &report->uses[part.begin];
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&text, "%s, %s: %s %s of %s MiB and %s CPU units", deployment->azs[machine->az], group->name,
                          taskfit_report_number(report, (int64_t)(part.end - part.begin)),
                          group->types[machine->type].type.name, taskfit_report_number(report, use->registered_memory_mib),
                          taskfit_report_number(report, use->total_cpu_units));
    if (use->n_daemons > 0) {
        taskfit_strbuf_printf(&text, ", daemons %s MiB and %s units",
                              taskfit_report_number(report, use->daemons[TASKFIT_RESOURCE_MEMORY]),
                              taskfit_report_number(report, use->daemons[TASKFIT_RESOURCE_CPU]));
    }
    taskfit_report_wrap(report, text.data, 0, 2);
}

static void add_tasks(const taskfit_report *report, size_t index) {
    const taskfit_machine *machine = &report->plan->fleet->machines[index];
    const taskfit_deployment *deployment = report->plan->deployment;
    TASKFIT_STRBUF(text);
    for (size_t i = 0; i < machine->n_tasks; i++) {
        const taskfit_machine_task *task = &machine->tasks[i];
        taskfit_strbuf_printf(&text, "%s%s", i > 0 ? ", " : "", deployment->services[task->service].name);
        if (task->count > 1) {
            taskfit_strbuf_printf(&text, "(x%" PRId64 ")", task->count);
        }
    }
    taskfit_strbuf_adds(report->out, "    ");
    taskfit_report_wrap(report, text.len > 0 ? text.data : "(empty)", 4, 4);
}

static const char *next_line(const taskfit_report *report, const char *line) {
    size_t len = strcspn(line, "\n") + 1;
    taskfit_strbuf_add(report->out, line, len);
    return line + len;
}

/* The table's lines, with section headings, tasks and gaps put between them. */
static void add_lines(const taskfit_report *report, const section *parts, const size_t *n_rows, size_t n_parts,
                      const row *rows, const char *lines) {
    for (size_t part = 0; part < n_parts; part++) {
        add_section_heading(report, parts[part]);
        for (size_t i = 0; i < n_rows[part]; i++, rows++) {
            if (rows->n_left_out > 0) {
                taskfit_strbuf_printf(report->out, "  ... %s instances in between (-o wide shows all)\n",
                                      taskfit_report_number(report, (int64_t)rows->n_left_out));
            }
            lines = next_line(report, lines);
            if (report->wide) {
                add_tasks(report, rows->machine);
            }
        }
    }
    assert(*lines == '\0');
}

static void add_totals(const taskfit_report *report) {
    int64_t memory_mib = 0;
    int64_t registered_mib = 0;
    int64_t cpu_units = 0;
    int64_t total_cpu_units = 0;
    int64_t hard_mib = 0;
    for (size_t machine = 0; machine < report->plan->fleet->n_machines; machine++) {
        const taskfit_machine_use *use = &report->uses[machine];
        taskfit_add_held(&memory_mib, reserved(use, TASKFIT_RESOURCE_MEMORY), 1);
        taskfit_add_held(&registered_mib, use->registered_memory_mib, 1);
        taskfit_add_held(&cpu_units, reserved(use, TASKFIT_RESOURCE_CPU), 1);
        taskfit_add_held(&total_cpu_units, use->total_cpu_units, 1);
        taskfit_add_held(&hard_mib, use->hard_memory_mib, 1);
    }
    const struct {
        const char *what, *unit;
        int64_t part, whole;
    } totals[] = {
        {"Reserved in all:", "MiB of memory", memory_mib, registered_mib},
        {",", "CPU units", cpu_units, total_cpu_units},
        {"; hard limits:", "MiB", hard_mib, registered_mib},
    };
    TASKFIT_STRBUF(text);
    for (size_t i = 0; i < sizeof totals / sizeof totals[0]; i++) {
        taskfit_strbuf_printf(&text, "%s %s of %s %s (%s)", totals[i].what, taskfit_report_number(report, totals[i].part),
                              taskfit_report_number(report, totals[i].whole), totals[i].unit,
                              taskfit_report_percent(report, totals[i].part, totals[i].whole));
    }
    taskfit_strbuf_adds(&text, hard_mib > registered_mib ? ", overcommitted." : ".");
    taskfit_report_wrap(report, text.data, 0, 2);
}

static void add_legend(const taskfit_report *report, columns shown, bool summed) {
    TASKFIT_STRBUF(text);
    taskfit_strbuf_adds(&text, "memory, CPU: reserved on the instance, daemons included (1,024 units = 1 vCPU); hard: sum of hard "
                               "limits over registered memory");
    if (shown.expected_memory || shown.expected_cpu) {
        taskfit_strbuf_adds(&text, "; exp.: expected use from 'observed' (?: not every container was observed)");
    }
    if (shown.eni) {
        taskfit_strbuf_adds(&text, "; ENI: task slots taken");
    }
    taskfit_strbuf_adds(&text, summed ? "; +n: n more instances alike in all of these." : ".");
    taskfit_report_wrap(report, text.data, 0, 2);
}

void taskfit_report_fleet(const taskfit_report *report) {
    const taskfit_fleet *fleet = report->plan->fleet;
    columns shown = find_columns(report);
    taskfit_table *table = new_table(report, shown);
    section *parts = TASKFIT_ARRAY(report->arena, fleet->n_machines, section);
    size_t *n_rows = TASKFIT_ARRAY(report->arena, fleet->n_machines, size_t);
    row *rows = TASKFIT_ARRAY(report->arena, fleet->n_machines, row);
    size_t n_parts = 0;
    size_t n_all_rows = 0;
    for (size_t begin = 0; begin < fleet->n_machines; n_parts++) {
        size_t end = begin + 1;
        while (end < fleet->n_machines && same_section(&fleet->machines[begin], &fleet->machines[end])) {
            end++;
        }
        parts[n_parts] = (section){begin, end};
        n_rows[n_parts] = section_rows(report, parts[n_parts], rows + n_all_rows);
        for (size_t i = 0; i < n_rows[n_parts]; i++) {
            add_row(report, table, shown, &rows[n_all_rows + i]);
        }
        n_all_rows += n_rows[n_parts];
        begin = end;
    }
    TASKFIT_STRBUF(lines);
    taskfit_table_write(table, &lines);
    const char *first_row = next_line(report, lines.data);
    add_lines(report, parts, n_rows, n_parts, rows, first_row);
    add_totals(report);
    add_legend(report, shown, is_summed(report));
}

/* ---- services ---- */

/* "us-east-1a 2, us-east-1b 1": where the tasks of a service stand. counts: [n_azs] */
static const char *az_counts(const taskfit_report *report, const int64_t *counts) {
    const taskfit_deployment *deployment = report->plan->deployment;
    TASKFIT_STRBUF(text);
    for (size_t az = 0; az < deployment->n_azs; az++) {
        if (counts[az] > 0) {
            taskfit_strbuf_printf(&text, "%s%s %" PRId64, text.len > 0 ? ", " : "", deployment->azs[az], counts[az]);
        }
    }
    return text.len > 0 ? taskfit_arena_strndup(report->arena, text.data, text.len) : "-";
}

static int64_t *count_by_az(const taskfit_report *report) {
    const taskfit_plan *plan = report->plan;
    int64_t *counts = TASKFIT_ARRAY(report->arena, plan->deployment->n_services * plan->deployment->n_azs, int64_t);
    for (size_t m = 0; plan->fleet && m < plan->fleet->n_machines; m++) {
        const taskfit_machine *machine = &plan->fleet->machines[m];
        for (size_t i = 0; i < machine->n_tasks; i++) {
            counts[machine->tasks[i].service * plan->deployment->n_azs + machine->az] += machine->tasks[i].count;
        }
    }
    return counts;
}

void taskfit_report_services(const taskfit_report *report) {
    static const char *const headers[] = {"service",       ">tasks", ">MiB each",   ">units each", ">hard MiB",
                                          "host ports", "tasks by availability zone"};
    const taskfit_deployment *deployment = report->plan->deployment;
    taskfit_table *table = taskfit_table_new(report->arena, headers, sizeof headers / sizeof headers[0]);
    const int64_t *counts = count_by_az(report);
    for (size_t i = 0; i < deployment->n_services; i++) {
        const taskfit_service *service = &deployment->services[i];
        taskfit_task_demand demand = taskfit_task_demand_of(service, report->arena);
        TASKFIT_STRBUF(ports);
        for (size_t p = 0; p < demand.n_ports; p++) {
            taskfit_strbuf_printf(&ports, "%s%s/%" PRId64, p > 0 ? " " : "", demand.ports[p].protocol == TASKFIT_UDP ? "udp" : "tcp",
                                  demand.ports[p].host_port);
        }
        taskfit_table_cell(table, "%s", service->name);
        taskfit_table_cell(table, "%s", taskfit_report_number(report, service->desired_count));
        taskfit_table_cell(table, "%s", taskfit_report_number(report, demand.amount[TASKFIT_RESOURCE_MEMORY]));
        taskfit_table_cell(table, "%s", taskfit_report_number(report, demand.amount[TASKFIT_RESOURCE_CPU]));
        taskfit_table_cell(table, "%s", taskfit_report_number(report, demand.amount[TASKFIT_RESOURCE_HARD_MEMORY]));
        taskfit_table_cell(table, "%s", ports.len > 0 ? ports.data : "-");
        taskfit_table_cell(table, "%s", az_counts(report, counts + i * deployment->n_azs));
    }
    taskfit_table_write(table, report->out);
}
