#include "deployment/read.h"

#include <string.h>

#include "deployment/query.h"

/* ---- group ---- */

typedef struct group_list {
    size_t *groups;
    size_t n_groups;
    bool given[TASKFIT_GROUPS_MAX];
} group_list;

static void read_group(taskfit_decoder *decoder, taskfit_node *item, size_t index TASKFIT_UNUSED, void *arg) {
    const taskfit_reading *reading = taskfit_reading_of(decoder);
    const size_t n_groups = reading->deployment->n_groups;
    group_list *list = arg;
    const char *name = NULL;
    if (!taskfit_decode_text_of(decoder, item, &name) || n_groups == 0) {
        return;
    }
    const taskfit_named *found = taskfit_names_find(reading->groups, n_groups, name);
    if (!found) {
        taskfit_decode_defect(decoder, item->position, "there is no instance group '%s'%s", name,
                              taskfit_names_hint(decoder, reading->groups, n_groups, name));
        return;
    }
    if (list->given[found->index]) {
        taskfit_decode_defect(decoder, item->position, "instance group '%s' is given twice", name);
        return;
    }
    list->given[found->index] = true;
    list->groups[list->n_groups++] = found->index;
}

void taskfit_read_service_groups(taskfit_decoder *decoder, const taskfit_field *field TASKFIT_UNUSED,
                                 taskfit_node *value, void *object) {
    taskfit_service *service = object;
    const bool is_list = value->kind == TASKFIT_NODE_LIST;
    const size_t n_groups = taskfit_reading_of(decoder)->deployment->n_groups; /* no more, as none is given twice */
    group_list list = {.groups = TASKFIT_ARRAY(decoder->arena, n_groups, size_t)};
    if (is_list) {
        taskfit_decode_items(decoder, value, read_group, &list);
    } else {
        read_group(decoder, value, 0, &list);
    }
    service->groups = list.groups;
    service->n_groups = list.n_groups;
}

/* ---- placementStrategy ---- */

enum { SPREAD, BINPACK, RANDOM };
static const taskfit_word strategy_words[] = {{"spread", SPREAD}, {"binpack", BINPACK}, {"random", RANDOM}, {NULL, 0}};

typedef struct strategy_draft {
    int type;
    const char *field;
} strategy_draft;

static const taskfit_field strategy_fields[] = {
    {TASKFIT_KEY("type", taskfit_decode_word, strategy_draft, type), .words = strategy_words, .required = true,
     .remedy = "spread, binpack or random"},
    {TASKFIT_KEY("field", taskfit_decode_text, strategy_draft, field)},
};

static taskfit_strategy_type spread_type(const taskfit_decoder *decoder, const taskfit_node *item, const char *field) {
    static const char attribute[] = "attribute:";
    if (strcmp(field, "attribute:ecs.availability-zone") == 0) {
        return TASKFIT_STRATEGY_SPREAD_AZ;
    }
    if (strcmp(field, "instanceId") == 0 || strcmp(field, "host") == 0) {
        return TASKFIT_STRATEGY_SPREAD_INSTANCE;
    }
    if (strncmp(field, attribute, sizeof attribute - 1) != 0 || field[sizeof attribute - 1] == '\0') {
        taskfit_decode_defect_at(decoder, item, "field",
                                 "'%.80s' is no field to spread over (use attribute:NAME, for example "
                                 "attribute:ecs.availability-zone, or instanceId)",
                                 field);
    }
    return TASKFIT_STRATEGY_SPREAD_OTHER;
}

static taskfit_strategy_type binpack_type(const taskfit_decoder *decoder, const taskfit_node *item, const char *field) {
    if (strcmp(field, "cpu") == 0 || strcmp(field, "CPU") == 0) {
        return TASKFIT_STRATEGY_BINPACK_CPU;
    }
    if (strcmp(field, "memory") != 0 && strcmp(field, "MEMORY") != 0) {
        taskfit_decode_defect_at(decoder, item, "field", "'%.80s' is no resource to pack by (use cpu or memory)",
                                 field);
    }
    return TASKFIT_STRATEGY_BINPACK_MEMORY;
}

static void read_strategy(taskfit_decoder *decoder, taskfit_node *item, size_t index, void *arg) {
    taskfit_service *service = arg;
    strategy_draft draft = {.type = -1};
    if (!taskfit_decode_map(decoder, item, strategy_fields, TASKFIT_COUNT_OF(strategy_fields), &draft) ||
        draft.type < 0) {
        return;
    }
    if (!draft.field && draft.type != RANDOM) {
        if (!taskfit_decode_given(item, "field")) {
            taskfit_decode_defect(decoder, item->position, "'field' is missing (what to %s)",
                                  draft.type == SPREAD ? "spread over" : "pack by");
        }
        return;
    }
    taskfit_strategy strategy = {.type = TASKFIT_STRATEGY_RANDOM, .field = NULL};
    if (draft.type != RANDOM) {
        strategy.field = draft.field;
        strategy.type =
            draft.type == SPREAD ? spread_type(decoder, item, draft.field) : binpack_type(decoder, item, draft.field);
    }
    if (index < TASKFIT_STRATEGIES_MAX) {
        taskfit_strategy *strategies = TASKFIT_ARRAY(decoder->arena, service->n_strategies + 1, taskfit_strategy);
        if (service->n_strategies > 0) {
            memcpy(strategies, service->strategies, service->n_strategies * sizeof *strategies);
        }
        strategies[service->n_strategies++] = strategy;
        service->strategies = strategies;
    }
}

