/* The form of Amazon ECS's own interfaces: what its command line takes as --cli-input-yaml or --cli-input-json. */
#include <string.h>

#include "render/deploy_script.h"
#include "render/nodes.h"
#include "render/renderer.h"
#include "render/rules_container.h"
#include "render/service.h"

/* Instances that rung `rolling` takes beyond the plan: 0 where the plan keeps that rung. -1: not known. */
static int64_t rolling_room(const taskfit_plan *plan) {
    if (plan->rung >= TASKFIT_RUNG_ROLLING) {
        return 0;
    }
    for (size_t rung = 0; rung < plan->n_ladder; rung++) {
        if (plan->ladder[rung].rung == TASKFIT_RUNG_ROLLING && plan->ladder[rung].instances >= plan->instances) {
            return plan->ladder[rung].instances - plan->instances;
        }
    }
    return -1;
}

static int64_t machines_of(const taskfit_plan *plan, size_t group) {
    int64_t n_machines = 0;
    for (size_t machine = 0; machine < plan->fleet->n_machines; machine++) {
        n_machines += plan->fleet->machines[machine].group == group;
    }
    return n_machines;
}

/* No fewer than the plan's instances, since on fewer its tasks may find no place; as many more as a deployment takes. */
static void add_groups(taskfit_renderer *render, const taskfit_plan *plan) {
    const int64_t room = rolling_room(plan);
    for (size_t index = 0; index < render->deployment->n_groups; index++) {
        const taskfit_instance_group *group = &render->deployment->groups[index];
        const int64_t desired = machines_of(plan, index);
        const int64_t more = desired == 0 ? 0 : room < 0 ? 1 : room;
        const int64_t most = desired + more <= group->max_instances ? desired + more : group->max_instances;
        taskfit_node *map = taskfit_node_map(render->arena);
        taskfit_set_string(render->arena, map, "AutoScalingGroupName", group->name);
        taskfit_set_quantity(render->arena, map, "MinSize", desired);
        taskfit_set_quantity(render->arena, map, "MaxSize", most >= desired ? most : desired);
        taskfit_set_quantity(render->arena, map, "DesiredCapacity", desired);
        taskfit_renderer_add(render, (taskfit_output_file){
                                         .name = taskfit_renderer_file_name(render, group->name, ".update-auto-scaling-group"),
                                         .kind = TASKFIT_RENDERED_GROUP,
                                         .group = group->name,
                                         .tree = map});
    }
    if (room < 0) {
        taskfit_tell_note(&render->tell, "instance groups may grow by one instance for deployments: the plan does not say what "
                                         "rung 'rolling' takes");
    }
}

static void note_network(const taskfit_renderer *render) {
    TASKFIT_STRBUF(names);
    for (size_t index = 0; index < render->n_outputs; index++) {
        const char *mode = taskfit_text_of(render->outputs[index].tree, "networkMode");
        if (mode != NULL && strcmp(mode, "awsvpc") == 0) {
            taskfit_strbuf_printf(&names, "%s%s", names.len > 0 ? ", " : "", render->outputs[index].service->name);
        }
    }
    if (names.len > 0) {
        taskfit_tell_note(&render->tell,
                          "to create these services, add networkConfiguration with their subnets and security groups (awsvpc): %s",
                          names.data);
    }
}

void taskfit_render_ecs(taskfit_renderer *render) {
    const taskfit_plan *plan = render->options->plan;
    for (size_t index = 0; index < render->n_outputs; index++) {
        const taskfit_output *output = &render->outputs[index];
        taskfit_renderer_add(render, (taskfit_output_file){.name = taskfit_renderer_file_name(render, output->service->family, ""),
                                                           .kind = TASKFIT_RENDERED_TASK_DEFINITION,
                                                           .of = output,
                                                           .tree = output->tree});
        taskfit_renderer_add(
            render, (taskfit_output_file){.name = taskfit_renderer_file_name(render, output->service->name, ".create-service"),
                                          .kind = TASKFIT_RENDERED_CREATE_SERVICE,
                                          .of = output,
                                          .tree = taskfit_service_create_tree(render, output)});
        taskfit_renderer_add(
            render, (taskfit_output_file){.name = taskfit_renderer_file_name(render, output->service->name, ".update-service"),
                                          .kind = TASKFIT_RENDERED_UPDATE_SERVICE,
                                          .of = output,
                                          .tree = taskfit_service_update_tree(render, output)});
    }
    if (plan != NULL && plan->instances >= 0) {
        add_groups(render, plan);
    }
    note_network(render);
    taskfit_renderer_add(render, (taskfit_output_file){.name = "deploy.sh",
                                                       .kind = TASKFIT_RENDERED_SCRIPT,
                                                       .text = taskfit_deploy_script(render)});
}
