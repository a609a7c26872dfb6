# an array of all that is odd; figures of a table laid into a deployment in long form
taskfit import auto "$DATA/import/taskdef-ugly.json" --comments --type m6i.large >ugly.yaml
cat ugly.yaml
taskfit size ugly.yaml --no-ladder -q | head -2
printf 'Module,Mem Hard Limit,Mem Soft Limit,CPU\nmod-data-import,3072,2048,256\nmod-data-import - Sidecar 1,256,128,0\n' >table.csv
taskfit import table table.csv --into ugly.yaml | diff ugly.yaml -
echo '--- a definition with three containers into short form'
printf 'taskfit: 1\ncluster: {}\nservices: {mod-data-import: {memory: 2Gi, memoryReservation: 1024, desiredCount: 2}}\n' >short.yaml
taskfit import taskdef "$DATA/import/taskdef-ugly.json" --into short.yaml -q; echo $?
taskfit import taskdef "$DATA/import/taskdef-register.json" --into short.yaml -q
