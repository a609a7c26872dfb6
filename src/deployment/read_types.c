#include "deployment/read.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "deployment/words.h"

/* ---- cluster.instanceTypes: changes of the catalogue, and types of the user's own ---- */

static const taskfit_field type_fields[] = {
    {TASKFIT_KEY("type", taskfit_decode_text, taskfit_type_override, name), .required = true,
     .remedy = "the name of the instance type"},
    {TASKFIT_KEY("vcpu", taskfit_decode_count, taskfit_type_override, vcpu), .low = 1, .high = 1 << 30},
    {TASKFIT_KEY("registeredMemory", taskfit_decode_memory_down, taskfit_type_override, registered_mib), .low = 1},
    {TASKFIT_KEY("architecture", taskfit_decode_word, taskfit_type_override, architecture),
     .words = taskfit_type_architecture_words},
    {TASKFIT_KEY("usdPerHour", taskfit_decode_usd, taskfit_type_override, price_usd_micros)},
    {TASKFIT_KEY("awsvpcTasks", taskfit_decode_count, taskfit_type_override, awsvpc_tasks)},
    {TASKFIT_KEY("awsvpcTasksTrunking", taskfit_decode_count, taskfit_type_override, awsvpc_tasks_trunking)},
    {TASKFIT_KEY("gpu", taskfit_decode_count, taskfit_type_override, gpus)},
};

