#include "render/task_size.h"

#include <string.h>

#include "base/units.h"
#include "base/utf8.h"
#include "render/nodes.h"

/* "1024", or a decimal number of `unit` (in lower case; a blank may stand before it), each of 1024. */
static int64_t parse(const char *text, const char *unit) {
    size_t len = strlen(text);
    const size_t unit_len = strlen(unit);
    int64_t value = 0;
    const char *why = NULL;
    if (taskfit_parse_count(text, len, 0, TASKFIT_QUANTITY_MAX, &value, &why)) {
        return value;
    }
    if (len <= unit_len || !taskfit_is_word(text + len - unit_len, unit_len, unit)) {
        return TASKFIT_TASK_SIZE_BAD;
    }
    len -= unit_len;
    len -= len > 0 && text[len - 1] == ' ';
    TASKFIT_STRBUF(number);
    taskfit_strbuf_adds(&number, *text == '.' ? "0" : ""); /* ".5 vCPU" is fine too */
    taskfit_strbuf_add(&number, text, len);
    int64_t millionths = 0;
    if (!taskfit_parse_usd_micros(number.data, number.len, &millionths, &why) || millionths * 1024 % 1000000 != 0) {
        return TASKFIT_TASK_SIZE_BAD;
    }
    return millionths * 1024 / 1000000;
}

static int64_t size_of(const taskfit_node *task_definition, const char *key, const char *unit) {
    const char *text = taskfit_text_of(task_definition, key);
    return text == NULL ? TASKFIT_TASK_SIZE_ABSENT : parse(text, unit);
}

int64_t taskfit_task_cpu_units(const taskfit_node *task_definition) {
    return size_of(task_definition, "cpu", "vcpu");
}

int64_t taskfit_task_memory_mib(const taskfit_node *task_definition) {
    return size_of(task_definition, "memory", "gb");
}
