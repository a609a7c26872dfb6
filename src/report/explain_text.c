#include <inttypes.h>

#include "deployment/accounting.h"
#include "problem/problem.h"
#include "report/explain_report.h"
#include "report/table.h"

enum { LINES_SHOWN = 12 };

static const char *counted(const taskfit_report *report, int64_t n, const char *noun) {
    return taskfit_arena_printf(report->arena, "%s %s%s", taskfit_report_number(report, n), noun, n == 1 ? "" : "s");
}

static const char *tasks_of(const taskfit_report *report, int64_t n) {
    return counted(report, n, "task");
}

/* ---- a service ---- */

static void add_bullet(const taskfit_report *report, const char *text) {
    taskfit_strbuf_adds(report->out, "- ");
    taskfit_report_wrap(report, text, 2, 2);
}

static void add_spread_rules(const taskfit_report *report, const taskfit_service *service) {
    const bool rule = taskfit_spread_in_force(&report->plan->deployment->policy, report->plan->rung);
    const char *how = rule ? "a rule of this plan" : "a wish, not a rule of this plan";
    for (size_t i = 0; i < service->n_strategies; i++) {
        if (service->strategies[i].type == TASKFIT_STRATEGY_SPREAD_AZ) {
            add_bullet(report, taskfit_arena_printf(report->arena, "even spread over availability zones, %s", how));
        } else if (service->strategies[i].type == TASKFIT_STRATEGY_SPREAD_INSTANCE) {
            add_bullet(report, taskfit_arena_printf(report->arena, "even spread over instances, %s", how));
        }
    }
}

/* The rules that hold it there. */
static void add_reasons(const taskfit_report *report, const taskfit_explanation *e) {
    const taskfit_deployment *deployment = report->plan->deployment;
    const taskfit_service *service = &deployment->services[e->index];
    const size_t n_machines = report->plan->fleet->n_machines;
    int64_t n_open = 0;
    for (size_t m = 0; m < n_machines; m++) {
        n_open += taskfit_cluster_permitted(e->cluster, e->index, m);
    }
    add_bullet(report, taskfit_arena_printf(report->arena, "%s of %s open to it (group, architecture, memberOf, ports of agent and daemons)",
                                            taskfit_report_number(report, n_open), counted(report, (int64_t)n_machines, "instance")));
    if (service->distinct_instance) {
        add_bullet(report, "distinctInstance: no two tasks of it on one instance");
    }
    const taskfit_task_demand demand = taskfit_task_demand_of(service, report->arena);
    if (demand.n_ports > 0) {
        add_bullet(report, taskfit_arena_printf(report->arena, "a fixed host port (%" PRId64 "): one such task on an instance, of any service",
                                                demand.ports[0].host_port));
    }
    add_spread_rules(report, service);
    add_bullet(report, "within these rules the place is the optimizer's choice: the fewest instances, not this one for this task");
}

static const char *obstacle_text(const taskfit_report *report, const taskfit_explanation *e, size_t machine) {
    static const char *const others[TASKFIT_OBSTACLE_COUNT] = {
        [TASKFIT_OBSTACLE_PORTS] = "its host port is taken",
        [TASKFIT_OBSTACLE_PERMISSION] = "not open to it",
        [TASKFIT_OBSTACLE_RUNNING] = "memberOf asks for another runningTasksCount",
        [TASKFIT_OBSTACLE_DISTINCT] = "a task of it stands there (distinctInstance)",
        [TASKFIT_OBSTACLE_CONFLICT] = "a service stands there that it must not meet",
    };
    const taskfit_obstacle obstacle = e->obstacles[machine];
    taskfit_resource resource = TASKFIT_RESOURCE_MEMORY;
    if (taskfit_obstacle_resource(obstacle, &resource)) {
        return taskfit_arena_printf(report->arena, "%s of %s %s left",
                                    taskfit_report_number(report, taskfit_cluster_free(e->cluster, machine, resource)),
                                    taskfit_report_number(report, taskfit_cluster_demand(e->cluster, e->index, resource)),
                                    taskfit_obstacle_unit(obstacle));
    }
    return others[obstacle] != NULL ? others[obstacle] : "";
}

