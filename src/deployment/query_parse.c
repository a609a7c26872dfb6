#include "deployment/query_tree.h"

#include <string.h>

#include "deployment/query.h"

enum { NESTING_MAX = 100, NAME_MAX_LENGTH = 128 };

typedef struct parser {
    taskfit_arena *arena;
    const char *text;
    const char *at;
    int nesting;
    taskfit_error *err;
} parser;

static const struct operator_row {
    const char *symbol, *word;
    taskfit_query_operator operator;
    bool negative, list;
} operators[] = {
    /* longer symbols first where one begins another */
    {"==", "equals", TASKFIT_QUERY_IN, false, false},
    {"!=", "not_equals", TASKFIT_QUERY_IN, true, false},
    {">=", "greater_than_equal", TASKFIT_QUERY_GREATER_EQUAL, false, false},
    {"<=", "less_than_equal", TASKFIT_QUERY_LESS_EQUAL, false, false},
    {">", "greater_than", TASKFIT_QUERY_GREATER, false, false},
    {"<", "less_than", TASKFIT_QUERY_LESS, false, false},
    {"=~", "matches", TASKFIT_QUERY_MATCHES, false, false},
    {"!~", "not_matches", TASKFIT_QUERY_MATCHES, true, false},
    {"!exists", "not_exists", TASKFIT_QUERY_EXISTS, true, false},
    {"!in", "not_in", TASKFIT_QUERY_IN, true, true},
    {NULL, "exists", TASKFIT_QUERY_EXISTS, false, false},
    {NULL, "in", TASKFIT_QUERY_IN, false, true},
};

/* Subjects beside attribute:NAME. The guide allows all of them == and !=, some < and its kin, the others in and =~. */
static const struct subject_row {
    const char *name;
    bool order, others;
} subjects[] = {
    {"task:group", true, true}, /* what else it must be, query.c says */
    {"agentConnected", false, true},
    {"ec2InstanceId", false, true},
    {"agentVersion", true, false},
    {"registeredAt", true, false},
    {"runningTasksCount", true, false},
};

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_word(char c) {
    return c != '\0' && !is_blank(c) && !strchr("=!<>~()[],&|'\"", c);
}

static bool is_continuation(char c) { /* of a UTF-8 character */
    return ((unsigned char)c & 0xc0) == 0x80;
}

static void skip_blanks(parser *p) {
    while (is_blank(*p->at)) {
        p->at++;
    }
}

/* Fails with `what`, then what stands at the cursor. */
static taskfit_status fail_here(parser *p, const char *what) {
    size_t len = 0;
    while ((len < 40 || is_continuation(p->at[len])) && is_word(p->at[len])) {
        len++;
    }
    if (*p->at == '\0') {
        return taskfit_fail(p->err, TASKFIT_E_INPUT, "%s at the end of the expression", what);
    }
    return taskfit_fail(p->err, TASKFIT_E_INPUT, "%s at character %zu, before '%.*s'", what, (size_t)(p->at - p->text) + 1,
                        (int)(len > 0 ? len : 1), p->at);
}

/* Takes `text` if it stands at the cursor; one that ends in a letter must end there. */
static bool accept(parser *p, const char *text) {
    skip_blanks(p);
    size_t len = strlen(text);
    if (strncmp(p->at, text, len) != 0 || (is_word(text[len - 1]) && is_word(p->at[len]))) {
        return false;
    }
    p->at += len;
    return true;
}

static const char *take(parser *p, const char *from) {
    return taskfit_arena_strndup(p->arena, from, (size_t)(p->at - from));
}

/* ---- subject operator [argument] ---- */

