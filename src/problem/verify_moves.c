/*
 * What a plan says of a given one. Taken back from the last to the first, its steps must lead to a placement: that of the
 * given plan. From there every step is taken again, and no instance may ever hold more than Amazon ECS lets it. Spread,
 * headroom and caps bind no step; an instance that goes is asked about when a task comes to wait there.
 */

#include "problem/verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "problem/plan.h"
#include "problem/verify_given.h"

typedef taskfit_given_moves moves;
typedef taskfit_given_cell cell;
typedef taskfit_given_step step;

/* What ECS looks at when it places. */
enum { PLACED = TASKFIT_RESOURCE_PORTS + 1 };

static const taskfit_service *service_of(const moves *m, size_t service) {
    return service < m->judge->deployment->n_services ? &m->judge->deployment->services[service] : NULL;
}

/* ---- back to the start ---- */

static void step_back(moves *m) {
    for (size_t c = 0; c < m->n_cells; c++) {
        m->cells[c].before = m->cells[c].after;
    }
    for (size_t i = m->n_steps; i-- > 0;) {
        const step *at = &m->steps[i];
        cell *to = at->to == TASKFIT_GIVEN_NOWHERE ? NULL : taskfit_given_find(m, at->to, at->service);
        cell *from = at->from == TASKFIT_GIVEN_NOWHERE ? NULL : taskfit_given_find(m, at->from, at->service);
        if (to && --to->before < 0) {
            taskfit_judge_tell(m->judge, "moves: after step %zu no task of '%s' stands on '%s' (rule: moves)", i + 1,
                               m->services[at->service], taskfit_given_id(m, at->to, true));
            m->sound = false;
        }
        if (from) {
            from->before++;
        }
    }
    for (size_t c = 0; c < m->n_cells; c++) {
        const cell *at = &m->cells[c];
        if (at->before != 0 && m->sound && (at->place == m->spare || !m->places[at->place].was)) {
            taskfit_judge_tell(m->judge, "moves: '%s' would hold %" PRId64 " tasks of '%s' before the first step, but is new (rule: moves)",
                               taskfit_given_id(m, at->place, true), at->before, m->services[at->service]);
            m->sound = false;
        }
    }
}

/* ---- and forward again ---- */

/* A task of the service comes to a place. */
static void judge_arrival(moves *m, size_t index) {
    const step *at = &m->steps[index];
    const taskfit_given_place *place = &m->places[at->to];
    const taskfit_instance_capacity *capacity = place->capacity;
    const char *name = m->services[at->service];
    if (!capacity) {
        return; /* told elsewhere */
    }
    for (size_t r = 0; r < PLACED; r++) {
        const int64_t room = capacity->amount[r] - capacity->daemons[r];
        if (m->judge->demands[at->service].amount[r] > 0 && place->held[r] > room) {
            taskfit_judge_tell(m->judge, "moves: step %zu: %s of '%s' is %s of %s with '%s' (rule: capacity)", index + 1,
                               taskfit_resource_name((taskfit_resource)r), taskfit_given_id(m, at->to, true),
                               taskfit_judge_number(m->judge, place->held[r]), taskfit_judge_number(m->judge, room), name);
        }
    }
    for (const cell *other = m->cells + place->first_cell; other < m->cells + place->end_cell; other++) {
        const int64_t others = other->now - (other->service == at->service ? 1 : 0);
        if (others > 0 && service_of(m, other->service) && !taskfit_judged_bear(m->room, at->service, other->service)) {
            taskfit_judge_tell(m->judge, "moves: step %zu: '%s' cannot start beside '%s' on '%s' (rule: ports, distinctInstance, conflicts)",
                               index + 1, name, m->services[other->service], taskfit_given_id(m, at->to, true));
        }
    }
    if (at->to >= m->judge->n_machines &&
        (taskfit_judge_port_taken(capacity, &m->judge->demands[at->service]) ||
         !taskfit_service_permitted(m->judge->deployment, service_of(m, at->service), place->group, place->type, place->az))) {
        taskfit_judge_tell(m->judge, "moves: step %zu: '%s' may not stand on '%s' (rule: moves)", index + 1, name, taskfit_given_id(m, at->to, true));
    }
}

static void put(moves *m, size_t place, size_t service, int64_t count) {
    taskfit_given_find(m, place, service)->now += count;
    for (size_t r = 0; r < PLACED && service_of(m, service); r++) {
        taskfit_judge_add(&m->places[place].held[r], m->judge->demands[service].amount[r], count);
    }
}

