#include "import/columns.h"

#include <string.h>

#include "base/utf8.h"

/* Headers in small letters, letters and digits only, what stands in parentheses apart. */
static const struct {
    const char *header;
    taskfit_column_kind kind;
    taskfit_import_amount amount;
} synonyms[] = {
    {"module", TASKFIT_COLUMN_NAME, 0},
    {"modules", TASKFIT_COLUMN_NAME, 0},
    {"modulename", TASKFIT_COLUMN_NAME, 0},
    {"service", TASKFIT_COLUMN_NAME, 0},
    {"services", TASKFIT_COLUMN_NAME, 0},
    {"servicename", TASKFIT_COLUMN_NAME, 0},
    {"name", TASKFIT_COLUMN_NAME, 0},
    {"moduleversion", TASKFIT_COLUMN_VERSION, 0},
    {"version", TASKFIT_COLUMN_VERSION, 0},
    {"image", TASKFIT_COLUMN_VERSION, 0},
    {"imageversion", TASKFIT_COLUMN_VERSION, 0},
    {"taskcount", TASKFIT_COLUMN_COUNT, 0},
    {"taskscount", TASKFIT_COLUMN_COUNT, 0},
    {"tasks", TASKFIT_COLUMN_COUNT, 0},
    {"numberoftasks", TASKFIT_COLUMN_COUNT, 0},
    {"count", TASKFIT_COLUMN_COUNT, 0},
    {"desiredcount", TASKFIT_COLUMN_COUNT, 0},
    {"replicas", TASKFIT_COLUMN_COUNT, 0},
    {"replicacount", TASKFIT_COLUMN_COUNT, 0},
    {"memhardlimit", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_MEMORY},
    {"memoryhardlimit", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_MEMORY},
    {"hardlimit", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_MEMORY},
    {"memhard", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_MEMORY},
    {"hard", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_MEMORY},
    {"memorylimit", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_MEMORY},
    {"memlimit", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_MEMORY},
    {"memory", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_MEMORY},
    {"memsoftlimit", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_RESERVATION},
    {"memorysoftlimit", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_RESERVATION},
    {"softlimit", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_RESERVATION},
    {"memsoft", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_RESERVATION},
    {"soft", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_RESERVATION},
    {"memoryreservation", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_RESERVATION},
    {"memreservation", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_RESERVATION},
    {"reservation", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_RESERVATION},
    {"cpuunits", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_CPU},
    {"cpuunit", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_CPU},
    {"cpu", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_CPU},
    {"xmx", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_XMX},
    {"maxheap", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_XMX},
    {"maxheapsize", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_XMX},
    {"xms", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_XMS},
    {"metaspacesize", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_METASPACE},
    {"metaspace", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_METASPACE},
    {"maxmetaspacesize", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_MAX_METASPACE},
    {"maxmetaspace", TASKFIT_COLUMN_AMOUNT, TASKFIT_IMPORT_MAX_METASPACE},
    {"javaoptions", TASKFIT_COLUMN_JVM, 0},
    {"javaopts", TASKFIT_COLUMN_JVM, 0},
    {"jvmoptions", TASKFIT_COLUMN_JVM, 0},
    {"jvmflags", TASKFIT_COLUMN_JVM, 0},
    {"rwsplitenabled", TASKFIT_COLUMN_SPLIT, 0},
    {"rwsplit", TASKFIT_COLUMN_SPLIT, 0},
    {"readwritesplit", TASKFIT_COLUMN_SPLIT, 0},
    {"readwritesplitenabled", TASKFIT_COLUMN_SPLIT, 0},
    {"taskdefrevision", TASKFIT_COLUMN_REVISION, 0},
    {"taskdefinitionrevision", TASKFIT_COLUMN_REVISION, 0},
    {"revision", TASKFIT_COLUMN_REVISION, 0},
};
enum { N_SYNONYMS = sizeof synonyms / sizeof synonyms[0] };

/* Units as headers put them, "Mem Hard Limit (MiB)". */
static const struct {
    const char *word, *unit;
    bool is_guess;
} units[] = {
    {"mib", "Mi", false}, {"mi", "Mi", false}, {"m", "Mi", false},       {"mb", "Mi", true},         {"gib", "Gi", false},
    {"gi", "Gi", false},  {"g", "Gi", false},  {"gb", "Gi", true},       {"millicores", "m", false}, {"units", "", false},
    {"mcpu", "m", false}, {"vcpu", " vCPU", false}, {"cores", " vCPU", false},
};

static bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* Letters and digits of the text, up to the first parenthesis, and of what stands in it. */
static void split_header(const char *text, size_t len, taskfit_strbuf *word, taskfit_strbuf *unit) {
    taskfit_strbuf *out = word;
    for (size_t i = 0; i < len; i++) {
        const char c = taskfit_ascii_lower(text[i]);
        if (c == '(' || c == '[' || c == ',') {
            out = unit;
        } else if (is_letter_or_digit(c)) {
            taskfit_strbuf_addc(out, c);
        }
    }
}