static taskfit_status parse_subject(parser *p, taskfit_query_node *test, const struct subject_row **row_out) {
    skip_blanks(p);
    const char *start = p->at;
    while (is_word(*p->at)) {
        p->at++;
    }
    if (p->at == start) {
        return fail_here(p, "a subject such as attribute:NAME is missing");
    }
    const char *word = take(p, start);
    *row_out = NULL;
    for (size_t s = 0; s < sizeof subjects / sizeof *subjects; s++) {
        if (strcmp(word, subjects[s].name) == 0) {
            *row_out = &subjects[s];
            test->name = subjects[s].name;
            test->of_ecs = true;
            return TASKFIT_OK;
        }
    }
    if (strncmp(word, "attribute:", 10) != 0) {
        return taskfit_fail(p->err, TASKFIT_E_INPUT, "unknown subject '%s' (an attribute is written attribute:%s)", word, word);
    }
    test->name = word + 10;
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./\\";
    size_t len = strlen(test->name);
    if (len == 0 || len > NAME_MAX_LENGTH || strspn(test->name, letters) != len) {
        return taskfit_fail(p->err, TASKFIT_E_INPUT, "'%s' is no name of an attribute (1 to 128 letters, digits, - _ . / \\)",
                            test->name);
    }
    return TASKFIT_OK;
}

static taskfit_status parse_operator(parser *p, taskfit_query_node *test, const struct subject_row *subject, bool *list_out) {
    for (size_t o = 0; o < sizeof operators / sizeof *operators; o++) {
        const struct operator_row *row = &operators[o];
        if (!(row->symbol && accept(p, row->symbol)) && !accept(p, row->word)) {
            continue;
        }
        bool order = row->operator >= TASKFIT_QUERY_GREATER && row->operator <= TASKFIT_QUERY_LESS_EQUAL;
        bool equality = row->operator == TASKFIT_QUERY_IN && !row->list;
        if (subject && !equality && !(order ? subject->order : subject->others)) {
            return taskfit_fail(p->err, TASKFIT_E_INPUT, "'%s' does not go with %s", row->word, subject->name);
        }
        test->operator = row->operator;
        test->negative = row->negative;
        *list_out = row->list;
        return TASKFIT_OK;
    }
    skip_blanks(p);
    return fail_here(p, "an operator (==, !=, >, >=, <, <=, exists, !exists, in, !in, =~, !~) is missing");
}

/* A quoted text, or a word up to a blank, &&, ||, an unbalanced ) and, in a list, a comma or ]. */
static taskfit_status parse_literal(parser *p, bool in_list, bool pattern, const char **literal_out) {
    skip_blanks(p);
    const char *start = p->at;
    if (*start == '\'' || *start == '"') {
        const char *end = strchr(start + 1, *start);
        if (!end) {
            return fail_here(p, "a quoted text that does not end");
        }
        *literal_out = taskfit_arena_strndup(p->arena, start + 1, (size_t)(end - start) - 1);
        p->at = end + 1;
        return TASKFIT_OK;
    }
    int open = 0;          /* parentheses of a pattern */
    bool in_class = false; /* between its [ and ] */
    for (; *p->at && !is_blank(*p->at); p->at++) {
        char c = *p->at;
        if (pattern && c == '\\' && p->at[1] != '\0' && !is_blank(p->at[1])) {
            p->at++;
            continue;
        }
        in_class = pattern && (in_class ? c != ']' : c == '[');
        if (in_class) {
            continue;
        }
        bool joined = open == 0 && (c == '&' || c == '|') && p->at[1] == c;
        if (joined || (in_list && (c == ',' || c == ']')) || (c == ')' && open-- == 0)) {
            break;
        }
        if (c == '(' && (!pattern || ++open > NESTING_MAX)) {
            return fail_here(p, "a parenthesis in an argument (put the argument in quotes)");
        }
    }
    if (p->at == start) {
        return fail_here(p, "an argument is missing");
    }
    *literal_out = take(p, start);
    return TASKFIT_OK;
}

static taskfit_status parse_list(parser *p, taskfit_query_node *test) {
    if (!accept(p, "[")) {
        skip_blanks(p);
        return fail_here(p, "a list such as [a, b] is missing");
    }
    size_t room = 0;
    do {
        const char *literal = NULL;
        taskfit_status status = parse_literal(p, true, false, &literal);
        if (status != TASKFIT_OK) {
            return status;
        }
        TASKFIT_GROW(p->arena, test->arguments, test->n_arguments, room);
        test->arguments[test->n_arguments++] = literal;
    } while (accept(p, ","));
    if (!accept(p, "]")) {
        skip_blanks(p);
        return fail_here(p, "a list that does not end with ]");
    }
    return TASKFIT_OK;
}

