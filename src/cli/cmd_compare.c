#include <stdlib.h>

#include "base/units.h"
#include "cli/cmd.h"
#include "cli/input.h"
#include "cli/io.h"
#include "cli/progress.h"
#include "cli/sizing.h"
#include "taskfit/whatif.h"

typedef struct files {
    taskfit_strbuf *texts;
    taskfit_whatif_file *files;
    size_t n;
} files;

static void files_release(files *all) {
    for (size_t i = 0; i < all->n; i++) {
        taskfit_strbuf_release(&all->texts[i]);
    }
    free(all->texts);
    free(all->files);
}

static int read_files(const cli_options *options, files *all) {
    const cli_list *paths = &options->operands;
    all->texts = calloc(paths->n, sizeof *all->texts);
    all->files = calloc(paths->n, sizeof *all->files);
    if (!all->texts || !all->files) {
        taskfit_oom();
    }
    for (; all->n < paths->n; all->n++) {
        taskfit_strbuf *text = &all->texts[all->n];
        taskfit_strbuf_init(text);
        int failed = cli_read_file(options, paths->items[all->n], text);
        if (failed) {
            taskfit_strbuf_release(text);
            return failed;
        }
        all->files[all->n] = (taskfit_whatif_file){paths->items[all->n], text->data, text->len};
        if (taskfit_is_plan(text->data, text->len)) {
            cli_say("'%s' is a plan (give the deployment it was made from)", paths->items[all->n]);
            all->n++;
            return CLI_EXIT_INPUT;
        }
    }
    return CLI_EXIT_DONE;
}

/* ---- gates ---- */

static void say_gate(const char *label, const char *what, const char *limit) {
    cli_say("%s: %s (limit: %s)", label, what, limit);
}

static bool breaks_count(const cli_options *options, const taskfit_comparison *comparison, size_t row) {
    int64_t instances = taskfit_comparison_instances(comparison, row);
    if (options->max_instances < 0 || instances <= options->max_instances) {
        return false;
    }
    TASKFIT_STRBUF(what);
    TASKFIT_STRBUF(limit);
    taskfit_add_grouped(&what, instances);
    taskfit_strbuf_adds(&what, " instances");
    taskfit_add_grouped(&limit, options->max_instances);
    say_gate(taskfit_comparison_label(comparison, row), what.data, limit.data);
    return true;
}

static bool breaks_cost(const cli_options *options, const taskfit_comparison *comparison, size_t row) {
    const int64_t cents = taskfit_comparison_usd_cents_per_month(comparison, row);
    const int64_t micros_per_cent = 10000;
    if (options->max_cost_micros < 0 || cents <= options->max_cost_micros / micros_per_cent) {
        return false;
    }
    TASKFIT_STRBUF(what);
    TASKFIT_STRBUF(limit);
    taskfit_add_usd_cents_grouped(&what, cents);
    taskfit_strbuf_adds(&what, " USD/month");
    taskfit_add_usd_cents_grouped(&limit, options->max_cost_micros / micros_per_cent);
    say_gate(taskfit_comparison_label(comparison, row), what.data, limit.data);
    return true;
}

static bool breaks_increase(const cli_options *options, const taskfit_comparison *comparison, size_t row) {
    const int64_t cents = taskfit_comparison_usd_cents_per_month(comparison, row);
    const int64_t first = taskfit_comparison_usd_cents_per_month(comparison, 0);
    if (options->max_increase_micros < 0 || first < 0 || cents < 0) {
        return false;
    }
    const double percent = first > 0 ? (double)(cents - first) * 100.0 / (double)first : cents > 0 ? 100.0 : 0.0;
    const double limit = (double)options->max_increase_micros / 1e6;
    if (percent <= limit) {
        return false;
    }
    cli_say("%s: %.1f %% above the first row (limit: %.1f %%)", taskfit_comparison_label(comparison, row), percent, limit);
    return true;
}

