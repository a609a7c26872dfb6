#include <string.h>

#include "base/units.h"
#include "cli/cmd.h"
#include "cli/input.h"
#include "cli/io.h"
#include "cli/progress.h"
#include "cli/sizing.h"
#include "taskfit/whatif.h"

static int exit_of(const taskfit_reach *reach) {
    switch (taskfit_reach_outcome(reach)) {
    case TASKFIT_OPTIMAL:
    case TASKFIT_FEASIBLE: return CLI_EXIT_DONE;
    case TASKFIT_INFEASIBLE: return CLI_EXIT_INFEASIBLE;
    case TASKFIT_UNKNOWN: break;
    }
    return CLI_EXIT_NO_PLAN;
}

/* "a,b*" to its parts. */
static void split(const char *text, cli_list *parts) {
    while (text) {
        size_t len = strcspn(text, ",");
        TASKFIT_STRBUF(part);
        taskfit_strbuf_add(&part, text, len);
        cli_list_add(parts, part.data);
        text = text[len] ? text + len + 1 : NULL;
    }
}

static int seek(const cli_options *options, int64_t instances, taskfit_reach **reach_out) {
    TASKFIT_CLEANUP(cli_input_release) cli_input input = {0};
    TASKFIT_CLEANUP(cli_list_release) cli_list services = {0};
    TASKFIT_STRBUF(text);
    const char *path = options->operands.items[0];
    int failed = cli_read_catalogue(options, &input);
    failed = failed ? failed : cli_read_file(options, path, &text);
    if (failed) {
        return failed;
    }
    if (taskfit_is_plan(text.data, text.len)) {
        cli_say("'%s' is a plan (give the deployment it was made from)", path);
        return CLI_EXIT_INPUT;
    }
    size_t n_defects = 0;
    taskfit_error err = {0};
    taskfit_reach_options reach_options;
    taskfit_reach_options_init(&reach_options);
    split(options->services, &services);
    reach_options.file = (taskfit_whatif_file){path, text.data, text.len};
    reach_options.instances = instances;
    reach_options.pairs = options->pairs;
    reach_options.services = (const char *const *)services.items;
    reach_options.n_services = services.n;
    reach_options.parse = cli_parse_options(options, &input, &n_defects);
    reach_options.settings = cli_settings_of(options);
    cli_progress_start(options, &reach_options.settings);
    taskfit_status status = taskfit_reach_new(&reach_options, reach_out, &err);
    if (cli_progress_end() && !options->quiet) {
        cli_say("interrupted; levers may reach further than is shown");
    }
    return status == TASKFIT_OK ? CLI_EXIT_DONE : n_defects > 0 ? cli_exit_of(err.status) : cli_fail(&err);
}

int cli_cmd_reach(const cli_options *options) {
    int64_t instances = 0;
    const char *why = "reach needs --instances";
    if (!options->instances ||
        !taskfit_parse_count(options->instances, strlen(options->instances), 1, TASKFIT_QUANTITY_MAX, &instances, &why)) {
        cli_say("%s%s%s%s", options->instances ? "--instances '" : "", options->instances ? options->instances : "",
                options->instances ? "': " : "", why);
        return CLI_EXIT_USAGE;
    }
    taskfit_reach *reach = NULL;
    int failed = seek(options, instances, &reach);
    if (failed) {
        return failed;
    }
    taskfit_error err = {0};
    TASKFIT_STRBUF(answer);
    bool color = cli_use_color(options);
    if (taskfit_reach_write(reach, (taskfit_plan_style)options->output, color, cli_append, &answer, &err) == TASKFIT_OK) {
        failed = cli_deliver(options, &answer);
    } else {
        failed = cli_fail(&err);
    }
    failed = failed ? failed : exit_of(reach);
    taskfit_reach_free(reach);
    return failed;
}
