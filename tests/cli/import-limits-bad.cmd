# flags without an end, no limits at all, figures that are none
printf '%s\n' 'mod-a: "-Xmx1g (Hard/Soft limits: 1/2)' 'mod-b: "-Xmx1g" (limits of old)' 'mod-c: (Hard/Soft limits: x/896)' 'nothing here' >bad.txt
taskfit import limits bad.txt; echo $?
printf 'nothing here\n' | taskfit import limits -; echo $?
