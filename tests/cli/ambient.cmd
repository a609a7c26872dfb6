# command line over environment over configuration file over defaults
mkdir -p .config/taskfit home/.config/taskfit
config=$XDG_CONFIG_HOME/taskfit/config.yaml
mkdir -p "${config%/*}"
first() { taskfit types --family t1 "$@" | head -n 1; }
first
echo 'output: csv' >"$config"
first
TASKFIT_OUTPUT=yaml first
TASKFIT_OUTPUT=yaml first -o json
TASKFIT_OUTPUT= first
(unset XDG_CONFIG_HOME; first)
{
TASKFIT_OUTPUT=xml first
echo 'outputt: csv' >"$config"; first
echo 'family: t2' >"$config"; first
echo 'output: [csv]' >"$config"; first
echo '- output' >"$config"; first
echo 'output: {' >"$config"; first
echo 'output: xml' >"$config"; first
taskfit types; echo $?
} 2>&1 | sed "s|$PWD|.|g"