/* Once what stops has stopped. */
static void judge_start(moves *m) {
    for (size_t p = 0; p < m->judge->n_machines; p++) {
        const taskfit_given_place *place = &m->places[p];
        for (size_t r = 0; r < PLACED && place->capacity; r++) {
            const int64_t room = place->capacity->amount[r] - place->capacity->daemons[r];
            if (place->held[r] > 0 && place->held[r] > room) {
                taskfit_judge_tell(m->judge, "moves: %s of '%s' is %s of %s before the first move (rule: capacity)",
                                   taskfit_resource_name((taskfit_resource)r), taskfit_given_id(m, p, false),
                                   taskfit_judge_number(m->judge, place->held[r]), taskfit_judge_number(m->judge, room));
            }
        }
    }
}

static void step_forward(moves *m) {
    m->room = taskfit_judged_room_new(m->judge);
    for (size_t c = 0; c < m->n_cells; c++) {
        put(m, m->cells[c].place, m->cells[c].service, m->cells[c].before);
    }
    bool started = false;
    for (size_t i = 0; i < m->n_steps; i++) {
        const step *at = &m->steps[i];
        if (!started && at->action != TASKFIT_STEP_STOP) {
            started = true;
            judge_start(m);
        }
        if (at->to != TASKFIT_GIVEN_NOWHERE) {
            put(m, at->to, at->service, 1);
            judge_arrival(m, i);
        }
        if (at->from != TASKFIT_GIVEN_NOWHERE) {
            put(m, at->from, at->service, -1);
        }
    }
}

/* ---- the figures ---- */

typedef struct totals {
    int64_t before, after;
} totals;

/* What `before` and `after` of the cells make of the stated figures. */
static void judge_figures(moves *m) {
    totals *of = TASKFIT_ARRAY(m->judge->arena, m->n_services, totals);
    int64_t kept = 0;
    int64_t both = 0;
    int64_t starts = 0;
    int64_t stops = 0;
    for (size_t c = 0; c < m->n_cells; c++) {
        const cell *at = &m->cells[c];
        of[at->service].before += at->before;
        of[at->service].after += at->after;
        kept += at->before < at->after ? at->before : at->after;
    }
    for (size_t s = 0; s < m->n_services; s++) {
        const int64_t stay = of[s].before < of[s].after ? of[s].before : of[s].after;
        both += stay;
        starts += of[s].after - stay;
        stops += of[s].before - stay;
    }
    const struct {
        const char *key;
        int64_t stated, computed;
    } figures[] = {{"kept", m->kept, kept}, {"of", m->of, both}, {"tasks", m->tasks, both - kept}, {"starts", m->starts, starts}, {"stops", m->stops, stops}};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        if (figures[i].stated != figures[i].computed) {
            taskfit_judge_tell(m->judge, "moves: %s is stated as %s, computed as %s (rule: figures)", figures[i].key,
                               taskfit_judge_number(m->judge, figures[i].stated), taskfit_judge_number(m->judge, figures[i].computed));
        }
    }
}

static void judge_actions(moves *m) {
    int64_t n_moves = 0;
    for (size_t i = 0; i < m->n_steps; i++) {
        const step *at = &m->steps[i];
        n_moves += at->action == TASKFIT_STEP_MOVE && at->to < m->judge->n_machines ? 1 : 0;
        if (i > 0 && at->action < m->steps[i - 1].action) {
            taskfit_judge_tell(m->judge, "moves: step %zu is a %s behind a %s (rule: moves)", i + 1, taskfit_step_action_name(at->action),
                               taskfit_step_action_name(m->steps[i - 1].action));
        }
        if (at->from == at->to) {
            taskfit_judge_tell(m->judge, "moves: step %zu goes nowhere (rule: moves)", i + 1);
        }
    }
    if (n_moves != m->tasks) {
        taskfit_judge_tell(m->judge, "moves: %s tasks are stated to move, the steps move %s (rule: figures)",
                           taskfit_judge_number(m->judge, m->tasks), taskfit_judge_number(m->judge, n_moves));
    }
}

/* ---- moves against instances ---- */

static const taskfit_node *value_of(const taskfit_node *map, const char *key) {
    const taskfit_node *value = taskfit_node_get(map, key);
    return value && value->kind == TASKFIT_NODE_SCALAR && !taskfit_node_is_null(value) ? value : NULL;
}

