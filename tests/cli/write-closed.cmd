# standard output is closed, or its reader has gone
taskfit types >&-; echo $?
mkfifo pipe
exec 3<>pipe
head -c 1 <pipe >/dev/null &
exec 4>pipe 3<&-
echo x >&4
wait
taskfit types >&4; echo $?
taskfit types --out file >&-; echo $?
wc -l <file
