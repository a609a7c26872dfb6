#include "base/error.h"
#include "base/strbuf.h"
#include "deployment/deployment.h"
#include "input/node.h"
#include "taskfit/whatif.h"

taskfit_status taskfit_deployment_write(const taskfit_deployment *deployment, taskfit_format format,
                                        taskfit_write_fn *write, void *sink, taskfit_error *err) {
    TASKFIT_STRBUF(out);
    if (format == TASKFIT_FORMAT_JSON) {
        taskfit_node_write_json(deployment->resolved, &out);
    } else {
        taskfit_node_write_yaml(deployment->resolved, &out);
    }
    return write(sink, out.data, out.len) == 0 ? TASKFIT_OK
                                               : taskfit_fail(err, TASKFIT_E_SYSTEM, "cannot write the deployment");
}
