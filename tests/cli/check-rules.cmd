# The rules, in every form.
taskfit check --rules
taskfit check --rules -o csv | sed -n 1,3p
taskfit check --rules -o json | sed -n 1,8p
taskfit check --rules -o yaml | sed -n 1,4p
