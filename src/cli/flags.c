#include <stdlib.h>

#include "cli/cmd.h"
#include "taskfit/rightsize.h"
#include "taskfit/simulate.h"

static const char *const output_words[] = {"table", "wide", "json", "yaml", "csv", NULL};
static const char *const color_words[] = {"auto", "always", "never", NULL};
static const char *const solver_words[] = {"auto", "compact", NULL};
static const char *const format_words[] = {"yaml", "json", "cloudformation", "kubernetes", NULL};
static const char *const replicas_words[] = {"given", "min", "max", NULL};
static const char *const model_words[] = {"data", "lp", "mps", NULL};
static const char *const order_words[] = {"random", "largest-first", "smallest-first", "file", NULL};
static const char *const ties_words[] = {"random", "first", NULL};
const char *const cli_architecture_words[] = {"all", "x86_64", "arm64", NULL};
const char *const cli_sort_words[] = {"name", "price", "memory", "cpu", "price-per-gib", NULL};

enum {
    SOLVES = CLI_SIZE | CLI_FIT | CLI_COMPARE | CLI_RIGHTSIZE | CLI_REACH | CLI_DIFF | CLI_EXPLAIN | CLI_SIMULATE, /* verbs that may look for a plan */
    READS = SOLVES | CLI_CHECK | CLI_RENDER | CLI_MODEL | CLI_VERIFY, /* verbs that read a deployment */
    EDITS = SOLVES | CLI_CHECK | CLI_RENDER | CLI_MODEL,              /* verbs that may change it */
    SAVES = SOLVES | CLI_CHECK | CLI_VERIFY | CLI_MODEL | CLI_TYPES | CLI_IMPORT, /* verbs whose output can go to a file */
    WORKS = READS | CLI_TYPES | CLI_IMPORT                               /* verbs that do more than talk about themselves */
};

#define AT(field) .offset = offsetof(cli_options, field)

