# each is told on standard error, in one line, with exit status 2
try() {
    taskfit "$@" && echo "exit 0: $*"
    [ $? -eq 2 ] || echo "exit is not 2: $*"
}
{
try
try sise
try nonsense
try --frobnicate
try types --familly r7g
try types --xyzzy
try types -x
try types -qx
try types --family
try types -o
try types -o tabel
try types -oxml
try types --output=
try types --sort size
try types --arch amd64
try types --min-memory 64GB
try types --min-memory -1
try types --min-memory ''
try types --min-cpu two
try types --family r7g,zz9
try types --family ''
try types --force=maybe
try types operand
try types -- --family
try types -n
try verify - --deployment -
try size - --catalogue -
try size x --set nonsense
try size x --policy spread
try completion
try completion tcsh
try completion bash zsh
try help sise
try help size verify
try version now
} 2>&1
