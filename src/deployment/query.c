#include "deployment/query.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "deployment/query_tree.h"

static const char group_subject[] = "task:group";
static const char service_prefix[] = "service:";

struct taskfit_query {
    const taskfit_query_node *root;
    const char **conflicts;
    size_t n_conflicts;
};

/* ---- task:group: which services must be absent ---- */

typedef struct collector {
    taskfit_arena *arena;
    taskfit_query *query;
    size_t room;
    taskfit_error *err;
} collector;

static taskfit_status collect_group(collector *c, const taskfit_query_node *test, bool negated, bool demanded) {
    if (test->operator != TASKFIT_QUERY_IN) {
        return taskfit_fail(c->err, TASKFIT_E_INPUT, "only ==, !=, in and !in can be planned for task:group");
    }
    if (test->negative == negated) {
        return taskfit_fail(c->err, TASKFIT_E_INPUT, "task:group %s %s cannot be planned: it depends on which task comes first "
                            "(use attributes of instance groups; only absence, as in not(task:group == service:NAME), is a rule)",
                            test->n_arguments > 1 ? "in" : "==", test->arguments[0]);
    }
    if (!demanded) {
        return taskfit_fail(c->err, TASKFIT_E_INPUT, "absence of task:group %s as one of several alternatives cannot be planned "
                            "(demand it on its own)", test->arguments[0]);
    }
    for (size_t a = 0; a < test->n_arguments; a++) {
        if (strncmp(test->arguments[a], service_prefix, strlen(service_prefix)) == 0) {
            TASKFIT_GROW(c->arena, c->query->conflicts, c->query->n_conflicts, c->room);
            c->query->conflicts[c->query->n_conflicts++] = test->arguments[a] + strlen(service_prefix);
        }
    }
    return TASKFIT_OK;
}

