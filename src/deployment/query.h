#ifndef TASKFIT_DEPLOYMENT_QUERY_H
#define TASKFIT_DEPLOYMENT_QUERY_H

/*
 * The cluster query language of Amazon ECS (memberOf): compiled once for each expression, then asked about
 * sets of attributes. Source: the developer guide's page "Cluster query language".
 *
 *     expression = expression or|'||' expression | expression and|&& expression | not|'!' expression
 *                | '(' expression ')' | subject operator [argument]            not binds closest, then and, then or
 *     subject    = attribute:NAME | task:group | agentVersion | agentConnected | ec2InstanceId | registeredAt
 *                | runningTasksCount
 *     operator   = == equals, != not_equals, > greater_than, >= greater_than_equal, < less_than,
 *                  <= less_than_equal, exists, !exists not_exists, in, !in not_in, =~ matches, !~ not_matches
 *     argument   = a word, or text in single or double quotes; [a, b] for in and !in; a Java regular expression that
 *                  matches the whole value for =~ and !~
 *
 * A missing attribute fulfils no operator but the negative ones (!=, !exists, !in, !~), so that each is the exact
 * opposite of its positive one. < and > compare runs of digits as numbers and all else byte by byte: right
 * for counts, versions and dates.
 * Subjects other than attribute:NAME are looked up as attributes of that name ("runningTasksCount").
 *
 * Of task:group a plan can only promise absence: where an expression demands it as a whole (`not(task:group ==
 * service:X)`, `task:group != service:X`, `!in`), it is a conflict with X; anything else on it does not compile.
 * Groups without "service:" are of standalone tasks, of which a plan has none: their absence is given.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "deployment/deployment.h"

#define TASKFIT_RUNNING_TASKS "runningTasksCount"
enum { TASKFIT_QUERY_MAX = 2000 /* characters */ };

/* E_INPUT with a reason for people; `where` is left empty. The query lives in the arena and keeps no reference to
 * `text`. */
taskfit_status taskfit_query_compile(taskfit_arena *arena, const char *text, const taskfit_query **query_out,
                                     taskfit_error *err) TASKFIT_MUST_USE;

/* Services that must not be on the same instance, by name, sorted, unique. A service that names itself wants
 * distinctInstance. */
const char *const *taskfit_query_conflicts(const taskfit_query *query, size_t *n_out);

/* Attribute lists, one behind the other: the first that has the name counts. */
typedef struct taskfit_attributes {
    const taskfit_attribute *items;
    size_t n_items;
    const struct taskfit_attributes *next; /* NULL: the last */
} taskfit_attributes;

/* The first name the query asks for that a plan cannot know and `attributes` does not give: NULL, or for example
 * "ecs.ami-id" or "runningTasksCount". Names of the user's own choice may be missing. */
const char *taskfit_query_unknown(const taskfit_query *query, const taskfit_attributes *attributes);

/* Does it ask for runningTasksCount, which no plan promises? */
bool taskfit_query_counts_tasks(const taskfit_query *query);

/* Where `attributes` does not give runningTasksCount: whether it may hold by some count.
 * E_INPUT only when a pattern needs more than the allowed work on a value. */
taskfit_status taskfit_query_holds(const taskfit_query *query, const taskfit_attributes *attributes, bool *holds_out,
                                   taskfit_error *err) TASKFIT_MUST_USE;

#endif
