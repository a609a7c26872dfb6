/* What Amazon ECS or the JVM would not take as it was stated: mended where the meaning is plain, else doubted. */
#include <string.h>

#include "import/import.h"

/* A hard limit below the soft one: the columns were exchanged. */
static void mend_limits(taskfit_importer *importer, const taskfit_import_service *service, size_t index) {
    taskfit_import_quantity *memory = &service->containers[index]->amounts[TASKFIT_IMPORT_MEMORY];
    taskfit_import_quantity *reservation = &service->containers[index]->amounts[TASKFIT_IMPORT_RESERVATION];
    if (memory->value < 0 || reservation->value <= memory->value) {
        return;
    }
    taskfit_import_note(importer, TASKFIT_IMPORT_REPAIRED, reservation->position, service->name,
                        "container '%s': soft limit %lld above hard limit %lld (they are exchanged)",
                        taskfit_import_container_name(service, index), (long long)reservation->value, (long long)memory->value);
    const taskfit_import_quantity kept = *memory;
    *memory = *reservation;
    *reservation = kept;
}

static void doubt_heap(taskfit_importer *importer, const taskfit_import_service *service, size_t index) {
    const taskfit_import_quantity *amounts = service->containers[index]->amounts;
    const bool is_hard = amounts[TASKFIT_IMPORT_MEMORY].value >= 0;
    const taskfit_import_quantity *limit = &amounts[is_hard ? TASKFIT_IMPORT_MEMORY : TASKFIT_IMPORT_RESERVATION];
    const taskfit_import_quantity *xmx = &amounts[TASKFIT_IMPORT_XMX];
    if (limit->value >= 0 && xmx->value > limit->value) {
        taskfit_import_note(importer, TASKFIT_IMPORT_DOUBTFUL, xmx->position, service->name,
                            "container '%s': Xmx %lld MiB above the %s limit of %lld MiB",
                            taskfit_import_container_name(service, index), (long long)xmx->value, is_hard ? "hard" : "soft",
                            (long long)limit->value);
    }
}

/* Fine for sizing, not for task definitions. */
static void remark_images(taskfit_importer *importer) {
    size_t n = 0;
    const taskfit_import_text *first = NULL;
    for (size_t i = 0; i < importer->n_services; i++) {
        const taskfit_import_service *service = importer->services[i];
        for (size_t container = 0; container < service->n_containers; container++) {
            const taskfit_import_text *image = &service->containers[container]->image;
            if (image->text && !strchr(image->text, '/')) {
                first = first ? first : image;
                n++;
            }
        }
    }
    if (first) {
        taskfit_import_note(importer, TASKFIT_IMPORT_REMARK, first->position, NULL,
                            n > 2   ? "image '%s' and %zu others name no repository"
                            : n > 1 ? "image '%s' and another name no repository"
                                    : "image '%s' names no repository",
                            first->text, n - 1);
    }
}

void taskfit_import_check(taskfit_importer *importer) {
    remark_images(importer);
    for (size_t i = 0; i < importer->n_services; i++) {
        const taskfit_import_service *service = importer->services[i];
        for (size_t container = 0; container < service->n_containers; container++) {
            mend_limits(importer, service, container);
            doubt_heap(importer, service, container);
        }
    }
}
