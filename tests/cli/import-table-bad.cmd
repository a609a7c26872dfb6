# what no table is, and cells that are no figures
echo 'mod-users 1024' >text.txt
taskfit import table text.txt; echo $?
taskfit import auto text.txt; echo $?
cat >cells.txt <<'END'
Module | Task Count | Mem Hard Limit | Mem Soft Limit | CPU Units
mod-a | two | 1024x | 896 | 128
mod-b | 2 | 1.5 | -1 | 1.5
mod-c - Sidecar 1 | N/A | 512 | 256 | 0
mod-d | 2 | 99999999999999 | 1 | 1
mod-e | 2 | 1024 | 896 | 128
mod-e | 3 | 1024 | 512 | 128
END
taskfit import table cells.txt; echo $?
printf 'Module,Mem Hard Limit,CPU\nmod-\377,1,2\n' >latin1.csv
taskfit import auto latin1.csv; echo $?
printf 'Module,Mem Hard Limit,CPU\nmod\0,1,2\n' >nul.csv
taskfit import table nul.csv; echo $?
printf 'Module,Mem Hard Limit,CPU\n' >header.csv
taskfit import table header.csv; echo $?
: >empty
taskfit import table empty; echo $?
taskfit import auto empty; echo $?
