# the script answers as bash asks it
cat >ask.bash <<'END'
eval "$(taskfit completion bash)"
ask() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    _taskfit
    echo "$*: ${COMPREPLY[*]}"
}
touch a-file
ask taskfit v
ask taskfit types --m
ask taskfit types -o ''
ask taskfit types --sort p
ask taskfit types --out a-
ask taskfit completion ''
ask taskfit help t
END
bash --norc ask.bash
