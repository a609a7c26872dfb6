# Ctrl-C prints the best plan so far, and that is a success
sh "$DATA/cli/hard.sh" 2000 >hard.yaml
: >log
taskfit size hard.yaml -v -o json >plan.json 2>>log &
until grep -q 'plan of' log; do sleep 0.1; done
kill -INT $!
wait $!
echo "exit $?"
grep interrupted log
taskfit verify plan.json | sed 's/[0-9][0-9]*/N/'
