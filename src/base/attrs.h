#ifndef TASKFIT_BASE_ATTRS_H
#define TASKFIT_BASE_ATTRS_H

/* Compiler attributes, each in one place; gcc and clang have them all. */

#define TASKFIT_PRINTF(format_index, first_argument) __attribute__((format(printf, format_index, first_argument)))
#define TASKFIT_MUST_USE __attribute__((warn_unused_result))
/* Not _Noreturn, which cppcheck does not heed. */
#define TASKFIT_NO_RETURN __attribute__((noreturn))
#define TASKFIT_UNUSED __attribute__((unused))
#define TASKFIT_ALLOCATES __attribute__((malloc, returns_nonnull))
/* Runs cleanup_function(&variable) when the variable goes out of scope; not on longjmp or exit. */
#define TASKFIT_CLEANUP(cleanup_function) __attribute__((cleanup(cleanup_function)))

#endif
