#include "render/deploy_script.h"

#include <stdlib.h>
#include <string.h>

#include "deployment/accounting.h"

typedef struct step {
    const taskfit_service *service;
    int64_t memory_mib, cpu_units;
} step;

static int compare_steps(const void *left, const void *right) {
    const step *a = left, *b = right;
    if (a->service->daemon != b->service->daemon) {
        return a->service->daemon ? -1 : 1;
    }
    if (a->memory_mib != b->memory_mib) {
        return a->memory_mib > b->memory_mib ? -1 : 1;
    }
    if (a->cpu_units != b->cpu_units) {
        return a->cpu_units > b->cpu_units ? -1 : 1;
    }
    return strcmp(a->service->name, b->service->name);
}

/* Between single quotes a shell takes every character as it is, but for that quote. */
static void add_quoted(taskfit_strbuf *out, const char *text) {
    taskfit_strbuf_addc(out, '\'');
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            taskfit_strbuf_adds(out, "'\\''");
        } else {
            taskfit_strbuf_addc(out, *text);
        }
    }
    taskfit_strbuf_addc(out, '\'');
}

static const char head[] =
    "#!/bin/sh\n"
    "# Registers the task definitions of this folder and puts the services on them, one after the other: daemons, then\n"
    "# the services whose tasks are largest.\n"
    "#     sh deploy.sh [--yes] [--create] [--no-wait]\n"
    "# Prints each step, and without --yes does no more. --create makes the services instead of updating them; --no-wait\n"
    "# starts each deployment without waiting for the one before it, for which a plan may have no room.\n"
    "# Written by 'taskfit render'.\n"
    "set -eu\n"
    "\n";

static const char body[] =
    "aws=${AWS:-aws}\n"
    "yes=\n"
    "verb=update\n"
    "wait=1\n"
    "for argument; do\n"
    "    case $argument in\n"
    "        --yes) yes=1 ;;\n"
    "        --create) verb=create ;;\n"
    "        --no-wait) wait= ;;\n"
    "        *) printf 'usage: sh %s [--yes] [--create] [--no-wait]\\n' \"$0\" >&2 && exit 2 ;;\n"
    "    esac\n"
    "done\n"
    "CDPATH='' cd -- \"$(dirname -- \"$0\")\"\n"
    "\n"
    "# step FAMILY SERVICE\n"
    "step() {\n"
    "    printf 'register %s, %s service %s in cluster %s\\n' \"$1\" \"$verb\" \"$2\" \"$cluster\"\n"
    "    [ -n \"$yes\" ] || return 0\n"
    "    revision=$(\"$aws\" ecs register-task-definition \"--region=$region\" \"--cli-input-$form\" \"file://./$1.$form\" \\\n"
    "        --query taskDefinition.taskDefinitionArn --output text)\n"
    "    \"$aws\" ecs \"$verb-service\" \"--region=$region\" \"--cli-input-$form\" \"file://./$2.$verb-service.$form\" \\\n"
    "        --task-definition \"$revision\" --query service.serviceArn --output text\n"
    "    [ -z \"$wait\" ] || \"$aws\" ecs wait services-stable \"--region=$region\" \"--cluster=$cluster\" \"--services=$2\"\n"
    "}\n"
    "\n";

const char *taskfit_deploy_script(const taskfit_renderer *render) {
    TASKFIT_STRBUF(text);
    taskfit_arena *scratch = taskfit_arena_new();
    step *steps = TASKFIT_ARRAY(scratch, render->n_outputs, step);
    for (size_t index = 0; index < render->n_outputs; index++) {
        const taskfit_task_demand demand = taskfit_task_demand_of(render->outputs[index].service, scratch);
        steps[index] = (step){render->outputs[index].service, demand.amount[TASKFIT_RESOURCE_MEMORY],
                              demand.amount[TASKFIT_RESOURCE_CPU]};
    }
    if (render->n_outputs > 1) {
        qsort(steps, render->n_outputs, sizeof *steps, compare_steps);
    }
    taskfit_strbuf_adds(&text, head);
    taskfit_strbuf_adds(&text, "cluster=");
    add_quoted(&text, render->deployment->name);
    taskfit_strbuf_adds(&text, "\nregion=");
    add_quoted(&text, render->deployment->region);
    taskfit_strbuf_printf(&text, "\nform=%s\n", render->options->form == TASKFIT_RENDER_JSON ? "json" : "yaml");
    taskfit_strbuf_adds(&text, body);
    for (size_t index = 0; index < render->n_outputs; index++) {
        taskfit_strbuf_adds(&text, "step ");
        add_quoted(&text, steps[index].service->family);
        taskfit_strbuf_addc(&text, ' ');
        add_quoted(&text, steps[index].service->name);
        taskfit_strbuf_addc(&text, '\n');
    }
    taskfit_strbuf_adds(&text, "[ -n \"$yes\" ] || echo 'Nothing was done (--yes does it).'\n");
    taskfit_arena_free(scratch);
    return taskfit_arena_strndup(render->arena, text.data, text.len);
}
