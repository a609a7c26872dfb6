#ifndef TASKFIT_SIMULATE_RESIZE_H
#define TASKFIT_SIMULATE_RESIZE_H

/* A plan's instances in other numbers. */

#include "problem/counts.h"
#include "problem/fleet.h"

/* Empty machines, in the arena: each group named in the counts has so many, balanced over its AZs, of the types the
 * fleet has it in (the first candidate where it has none); the other groups stay as they are. Canonical order, or the
 * fleet's own where nothing changes. */
taskfit_fleet *taskfit_fleet_resize(const taskfit_deployment *deployment, const taskfit_fleet *fleet, const taskfit_counts *counts,
                                    taskfit_arena *arena);

/* The type of the group's k-th machine; beyond those of the fleet it goes round again. */
size_t taskfit_fleet_type_of(const taskfit_fleet *fleet, size_t group, int64_t k);

#endif
