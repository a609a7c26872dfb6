# a catalogue of the user's own, also from standard input; what -o csv writes can be read back
cat >own.csv <<'END'
instance_type,arch,vcpu,mem_registered_safe_mib,usd_hour_ondemand_linux
own.large,arm64,4,8Gi,0.5
own.small,x86_64,2,900,0.25
END
taskfit types --catalogue own.csv
taskfit types --catalogue - -o wide <own.csv
taskfit types --catalogue own.csv -o json | head -n 4
taskfit types --family t2,a1 -o csv --out part.csv
taskfit types --catalogue part.csv -o csv | cmp - part.csv && echo the same again
TASKFIT_CATALOGUE=own.csv taskfit types -o csv | wc -l
echo 'own.tiny,x86,1,100,0.1' >>own.csv
taskfit types --catalogue own.csv; echo $?
echo x >bad.csv
taskfit types --catalogue bad.csv; echo $?
taskfit types --catalogue none.csv; echo $?
taskfit types --catalogue .; echo $?
