#include "problem/verify_given.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "problem/plan.h"

typedef taskfit_given_moves moves;
typedef taskfit_given_place place;
typedef taskfit_given_name name;
typedef taskfit_given_cell cell;

/* ---- fields ---- */

static const char *text_of(const taskfit_node *map, const char *key) {
    const taskfit_node *value = taskfit_node_get(map, key);
    return value && value->kind == TASKFIT_NODE_SCALAR && !taskfit_node_is_null(value) ? value->text : NULL;
}

static const taskfit_node *list_of(const taskfit_node *map, const char *key) {
    const taskfit_node *list = taskfit_node_get(map, key);
    return list && list->kind == TASKFIT_NODE_LIST ? list : NULL;
}

/* -1: no whole number of 0 or more. */
static int64_t count_of(const taskfit_node *map, const char *key) {
    const taskfit_node *value = taskfit_node_get(map, key);
    const char *why = NULL;
    int64_t count = 0;
    bool valid = value && value->kind == TASKFIT_NODE_SCALAR && !value->quoted &&
                 taskfit_parse_count(value->text, value->n, 0, TASKFIT_QUANTITY_MAX, &count, &why);
    return valid ? count : -1;
}

static bool tell(moves *m, const char *what) {
    taskfit_judge_tell(m->judge, "moves: %s (rule: document)", what);
    return false;
}

/* ---- names ---- */

static int by_name(const void *a, const void *b) {
    const name *left = a;
    const name *right = b;
    const int order = strcmp(left->name, right->name);
    return order ? order : (left->index > right->index) - (left->index < right->index);
}

