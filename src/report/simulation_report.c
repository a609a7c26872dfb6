/* A simulation for people, as a document and as CSV. */
#include <inttypes.h>
#include <stdlib.h>

#include "input/node.h"
#include "report/events_report.h"
#include "report/plan_report.h"
#include "report/simulation_report.h"
#include "report/table.h"

enum { SERVICES_SHOWN = 12 };

const char *taskfit_order_kind_name(taskfit_order_kind kind) {
    static const char *const names[] = {"random", "largest-first", "smallest-first", "file"};
    return names[kind];
}

static const char *ties_name(taskfit_ties ties) {
    return ties == TASKFIT_TIES_RANDOM ? "random" : "first";
}

/* ---- text ---- */

static const char *fleet_text(const taskfit_simulation *sim, taskfit_arena *arena) {
    const taskfit_deployment *deployment = sim->plan->deployment;
    TASKFIT_STRBUF(text);
    for (size_t g = 0; g < deployment->n_groups; g++) {
        for (size_t t = 0; t < deployment->groups[g].n_types; t++) {
            size_t n = 0;
            for (size_t m = 0; m < sim->fleet->n_machines; m++) {
                n += sim->fleet->machines[m].group == g && sim->fleet->machines[m].type == t;
            }
            if (n > 0) {
                taskfit_strbuf_printf(&text, "%s%zu %s", text.len > 0 ? ", " : "", n, deployment->groups[g].types[t].type.name);
            }
        }
    }
    return text.len > 0 ? taskfit_arena_strndup(arena, text.data, text.len) : "no instance";
}

typedef struct service_key {
    taskfit_service_orders counts;
    size_t service;
} service_key;

/* The most often left out first, then those that lose spread most often. */
static int more_often(const void *left, const void *right) {
    const service_key *a = left;
    const service_key *b = right;
    if (a->counts.n_left != b->counts.n_left) {
        return a->counts.n_left > b->counts.n_left ? -1 : 1;
    }
    if (a->counts.n_spread_lost != b->counts.n_spread_lost) {
        return a->counts.n_spread_lost > b->counts.n_spread_lost ? -1 : 1;
    }
    return (a->service > b->service) - (a->service < b->service);
}

static void add_services(const taskfit_report *report, const taskfit_simulation *sim) {
    static const char *const headers[] = {"service", ">tasks", ">orders short of it", ">most left out", ">orders without its spread"};
    const taskfit_deployment *deployment = sim->plan->deployment;
    service_key *keys = TASKFIT_ARRAY(report->arena, deployment->n_services, service_key);
    size_t n = 0;
    for (size_t s = 0; s < deployment->n_services; s++) {
        const taskfit_service_orders *counts = &sim->orders.services[s];
        if (report->wide || counts->n_left > 0 || counts->n_spread_lost > 0) {
            keys[n++] = (service_key){.counts = *counts, .service = s};
        }
    }
    if (n == 0) {
        return;
    }
    qsort(keys, n, sizeof *keys, more_often);
    const size_t n_shown = report->wide || n <= SERVICES_SHOWN ? n : SERVICES_SHOWN;
    taskfit_table *table = taskfit_table_new(report->arena, headers, sizeof headers / sizeof *headers);
    for (size_t i = 0; i < n_shown; i++) {
        taskfit_table_cell(table, "%s", deployment->services[keys[i].service].name);
        taskfit_table_cell(table, "%" PRId64, deployment->services[keys[i].service].desired_count);
        taskfit_table_cell(table, "%" PRId64, keys[i].counts.n_left);
        taskfit_table_cell(table, "%" PRId64, keys[i].counts.most_left);
        taskfit_table_cell(table, "%" PRId64, keys[i].counts.n_spread_lost);
    }
    taskfit_strbuf_addc(report->out, '\n');
    taskfit_report_toned(report, TASKFIT_TONE_HEADING, "Services");
    taskfit_strbuf_addc(report->out, '\n');
    taskfit_table_write(table, report->out);
    if (n_shown < n) {
        taskfit_strbuf_printf(report->out, "... and %zu more (-o wide shows all)\n", n - n_shown);
    }
}

