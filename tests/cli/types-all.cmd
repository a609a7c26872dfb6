# every type is there, once; arm64 and x86_64 make up all
taskfit types -o csv | tail -n +2 | wc -l
taskfit types -o csv | cut -d, -f1 | sort | uniq -d
echo $(($(taskfit types -ocsv --arch arm64 | wc -l) + $(taskfit types -ocsv --arch x86_64 | wc -l) - 2))
