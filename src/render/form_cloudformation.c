#include "render/renderer.h"
void taskfit_render_cloudformation(taskfit_renderer *render) { (void)render; }