static void check_own_type(const taskfit_decoder *decoder, const taskfit_catalogue *catalogue, const taskfit_node *item,
                           const char *name) {
    static const char *const needed[] = {"vcpu", "registeredMemory", "architecture", "usdPerHour"};
    for (size_t i = 0; i < TASKFIT_COUNT_OF(needed); i++) {
        if (!taskfit_decode_given(item, needed[i])) {
            const char *nearest = taskfit_catalogue_nearest(catalogue, name);
            taskfit_decode_defect(
                decoder, item->position,
                "'%s' is missing: the catalogue has no type '%s' (give vcpu, registeredMemory, architecture "
                "and usdPerHour%s%s%s)",
                needed[i], name, nearest ? ", or did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
            return;
        }
    }
}

static void read_type(taskfit_decoder *decoder, taskfit_node *item, size_t index TASKFIT_UNUSED, void *arg) {
    const taskfit_reading *reading = taskfit_reading_of(decoder);
    taskfit_type_table *table = arg;
    taskfit_type_override override = {.vcpu = -1,
                                      .registered_mib = -1,
                                      .price_usd_micros = -1,
                                      .awsvpc_tasks = -1,
                                      .awsvpc_tasks_trunking = -1,
                                      .gpus = -1};
    if (!taskfit_decode_map(decoder, item, type_fields, TASKFIT_COUNT_OF(type_fields), &override) || !override.name) {
        return;
    }
    if (!taskfit_catalogue_find(reading->catalogue, override.name)) {
        check_own_type(decoder, reading->catalogue, item, override.name);
    }
    table->names[table->n] = taskfit_named_here(decoder, override.name, table->n, item->position);
    table->overrides[table->n++] = override;
}

taskfit_type_table taskfit_read_types(taskfit_reading *reading, taskfit_node *list) {
    const size_t room = taskfit_decode_size(list);
    taskfit_type_table table = {.overrides = TASKFIT_ARRAY(reading->decoder.arena, room, taskfit_type_override),
                                .names = TASKFIT_ARRAY(reading->decoder.arena, room, taskfit_named)};
    const taskfit_path path = {.up = reading->decoder.path, .key = "instanceTypes"};
    reading->decoder.path = &path;
    taskfit_decode_items(&reading->decoder, list, read_type, &table);
    reading->decoder.path = path.up;
    taskfit_names_sort(&reading->decoder, table.names, table.n, "instance type");
    return table;
}

static void set_if_given(int64_t *figure, int64_t given) {
    *figure = given >= 0 ? given : *figure;
}

bool taskfit_find_type(const taskfit_reading *reading, const taskfit_type_table *table, const char *name,
                       taskfit_instance_type *type_out) {
    const taskfit_instance_type *known = taskfit_catalogue_find(reading->catalogue, name);
    const taskfit_named *named = taskfit_names_find(table->names, table->n, name);
    if (!known && !named) {
        return false;
    }
    taskfit_instance_type type = {.architecture = TASKFIT_ARCH_X86_64,
                                  .awsvpc_tasks = -1,
                                  .awsvpc_tasks_trunking = -1,
                                  .price_usd_micros = -1,
                                  .current_generation = true,
                                  .memory_measured = true};
    if (known) {
        type = *known;
    }
    if (named) {
        const taskfit_type_override *override = &table->overrides[named->index];
        type.architecture = override->architecture ? (taskfit_architecture) override->architecture : type.architecture;
        type.memory_measured = type.memory_measured || (override->registered_mib >= 0 &&
                                                        override->registered_mib != type.memory_registered_mib);
        set_if_given(&type.vcpu, override->vcpu);
        set_if_given(&type.memory_registered_mib, override->registered_mib);
        set_if_given(&type.price_usd_micros, override->price_usd_micros);
        set_if_given(&type.awsvpc_tasks, override->awsvpc_tasks);
        set_if_given(&type.awsvpc_tasks_trunking, known ? -1 : type.awsvpc_tasks);
        set_if_given(&type.awsvpc_tasks_trunking, override->awsvpc_tasks_trunking);
        set_if_given(&type.gpus, override->gpus);
    }
    type.name = taskfit_arena_strdup(reading->decoder.arena, name);
    *type_out = type;
    return true;
}

/* ---- what the resolved tree says of types: every figure, so that a plan needs no catalogue ---- */

static taskfit_node *type_node(taskfit_arena *arena, const taskfit_instance_type *type) {
    const struct {
        const char *key;
        int64_t value;
    } figures[] = {
        {"awsvpcTasks", type->awsvpc_tasks}, {"awsvpcTasksTrunking", type->awsvpc_tasks_trunking}, {"gpu", type->gpus}};
    taskfit_node *node = taskfit_node_map(arena);
    taskfit_node_set(arena, node, "type", taskfit_node_string(arena, type->name));
    taskfit_node_set(arena, node, "vcpu", taskfit_node_int(arena, type->vcpu));
    taskfit_node_set(arena, node, "registeredMemory", taskfit_node_int(arena, type->memory_registered_mib));
    taskfit_node_set(arena, node, "architecture",
                     taskfit_node_string(arena, taskfit_architecture_name(type->architecture)));
    if (type->price_usd_micros >= 0) {
        TASKFIT_STRBUF(price);
        taskfit_add_usd_per_hour(&price, type->price_usd_micros);
        taskfit_node_set(arena, node, "usdPerHour", taskfit_node_plain(arena, price.data));
    }
    for (size_t i = 0; i < TASKFIT_COUNT_OF(figures); i++) {
        if (figures[i].value >= 0) {
            taskfit_node_set(arena, node, figures[i].key, taskfit_node_int(arena, figures[i].value));
        }
    }
    return node;
}

static int compare_types(const void *left, const void *right) {
    const taskfit_instance_type *a = left;
    const taskfit_instance_type *b = right;
    return strcmp(a->name, b->name);
}

taskfit_node *taskfit_types_node(const taskfit_reading *reading, const taskfit_type_table *table) {
    const taskfit_deployment *deployment = reading->deployment;
    taskfit_arena *arena = deployment->arena;
    size_t n = table->n;
    for (size_t g = 0; g < deployment->n_groups; g++) {
        n += deployment->groups[g].n_types;
    }
    taskfit_instance_type *types = TASKFIT_ARRAY(arena, n, taskfit_instance_type);
    for (n = 0; n < table->n; n++) {
        (void)taskfit_find_type(reading, table, table->overrides[n].name, &types[n]);
    }
    for (size_t g = 0; g < deployment->n_groups; g++) {
        for (size_t t = 0; t < deployment->groups[g].n_types; t++) {
            types[n++] = deployment->groups[g].types[t].type;
        }
    }
    qsort(types, n, sizeof *types, compare_types);
    taskfit_node *list = taskfit_node_list(arena);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || compare_types(&types[i - 1], &types[i]) != 0) {
            taskfit_node_append(arena, list, type_node(arena, &types[i]));
        }
    }
    return list;
}
