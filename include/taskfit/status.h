#ifndef TASKFIT_STATUS_H
#define TASKFIT_STATUS_H

/*
 * How a call ended. A call's status is not the outcome of a solve: "infeasible" is an answer
 * (taskfit_outcome), never a status.
 */
typedef enum taskfit_status {
    TASKFIT_OK = 0,
    TASKFIT_E_INPUT = -1,    /* the bytes given are not a valid input; the caller can mend them */
    TASKFIT_E_ARGUMENT = -2, /* a setting or argument is out of range */
    TASKFIT_E_SYSTEM = -3,   /* the operating system refused (open, read, write) */
    TASKFIT_E_INTERNAL = -4  /* taskfit itself failed, for example a plan its verifier refused */
} taskfit_status;

/* What went wrong. Owned by the caller, no allocation: it can be copied and thrown away freely. */
typedef struct taskfit_error {
    taskfit_status status;
    char where[256];   /* "prod.yaml:12:15: services[3].memory", or "" where there is no place */
    char message[512]; /* lower case, no full stop, the remedy in parentheses */
} taskfit_error;

#endif