/* `negated`: an odd number of nots stands above; `demanded`: the node must have its value for the whole to hold. */
static taskfit_status collect(collector *c, const taskfit_query_node *node, bool negated, bool demanded) {
    if (node->kind == TASKFIT_QUERY_TEST) {
        return strcmp(node->name, group_subject) == 0 ? collect_group(c, node, negated, demanded) : TASKFIT_OK;
    }
    if (node->kind == TASKFIT_QUERY_NOT) {
        return collect(c, node->left, !negated, demanded);
    }
    demanded = demanded && (node->kind == TASKFIT_QUERY_AND) != negated; /* De Morgan */
    taskfit_status status = collect(c, node->left, negated, demanded);
    return status == TASKFIT_OK ? collect(c, node->right, negated, demanded) : status;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort_conflicts(taskfit_query *query) {
    if (query->n_conflicts > 0) {
        qsort(query->conflicts, query->n_conflicts, sizeof *query->conflicts, compare_names);
    }
    size_t kept = 0;
    for (size_t i = 0; i < query->n_conflicts; i++) {
        if (kept == 0 || strcmp(query->conflicts[kept - 1], query->conflicts[i]) != 0) {
            query->conflicts[kept++] = query->conflicts[i];
        }
    }
    query->n_conflicts = kept;
}

taskfit_status taskfit_query_compile(taskfit_arena *arena, const char *text, const taskfit_query **query_out,
                                     taskfit_error *err) {
    taskfit_query *query = TASKFIT_NEW(arena, taskfit_query);
    taskfit_status status = taskfit_query_parse(arena, text, &query->root, err);
    if (status == TASKFIT_OK) {
        status = collect(&(collector){.arena = arena, .query = query, .err = err}, query->root, false, true);
    }
    if (status == TASKFIT_OK) {
        sort_conflicts(query);
        *query_out = query;
    }
    return status;
}

const char *const *taskfit_query_conflicts(const taskfit_query *query, size_t *n_out) {
    *n_out = query->n_conflicts;
    return query->conflicts;
}

/* ---- asking ---- */

static const char *lookup(const taskfit_attributes *attributes, const char *name) {
    for (; attributes; attributes = attributes->next) {
        for (size_t i = 0; i < attributes->n_items; i++) {
            if (strcmp(attributes->items[i].name, name) == 0) {
                return attributes->items[i].value;
            }
        }
    }
    return NULL;
}

/* ECS and its agent set these; a plan has no instance to ask. */
static bool set_by_ecs(const taskfit_query_node *test) {
    return test->of_ecs || strncmp(test->name, "ecs.", 4) == 0 || strncmp(test->name, "com.amazonaws.ecs.", 18) == 0;
}

static const char *first_unknown(const taskfit_query_node *node, const taskfit_attributes *attributes) {
    if (node->kind == TASKFIT_QUERY_TEST) {
        bool fine = strcmp(node->name, group_subject) == 0 || !set_by_ecs(node) || lookup(attributes, node->name);
        return fine ? NULL : node->name;
    }
    const char *unknown = first_unknown(node->left, attributes);
    return unknown || !node->right ? unknown : first_unknown(node->right, attributes);
}

const char *taskfit_query_unknown(const taskfit_query *query, const taskfit_attributes *attributes) {
    return first_unknown(query->root, attributes);
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Runs of digits as numbers of any length, everything else byte by byte. */
static int compare_values(const char *a, const char *b) {
    while (*a && *b) {
        if (!is_digit(*a) || !is_digit(*b)) {
            if (*a != *b) {
                return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
            }
            a++;
            b++;
            continue;
        }
        a += strspn(a, "0");
        b += strspn(b, "0");
        size_t a_len = strspn(a, "0123456789");
        size_t b_len = strspn(b, "0123456789");
        int order = a_len != b_len ? (a_len < b_len ? -1 : 1) : strncmp(a, b, a_len);
        if (order != 0) {
            return order;
        }
        a += a_len;
        b += b_len;
    }
    return (*a != '\0') - (*b != '\0');
}

static bool is_among(const taskfit_query_node *test, const char *value) {
    for (size_t i = 0; i < test->n_arguments; i++) {
        if (strcmp(value, test->arguments[i]) == 0) {
            return true;
        }
    }
    return false;
}

static taskfit_status test_holds(const taskfit_query_node *test, const char *value, bool *holds_out, taskfit_error *err) {
    bool holds = false;
    taskfit_status status = TASKFIT_OK;
    if (value) {
        switch (test->operator) {
        case TASKFIT_QUERY_IN: holds = is_among(test, value); break;
        case TASKFIT_QUERY_GREATER: holds = compare_values(value, test->arguments[0]) > 0; break;
        case TASKFIT_QUERY_GREATER_EQUAL: holds = compare_values(value, test->arguments[0]) >= 0; break;
        case TASKFIT_QUERY_LESS: holds = compare_values(value, test->arguments[0]) < 0; break;
        case TASKFIT_QUERY_LESS_EQUAL: holds = compare_values(value, test->arguments[0]) <= 0; break;
        case TASKFIT_QUERY_EXISTS: holds = true; break;
        case TASKFIT_QUERY_MATCHES: status = taskfit_pattern_matches(test->pattern, value, &holds, err); break;
        }
    }
    if (status == TASKFIT_OK) {
        *holds_out = holds != test->negative;
    }
    return status;
}

static bool counts_tasks(const taskfit_query_node *node) {
    return node->kind == TASKFIT_QUERY_TEST ? strcmp(node->name, TASKFIT_RUNNING_TASKS) == 0
                                            : counts_tasks(node->left) || (node->right != NULL && counts_tasks(node->right));
}

bool taskfit_query_counts_tasks(const taskfit_query *query) {
    return counts_tasks(query->root);
}

/* Whether a node is, or by some number of running tasks that nobody gives may be, as wanted. */
static taskfit_status node_may_be(const taskfit_query_node *node, const taskfit_attributes *attributes, bool wanted, bool *may_out,
                                  taskfit_error *err) {
    bool may = true;
    taskfit_status status = TASKFIT_OK;
    if (node->kind == TASKFIT_QUERY_TEST) {
        const char *value = lookup(attributes, node->name);
        if (value != NULL || strcmp(node->name, TASKFIT_RUNNING_TASKS) != 0) {
            bool holds = false;
            status = test_holds(node, value, &holds, err);
            may = holds == wanted;
        }
    } else if (node->kind == TASKFIT_QUERY_NOT) {
        return node_may_be(node->left, attributes, !wanted, may_out, err);
    } else {
        const bool needs_both = wanted == (node->kind == TASKFIT_QUERY_AND);
        status = node_may_be(node->left, attributes, wanted, &may, err);
        if (status == TASKFIT_OK && may == needs_both) { /* else the left side decides */
            status = node_may_be(node->right, attributes, wanted, &may, err);
        }
    }
    if (status == TASKFIT_OK) {
        *may_out = may;
    }
    return status;
}

taskfit_status taskfit_query_holds(const taskfit_query *query, const taskfit_attributes *attributes, bool *holds_out,
                                   taskfit_error *err) {
    assert(query && holds_out);
    return node_may_be(query->root, attributes, true, holds_out, err);
}
