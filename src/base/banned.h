#ifndef TASKFIT_BASE_BANNED_H
#define TASKFIT_BASE_BANNED_H

/*
 * Functions that must not compile in taskfit: they overflow, depend on the locale, or hide errors.
 * The Makefile includes this file before every source of src/, so the system headers come first.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* glibc makes it a macro for compilers without __va_arg_pack (clang) under _FORTIFY_SOURCE. */
#undef sprintf

#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf gets strtok atoi atol atoll atof
#pragma GCC poison strtol strtoll strtoul strtoull strtod sscanf localtime gmtime setlocale rand srand

#endif
