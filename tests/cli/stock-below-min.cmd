# a group whose stock does not make up its min
cat >few.yaml <<'END'
taskfit: 1
cluster: {instanceGroups: [{name: main, types: [{type: m6i.large, max: 2}], min: 4}]}
services: [{name: a, memory: 64}]
END
taskfit size few.yaml --no-ladder
taskfit size few.yaml --no-ladder -o json > plan.json
taskfit verify plan.json
