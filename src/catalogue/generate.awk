# data/instances_REGION.csv -> struct initializers of taskfit_instance_type, in the order of the file.
# Columns are found by name; the file holds no quoted fields. A column that is missing stops the build.
BEGIN { FS = "," }

function field(name) {
    if (!(name in column)) {
        print "generate.awk: column '" name "' is missing" > "/dev/stderr"
        failed = 1
        exit 1
    }
    return $column[name]
}

/^# date: / { date = $0; sub(/^# date: /, "", date); sub(/[ ;].*/, "", date) }
/^#/ { next }
!seen_header { for (i = 1; i <= NF; i++) column[$i] = i; seen_header = 1; next }
{
    architecture = field("arch") == "arm64" ? "ARM64" : "X86_64" # "i386/x86_64" runs x86_64 images
    slots = field("awsvpc_tasks_no_trunk")
    trunked = field("awsvpc_tasks_trunk")
    measured = field("mem_os_mib_2025") field("mem_os_mib_2023") field("mem_ecs_observed_min_mib") != ""
    printf "{\"%s\", TASKFIT_ARCH_%s, %d, %d, %d, %d, %d, %d, %.0f, %s, %s, %s},\n", field("instance_type"), architecture,
        field("vcpu"), field("mem_advertised_mib"), field("mem_registered_safe_mib"), slots,
        trunked == "" ? slots : trunked, field("gpu_count"), field("usd_hour_ondemand_linux") * 1000000,
        field("current_gen") ? "true" : "false", field("burstable") ? "true" : "false", measured ? "true" : "false"
}
END { if (!failed) printf "#define TASKFIT_CATALOGUE_DATE \"%s\"\n", date }
