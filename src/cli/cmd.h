#ifndef TASKFIT_CLI_CMD_H
#define TASKFIT_CLI_CMD_H

/* The verbs and everything the command line can set. */

#include "cli/exitcode.h"
#include "cli/opt.h"
#include "taskfit/taskfit.h"

/* In the order of their words in flags.c. */
typedef enum cli_color { CLI_COLOR_AUTO, CLI_COLOR_ALWAYS, CLI_COLOR_NEVER } cli_color;
typedef enum cli_solver { CLI_SOLVER_AUTO, CLI_SOLVER_COMPACT } cli_solver;

/* All options of all verbs; flags.c says which verb takes which. */
typedef struct cli_options {
    int64_t output; /* taskfit_plan_style */
    const char *out;
    cli_list edits; /* --set, --policy and --objective, in the order given */
    const char *scenario;
    const char *catalogue;
    bool no_ladder;
    int64_t time_limit_micros; /* of a second */
    int64_t work_limit;
    int64_t gap_micros; /* of a percent */
    bool require_optimal;
    int64_t solver; /* cli_solver */
    int64_t seed;
    int64_t color; /* cli_color */
    bool quiet, verbose;
    bool force, dry_run;
    const char *directory; /* -d */
    cli_list bases;        /* --base */
    int64_t format;        /* taskfit_render_form */
    bool az_rebalancing;
    const char *deployment;
    const char *certificate;
    const char *from;
    bool moves_front;
    int64_t write; /* taskfit_model_format */
    const char *family;
    int64_t architecture; /* index into cli_architecture_words; 0: all */
    int64_t min_memory_mib, min_cpu_units;
    int64_t sort; /* index into cli_sort_words */
    int64_t order, ties; /* taskfit_order_kind, taskfit_ties */
    int64_t n_orders;
    const char *order_list;
    const char *instances;
    const char *into;
    const char *type;
    int64_t count;
    const char *plan;
    int64_t replicas; /* taskfit_import_replicas */
    bool comments, strict;
    cli_list events; /* --lose, --deploy ... in the order given */
    const char *event_file;
    cli_list scenarios, vary; /* of compare */
    const char *print_edited;
    const char *prices;
    int64_t kpi_tolerance_micros; /* of a percent */
    const char *services; /* of reach */
    bool exit_code;       /* of diff */
    bool pairs;
    bool fargate;
    int64_t max_instances, max_cost_micros, max_increase_micros; /* -1: no gate; dollars, percent in millionths */
    cli_list metrics; /* of rightsize */
    int64_t cpu_percentile, memory_percentile, margin_percent, min_samples;
    const char *apply;
    bool rules;
    const char *explain;
    bool man;
    bool help;
    cli_list operands;
    cli_list kept; /* texts of the configuration file that options point to */
} cli_options;

typedef struct cli_command {
    const char *name;
    uint32_t verb; /* its bit in cli_option.verbs */
    int (*run)(const cli_options *options); /* returns a cli_exit */
    const char *operands;                   /* as help shows them */
    size_t min_operands, max_operands;
    const char *summary; /* one line, lower case, no full stop */
    const char *detail;  /* for help VERB and the man page; lines of at most 80 characters */
} cli_command;

/* Bits of cli_option.verbs. */
enum {
    CLI_SIZE = 1 << 0,
    CLI_VERIFY = 1 << 1,
    CLI_RENDER = 1 << 2,
    CLI_MODEL = 1 << 3,
    CLI_TYPES = 1 << 4,
    CLI_COMPLETION = 1 << 5,
    CLI_HELP = 1 << 6,
    CLI_VERSION = 1 << 7,
    CLI_SIMULATE = 1 << 8,
    CLI_IMPORT = 1 << 9,
    CLI_FIT = 1 << 10,
    CLI_COMPARE = 1 << 11,
    CLI_EXPLAIN = 1 << 12,
    CLI_CHECK = 1 << 13,
    CLI_REACH = 1 << 14,
    CLI_DIFF = 1 << 15,
    CLI_RIGHTSIZE = 1 << 16,
    CLI_ALL = (1 << 17) - 1
};

int cli_cmd_size(const cli_options *options);
int cli_cmd_compare(const cli_options *options);
int cli_cmd_diff(const cli_options *options);
int cli_cmd_reach(const cli_options *options);
int cli_cmd_verify(const cli_options *options);
int cli_cmd_render(const cli_options *options);
int cli_cmd_model(const cli_options *options);
int cli_cmd_types(const cli_options *options);
int cli_cmd_import(const cli_options *options);
int cli_cmd_rightsize(const cli_options *options);
int cli_cmd_check(const cli_options *options);
int cli_cmd_completion(const cli_options *options);
int cli_cmd_help(const cli_options *options);
int cli_cmd_explain(const cli_options *options);
int cli_cmd_fit(const cli_options *options);
int cli_cmd_simulate(const cli_options *options);
int cli_cmd_version(const cli_options *options);

/* ---- commands.c ---- */

const cli_command *cli_commands(size_t *n_out); /* in the order of help */
const cli_command *cli_command_find(const char *name); /* or NULL */
/* NULL with an error that names the nearest verb. */
const cli_command *cli_command_get(const char *name, taskfit_error *err);

/* ---- flags.c ---- */

const cli_option *cli_option_table(size_t *n_out);
extern const char *const cli_sort_words[];
extern const char *const cli_architecture_words[];
void cli_options_init(cli_options *options);
void cli_options_release(cli_options *options);

/* ---- ambient.c ---- */

void cli_option_variable(const cli_option *option, taskfit_strbuf *out); /* "TASKFIT_TIME_LIMIT" */
/* Defaults from the configuration file, then from the environment. */
taskfit_status cli_options_ambient(cli_options *options, taskfit_error *err) TASKFIT_MUST_USE;

/* ---- help.c ---- */

/* What the option's value looks like ("SECONDS", "yaml|json") and its default; either may stay empty. */
void cli_option_describe(const cli_option *option, taskfit_strbuf *form, taskfit_strbuf *fallback);
void cli_help_write(taskfit_strbuf *out);                                 /* the overview */
void cli_help_write_verb(const cli_command *command, taskfit_strbuf *out); /* one verb */

int cli_print_help(const cli_command *command); /* either of them, on standard output */

/* ---- man.c ---- */

void cli_man_write(taskfit_strbuf *out);

#endif
