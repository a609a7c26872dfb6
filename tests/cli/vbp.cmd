# the benchmark program that `make` leaves beside taskfit: one line for each file, what is wrong, exit statuses
pack() { vbp "$@" | cut -d, -f1-3; }
status() { "$@" >out 2>err; echo "exit $?"; cat err; }
printf '1\n10\n2\n6 4\n5 2\n' >one.vbp # what binds on 4 bins does not bind on 5
printf '2\n10 10\n3\n6 1 4\n5 6 2\n1 6 3\n' >two.vbp
printf '1\n10\n2\n0 5\n3 0\n' >sizeless.vbp
printf '2\n7 0\n0\n' >nothing.vbp
pack one.vbp two.vbp sizeless.vbp nothing.vbp
generate caprara-toth 6 51 1 >six.vbp
pack six.vbp
pack six.vbp --time-limit 0 | grep -q '^six.vbp,[0-9]*,[0-9]*$' && echo limited
vbp one.vbp | grep -E -c '^one.vbp,5,5,[a-z]+,[0-9]+\.[0-9]{3},[0-9]+$'
: >empty.vbp
echo '2 x' >word.vbp
printf '1\n10\n1\n11 1\n' >large.vbp
printf '1\n10\n1\n3 2\nmore' >more.vbp
printf '1\n10\n1\n1 4194305\n' >many.vbp
printf '1\n10\n1\n-1 1\n' >negative.vbp
for file in none.vbp . empty.vbp word.vbp large.vbp more.vbp many.vbp negative.vbp; do status vbp "$file"; done
status vbp one.vbp none.vbp # goes on after a bad file
cut -d, -f1-3 out
status vbp
status vbp one.vbp --time-limit
status vbp one.vbp --time-limit soon
status vbp --slow one.vbp
status vbp --help
cat out
status generate caprara-toth 10 50 1