static taskfit_status parse_test(parser *p, const taskfit_query_node **node_out) {
    taskfit_query_node *test = TASKFIT_NEW(p->arena, taskfit_query_node);
    const struct subject_row *subject = NULL;
    bool list = false;
    taskfit_status status = parse_subject(p, test, &subject);
    if (status == TASKFIT_OK) {
        status = parse_operator(p, test, subject, &list);
    }
    if (status != TASKFIT_OK) {
        return status;
    }
    *node_out = test;
    if (test->operator == TASKFIT_QUERY_EXISTS) {
        return TASKFIT_OK;
    }
    if (list) {
        return parse_list(p, test);
    }
    test->arguments = TASKFIT_NEW(p->arena, const char *);
    test->n_arguments = 1;
    bool pattern = test->operator == TASKFIT_QUERY_MATCHES;
    status = parse_literal(p, false, pattern, &test->arguments[0]);
    if (status == TASKFIT_OK && pattern) {
        status = taskfit_pattern_compile(p->arena, test->arguments[0], &test->pattern, p->err);
    }
    return status;
}

/* ---- not, and, or ---- */

static taskfit_status parse_any(parser *p, const taskfit_query_node **node_out);

static const taskfit_query_node *join(parser *p, taskfit_query_kind kind, const taskfit_query_node *left,
                                      const taskfit_query_node *right) {
    taskfit_query_node *node = TASKFIT_NEW(p->arena, taskfit_query_node);
    *node = (taskfit_query_node){.kind = kind, .left = left, .right = right};
    return node;
}

static taskfit_status parse_one(parser *p, const taskfit_query_node **node_out) {
    bool negated = false;
    while (accept(p, "!") || accept(p, "not")) {
        negated = !negated;
    }
    taskfit_status status = TASKFIT_OK;
    const taskfit_query_node *node = NULL;
    if (!accept(p, "(")) {
        status = parse_test(p, &node);
    } else if (++p->nesting > NESTING_MAX) {
        status = fail_here(p, "parentheses nested too deeply");
    } else {
        status = parse_any(p, &node);
        p->nesting--;
        if (status == TASKFIT_OK && !accept(p, ")")) {
            skip_blanks(p);
            status = fail_here(p, "a ) is missing");
        }
    }
    if (status == TASKFIT_OK) {
        *node_out = negated ? join(p, TASKFIT_QUERY_NOT, node, NULL) : node;
    }
    return status;
}

static taskfit_status parse_all(parser *p, const taskfit_query_node **node_out) {
    taskfit_status status = parse_one(p, node_out);
    while (status == TASKFIT_OK && (accept(p, "&&") || accept(p, "and"))) {
        const taskfit_query_node *right = NULL;
        status = parse_one(p, &right);
        *node_out = join(p, TASKFIT_QUERY_AND, *node_out, right);
    }
    return status;
}

static taskfit_status parse_any(parser *p, const taskfit_query_node **node_out) {
    taskfit_status status = parse_all(p, node_out);
    while (status == TASKFIT_OK && (accept(p, "||") || accept(p, "or"))) {
        const taskfit_query_node *right = NULL;
        status = parse_all(p, &right);
        *node_out = join(p, TASKFIT_QUERY_OR, *node_out, right);
    }
    return status;
}

static size_t count_characters(const char *text) {
    size_t n = 0;
    for (; *text; text++) {
        n += !is_continuation(*text);
    }
    return n;
}

taskfit_status taskfit_query_parse(taskfit_arena *arena, const char *text, const taskfit_query_node **root_out,
                                   taskfit_error *err) {
    size_t n_characters = count_characters(text);
    if (n_characters > TASKFIT_QUERY_MAX) {
        return taskfit_fail(err, TASKFIT_E_INPUT, "the expression has %zu characters (at most %d)", n_characters,
                            (int)TASKFIT_QUERY_MAX);
    }
    parser p = {.arena = arena, .text = text, .at = text, .err = err};
    const taskfit_query_node *root = NULL;
    taskfit_status status = parse_any(&p, &root);
    skip_blanks(&p);
    if (status == TASKFIT_OK && *p.at != '\0') {
        status = fail_here(&p, "'and', 'or' or the end is missing");
    }
    if (status == TASKFIT_OK) {
        *root_out = root;
    }
    return status;
}