static const cli_option table[] = {
    {"output", 'o', true, CLI_WORD, SOLVES | CLI_CHECK | CLI_TYPES, AT(output), .words = output_words,
     .help = "form of the answer; the same content in each"},
    {"out", 0, false, CLI_TEXT, SAVES, AT(out), .value = "FILE", .help = "write to FILE instead of standard output"},
    {"directory", 'd', false, CLI_TEXT, CLI_RENDER, AT(directory), .value = "DIR",
     .help = "folder of the files, made if need be"},
    {"base", 0, false, CLI_LIST, CLI_RENDER, AT(bases), .value = "FILE",
     .help = "task definitions to change only the numbers of: a file, or a folder of them (repeatable)"},
    {"format", 0, true, CLI_WORD, CLI_RENDER, AT(format), .words = format_words, .help = "form of the files"},
    {"az-rebalancing", 0, false, CLI_FLAG, CLI_RENDER, AT(az_rebalancing),
     .help = "have Amazon ECS rebalance over AZs the services that it can"},
    {"write", 0, false, CLI_WORD, CLI_MODEL, AT(write), .words = model_words,
     .help = "MathProg data, CPLEX LP or free MPS"},
    {"set", 0, false, CLI_LIST, EDITS, AT(edits), .value = "PATH=VALUE",
     .help = "change the deployment before it is used (repeatable)"},
    {"policy", 0, false, CLI_LIST, EDITS, AT(edits), .value = "KEY=VALUE", .prefix = "policy.",
     .help = "short for --set policy.KEY=VALUE (repeatable)"},
    {"objective", 0, false, CLI_LIST, SOLVES | CLI_MODEL, AT(edits), .value = "GOAL[,GOAL]",
     .prefix = "policy.objective=[", .suffix = "]", .help = "goals in order: count, cost, balance, moves"},
    {"scenario", 0, false, CLI_LIST, CLI_COMPARE, AT(scenarios), .value = "NAME",
     .help = "a row for this scenario (repeatable); without --vary and --scenario, one for each"},
    {"vary", 0, false, CLI_LIST, CLI_COMPARE, AT(vary), .value = "PATH=A,B|LOW..HIGH",
     .help = "a row for each value, or for each number of instances in a range (repeatable)"},
    {"print-edited", 0, false, CLI_TEXT, CLI_COMPARE, AT(print_edited), .value = "NAME",
     .help = "write the deployment that this scenario makes, and solve nothing"},
    {"exit-code", 0, false, CLI_FLAG, CLI_DIFF, AT(exit_code), .help = "exit 6 when there is a difference"},
    {"pairs", 0, false, CLI_FLAG, CLI_REACH, AT(pairs), .help = "two levers at once, too"},
    {"services", 0, false, CLI_TEXT, CLI_REACH, AT(services), .value = "GLOB[,GLOB]", .help = "their desired counts are a lever"},
    {"prices", 0, true, CLI_TEXT, CLI_COMPARE, AT(prices), .value = "FILE",
     .help = "prices of RDS, MSK, storage and Fargate that go before the built-in ones: CSV, item,usd,per,confidence,source"},
    {"kpi-tolerance", 0, true, CLI_DECIMAL, CLI_COMPARE, AT(kpi_tolerance_micros), .value = "PERCENT", .low = 0, .high = 100000,
     .help = "measured values of 'kpis' that are worse by more are marked"},
    {"fargate", 0, true, CLI_FLAG, CLI_COMPARE, AT(fargate), .help = "also what the same tasks cost on Fargate"},
    {"max-instances", 0, true, CLI_COUNT, CLI_COMPARE, AT(max_instances), .value = "N", .low = 0, .high = 1000000,
     .help = "exit 6 when a row needs more"},
    {"max-cost", 0, true, CLI_DECIMAL, CLI_COMPARE, AT(max_cost_micros), .value = "USD", .low = 0, .high = 1000000000,
     .help = "exit 6 when a row costs more a month"},
    {"max-increase", 0, true, CLI_DECIMAL, CLI_COMPARE, AT(max_increase_micros), .value = "PERCENT", .low = 0, .high = 1000000,
     .help = "exit 6 when a row costs that much more than the first"},
    {"scenario", 0, false, CLI_TEXT, EDITS & ~CLI_COMPARE, AT(scenario), .value = "NAME", .help = "apply a scenario of the file first"},
    {"deployment", 0, false, CLI_TEXT, CLI_VERIFY, AT(deployment), .value = "FILE",
     .help = "hold the plan against this deployment, not its own"},
    {"certificate", 0, false, CLI_TEXT, CLI_SIZE | CLI_VERIFY, AT(certificate), .value = "FILE",
     .help = "size: write the proof of the bound there; verify: check it"},
    {"from", 0, false, CLI_TEXT, CLI_SIZE | CLI_FIT | CLI_EXPLAIN | CLI_SIMULATE | CLI_VERIFY, AT(from), .value = "PLAN",
     .help = "the plan that runs now: move few of its tasks (verify: check the moves by it)"},
    {"moves-front", 0, false, CLI_FLAG, CLI_SIZE, AT(moves_front),
     .help = "with --from: the fewest moves for each number of instances"},
    {"catalogue", 0, true, CLI_TEXT, WORKS, AT(catalogue), .value = "FILE",
     .help = "instance types from a CSV file with the built-in columns"},
    {"no-ladder", 0, true, CLI_FLAG, CLI_SIZE | CLI_FIT | CLI_COMPARE, AT(no_ladder), .help = "compute only the rung the policy asks for"},
    {"time-limit", 0, true, CLI_DECIMAL, SOLVES, AT(time_limit_micros), .value = "SECONDS", .low = 0, .high = 1000000,
     .help = "wall clock; ends with the best plan so far"},
    {"work-limit", 0, true, CLI_COUNT, SOLVES, AT(work_limit), .value = "N", .low = 0, .high = INT64_C(1000000000000000),
     .help = "deterministic units of work for each rung; 0: built-in limit"},
    {"gap", 0, true, CLI_DECIMAL, SOLVES, AT(gap_micros), .value = "PERCENT", .low = 0, .high = 100,
     .help = "stop when plan and bound are this near"},
    {"require-optimal", 0, true, CLI_FLAG, CLI_SIZE | CLI_COMPARE, AT(require_optimal),
     .help = "exit 5 when the plan is not proved to be the best"},
    {"solver", 0, true, CLI_WORD, SOLVES, AT(solver), .words = solver_words,
     .help = "compact: the aggregated integer model alone, for cross-checks"},
    {"seed", 0, true, CLI_COUNT, SOLVES, AT(seed), .value = "N", .low = 0, .high = INT64_C(1000000000000000),
     .help = "of everything random"},
    {"orders", 0, true, CLI_COUNT, CLI_SIMULATE, AT(n_orders), .value = "N", .low = 1, .high = 1000000,
     .help = "launch orders to try; order k has seed + k"},
    {"order", 0, true, CLI_WORD, CLI_SIMULATE, AT(order), .words = order_words, .help = "how services follow one another"},
    {"order-list", 0, false, CLI_TEXT, CLI_SIMULATE, AT(order_list), .value = "FILE",
     .help = "start these services first: a list, or the JSON of a simulation (its worst order)"},
    {"ties", 0, true, CLI_WORD, CLI_SIMULATE, AT(ties), .words = ties_words,
     .help = "which of the instances that ECS finds equally good it takes"},
    {"instances", 0, false, CLI_TEXT, CLI_FIT | CLI_REACH | CLI_SIMULATE, AT(instances), .value = "N|GROUP=N,...",
     .help = "this fleet (fit), at most N in all (reach), this many instead of the plan's (simulate)"},
    {"lose", 0, false, CLI_LIST, CLI_SIMULATE, AT(events), .value = "ID|instance|availabilityZone", .prefix = "lose ",
     .help = "event: an instance or AZ is lost; without a name each in turn, going on from the worst"},
    {"deploy", 0, false, CLI_LIST, CLI_SIMULATE, AT(events), .value = "SERVICE|all|each", .prefix = "deploy ",
     .help = "event: new tasks for a service, for all side by side, or for each alone"},
    {"scale", 0, false, CLI_LIST, CLI_SIMULATE, AT(events), .value = "SERVICE=N", .prefix = "scale ",
     .help = "event: another desired count"},
    {"drain", 0, false, CLI_LIST, CLI_SIMULATE, AT(events), .value = "ID", .prefix = "drain ", .help = "event: an instance is emptied"},
    {"grow", 0, false, CLI_LIST, CLI_SIMULATE, AT(events), .value = "GROUP=N", .prefix = "grow ", .help = "event: a group has N instances"},
    {"events", 0, false, CLI_TEXT, CLI_SIMULATE, AT(event_file), .value = "FILE",
     .help = "events from a list in YAML, such as [{lose: main-3}, {scale: {web: 4}}], before the options'"},
    {"family", 0, false, CLI_TEXT, CLI_TYPES, AT(family), .value = "NAME[,NAME]", .help = "only these families, such as r7g"},
    {"arch", 0, false, CLI_WORD, CLI_TYPES, AT(architecture), .words = cli_architecture_words, .help = "only this architecture"},
    {"min-memory", 0, false, CLI_MEMORY, CLI_TYPES, AT(min_memory_mib), .value = "SIZE",
     .help = "registered memory of at least SIZE: MiB, or 64Gi"},
    {"min-cpu", 0, false, CLI_CPU, CLI_TYPES, AT(min_cpu_units), .value = "CPU",
     .help = "at least so much: CPU units, or '8 vCPU'"},
    {"sort", 0, true, CLI_WORD, CLI_TYPES, AT(sort), .words = cli_sort_words, .help = "order of the rows"},
    {"force", 0, false, CLI_FLAG, SAVES | CLI_RENDER, AT(force), .help = "replace existing files that differ"},
    {"dry-run", 'n', false, CLI_FLAG, SAVES | CLI_RENDER, AT(dry_run), .help = "write no file; show what would change"},
    {"color", 0, true, CLI_WORD, SOLVES | CLI_CHECK, AT(color), .words = color_words, .help = "colours and bold in tables"},
    {"into", 0, false, CLI_TEXT, CLI_IMPORT, AT(into), .value = "FILE",
     .help = "update this deployment; what the source does not state stays"},
    {"type", 0, false, CLI_TEXT, CLI_IMPORT, AT(type), .value = "TYPE",
     .help = "instance type of the one instance group to write"},
    {"count", 0, false, CLI_COUNT, CLI_IMPORT, AT(count), .value = "N", .low = 0, .high = 2000000,
     .help = "desired count of services for which none is stated"},
    {"replicas", 0, false, CLI_WORD, CLI_IMPORT, AT(replicas), .words = replicas_words,
     .help = "which figure of a service that scales by itself is its count"},
    {"plan", 0, false, CLI_TEXT, CLI_IMPORT, AT(plan), .value = "FILE",
     .help = "write the placement of today as a plan (ecs-cluster)"},
    {"comments", 0, false, CLI_FLAG, CLI_IMPORT, AT(comments), .help = "write what was assumed, ignored or repaired as comments too"},
    {"strict", 0, false, CLI_FLAG, CLI_IMPORT, AT(strict), .help = "fail on what would be assumed, ignored, repaired or doubted"},
    {"strict", 0, false, CLI_FLAG, CLI_CHECK, AT(strict), .help = "exit 6 with warnings too"},
    {"metrics", 0, false, CLI_LIST, CLI_RIGHTSIZE, AT(metrics), .value = "FILE", .help = "measured use (required, repeatable)"},
    {"cpu-percentile", 0, true, CLI_COUNT, CLI_RIGHTSIZE, AT(cpu_percentile), .value = "N", .low = 1, .high = 100,
     .help = "percentile of CPU that counts as observed"},
    {"memory-percentile", 0, true, CLI_COUNT, CLI_RIGHTSIZE, AT(memory_percentile), .value = "N", .low = 1, .high = 100,
     .help = "percentile of memory that counts as observed"},
    {"margin", 0, true, CLI_COUNT, CLI_RIGHTSIZE, AT(margin_percent), .value = "PERCENT", .low = 0, .high = 1000,
     .help = "what limits leave above observed use"},
    {"min-samples", 0, true, CLI_COUNT, CLI_RIGHTSIZE, AT(min_samples), .value = "N", .low = 0, .high = 1000000,
     .help = "services with fewer samples are left alone"},
    {"apply", 0, false, CLI_TEXT, CLI_RIGHTSIZE, AT(apply), .value = "FILE", .help = "write the deployment with these limits to FILE"},
    {"rules", 0, false, CLI_FLAG, CLI_CHECK, AT(rules), .help = "list the rules instead, with their reasons and sources"},
    {"explain", 0, false, CLI_TEXT, CLI_CHECK, AT(explain), .value = "SERVICE",
     .help = "show the memory of one task of SERVICE instead"},
    {"man", 0, false, CLI_FLAG, CLI_HELP, AT(man), .help = "the manual page, for man -l"},
    {"quiet", 'q', true, CLI_FLAG, WORKS, AT(quiet), .help = "no progress and no notes"},
    {"verbose", 'v', true, CLI_FLAG, WORKS, AT(verbose), .help = "say what is read, and each step of the solver"},
    {"help", 'h', false, CLI_FLAG, CLI_ALL, AT(help), .help = "this text"},
};

