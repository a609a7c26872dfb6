#include "render/renderer.h"
void taskfit_render_kubernetes(taskfit_renderer *render) { (void)render; }
