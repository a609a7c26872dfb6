#ifndef TASKFIT_IMPORT_COMMENTS_H
#define TASKFIT_IMPORT_COMMENTS_H

/*
 * The comments of a deployment that is imported into. The tree does not know them: they are found in the text that it was read
 * from and put back at the same keys and items in the text that it is written as. Notes of an earlier import, which start with
 * TASKFIT_IMPORT_COMMENT, are left out.
 */

#include "import/import.h"

#define TASKFIT_IMPORT_COMMENT "# import: "

/* `root` was read from `into` and then changed; `yaml` is how it is written now. Appends that with the comments. False, and nothing
 * appended, when that would not mean the same any more, or lines are ended as only YAML does (a lone CR, U+2028). */
bool taskfit_import_restore_comments(const taskfit_import_file *into, const taskfit_node *root, const char *yaml, taskfit_strbuf *out);

#endif