/* -1: null; -2: no whole number. */
static int64_t figure_of(const taskfit_node *map, const char *key) {
    const taskfit_node *value = value_of(map, key);
    const char *why = NULL;
    int64_t figure = 0;
    if (!value) {
        return -1;
    }
    return !value->quoted && taskfit_parse_count(value->text, value->n, 0, TASKFIT_QUANTITY_MAX, &figure, &why) ? figure : -2;
}

/* The month of the stated hour; what both are without a plan is null. */
static bool prices_agree(const taskfit_judge *judge, const taskfit_node *row, bool placed) {
    const taskfit_node *hour = value_of(row, "costUsdPerHour");
    const taskfit_node *month = value_of(row, "costUsdPerMonth");
    int64_t usd_micros = 0;
    const char *why = NULL;
    if (!placed || !hour || !month || !taskfit_parse_cost_usd_micros(hour->text, hour->n, &usd_micros, &why)) {
        return !placed && !hour && !month;
    }
    TASKFIT_STRBUF(text);
    taskfit_add_usd_cents(&text, taskfit_usd_cents_per_month(usd_micros, judge->deployment->hours_per_month));
    return strcmp(text.data, month->text) == 0;
}

static void judge_row(taskfit_judge *judge, const taskfit_node *row, size_t index, int64_t most) {
    const taskfit_node *word = value_of(row, "proof");
    const int64_t tasks = figure_of(row, "moves");
    const int64_t bound = figure_of(row, "bound");
    taskfit_proof proof = TASKFIT_PROOF_NONE;
    const bool known = word && taskfit_proof_from_name(word->text, &proof);
    const bool proved = proof == TASKFIT_PROOF_EXACT || proof == TASKFIT_PROOF_SOLVER;
    if (!known || figure_of(row, "instances") != (int64_t)(judge->n_machines + index) || tasks < -1 || tasks > most || bound < -1) {
        taskfit_judge_tell(judge, "movesFront[%zu]: another number of instances, an unknown proof, or moves out of range (rule: document)", index);
    } else if (bound > tasks || (proved && bound != tasks) || (proof == TASKFIT_PROOF_INFEASIBLE && tasks >= 0)) {
        taskfit_judge_tell(judge, "movesFront[%zu]: moves, bound and proof do not agree (rule: bound)", index);
    }
    if (!prices_agree(judge, row, tasks >= 0)) {
        taskfit_judge_tell(judge, "movesFront[%zu]: the prices do not agree (rule: figures)", index);
    }
}

static void judge_front(const moves *m) {
    taskfit_judge *judge = m->judge;
    const taskfit_node *front = taskfit_node_get(judge->document, "movesFront");
    if (!front || front->kind != TASKFIT_NODE_LIST || front->n == 0) {
        return;
    }
    for (size_t i = 0; i < front->n; i++) {
        judge_row(judge, front->items[i], i, m->of);
    }
    const taskfit_node *own = value_of(judge->document, "costUsdPerHour");
    const taskfit_node *stated = value_of(front->items[0], "costUsdPerHour");
    if (figure_of(front->items[0], "moves") != m->tasks || !own || !stated || strcmp(own->text, stated->text) != 0) {
        taskfit_judge_tell(judge, "movesFront[0]: not the moves and the price of the plan (rule: figures)");
    }
}

void taskfit_judge_moves(taskfit_judge *judge, const taskfit_node *given, const char *given_sha256) {
    moves m = {.judge = judge};
    const taskfit_node *document = taskfit_node_get(judge->document, "moves");
    if (!document || taskfit_node_is_null(document)) {
        if (given) {
            taskfit_judge_tell(judge, "moves: the plan does not say from what it was made (rule: moves)");
        }
        return;
    }
    if (!taskfit_given_read(&m, document, given)) {
        return;
    }
    if (m.tasks + m.kept != m.of) {
        taskfit_judge_tell(judge, "moves: kept and tasks are not 'of' together (rule: figures)");
    }
    if (m.ordered) {
        judge_actions(&m);
        step_back(&m);
        if (m.sound) {
            step_forward(&m);
            judge_figures(&m);
        }
    }
    judge_front(&m);
    if (given && taskfit_given_compare(&m, given, given_sha256) && !m.ordered) {
        judge_figures(&m);
    }
}
