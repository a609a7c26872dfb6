#ifndef TASKFIT_DEPLOYMENT_QUERY_TREE_H
#define TASKFIT_DEPLOYMENT_QUERY_TREE_H

/* The parsed form of a query, between query_parse.c and query.c. */

#include "deployment/query_pattern.h"

typedef enum taskfit_query_operator {
    TASKFIT_QUERY_IN, /* also equals, with one argument */
    TASKFIT_QUERY_GREATER,
    TASKFIT_QUERY_GREATER_EQUAL,
    TASKFIT_QUERY_LESS,
    TASKFIT_QUERY_LESS_EQUAL,
    TASKFIT_QUERY_EXISTS,
    TASKFIT_QUERY_MATCHES
} taskfit_query_operator;

typedef enum taskfit_query_kind {
    TASKFIT_QUERY_TEST,
    TASKFIT_QUERY_AND,
    TASKFIT_QUERY_OR,
    TASKFIT_QUERY_NOT /* of left */
} taskfit_query_kind;

typedef struct taskfit_query_node {
    taskfit_query_kind kind;
    const struct taskfit_query_node *left, *right;
    /* of a test */
    const char *name; /* of the attribute, without "attribute:"; "task:group"; or a subject of ECS's own */
    bool of_ecs;      /* such a subject: not written as attribute:NAME */
    taskfit_query_operator operator;
    bool negative; /* the operator's opposite: != for == and so on */
    const char **arguments;
    size_t n_arguments; /* 0 for exists, 1 but for in */
    const taskfit_pattern *pattern; /* for matches */
} taskfit_query_node;

taskfit_status taskfit_query_parse(taskfit_arena *arena, const char *text, const taskfit_query_node **root_out,
                                   taskfit_error *err) TASKFIT_MUST_USE;

#endif