/* The worst launch, where it is a bad one. */
static void add_worst(const taskfit_report *report, const taskfit_simulation *sim) {
    const taskfit_deployment *deployment = sim->plan->deployment;
    const taskfit_orders *orders = &sim->orders;
    if (orders->worst_left == 0 && orders->worst_spread_lost == 0) {
        return;
    }
    taskfit_strbuf_addc(report->out, '\n');
    taskfit_report_toned(report, TASKFIT_TONE_HEADING, "The worst order");
    taskfit_strbuf_printf(report->out, " (--orders 1 --seed %" PRIu64 " repeats it)\n", orders->worst_seed);
    for (size_t s = 0; s < deployment->n_services; s++) {
        if (orders->worst_tasks[s] > 0) {
            const char *why = taskfit_misfit_text(sim->cluster, &orders->misfits[s], sim->ids, report->arena);
            taskfit_report_wrap(report, taskfit_arena_printf(report->arena, "%s: %" PRId64 " of %" PRId64 " tasks find no place: %s",
                                                             deployment->services[s].name, orders->worst_tasks[s],
                                                             deployment->services[s].desired_count, why),
                                0, 2);
        } else if (orders->worst_spread[s]) {
            taskfit_report_wrap(report, taskfit_arena_printf(report->arena, "%s: spread over availability zones is lost",
                                                             deployment->services[s].name),
                                0, 2);
        }
    }
    TASKFIT_STRBUF(order);
    taskfit_strbuf_adds(&order, "starting in the order");
    for (size_t i = 0; i < deployment->n_services; i++) {
        taskfit_strbuf_printf(&order, "%s %s", i > 0 ? "," : "", deployment->services[orders->worst_order[i]].name);
    }
    taskfit_report_wrap(report, order.data, 0, 2);
}

static void add_launch(const taskfit_report *report, const taskfit_simulation *sim) {
    const taskfit_orders *orders = &sim->orders;
    const char *spread = sim->plan->deployment->n_azs < 2 ? ""
                         : orders->n_spread_lost == 0
                             ? "Spread over availability zones is never lost."
                             : taskfit_arena_printf(report->arena, "In %s (%s) some service loses its spread over availability zones.",
                                                    taskfit_report_number(report, orders->n_spread_lost),
                                                    taskfit_report_percent(report, orders->n_spread_lost, orders->n_orders));
    taskfit_report_wrap(report,
                        taskfit_arena_printf(report->arena, "Every task finds a place in %s of %s launch orders (%s). %s",
                                             taskfit_report_number(report, orders->n_placed_all),
                                             taskfit_report_number(report, orders->n_orders),
                                             taskfit_report_percent(report, orders->n_placed_all, orders->n_orders), spread),
                        0, 0);
    taskfit_strbuf_printf(report->out, "order: %s, ties: %s, seed %" PRIu64 "\n", taskfit_order_kind_name(sim->options.order),
                          ties_name(sim->options.ties), sim->options.seed);
    add_services(report, sim);
    add_worst(report, sim);
}

static void write_text(const taskfit_simulation *sim, bool wide, bool color, taskfit_strbuf *out) {
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_report report = {.plan = sim->plan, .wide = wide, .color = color, .arena = arena, .out = out};
    taskfit_report_toned(&report, TASKFIT_TONE_HEADING,
                         taskfit_arena_printf(arena, "%s on %s", sim->plan->deployment->name, fleet_text(sim, arena)));
    taskfit_strbuf_addc(out, '\n');
    if (sim->options.n_events > 0) {
        taskfit_report_events(&report, sim);
    } else {
        add_launch(&report, sim);
    }
    taskfit_arena_free(arena);
}

/* ---- document ---- */

static taskfit_node *share(taskfit_arena *arena, int64_t part, int64_t whole) {
    const int64_t ten_thousandths = whole > 0 ? part * 10000 / whole : 0;
    return taskfit_node_plain(arena, taskfit_arena_printf(arena, "%" PRId64 ".%04" PRId64, ten_thousandths / 10000, ten_thousandths % 10000));
}

taskfit_node *taskfit_misfit_tree(const taskfit_misfit *misfit, const char *id, const char *text, taskfit_arena *arena) {
    taskfit_node *map = taskfit_node_map(arena);
    taskfit_node_set(arena, map, "obstacle", taskfit_node_string(arena, taskfit_obstacle_name(misfit->obstacle)));
    taskfit_node_set(arena, map, "closestInstance", taskfit_node_string(arena, id));
    taskfit_node_set(arena, map, "need", misfit->need >= 0 ? taskfit_node_int(arena, misfit->need) : taskfit_node_null(arena));
    taskfit_node_set(arena, map, "room", misfit->room >= 0 ? taskfit_node_int(arena, misfit->room) : taskfit_node_null(arena));
    taskfit_node_set(arena, map, "message", taskfit_node_string(arena, text));
    return map;
}

