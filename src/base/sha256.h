#ifndef TASKFIT_BASE_SHA256_H
#define TASKFIT_BASE_SHA256_H

/* SHA-256 (FIPS 180-4) of a whole text: the fingerprint by which a plan names the file it was made from. */

#include <stddef.h>

enum { TASKFIT_SHA256_HEX_SIZE = 65 };

/* Lower-case hexadecimal digits and a NUL. */
void taskfit_sha256_hex(const char *data, size_t len, char hex_out[TASKFIT_SHA256_HEX_SIZE]);

#endif