/* Rows that are only there to be compared with pass no gate. */
static int check_gates(const cli_options *options, const taskfit_comparison *comparison) {
    bool broken = false;
    for (size_t row = 0; row < taskfit_comparison_rows(comparison); row++) {
        if (!taskfit_comparison_is_baseline(comparison, row)) {
            bool count = breaks_count(options, comparison, row);
            bool cost = breaks_cost(options, comparison, row);
            bool increase = breaks_increase(options, comparison, row);
            broken = broken || count || cost || increase;
        }
    }
    return broken ? CLI_EXIT_GATE : CLI_EXIT_DONE;
}

/* The worst of the rows; only where all have plans do the gates speak. */
static int exit_of_rows(const cli_options *options, const taskfit_comparison *comparison) {
    int worst = CLI_EXIT_DONE;
    for (size_t row = 0; row < taskfit_comparison_rows(comparison); row++) {
        int exit_status = cli_exit_of_outcome(options, taskfit_comparison_outcome(comparison, row));
        worst = exit_status > worst ? exit_status : worst;
    }
    int gate = check_gates(options, comparison);
    return worst ? worst : gate;
}

/* ---- the verb ---- */

static int print_edited(const cli_options *options) {
    if (options->operands.n != 1) {
        cli_say("--print-edited takes one file");
        return CLI_EXIT_USAGE;
    }
    cli_options edited = *options;
    edited.scenario = options->print_edited;
    TASKFIT_CLEANUP(cli_input_release) cli_input input = {0};
    int failed = cli_read_deployment(&edited, options->operands.items[0], false, &input);
    if (failed) {
        return failed;
    }
    taskfit_error err = {0};
    TASKFIT_STRBUF(text);
    taskfit_format format = options->output == TASKFIT_STYLE_JSON ? TASKFIT_FORMAT_JSON : TASKFIT_FORMAT_YAML;
    if (taskfit_deployment_write(input.deployment, format, cli_append, &text, &err) != TASKFIT_OK) {
        return cli_fail(&err);
    }
    return cli_deliver(options, &text);
}

static int compare(const cli_options *options, const files *all, taskfit_comparison **comparison_out) {
    TASKFIT_CLEANUP(cli_input_release) cli_input input = {0};
    int failed = cli_read_catalogue(options, &input);
    if (failed) {
        return failed;
    }
    failed = cli_read_prices(options, &input);
    if (failed) {
        return failed;
    }
    size_t n_defects = 0;
    taskfit_error err = {0};
    taskfit_compare_options compare_options;
    taskfit_compare_options_init(&compare_options);
    compare_options.prices = input.owned_prices;
    compare_options.fargate = options->fargate;
    compare_options.kpi_tolerance_permille = options->kpi_tolerance_micros / 100000;
    compare_options.files = all->files;
    compare_options.n_files = all->n;
    compare_options.scenarios = (const char *const *)options->scenarios.items;
    compare_options.n_scenarios = options->scenarios.n;
    compare_options.vary = (const char *const *)options->vary.items;
    compare_options.n_vary = options->vary.n;
    compare_options.parse = cli_parse_options(options, &input, &n_defects);
    compare_options.settings = cli_settings_of(options);
    cli_progress_start(options, &compare_options.settings);
    taskfit_status status = taskfit_compare(&compare_options, comparison_out, &err);
    bool stopped = cli_progress_end();
    if (stopped && !options->quiet) {
        cli_say("interrupted; rows show the best so far");
    }
    return status == TASKFIT_OK ? CLI_EXIT_DONE : n_defects > 0 ? cli_exit_of(err.status) : cli_fail(&err);
}

int cli_cmd_compare(const cli_options *options) {
    if (options->print_edited) {
        return print_edited(options);
    }
    TASKFIT_CLEANUP(files_release) files all = {0};
    taskfit_comparison *comparison = NULL;
    int failed = read_files(options, &all);
    if (!failed) {
        failed = compare(options, &all, &comparison);
    }
    if (failed) {
        return failed;
    }
    taskfit_error err = {0};
    TASKFIT_STRBUF(text);
    if (taskfit_comparison_write(comparison, (taskfit_plan_style)options->output, cli_use_color(options), cli_append, &text, &err) ==
        TASKFIT_OK) {
        failed = cli_deliver(options, &text);
    } else {
        failed = cli_fail(&err);
    }
    failed = failed ? failed : exit_of_rows(options, comparison);
    taskfit_comparison_free(comparison);
    return failed;
}