void taskfit_report_service(const taskfit_report *report, const taskfit_explanation *e) {
    static const char *const headers[] = {"instance", "AZ", ">tasks", ">more fit", "what keeps the next one off"};
    const taskfit_deployment *deployment = report->plan->deployment;
    const taskfit_service *service = &deployment->services[e->index];
    taskfit_report_toned(report, TASKFIT_TONE_HEADING,
                         taskfit_arena_printf(report->arena, "%s: %s of %s MiB of memory and %s CPU units each", service->name,
                                              tasks_of(report, service->desired_count),
                                              taskfit_report_number(report, taskfit_cluster_demand(e->cluster, e->index, TASKFIT_RESOURCE_MEMORY)),
                                              taskfit_report_number(report, taskfit_cluster_demand(e->cluster, e->index, TASKFIT_RESOURCE_CPU))));
    taskfit_strbuf_addc(report->out, '\n');
    taskfit_report_heading(report, "Where it stands, and where else it could");
    taskfit_table *table = taskfit_table_new(report->arena, headers, sizeof headers / sizeof *headers);
    for (size_t m = 0; m < report->plan->fleet->n_machines; m++) {
        const int64_t tasks = taskfit_cluster_tasks(e->cluster, e->index, m);
        taskfit_table_cell(table, "%s", e->ids[m]);
        taskfit_table_cell(table, "%s", deployment->azs[report->plan->fleet->machines[m].az]);
        taskfit_table_cell(table, "%s", tasks > 0 ? taskfit_report_number(report, tasks) : "");
        taskfit_table_cell(table, "%s", e->more_on[m] > 0 ? taskfit_report_number(report, e->more_on[m]) : "");
        taskfit_table_cell(table, "%s", obstacle_text(report, e, m));
    }
    taskfit_table_write(table, report->out);
    taskfit_strbuf_printf(report->out, "In all %s more of it would find a place.\n", taskfit_report_number(report, e->n_more));
    taskfit_report_heading(report, "Why there");
    add_reasons(report, e);
}

/* ---- an instance ---- */

const size_t *taskfit_explain_more(const taskfit_explanation *e, taskfit_arena *arena, size_t *n_out) {
    size_t *services = TASKFIT_ARRAY(arena, e->plan->deployment->n_services, size_t);
    size_t n = 0;
    for (size_t i = 0; i < e->plan->deployment->n_services; i++) {
        if (e->more_of[e->largest_first[i]] > 0) {
            services[n++] = e->largest_first[i];
        }
    }
    *n_out = n;
    return services;
}

int64_t taskfit_explain_free(const taskfit_explanation *e, size_t machine, taskfit_resource resource) {
    return e->use[machine].capacity[resource] - e->use[machine].daemons[resource] - e->use[machine].reserved[resource];
}

static void add_more(const taskfit_report *report, const taskfit_explanation *e) {
    static const char *const headers[] = {"service", ">MiB", ">CPU units", ">more fit"};
    size_t n = 0;
    const size_t *services = taskfit_explain_more(e, report->arena, &n);
    taskfit_report_heading(report, "What could still come, the largest first");
    if (n == 0) {
        taskfit_strbuf_adds(report->out, "No task of any service fits any more.\n");
        return;
    }
    const size_t n_shown = report->wide || n <= LINES_SHOWN ? n : LINES_SHOWN;
    taskfit_table *table = taskfit_table_new(report->arena, headers, sizeof headers / sizeof *headers);
    for (size_t i = 0; i < n_shown; i++) {
        taskfit_table_cell(table, "%s", report->plan->deployment->services[services[i]].name);
        taskfit_table_cell(table, "%s", taskfit_report_number(report, taskfit_cluster_demand(e->cluster, services[i], TASKFIT_RESOURCE_MEMORY)));
        taskfit_table_cell(table, "%s", taskfit_report_number(report, taskfit_cluster_demand(e->cluster, services[i], TASKFIT_RESOURCE_CPU)));
        taskfit_table_cell(table, "%s", taskfit_report_number(report, e->more_of[services[i]]));
    }
    taskfit_table_write(table, report->out);
    if (n_shown < n) {
        taskfit_strbuf_printf(report->out, "... and %zu more (-o wide shows all)\n", n - n_shown);
    }
}

