# FOLIO module descriptors: a released one, a template, a list of odd ones
taskfit import launch-descriptor "$DATA/import/launch-descriptor-circulation.json"
taskfit import auto "$DATA/import/launch-descriptor-template.json"
taskfit import launch-descriptor "$DATA/import/launch-descriptor-ugly.json"; echo $?
printf '{"id": "a-1", "launchDescriptor": {"dockerArgs": {"HostConfig": {"Memory": "much"}}}}' | taskfit import launch-descriptor -; echo $?
printf '{"launchDescriptor": {}}' | taskfit import launch-descriptor -; echo $?
