# the manual page renders without a warning, and names every verb and option
taskfit help --man >taskfit.1
groff -man -Tascii -ww -rLL=80n taskfit.1 >page
sed 's/.\x08//g; s/\x1b\[[0-9;]*m//g' page >text
taskfit help | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p' | while read -r verb; do
    grep -q "taskfit $verb" text || echo "no $verb"
    taskfit help "$verb" | grep -o -e ' --[a-z-]*' | grep -v -e --help | while read -r option; do
        grep -q -e "$option" text || echo "no $option"
    done
done