static void add_loss(const taskfit_report *report, const taskfit_explanation *e) {
    const taskfit_event *loss = e->loss;
    taskfit_report_heading(report, "If it is lost");
    const char *worst = loss->n_missing_tasks == 0
                            ? "nothing is missing afterwards"
                            : taskfit_arena_printf(report->arena, "in the worst order %s find%s no place", tasks_of(report, loss->n_missing_tasks),
                                                   loss->n_missing_tasks == 1 ? "s" : "");
    taskfit_report_wrap(report, taskfit_arena_printf(report->arena, "%s must stand elsewhere; %s of %s re-placements put them all somewhere, %s.",
                                                     tasks_of(report, loss->n_tasks), taskfit_report_number(report, loss->n_tries_survived),
                                                     taskfit_report_number(report, loss->n_tries), worst),
                        0, 0);
    const size_t n_shown = report->wide || loss->n_missing <= LINES_SHOWN ? loss->n_missing : LINES_SHOWN;
    for (size_t i = 0; i < n_shown; i++) {
        taskfit_report_wrap(report, taskfit_arena_printf(report->arena, "%s is short of %s: %s",
                                                         report->plan->deployment->services[loss->missing[i].service].name,
                                                         tasks_of(report, loss->missing[i].tasks), loss->missing[i].text),
                            0, 2);
    }
    if (n_shown < loss->n_missing) {
        taskfit_strbuf_printf(report->out, "... and %zu more (-o wide shows all)\n", loss->n_missing - n_shown);
    }
}

void taskfit_report_instance(const taskfit_report *report, const taskfit_explanation *e) {
    const taskfit_deployment *deployment = report->plan->deployment;
    const taskfit_machine *machine = &report->plan->fleet->machines[e->index];
    const taskfit_instance_group *group = &deployment->groups[machine->group];
    const taskfit_machine_use *use = &e->use[e->index];
    taskfit_report_toned(report, TASKFIT_TONE_HEADING,
                         taskfit_arena_printf(report->arena, "%s: %s in %s, group %s, with %s", e->ids[e->index], group->types[machine->type].type.name,
                                              deployment->azs[machine->az], group->name, tasks_of(report, use->n_tasks)));
    taskfit_strbuf_addc(report->out, '\n');
    taskfit_report_heading(report, "Free");
    static const struct {
        taskfit_resource resource;
        const char *name;
    } rows[] = {{TASKFIT_RESOURCE_MEMORY, "MiB of memory"}, {TASKFIT_RESOURCE_CPU, "CPU units"}, {TASKFIT_RESOURCE_ENI, "ENI slots"},
                {TASKFIT_RESOURCE_GPU, "GPUs"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int64_t capacity = use->capacity[rows[i].resource];
        const int64_t free = taskfit_explain_free(e, e->index, rows[i].resource);
        const bool counts = rows[i].resource <= TASKFIT_RESOURCE_CPU || use->reserved[rows[i].resource] > 0;
        if (counts && capacity > 0 && capacity < TASKFIT_UNLIMITED) {
            taskfit_strbuf_printf(report->out, "%s of %s %s (%s)\n", taskfit_report_number(report, free), taskfit_report_number(report, capacity),
                                  rows[i].name, taskfit_report_percent(report, free, capacity));
        }
    }
    add_more(report, e);
    add_loss(report, e);
}
