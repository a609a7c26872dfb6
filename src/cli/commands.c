#include <string.h>

#include "cli/cmd.h"
#include "taskfit/words.h"

static const cli_command commands[] = {
    {"size", CLI_SIZE, cli_cmd_size, "FILE", 1, 1, "how many instances, of which type, why not fewer; the placement",
     "Reads a deployment, finds the fewest instances it fits on and proves that no\n"
     "smaller fleet does. The ladder shows what each rule of the policy costs. The plan\n"
     "is verified before it is printed. --from PLAN keeps as many tasks as can be where\n"
     "that plan has them (goal 'moves', before balance unless --objective names it) and\n"
     "lists steps in whose order no instance is ever over what Amazon ECS lets it hold."},
    {"fit", CLI_FIT, cli_cmd_fit, "FILE", 1, 1, "does it fit on exactly this fleet; if not, what would have to go",
     "Finds a placement on exactly the instances that --instances names (some may stay\n"
     "empty), or proves that there is none: then it names what runs out, a smallest set\n"
     "of services that do not fit together, and how much less would do. A number alone\n"
     "is the total over all groups, within their min and max; groups not named have no\n"
     "instance. Warns where Amazon ECS's own placement would not find the place."},
    {"explain", CLI_EXPLAIN, cli_cmd_explain, "FILE [SERVICE|INSTANCE]", 1, 2, "what binds a plan, and how far it can grow",
     "Of a plan: what binds its fleet and each rung of the ladder, what is free, and how\n"
     "far desired counts or memory can grow before another instance is needed. Of a\n"
     "service: where it stands, why, where else it could. Of an instance: what is free,\n"
     "what could still come, what its loss would do. A deployment is sized first."},
    {"simulate", CLI_SIMULATE, cli_cmd_simulate, "FILE", 1, 1, "Amazon ECS's own placement over many launch orders",
     "Launches the services of a plan on its instances, empty at first, in many orders,\n"
     "as Amazon ECS places them: greedily, task by task. Tells how many orders place every\n"
     "task, what is left out and why, how often spread is lost, and the worst order.\n"
     "With events (--lose, --deploy, --scale, --drain, --grow, in the order given) they\n"
     "happen to the plan's own placement instead: what finds no place, where and why.\n"
     "A deployment is sized first."},
    {"compare", CLI_COMPARE, cli_cmd_compare, "FILE...", 1, 1000, "what-if: scenarios, values and ranges side by side",
     "Solves a row for each combination of file, scenario and varied values, and shows what\n"
     "differs from the first row. A file as it is stands before its scenarios. A range\n"
     "(--vary sidecar.memoryReservation=256..1024) gives the exact values at which the number\n"
     "of instances changes. --vary type=m6i.2xlarge,r7g.2xlarge is short for the types of the\n"
     "one instance group. Limits hold for each row; the exit status is the worst of the rows."},
    {"reach", CLI_REACH, cli_cmd_reach, "FILE", 1, 1, "the smallest cuts that get to a number of instances",
     "For each lever (the sidecars' reservation, soft limits of modules, CPU units, a rule of\n"
     "the policy, the instance type, desired counts of --services) the smallest change with\n"
     "which the deployment fits on --instances N, with a verified plan and the proof that less\n"
     "does not do, and what the cut puts at risk. Levers that are not enough say how far they\n"
     "go. None enough: exit 4, or 5 when that is not proved."},
    {"diff", CLI_DIFF, cli_cmd_diff, "OLD NEW", 2, 2, "what differs between two plans or deployments",
     "Instances, money, limits, and tasks that move when old instances become new ones as far\n"
     "as they can. Deployments are sized first. Changes that services have in common are one row."},
    {"verify", CLI_VERIFY, cli_cmd_verify, "PLAN", 1, 1, "check a plan, rule by rule, by code of its own",
     "Checks every rule and every stated figure of a plan in whole numbers, with code\n"
     "that shares nothing with the solver. Each broken rule is a line on standard\n"
     "output and makes the exit status 6. --from holds the moves against that plan."},
    {"rightsize", CLI_RIGHTSIZE, cli_cmd_rightsize, "FILE", 1, 1, "limits from measured use, and what they save",
     "Reads what monitoring exports (get-metric-data of CloudWatch, CSV of Container\n"
     "Insights, lines of docker stats, tables of CPU and memory percent) and proposes CPU\n"
     "units, soft and hard limits, never below observed use plus the margin nor what the\n"
     "JVM needs. --apply FILE writes the deployment with them and with observed use."},
    {"check", CLI_CHECK, cli_cmd_check, "FILE", 0, 1, "lint: limits, JVM flags, ports and percentages that do not agree",
     "Holds every service of a deployment or plan against the rules that --rules lists. What\n"
     "other verbs refuse is a finding here. Exit status 6 with errors, and with --strict\n"
     "with warnings. A service silences a rule by ignore: [{rule: JVM003, reason: ...}].\n"
     "--explain SERVICE shows what its JVMs take of their limits, region by region."},
    {"render", CLI_RENDER, cli_cmd_render, "FILE", 1, 1, "write the files that deploy it: task definitions, services",
     "Writes for each service of a deployment or plan a task definition and the inputs of\n"
     "'aws ecs create-service' and 'update-service', for a plan also the sizes of its\n"
     "Auto Scaling groups, and a script, deploy.sh, which does nothing without --yes. All\n"
     "files are written or none; files that exist and differ need --force.\n"
     "With --base the task definitions that exist are changed: those numbers that the\n"
     "deployment states, and nothing else. A base is what 'aws ecs describe-task-\n"
     "definition' prints, or a task definition to register, or a list of them; services\n"
     "match bases by family, containers match by name. With -n nothing is written and the\n"
     "change to each base is shown.\n"
     "--format cloudformation writes a template for each service, --format kubernetes a\n"
     "Deployment or DaemonSet."},
    {"model", CLI_MODEL, cli_cmd_model, "FILE", 1, 1, "the integer program for other solvers",
     "Writes the aggregated integer program of the policy's rung."},
    {"import", CLI_IMPORT, cli_cmd_import, "KIND FILE...", 2, 10000, "foreign formats to a deployment file",
     "Writes the deployment that the files make together; a folder stands for the files in\n"
     "it. What was assumed, ignored or repaired is told on standard error with file and\n"
     "line. KIND is one of:\n"
     "  auto       recognized, file by file\n"
     "  table      module tables: wiki, CSV, tabs, saved web page\n"
     "  ecs-cluster  a folder of what 'aws ecs describe-...' prints of a running cluster\n"
     "  taskdef    task definitions: registered, described, in CloudFormation, arrays\n"
     "  ecs-check  JSON of FOLIO's ECS resource check"},
    {"types", CLI_TYPES, cli_cmd_types, "", 0, 0, "the catalogue of instance types, filtered and sorted",
     "Lists what an instance of each type registers with ECS and what it costs."},
    {"completion", CLI_COMPLETION, cli_cmd_completion, "SHELL", 1, 1, "completion script for bash, zsh or fish",
     "For bash: eval \"$(taskfit completion bash)\""},
    {"help", CLI_HELP, cli_cmd_help, "[VERB]", 0, 1, "this overview, or all about one verb", ""},
    {"version", CLI_VERSION, cli_cmd_version, "", 0, 0, "the version", ""},
};

const cli_command *cli_commands(size_t *n_out) {
    *n_out = sizeof commands / sizeof *commands;
    return commands;
}

const cli_command *cli_command_find(const char *name) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

const cli_command *cli_command_get(const char *name, taskfit_error *err) {
    const cli_command *command = cli_command_find(name);
    if (command) {
        return command;
    }
    const char *names[sizeof commands / sizeof *commands];
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        names[i] = commands[i].name;
    }
    const char *nearest = taskfit_nearest(name, names, sizeof commands / sizeof *commands);
    if (nearest) {
        taskfit_fail(err, TASKFIT_E_ARGUMENT, "unknown verb '%s' (did you mean '%s'?)", name, nearest);
    } else {
        taskfit_fail(err, TASKFIT_E_ARGUMENT, "unknown verb '%s' ('taskfit help' lists them)", name);
    }
    return NULL;
}
