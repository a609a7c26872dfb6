# Helm values and Kubernetes manifests: autoscaling, CPU, sidecars in both forms, several documents, holes
taskfit import helm "$DATA/import/helm-release.yaml" --replicas max
taskfit import auto "$DATA/import/helm-cpu.yaml"
taskfit import auto "$DATA/import/helm-manifests.yaml"
taskfit import helm "$DATA/import/helm-ugly.yaml"; echo $?
printf 'a: {resources: {}}\n---\nb: [\n' | taskfit import helm -; echo $?
printf 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\n' | taskfit import helm -; echo $?
