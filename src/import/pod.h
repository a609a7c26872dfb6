#ifndef TASKFIT_IMPORT_POD_H
#define TASKFIT_IMPORT_POD_H

/* What Helm values and Kubernetes manifests have in common: a pod's containers with requests, limits and environment. */

#include "import/import.h"

/* Reads resources (requests, limits), env and extraEnvVars (JAVA_OPTIONS, JAVA_OPTS, JAVA_TOOL_OPTIONS) and extraJavaOpts of `body`.
 * A request that is missing is the limit, as in Kubernetes; where there is neither, named defaults are assumed. CPU limits have no
 * place on Amazon ECS. */
void taskfit_import_pod_container(taskfit_importer *importer, const taskfit_import_service *service,
                                  taskfit_import_container *container, const taskfit_node *body);
/* "nginx:1.28" from a text, or from a map {registry, repository, tag}; NULL: neither. */
const char *taskfit_import_pod_image(taskfit_importer *importer, const taskfit_node *image);

#endif
