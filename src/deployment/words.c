#include "deployment/words.h"

#include "deployment/deployment.h"

const taskfit_word taskfit_network_words[] = {{"bridge", TASKFIT_NETWORK_BRIDGE},
                                              {"host", TASKFIT_NETWORK_HOST},
                                              {"awsvpc", TASKFIT_NETWORK_AWSVPC},
                                              {"none", TASKFIT_NETWORK_NONE},
                                              {NULL, 0}};
const taskfit_word taskfit_protocol_words[] = {{"tcp", TASKFIT_TCP}, {"udp", TASKFIT_UDP}, {NULL, 0}};
const taskfit_word taskfit_type_architecture_words[] = {
    {"x86_64", TASKFIT_ARCH_X86_64}, {"arm64", TASKFIT_ARCH_ARM64}, {NULL, 0}};
const taskfit_word taskfit_service_architecture_words[] = {
    {"X86_64", TASKFIT_ARCH_X86_64}, {"ARM64", TASKFIT_ARCH_ARM64}, {"ANY", TASKFIT_ARCH_ANY}, {NULL, 0}};
const taskfit_word taskfit_deployment_strategy_words[] = {{"ROLLING", TASKFIT_DEPLOY_ROLLING},
                                                          {"BLUE_GREEN", TASKFIT_DEPLOY_BLUE_GREEN},
                                                          {"CANARY", TASKFIT_DEPLOY_CANARY},
                                                          {"LINEAR", TASKFIT_DEPLOY_LINEAR},
                                                          {NULL, 0}};
const taskfit_word taskfit_scheduling_words[] = {{"REPLICA", 0}, {"DAEMON", 1}, {NULL, 0}};
const taskfit_word taskfit_spread_words[] = {
    {"required", TASKFIT_SPREAD_REQUIRED}, {"preferred", TASKFIT_SPREAD_PREFERRED}, {NULL, 0}};
const taskfit_word taskfit_rolling_words[] = {{"oneService", TASKFIT_ROLLING_ONE_SERVICE},
                                              {"none", TASKFIT_ROLLING_NONE},
                                              {"allServices", TASKFIT_ROLLING_ALL_SERVICES},
                                              {NULL, 0}};
const taskfit_word taskfit_survive_words[] = {{"none", TASKFIT_SURVIVE_NONE},
                                              {"instance", TASKFIT_SURVIVE_INSTANCE},
                                              {"availabilityZone", TASKFIT_SURVIVE_AVAILABILITY_ZONE},
                                              {NULL, 0}};
const taskfit_word taskfit_goal_words[] = {{"count", TASKFIT_GOAL_COUNT},
                                           {"cost", TASKFIT_GOAL_COST},
                                           {"balance", TASKFIT_GOAL_BALANCE},
                                           {"moves", TASKFIT_GOAL_MOVES},
                                           {NULL, 0}};

const char *taskfit_spread_policy_name(taskfit_spread_policy value) {
    return taskfit_word_text(taskfit_spread_words, (int)value);
}

const char *taskfit_rolling_policy_name(taskfit_rolling_policy value) {
    return taskfit_word_text(taskfit_rolling_words, (int)value);
}

const char *taskfit_survive_policy_name(taskfit_survive_policy value) {
    return taskfit_word_text(taskfit_survive_words, (int)value);
}

const char *taskfit_goal_name(taskfit_goal value) {
    return taskfit_word_text(taskfit_goal_words, (int)value);
}

const char *taskfit_network_mode_name(taskfit_network_mode value) {
    return taskfit_word_text(taskfit_network_words, (int)value);
}

const char *taskfit_architecture_name(taskfit_architecture value) {
    return value == TASKFIT_ARCH_ANY ? "any" : taskfit_word_text(taskfit_type_architecture_words, (int)value);
}