void taskfit_read_strategies(taskfit_decoder *decoder, const taskfit_field *field TASKFIT_UNUSED, taskfit_node *value,
                             void *object) {
    if (taskfit_decode_size(value) > TASKFIT_STRATEGIES_MAX) {
        taskfit_decode_defect(decoder, value->position, "%zu strategies (ECS takes at most %d)", value->n,
                              TASKFIT_STRATEGIES_MAX);
    }
    taskfit_decode_items(decoder, value, read_strategy, object);
}

/* ---- placementConstraints ---- */

enum { DISTINCT_INSTANCE, MEMBER_OF };
static const taskfit_word constraint_words[] = {
    {"distinctInstance", DISTINCT_INSTANCE}, {"memberOf", MEMBER_OF}, {NULL, 0}};

typedef struct constraint_draft {
    int type;
    const char *expression;
} constraint_draft;

static const taskfit_field constraint_fields[] = {
    {TASKFIT_KEY("type", taskfit_decode_word, constraint_draft, type), .words = constraint_words, .required = true,
     .remedy = "distinctInstance or memberOf"},
    {TASKFIT_KEY("expression", taskfit_decode_text, constraint_draft, expression)},
};

/* The expression compiled, once for all services that share it; NULL with a defect when it does not compile. */
static const taskfit_query *query_of(taskfit_reading *reading, const taskfit_node *item, const char *expression) {
    taskfit_decoder *decoder = &reading->decoder;
    for (size_t i = 0; i < reading->n_queries; i++) {
        if (strcmp(reading->queries[i].text, expression) == 0) {
            return reading->queries[i].query;
        }
    }
    const taskfit_query *query = NULL;
    taskfit_error why = {.status = TASKFIT_OK};
    if (taskfit_query_compile(decoder->arena, expression, &query, &why) != TASKFIT_OK) {
        taskfit_decode_defect_at(decoder, item, "expression", "%s", why.message);
        return NULL;
    }
    if (!reading->queries) {
        reading->queries = TASKFIT_ARRAY(decoder->arena, TASKFIT_KNOWN_QUERIES_MAX, taskfit_known_query);
    }
    if (reading->n_queries < TASKFIT_KNOWN_QUERIES_MAX) {
        reading->queries[reading->n_queries++] = (taskfit_known_query){.text = expression, .query = query};
    }
    return query;
}

static void add_member_of(taskfit_decoder *decoder, const taskfit_node *item, const char *expression,
                          taskfit_service *service) {
    const taskfit_query *query = query_of(taskfit_reading_of(decoder), item, expression);
    if (!query) {
        return;
    }
    const char **member_of = TASKFIT_ARRAY(decoder->arena, service->n_member_of + 1, const char *);
    const taskfit_query **queries = TASKFIT_ARRAY(decoder->arena, service->n_member_of + 1, const taskfit_query *);
    for (size_t i = 0; i < service->n_member_of; i++) {
        member_of[i] = service->member_of[i];
        queries[i] = service->queries[i];
    }
    member_of[service->n_member_of] = expression;
    queries[service->n_member_of++] = query;
    service->member_of = member_of;
    service->queries = queries;
}

static void read_constraint(taskfit_decoder *decoder, taskfit_node *item, size_t index, void *arg) {
    taskfit_service *service = arg;
    constraint_draft draft = {.type = -1};
    if (!taskfit_decode_map(decoder, item, constraint_fields, TASKFIT_COUNT_OF(constraint_fields), &draft) ||
        index >= TASKFIT_CONSTRAINTS_MAX || draft.type < 0) {
        return;
    }
    const bool given = taskfit_decode_given(item, "expression");
    if (draft.type == DISTINCT_INSTANCE && given) {
        taskfit_decode_defect_at(decoder, item, "expression", "distinctInstance takes no expression (remove it)");
    } else if (draft.type == MEMBER_OF && !given) {
        taskfit_decode_defect(decoder, item->position, "'expression' is missing (what the instance must be)");
    } else if (draft.type == DISTINCT_INSTANCE) {
        service->distinct_instance = true;
    } else if (draft.expression) {
        add_member_of(decoder, item, draft.expression, service);
    }
}

void taskfit_read_constraints(taskfit_decoder *decoder, const taskfit_field *field TASKFIT_UNUSED, taskfit_node *value,
                              void *object) {
    if (taskfit_decode_size(value) > TASKFIT_CONSTRAINTS_MAX) {
        taskfit_decode_defect(decoder, value->position, "%zu constraints (ECS takes at most %d)", value->n,
                              TASKFIT_CONSTRAINTS_MAX);
    }
    taskfit_decode_items(decoder, value, read_constraint, object);
}
