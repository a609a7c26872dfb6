/* YAML through libyaml's emitter, in block style. libyaml knows when punctuation needs quotes; which words and
 * numbers need them is decided here (scalar.c), since that differs between versions of YAML. */
#include <assert.h>
#include <string.h>
#include <yaml.h>

#include "base/utf8.h"
#include "input/scalar.h"

/* libyaml fails only where memory runs out: trees are UTF-8 and our events are in order. */
static void check(int ok) {
    if (!ok) {
        taskfit_oom();
    }
}

static void emit(yaml_emitter_t *emitter, yaml_event_t *event) {
    const int ok = yaml_emitter_emit(emitter, event);
    assert(ok || emitter->error == YAML_MEMORY_ERROR);
    check(ok);
}

static int append(void *sink, unsigned char *data, size_t len) {
    taskfit_strbuf_add(sink, (const char *)data, len);
    return 1;
}

static bool has_line_break(const char *text) {
    static const char *const breaks[] = {"\n", "\r", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
    for (size_t i = 0; i < sizeof breaks / sizeof breaks[0]; i++) {
        if (strstr(text, breaks[i])) {
            return true;
        }
    }
    return false;
}

static void emit_text(yaml_emitter_t *emitter, const char *text, yaml_scalar_style_t style) {
    const size_t len = strlen(text);
    assert(taskfit_utf8_valid(text, len) == len && len < INT32_MAX);
    yaml_event_t event;
    check(yaml_scalar_event_initialize(&event, NULL, NULL, (const yaml_char_t *)text, (int)len, 1, 1, style));
    emit(emitter, &event);
}

static void emit_string(yaml_emitter_t *emitter, const char *text) {
    emit_text(emitter, text,
              has_line_break(text)                 ? YAML_DOUBLE_QUOTED_SCALAR_STYLE
              : taskfit_is_ambiguous_in_yaml(text) ? YAML_SINGLE_QUOTED_SCALAR_STYLE
                                                   : YAML_PLAIN_SCALAR_STYLE);
}

static void emit_scalar(yaml_emitter_t *emitter, const taskfit_node *node) {
    const taskfit_scalar_meaning meaning = taskfit_scalar_means(node);
    if (meaning == TASKFIT_SCALAR_STRING) {
        emit_string(emitter, node->text);
    } else {
        emit_text(emitter, meaning == TASKFIT_SCALAR_NULL ? "null" : node->text, YAML_PLAIN_SCALAR_STYLE);
    }
}

static void emit_node(yaml_emitter_t *emitter, const taskfit_node *node) {
    yaml_event_t event;
    switch (node->kind) {
    case TASKFIT_NODE_SCALAR:
        emit_scalar(emitter, node);
        break;
    case TASKFIT_NODE_LIST:
        check(yaml_sequence_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_SEQUENCE_STYLE));
        emit(emitter, &event);
        for (size_t i = 0; i < node->n; i++) {
            emit_node(emitter, node->items[i]);
        }
        check(yaml_sequence_end_event_initialize(&event));
        emit(emitter, &event);
        break;
    case TASKFIT_NODE_MAP:
        check(yaml_mapping_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE));
        emit(emitter, &event);
        for (size_t i = 0; i < node->n; i++) {
            emit_string(emitter, node->entries[i].key);
            emit_node(emitter, node->entries[i].value);
        }
        check(yaml_mapping_end_event_initialize(&event));
        emit(emitter, &event);
        break;
    }
}

void taskfit_node_write_yaml(const taskfit_node *root, taskfit_strbuf *out) {
    yaml_emitter_t emitter;
    check(yaml_emitter_initialize(&emitter));
    yaml_emitter_set_output(&emitter, append, out);
    yaml_emitter_set_unicode(&emitter, 1);
    yaml_emitter_set_width(&emitter, -1); /* no folding: an image or an option stays on its line */
    yaml_event_t event;
    check(yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
    emit(&emitter, &event);
    check(yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1));
    emit(&emitter, &event);
    emit_node(&emitter, root);
    check(yaml_document_end_event_initialize(&event, 1));
    emit(&emitter, &event);
    check(yaml_stream_end_event_initialize(&event));
    emit(&emitter, &event);
    yaml_emitter_delete(&emitter);
}