/* SIZE_MAX: not there. */
static size_t look_up(const name *names, size_t n, const char *wanted) {
    size_t low = 0;
    size_t high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(names[middle].name, wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < n && strcmp(names[low].name, wanted) == 0 ? names[low].index : SIZE_MAX;
}

static void sort_names(name *names, size_t n) {
    if (n > 0) {
        qsort(names, n, sizeof *names, by_name);
    }
}

typedef struct gathering {
    name *names;
    size_t n, capacity;
} gathering;

static void gather(moves *m, gathering *all, const taskfit_node *list) {
    for (size_t i = 0; list && i < list->n; i++) {
        const char *service = text_of(list->items[i], "service");
        if (service) {
            TASKFIT_GROW(m->judge->arena, all->names, all->n, all->capacity);
            all->names[all->n] = (name){service, all->n};
            all->n++;
        }
    }
}

/* Services of the deployment keep their indexes, so the first of equal names wins. */
static void name_services(moves *m, const taskfit_node *given) {
    const taskfit_deployment *deployment = m->judge->deployment;
    gathering all = {.names = NULL};
    for (size_t s = 0; s < deployment->n_services; s++) {
        TASKFIT_GROW(m->judge->arena, all.names, all.n, all.capacity);
        all.names[all.n] = (name){deployment->services[s].name, s};
        all.n++;
    }
    gather(m, &all, list_of(m->document, "order"));
    const taskfit_node *fleet = given ? list_of(given, "fleet") : NULL;
    for (size_t i = 0; fleet && i < fleet->n; i++) {
        gather(m, &all, list_of(fleet->items[i], "tasks"));
    }
    sort_names(all.names, all.n);
    m->services = TASKFIT_ARRAY(m->judge->arena, all.n, const char *);
    size_t n_known = 0;
    size_t n_others = 0;
    for (size_t i = 0; i < all.n; i++) {
        if (n_known > 0 && strcmp(all.names[n_known - 1].name, all.names[i].name) == 0) {
            continue;
        }
        name one = all.names[i];
        if (one.index >= deployment->n_services) {
            one.index = deployment->n_services + n_others++;
        }
        m->services[one.index] = one.name;
        all.names[n_known++] = one;
    }
    m->known = all.names;
    m->n_services = n_known;
}

/* ---- places ---- */

/* Who each instance was; all of them must be told of. */
static bool read_instances(moves *m) {
    const taskfit_node *instances = list_of(m->document, "instances");
    const size_t n = m->judge->n_machines;
    if (!instances || instances->n != n) {
        return tell(m, "'instances' is not a list of all of the fleet");
    }
    m->own_ids = TASKFIT_ARRAY(m->judge->arena, n, name);
    for (size_t i = 0; i < n; i++) {
        m->own_ids[i] = (name){m->judge->machines[i].id, i};
    }
    sort_names(m->own_ids, n);
    for (size_t i = 0; i < n; i++) {
        const char *id = text_of(instances->items[i], "id");
        const size_t at = id ? look_up(m->own_ids, n, id) : SIZE_MAX;
        if (at == SIZE_MAX || m->places[at].id) {
            taskfit_judge_tell(m->judge, "moves: instances[%zu] is '%s', which is no instance of the fleet, or is told of twice (rule: document)",
                               i, id ? id : "");
            return false;
        }
        const taskfit_judged_machine *machine = &m->judge->machines[at];
        m->places[at] = (place){.id = id, .was = text_of(instances->items[i], "was")};
        if (machine->located) {
            m->places[at].capacity = machine->capacity;
            m->places[at].group = machine->group;
            m->places[at].type = machine->type;
            m->places[at].az = machine->az;
        }
    }
    return true;
}

static bool read_given_ids(moves *m, const taskfit_node *removed) {
    m->given_ids = TASKFIT_ARRAY(m->judge->arena, m->n_places, name);
    for (size_t i = 0; i < removed->n; i++) {
        if (removed->items[i]->kind != TASKFIT_NODE_SCALAR || taskfit_node_is_null(removed->items[i])) {
            return tell(m, "'removed' is not a list of ids");
        }
        m->places[m->judge->n_machines + i].was = removed->items[i]->text;
    }
    for (size_t p = 0; p < m->n_places; p++) {
        if (m->places[p].was) {
            m->given_ids[m->n_given_ids++] = (name){m->places[p].was, p};
        }
    }
    sort_names(m->given_ids, m->n_given_ids);
    for (size_t i = 1; i < m->n_given_ids; i++) {
        if (strcmp(m->given_ids[i - 1].name, m->given_ids[i].name) == 0) {
            taskfit_judge_tell(m->judge, "moves: '%s' of the given plan is told of twice (rule: document)", m->given_ids[i].name);
            return false;
        }
    }
    if ((int64_t)m->n_given_ids != m->n_given) {
        taskfit_judge_tell(m->judge, "moves: from.instances is stated as %s, computed as %zu (rule: figures)",
                           taskfit_judge_number(m->judge, m->n_given), m->n_given_ids);
    }
    return true;
}

/* The group of that name, the type and the AZ in it. */
static bool locate(const taskfit_deployment *deployment, const taskfit_node *map, size_t *group_out, size_t *type_out, size_t *az_out) {
    const char *group = text_of(map, "group");
    const char *type = text_of(map, "type");
    const char *az = text_of(map, "availabilityZone");
    for (size_t g = 0; group && type && az && g < deployment->n_groups; g++) {
        const taskfit_instance_group *of = &deployment->groups[g];
        for (size_t t = 0; t < of->n_types && strcmp(of->name, group) == 0; t++) {
            for (size_t k = 0; k < of->n_azs && strcmp(of->types[t].type.name, type) == 0; k++) {
                if (strcmp(deployment->azs[of->azs[k]], az) == 0) {
                    *group_out = g;
                    *type_out = t;
                    *az_out = of->azs[k];
                    return true;
                }
            }
        }
    }
    return false;
}

/* What a place gives that takes tasks only meanwhile. */
static bool settle(moves *m, const taskfit_node *map, size_t at) {
    place *of = &m->places[at];
    const bool found = locate(m->judge->deployment, map, &of->group, &of->type, &of->az);
    of->capacity = found ? taskfit_judge_capacity(m->judge, of->group, of->type, of->az) : NULL;
    return found;
}

static bool read_spare(moves *m) {
    const taskfit_node *spare = taskfit_node_get(m->document, "spareInstance");
    if (!spare || taskfit_node_is_null(spare)) {
        return true;
    }
    m->places[m->spare].id = TASKFIT_SPARE_ID;
    return settle(m, spare, m->spare) || tell(m, "'spareInstance' is none the deployment could have");
}

/* Instances that go, and take tasks meanwhile. */
static bool read_waiting(moves *m) {
    const taskfit_node *list = list_of(m->document, "waitingOn");
    for (size_t i = 0; list && i < list->n; i++) {
        const char *id = text_of(list->items[i], "id");
        const size_t at = id ? look_up(m->given_ids, m->n_given_ids, id) : SIZE_MAX;
        if (at == SIZE_MAX || m->places[at].id || !settle(m, list->items[i], at)) {
            return tell(m, "'waitingOn' is not a list of instances that go");
        }
    }
    return true;
}

/* ---- steps ---- */

static bool read_end(moves *m, const taskfit_node *map, bool target, size_t index, size_t *place_out) {
    const char *id = text_of(map, target ? "to" : "from");
    if (id && strcmp(id, TASKFIT_SPARE_ID) == 0 && m->places[m->spare].id) {
        *place_out = m->spare;
        return true;
    }
    const size_t own = id && target ? look_up(m->own_ids, m->judge->n_machines, id) : SIZE_MAX;
    const size_t given = id && own == SIZE_MAX ? look_up(m->given_ids, m->n_given_ids, id) : SIZE_MAX;
    *place_out = own != SIZE_MAX ? own : given != SIZE_MAX && (!target || m->places[given].capacity) ? given : SIZE_MAX;
    if (*place_out == SIZE_MAX) {
        taskfit_judge_tell(m->judge, "moves: step %zu goes %s '%s', which is no instance of %s plan (rule: document)", index + 1,
                           target ? "to" : "from", id ? id : "", target ? "this" : "the given");
        return false;
    }
    return true;
}

static bool read_step(moves *m, const taskfit_node *map, size_t index) {
    taskfit_given_step *step = &m->steps[index];
    const char *service = text_of(map, "service");
    const char *action = text_of(map, "action");
    int found = TASKFIT_STEP_STOP;
    while (action && found <= TASKFIT_STEP_START && strcmp(taskfit_step_action_name((taskfit_step_action)found), action) != 0) {
        found++;
    }
    if (!service || !action || found > TASKFIT_STEP_START || count_of(map, "step") != (int64_t)index + 1) {
        taskfit_judge_tell(m->judge, "moves: order[%zu] has another number, an unknown action or no service (rule: document)", index);
        return false;
    }
    *step = (taskfit_given_step){.action = (taskfit_step_action)found, .from = TASKFIT_GIVEN_NOWHERE, .to = TASKFIT_GIVEN_NOWHERE};
    step->service = look_up(m->known, m->n_services, service);
    if (step->service >= m->judge->deployment->n_services && step->action != TASKFIT_STEP_STOP) {
        taskfit_judge_tell(m->judge, "moves: step %zu: unknown service '%s' (rule: service)", index + 1, service);
        return false;
    }
    return (step->action == TASKFIT_STEP_START ? !text_of(map, "from") || tell(m, "a start has no 'from'")
                                               : read_end(m, map, false, index, &step->from)) &&
           (step->action == TASKFIT_STEP_STOP ? !text_of(map, "to") || tell(m, "a stop has no 'to'")
                                              : read_end(m, map, true, index, &step->to));
}

static bool read_steps(moves *m) {
    const taskfit_node *order = list_of(m->document, "order");
    m->ordered = order != NULL;
    if (!order) {
        return text_of(m->document, "noOrder") || tell(m, "there is no order, and no reason for it");
    }
    m->n_steps = order->n;
    m->steps = TASKFIT_ARRAY(m->judge->arena, order->n, taskfit_given_step);
    for (size_t i = 0; i < order->n; i++) {
        if (!read_step(m, order->items[i], i)) {
            return false;
        }
    }
    return true;
}

/* ---- cells ---- */

static int cell_compare(const void *a, const void *b) {
    const cell *left = a;
    const cell *right = b;
    if (left->place != right->place) {
        return left->place < right->place ? -1 : 1;
    }
    return (left->service > right->service) - (left->service < right->service);
}

static void add_cell(moves *m, size_t at, size_t service, int64_t after) {
    if (at != TASKFIT_GIVEN_NOWHERE) {
        TASKFIT_GROW(m->judge->arena, m->cells, m->n_cells, m->cells_capacity);
        m->cells[m->n_cells++] = (cell){.place = at, .service = service, .after = after};
    }
}

static void add_given_cells(moves *m, const taskfit_node *given) {
    const taskfit_node *fleet = given ? list_of(given, "fleet") : NULL;
    for (size_t i = 0; fleet && i < fleet->n; i++) {
        const char *id = text_of(fleet->items[i], "id");
        const taskfit_node *tasks = list_of(fleet->items[i], "tasks");
        const size_t at = id ? look_up(m->given_ids, m->n_given_ids, id) : SIZE_MAX;
        for (size_t t = 0; tasks && t < tasks->n; t++) {
            const char *service = text_of(tasks->items[t], "service");
            if (service) {
                add_cell(m, at, look_up(m->known, m->n_services, service), 0);
            }
        }
    }
}

static void make_cells(moves *m, const taskfit_node *given) {
    for (size_t i = 0; i < m->judge->n_machines; i++) {
        const taskfit_judged_machine *machine = &m->judge->machines[i];
        for (size_t t = 0; t < machine->n_tasks; t++) {
            add_cell(m, i, machine->tasks[t].service, machine->tasks[t].count);
        }
    }
    for (size_t i = 0; i < m->n_steps; i++) {
        add_cell(m, m->steps[i].from, m->steps[i].service, 0);
        add_cell(m, m->steps[i].to, m->steps[i].service, 0);
    }
    add_given_cells(m, given);
    if (m->n_cells > 0) {
        qsort(m->cells, m->n_cells, sizeof *m->cells, cell_compare);
    }
    size_t n = 0;
    for (size_t i = 0; i < m->n_cells; i++) {
        if (n > 0 && cell_compare(&m->cells[n - 1], &m->cells[i]) == 0) {
            m->cells[n - 1].after += m->cells[i].after;
        } else {
            m->cells[n++] = m->cells[i];
        }
    }
    m->n_cells = n;
    size_t next = 0;
    for (size_t p = 0; p < m->n_places; p++) {
        m->places[p].first_cell = next;
        while (next < n && m->cells[next].place == p) {
            next++;
        }
        m->places[p].end_cell = next;
    }
}

taskfit_given_cell *taskfit_given_find(const taskfit_given_moves *m, size_t at, size_t service) {
    const cell key = {.place = at, .service = service};
    return bsearch(&key, m->cells, m->n_cells, sizeof key, cell_compare);
}

const char *taskfit_given_id(const taskfit_given_moves *m, size_t at, bool target) {
    const place *of = &m->places[at];
    return (target && of->id) || !of->was ? of->id : of->was;
}

bool taskfit_given_read(taskfit_given_moves *m, const taskfit_node *document, const taskfit_node *given) {
    m->document = document;
    m->n_given = count_of(taskfit_node_get(document, "from"), "instances");
    m->tasks = count_of(document, "tasks");
    m->of = count_of(document, "of");
    m->kept = count_of(document, "kept");
    m->starts = count_of(document, "starts");
    m->stops = count_of(document, "stops");
    const taskfit_node *removed = list_of(document, "removed");
    if (m->n_given < 0 || m->tasks < 0 || m->of < 0 || m->kept < 0 || m->starts < 0 || m->stops < 0 || !removed) {
        return tell(m, "a figure is no whole number, or 'removed' no list");
    }
    m->n_places = m->judge->n_machines + removed->n + 1;
    m->spare = m->n_places - 1;
    m->places = TASKFIT_ARRAY(m->judge->arena, m->n_places, place);
    m->sound = true;
    if (!read_instances(m) || !read_given_ids(m, removed) || !read_spare(m) || !read_waiting(m)) {
        return false;
    }
    name_services(m, given);
    if (!read_steps(m)) {
        return false;
    }
    make_cells(m, given);
    return true;
}

/* ---- against the given plan itself ---- */

/* An instance stays as it is: type and AZ, and the group where the deployment has such instances in it. */
static void compare_instance(moves *m, const taskfit_node *old, const taskfit_node *new, size_t at) {
    static const char *const keys[] = {"type", "availabilityZone", "group"};
    size_t group = 0;
    size_t type = 0;
    size_t az = 0;
    const size_t n_keys = locate(m->judge->deployment, old, &group, &type, &az) ? 3 : 2;
    for (size_t k = 0; k < n_keys; k++) {
        const char *before = text_of(old, keys[k]);
        const char *after = text_of(new, keys[k]);
        if (!before || !after || strcmp(before, after) != 0) {
            taskfit_judge_tell(m->judge, "moves: '%s' cannot have been '%s': %s '%s' was '%s' (rule: moves)",
                               taskfit_given_id(m, at, false), m->places[at].was, keys[k], after ? after : "", before ? before : "");
        }
    }
}

/* The entry of `waitingOn`. */
static const taskfit_node *waiting_node(const moves *m, const char *id) {
    const taskfit_node *list = list_of(m->document, "waitingOn");
    for (size_t i = 0; list && i < list->n; i++) {
        const char *other = text_of(list->items[i], "id");
        if (other && strcmp(other, id) == 0) {
            return list->items[i];
        }
    }
    return NULL;
}

/* What it held, against where the steps lead back to. */
static void compare_tasks(moves *m, const taskfit_node *old, size_t at) {
    const taskfit_node *tasks = list_of(old, "tasks");
    const size_t n = m->places[at].end_cell - m->places[at].first_cell;
    int64_t *held = TASKFIT_ARRAY(m->judge->arena, n, int64_t);
    for (size_t t = 0; tasks && t < tasks->n; t++) {
        const char *service = text_of(tasks->items[t], "service");
        const int64_t count = count_of(tasks->items[t], "count");
        if (service && count > 0) {
            held[(size_t)(taskfit_given_find(m, at, look_up(m->known, m->n_services, service)) - m->cells) - m->places[at].first_cell] += count;
        }
    }
    for (size_t i = 0; i < n; i++) {
        cell *of = &m->cells[m->places[at].first_cell + i];
        if (m->ordered && m->sound && held[i] != of->before) {
            taskfit_judge_tell(m->judge, "moves: '%s' of the given plan holds %s tasks of '%s', the steps begin with %s (rule: moves)",
                               m->places[at].was, taskfit_judge_number(m->judge, held[i]), m->services[of->service],
                               taskfit_judge_number(m->judge, of->before));
        }
        of->before = held[i];
    }
}

bool taskfit_given_compare(taskfit_given_moves *m, const taskfit_node *given, const char *sha256) {
    const taskfit_node *fleet = list_of(given, "fleet");
    const char *stated = text_of(taskfit_node_get(m->document, "from"), "sha256");
    if (sha256 && stated && strcmp(stated, sha256) != 0) {
        taskfit_judge_tell(m->judge, "moves: from.sha256 is that of another file (rule: moves)");
    }
    if (!fleet || fleet->n != m->n_given_ids) {
        taskfit_judge_tell(m->judge, "moves: the given plan has %zu instances, %zu are told of (rule: moves)", fleet ? fleet->n : 0,
                           m->n_given_ids);
        return false;
    }
    for (size_t i = 0; i < fleet->n; i++) {
        const char *id = text_of(fleet->items[i], "id");
        const size_t at = id ? look_up(m->given_ids, m->n_given_ids, id) : SIZE_MAX;
        if (at == SIZE_MAX) {
            taskfit_judge_tell(m->judge, "moves: '%s' of the given plan is not told of (rule: moves)", id ? id : "");
            return false;
        }
        if (m->places[at].id) {
            compare_instance(m, fleet->items[i], m->judge->machines[at].node, at);
        } else if (m->places[at].capacity) {
            compare_instance(m, fleet->items[i], waiting_node(m, id), at);
        }
        compare_tasks(m, fleet->items[i], at);
    }
    return true;
}