static taskfit_node *worst_tree(const taskfit_simulation *sim, taskfit_arena *arena) {
    const taskfit_deployment *deployment = sim->plan->deployment;
    const taskfit_orders *orders = &sim->orders;
    taskfit_node *map = taskfit_node_map(arena);
    taskfit_node *left = taskfit_node_list(arena);
    taskfit_node *spread = taskfit_node_list(arena);
    taskfit_node *order = taskfit_node_list(arena);
    for (size_t s = 0; s < deployment->n_services; s++) {
        if (orders->worst_tasks[s] > 0) {
            taskfit_node *row = taskfit_node_map(arena);
            taskfit_node_set(arena, row, "service", taskfit_node_string(arena, deployment->services[s].name));
            taskfit_node_set(arena, row, "tasks", taskfit_node_int(arena, orders->worst_tasks[s]));
            const taskfit_misfit *misfit = &orders->misfits[s];
            const char *id = misfit->machine == TASKFIT_NO_MACHINE ? NULL : sim->ids[misfit->machine];
            const char *why = taskfit_misfit_text(sim->cluster, misfit, sim->ids, arena);
            taskfit_node_set(arena, row, "reason", taskfit_misfit_tree(misfit, id, why, arena));
            taskfit_node_append(arena, left, row);
        }
        if (orders->worst_spread[s]) {
            taskfit_node_append(arena, spread, taskfit_node_string(arena, deployment->services[s].name));
        }
        taskfit_node_append(arena, order, taskfit_node_string(arena, deployment->services[orders->worst_order[s]].name));
    }
    taskfit_node_set(arena, map, "seed", taskfit_node_int(arena, (int64_t)orders->worst_seed));
    taskfit_node_set(arena, map, "tasksLeft", taskfit_node_int(arena, orders->worst_left));
    taskfit_node_set(arena, map, "left", left);
    taskfit_node_set(arena, map, "spreadLost", spread);
    taskfit_node_set(arena, map, "order", order);
    return map;
}

static taskfit_node *launch_tree(const taskfit_simulation *sim, taskfit_arena *arena) {
    const taskfit_deployment *deployment = sim->plan->deployment;
    const taskfit_orders *orders = &sim->orders;
    taskfit_node *map = taskfit_node_map(arena);
    taskfit_node *services = taskfit_node_list(arena);
    for (size_t s = 0; s < deployment->n_services; s++) {
        const taskfit_service_orders *counts = &orders->services[s];
        taskfit_node *row = taskfit_node_map(arena);
        taskfit_node_set(arena, row, "name", taskfit_node_string(arena, deployment->services[s].name));
        taskfit_node_set(arena, row, "desiredCount", taskfit_node_int(arena, deployment->services[s].desired_count));
        taskfit_node_set(arena, row, "ordersLeft", taskfit_node_int(arena, counts->n_left));
        taskfit_node_set(arena, row, "mostLeft", taskfit_node_int(arena, counts->most_left));
        taskfit_node_set(arena, row, "ordersSpreadLost", taskfit_node_int(arena, counts->n_spread_lost));
        taskfit_node_append(arena, services, row);
    }
    taskfit_node_set(arena, map, "order", taskfit_node_string(arena, taskfit_order_kind_name(sim->options.order)));
    taskfit_node_set(arena, map, "ties", taskfit_node_string(arena, ties_name(sim->options.ties)));
    taskfit_node_set(arena, map, "seed", taskfit_node_int(arena, (int64_t)sim->options.seed));
    taskfit_node_set(arena, map, "orders", taskfit_node_int(arena, orders->n_orders));
    taskfit_node_set(arena, map, "ordersPlacedAll", taskfit_node_int(arena, orders->n_placed_all));
    taskfit_node_set(arena, map, "placedAllShare", share(arena, orders->n_placed_all, orders->n_orders));
    taskfit_node_set(arena, map, "ordersSpreadLost", taskfit_node_int(arena, orders->n_spread_lost));
    taskfit_node_set(arena, map, "spreadLostShare", share(arena, orders->n_spread_lost, orders->n_orders));
    taskfit_node_set(arena, map, "services", services);
    taskfit_node_set(arena, map, "worst", worst_tree(sim, arena));
    return map;
}

