#include "cli/cmd.h"
#include "cli/io.h"
#include "cli/progress.h"
#include "cli/sizing.h"
#include "taskfit/simulate.h"

/* A taskfit_item_text_fn. */
static void add_item(void *arg, const char *text) {
    cli_list_add(arg, text);
}

typedef taskfit_status list_read_fn(const char *file, const char *data, size_t len, taskfit_item_text_fn *item, void *arg,
                                    taskfit_error *err);

/* A list from a file, if there is one. */
static int read_list(const cli_options *options, const char *path, list_read_fn *read, cli_list *items) {
    if (!path) {
        return CLI_EXIT_DONE;
    }
    TASKFIT_STRBUF(bytes);
    taskfit_error err = {0};
    int failed = cli_read_file(options, path, &bytes);
    if (failed) {
        return failed;
    }
    return read(path, bytes.data, bytes.len, add_item, items, &err) == TASKFIT_OK ? CLI_EXIT_DONE : cli_fail(&err);
}

/* Runs the simulation, with Ctrl-C. */
static taskfit_status simulate(const cli_options *options, const taskfit_plan *plan, const cli_list *order,
                               const cli_list *events, taskfit_simulation **simulation_out, taskfit_error *err) {
    taskfit_settings progress = cli_settings_of(options);
    taskfit_simulate_options simulate_options;
    taskfit_simulate_options_init(&simulate_options);
    simulate_options.order = (taskfit_order_kind)options->order;
    simulate_options.ties = (taskfit_ties)options->ties;
    simulate_options.n_orders = options->n_orders;
    simulate_options.seed = (uint64_t)options->seed;
    simulate_options.instances = options->instances;
    simulate_options.order_list = (const char *const *)order->items;
    simulate_options.n_order_list = order->n;
    simulate_options.events = (const char *const *)events->items;
    simulate_options.n_events = events->n;
    cli_progress_start(options, &progress);
    simulate_options.stop = progress.stop;
    simulate_options.stop_arg = progress.stop_arg;
    taskfit_status status = taskfit_simulate(plan, &simulate_options, simulation_out, err);
    (void)cli_progress_end();
    return status;
}

static int answer(const cli_options *options, const taskfit_plan *plan) {
    taskfit_error err = {0};
    TASKFIT_CLEANUP(cli_list_release) cli_list order = {0};
    TASKFIT_CLEANUP(cli_list_release) cli_list events = {0};
    int failed = read_list(options, options->order_list, taskfit_order_list_read, &order);
    if (!failed) {
        failed = read_list(options, options->event_file, taskfit_event_list_read, &events);
    }
    if (failed) {
        return failed;
    }
    for (size_t i = 0; i < options->events.n; i++) {
        cli_list_add(&events, options->events.items[i]);
    }
    taskfit_simulation *simulation = NULL;
    TASKFIT_STRBUF(text);
    taskfit_status status = simulate(options, plan, &order, &events, &simulation, &err);
    if (status == TASKFIT_OK) {
        status = taskfit_simulation_write(simulation, (taskfit_plan_style)options->output, cli_use_color(options), cli_append, &text, &err);
    }
    taskfit_simulation_free(simulation);
    return status == TASKFIT_OK ? cli_deliver(options, &text) : cli_fail(&err);
}

int cli_cmd_simulate(const cli_options *options) {
    TASKFIT_CLEANUP(cli_input_release) cli_input input = {.counts_tasks = true};
    bool answered = false;
    int failed = cli_read_or_size(options, &input, &answered);
    return failed || answered ? failed : answer(options, input.plan);
}
