#ifndef TASKFIT_DEPLOYMENT_WORDS_H
#define TASKFIT_DEPLOYMENT_WORDS_H

/* The words that a deployment file uses for the values of enums: one table for reading and for writing. */

#include "input/decode.h"

extern const taskfit_word taskfit_network_words[];
extern const taskfit_word taskfit_protocol_words[];
extern const taskfit_word taskfit_type_architecture_words[];    /* of instance types: x86_64, arm64 */
extern const taskfit_word taskfit_service_architecture_words[]; /* X86_64, ARM64, ANY */
extern const taskfit_word taskfit_deployment_strategy_words[];
extern const taskfit_word taskfit_scheduling_words[]; /* REPLICA 0, DAEMON 1 */
extern const taskfit_word taskfit_spread_words[];
extern const taskfit_word taskfit_rolling_words[];
extern const taskfit_word taskfit_survive_words[];
extern const taskfit_word taskfit_goal_words[];

#endif
