#include "base/strbuf.h"
#include "base/units.h"
#include "whatif/comparison.h"

/* The types of the fleet, with their counts where there are several. */
static const char *fleet_text(const taskfit_plan *plan, taskfit_arena *arena) {
    const taskfit_deployment *deployment = plan->deployment;
    TASKFIT_STRBUF(text);
    for (size_t g = 0; g < deployment->n_groups; g++) {
        for (size_t t = 0; t < deployment->groups[g].n_types; t++) {
            size_t n = 0;
            for (size_t m = 0; m < plan->fleet->n_machines; m++) {
                n += plan->fleet->machines[m].group == g && plan->fleet->machines[m].type == t;
            }
            const char *type = deployment->groups[g].types[t].type.name;
            if (n > 0 && n == plan->fleet->n_machines) {
                return taskfit_arena_strdup(arena, type);
            }
            if (n > 0) {
                taskfit_strbuf_printf(&text, "%s%zu %s", text.len > 0 ? ", " : "", n, type);
            }
        }
    }
    return text.len > 0 ? taskfit_arena_strndup(arena, text.data, text.len) : "none";
}

taskfit_row_figures taskfit_row_figures_of(const taskfit_plan *plan, taskfit_arena *arena) {
    if (plan->instances < 0) {
        return (taskfit_row_figures){-1, -1, -1, -1, -1, -1, -1, -1, -1, NULL};
    }
    taskfit_row_figures sum = {
        .usd_micros = plan->cost_usd_micros,
        .ec2_usd_cents = taskfit_usd_cents_per_month(plan->cost_usd_micros, plan->deployment->hours_per_month),
        .fleet = fleet_text(plan, arena)};
    taskfit_arena *scratch = taskfit_arena_new();
    const taskfit_machine_use *uses = taskfit_fleet_use(plan->deployment, plan->fleet, scratch);
    for (size_t m = 0; m < plan->fleet->n_machines; m++) {
        const taskfit_machine_use *use = &uses[m];
        taskfit_add_held(&sum.registered_mib, use->registered_memory_mib, 1);
        taskfit_add_held(&sum.reserved_mib, use->reserved[0] + use->daemons[0], 1);
        taskfit_add_held(&sum.hard_mib, use->hard_memory_mib, 1);
        taskfit_add_held(&sum.cpu_units, use->total_cpu_units, 1);
        taskfit_add_held(&sum.reserved_cpu_units, use->reserved[1] + use->daemons[1], 1);
        if (use->expected_cpu_units < 0 || sum.expected_cpu_units < 0) {
            sum.expected_cpu_units = -1;
        } else {
            taskfit_add_held(&sum.expected_cpu_units, use->expected_cpu_units, 1);
        }
    }
    taskfit_arena_free(scratch);
    return sum;
}
