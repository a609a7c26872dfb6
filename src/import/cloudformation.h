#ifndef TASKFIT_IMPORT_CLOUDFORMATION_H
#define TASKFIT_IMPORT_CLOUDFORMATION_H

/* AWS::ECS::TaskDefinition and AWS::ECS::Service of CloudFormation templates, turned into the form of the API. */

#include "import/ecs.h"

/* A map with Resources, one of which is of AWS::ECS. */
bool taskfit_is_cloudformation(const taskfit_node *root);
/* Adds a service for each AWS::ECS::Service, and for each task definition that none of them names. */
void taskfit_cloudformation_read(taskfit_ecs_reader *reader, const taskfit_node *root);

#endif
