#include "cli/cmd.h"
#include "cli/io.h"

int cli_cmd_version(const cli_options *options) {
    (void)options;
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&text, "taskfit %s\ninstance types: %s\n", TASKFIT_VERSION,
                          taskfit_catalogue_source(taskfit_catalogue_builtin()));
    return cli_print(&text);
}