static void set_unit(taskfit_column *column, const char *word) {
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(units[i].word, word) == 0) {
            column->unit = units[i].unit;
            column->is_guess = units[i].is_guess;
        }
    }
}

static taskfit_column read_header(const char *text, size_t len) {
    TASKFIT_STRBUF(word);
    TASKFIT_STRBUF(unit);
    split_header(text, len, &word, &unit);
    taskfit_column column = {.kind = TASKFIT_COLUMN_UNKNOWN, .unit = ""};
    for (size_t i = 0; i < N_SYNONYMS; i++) {
        if (strcmp(synonyms[i].header, word.data) == 0) {
            column.kind = synonyms[i].kind;
            column.amount = synonyms[i].amount;
            column.zero_is_absent = column.kind == TASKFIT_COLUMN_AMOUNT && column.amount != TASKFIT_IMPORT_CPU;
            set_unit(&column, unit.data);
        }
    }
    return column;
}

/* Bytes of the first word of a header cell; what follows may be the cluster and the date. */
static size_t first_word(const char *text) {
    return strcspn(text, " \n<");
}

static bool is_known_before(const taskfit_column *columns, size_t n, const taskfit_column *column) {
    for (size_t i = 0; i < n; i++) {
        if (columns[i].kind == column->kind && columns[i].amount == column->amount) {
            return true;
        }
    }
    return false;
}

bool taskfit_columns_of(taskfit_arena *arena, const taskfit_row *row, taskfit_column **columns_out) {
    enum { NEEDED = 2, COLUMNS_MAX = 1000 };
    if (row->n_cells > COLUMNS_MAX) {
        return false;
    }
    taskfit_column *columns = TASKFIT_ARRAY(arena, row->n_cells, taskfit_column);
    size_t n_known = 0;
    size_t n_limits = 0;
    for (size_t i = 0; i < row->n_cells; i++) {
        const char *text = row->cells[i].text;
        columns[i] = read_header(text, strlen(text));
        if (columns[i].kind == TASKFIT_COLUMN_UNKNOWN) { /* with a cluster and a date behind the word */
            taskfit_column first = read_header(text, first_word(text));
            columns[i] = first.kind == TASKFIT_COLUMN_NAME ? first : columns[i];
        }
        if (is_known_before(columns, i, &columns[i])) {
            columns[i].kind = TASKFIT_COLUMN_UNKNOWN;
        }
        columns[i].header = row->cells[i];
        n_known += columns[i].kind != TASKFIT_COLUMN_UNKNOWN;
        n_limits += columns[i].kind == TASKFIT_COLUMN_AMOUNT || columns[i].kind == TASKFIT_COLUMN_JVM;
    }
    *columns_out = columns;
    return n_known > NEEDED && n_limits > 0;
}

/* "2023-10-25", "10/25/2023", "14:30". */
static bool is_date(const char *word, size_t len) {
    size_t n_digits = 0;
    for (size_t i = 0; i < len; i++) {
        if (!(word[i] >= '0' && word[i] <= '9') && !strchr("-/.:,TZ+", word[i])) {
            return false;
        }
        n_digits += word[i] >= '0' && word[i] <= '9';
    }
    return n_digits > 0;
}

static void add_word(taskfit_strbuf *out, const char *word, size_t len) {
    taskfit_strbuf_add(out, " ", out->len > 0);
    taskfit_strbuf_add(out, word, len);
}

void taskfit_header_remarks(taskfit_arena *arena, const taskfit_cell *header, const char **cluster_out, const char **date_out) {
    TASKFIT_STRBUF(cluster);
    TASKFIT_STRBUF(date);
    const char *at = header->text + first_word(header->text);
    while (*at) {
        const bool is_break = taskfit_is_word(at, strcspn(at, ">") + (strchr(at, '>') != NULL), "<br>") ||
                              taskfit_is_word(at, strcspn(at, ">") + (strchr(at, '>') != NULL), "<br/>");
        const size_t blanks = is_break ? strcspn(at, ">") + 1 : strspn(at, " \n");
        at += blanks;
        const size_t len = blanks > 0 ? strcspn(at, " \n<") : strcspn(at + 1, " \n<") + 1;
        if (len > 0 && *at) {
            add_word(is_date(at, len) ? &date : &cluster, at, len);
            at += len;
        }
    }
    *cluster_out = cluster.len > 0 ? taskfit_arena_strdup(arena, cluster.data) : NULL;
    *date_out = date.len > 0 ? taskfit_arena_strdup(arena, date.data) : NULL;
}