const cli_option *cli_option_table(size_t *n_out) {
    *n_out = sizeof table / sizeof *table;
    return table;
}

void cli_options_init(cli_options *options) {
    taskfit_settings settings;
    taskfit_settings_init(&settings);
    taskfit_simulate_options simulate;
    taskfit_simulate_options_init(&simulate);
    taskfit_rightsize_options rightsize;
    taskfit_rightsize_options_init(&rightsize);
    *options = (cli_options){.cpu_percentile = rightsize.cpu_percentile, .memory_percentile = rightsize.memory_percentile,
                             .margin_percent = rightsize.margin_percent, .min_samples = rightsize.min_samples,
                             .count = 1, .time_limit_micros = settings.time_limit_ms * 1000, .seed = (int64_t)settings.seed,
                             .n_orders = simulate.n_orders, .max_instances = -1, .kpi_tolerance_micros = 5000000, .max_cost_micros = -1, .max_increase_micros = -1};
}

void cli_options_release(cli_options *options) {
    cli_list_release(&options->edits);
    cli_list_release(&options->scenarios);
    cli_list_release(&options->vary);
    cli_list_release(&options->bases);
    cli_list_release(&options->metrics);
    cli_list_release(&options->operands);
    cli_list_release(&options->kept);
    cli_list_release(&options->events);
}