static taskfit_node *fleet_tree(const taskfit_simulation *sim, taskfit_arena *arena) {
    const taskfit_deployment *deployment = sim->plan->deployment;
    taskfit_node *list = taskfit_node_list(arena);
    for (size_t m = 0; m < sim->fleet->n_machines; m++) {
        const taskfit_machine *machine = &sim->fleet->machines[m];
        const taskfit_instance_group *group = &deployment->groups[machine->group];
        taskfit_node *row = taskfit_node_map(arena);
        taskfit_node_set(arena, row, "id", taskfit_node_string(arena, sim->ids[m]));
        taskfit_node_set(arena, row, "group", taskfit_node_string(arena, group->name));
        taskfit_node_set(arena, row, "type", taskfit_node_string(arena, group->types[machine->type].type.name));
        taskfit_node_set(arena, row, "availabilityZone", taskfit_node_string(arena, deployment->azs[machine->az]));
        taskfit_node_append(arena, list, row);
    }
    return list;
}

static taskfit_node *simulation_tree(const taskfit_simulation *sim, taskfit_arena *arena) {
    taskfit_node *root = taskfit_node_map(arena);
    taskfit_node_set(arena, root, "schema", taskfit_node_string(arena, "taskfit.simulation/1"));
    taskfit_node_set(arena, root, "deployment", taskfit_node_string(arena, sim->plan->deployment->name));
    taskfit_node_set(arena, root, "instances", taskfit_node_int(arena, (int64_t)sim->fleet->n_machines));
    taskfit_node_set(arena, root, "fleet", fleet_tree(sim, arena));
    taskfit_node_set(arena, root, "launch", sim->options.n_events == 0 ? launch_tree(sim, arena) : taskfit_node_null(arena));
    taskfit_node_set(arena, root, "events", taskfit_events_tree(sim, arena));
    return root;
}

/* ---- CSV ---- */

static void write_csv(const taskfit_simulation *sim, taskfit_strbuf *out) {
    static const char *const headers[] = {"service", "desiredCount", "orders", "ordersLeft", "mostLeft", "ordersSpreadLost", "worstLeft"};
    const taskfit_deployment *deployment = sim->plan->deployment;
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_table *table = taskfit_table_new(arena, headers, sizeof headers / sizeof *headers);
    for (size_t s = 0; s < deployment->n_services; s++) {
        const taskfit_service_orders *counts = &sim->orders.services[s];
        taskfit_table_cell(table, "%s", deployment->services[s].name);
        taskfit_table_cell(table, "%" PRId64, deployment->services[s].desired_count);
        taskfit_table_cell(table, "%" PRId64, sim->orders.n_orders);
        taskfit_table_cell(table, "%" PRId64, counts->n_left);
        taskfit_table_cell(table, "%" PRId64, counts->most_left);
        taskfit_table_cell(table, "%" PRId64, counts->n_spread_lost);
        taskfit_table_cell(table, "%" PRId64, sim->orders.worst_tasks[s]);
    }
    taskfit_table_write_csv(table, out);
    taskfit_arena_free(arena);
}

taskfit_status taskfit_simulation_write(const taskfit_simulation *sim, taskfit_plan_style style, bool color, taskfit_write_fn *write,
                                        void *sink, taskfit_error *err) {
    TASKFIT_STRBUF(out);
    taskfit_arena *arena = taskfit_arena_new();
    switch (style) {
    case TASKFIT_STYLE_TABLE: write_text(sim, false, color, &out); break;
    case TASKFIT_STYLE_WIDE: write_text(sim, true, color, &out); break;
    case TASKFIT_STYLE_JSON: taskfit_node_write_json(simulation_tree(sim, arena), &out); break;
    case TASKFIT_STYLE_YAML: taskfit_node_write_yaml(simulation_tree(sim, arena), &out); break;
    case TASKFIT_STYLE_CSV: sim->options.n_events == 0 ? write_csv(sim, &out) : taskfit_events_write_csv(sim, &out); break;
    }
    taskfit_arena_free(arena);
    if (write(sink, out.data, out.len) != 0) {
        return taskfit_fail(err, TASKFIT_E_SYSTEM, "the output could not be written");
    }
    return TASKFIT_OK;
}
