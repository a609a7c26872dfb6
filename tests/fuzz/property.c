#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

void fuzz_require(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "fuzz: does not hold: %s\n", what);
        abort();
    }
}

/* Quotes that make no difference come and go in YAML; what each scalar means is seen in its JSON. */
void fuzz_round_trips(taskfit_arena *arena, const taskfit_node *root) {
    TASKFIT_STRBUF(json);
    taskfit_node_write_json(root, &json);
    taskfit_node *from_json = NULL;
    fuzz_require(taskfit_node_read_json(arena, "", json.data, json.len, &from_json, NULL) == TASKFIT_OK, "own JSON is read");
    TASKFIT_STRBUF(json_again); /* 1e3 has become 1000 */
    taskfit_node_write_json(from_json, &json_again);
    taskfit_node *again = NULL;
    fuzz_require(taskfit_node_read_json(arena, "", json_again.data, json_again.len, &again, NULL) == TASKFIT_OK, "JSON again");
    fuzz_require(taskfit_node_equal(again, from_json), "JSON gives an equal tree");

    TASKFIT_STRBUF(yaml);
    taskfit_node_write_yaml(root, &yaml);
    taskfit_node *from_yaml = NULL;
    fuzz_require(taskfit_node_read_yaml(arena, "", yaml.data, yaml.len, &from_yaml, NULL) == TASKFIT_OK, "own YAML is read");
    TASKFIT_STRBUF(yaml_as_json);
    taskfit_node_write_json(from_yaml, &yaml_as_json);
    TASKFIT_STRBUF(yaml_again);
    taskfit_node_write_yaml(from_yaml, &yaml_again);

    fuzz_require(strcmp(yaml.data, yaml_again.data) == 0, "YAML written twice is the same");
    fuzz_require(strcmp(yaml_as_json.data, json.data) == 0, "YAML means the same as JSON");
    fuzz_require(taskfit_node_equal(taskfit_node_copy(arena, root), root), "a copy is equal");
}
