# eureka-cli's configuration: defaults of the tool, sidecars for all but the managers, a native sidecar, oddities
taskfit import eureka-cli "$DATA/import/eureka-cli-ecs.yaml"
taskfit import auto "$DATA/import/eureka-cli-native.yaml" --type m6i.xlarge
taskfit import eureka-cli "$DATA/import/eureka-cli-ugly.yaml"; echo $?
printf 'backend-modules: [a]\n' | taskfit import eureka-cli -; echo $?
printf 'backend-modules: {a: {resources: {cpus: many, memory: x}}}\n' | taskfit import eureka-cli -; echo $?
