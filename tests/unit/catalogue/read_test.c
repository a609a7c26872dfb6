#include "unit.h"

#include <stdlib.h>

#include "base/file.h"
#include "catalogue/catalogue.h"

static taskfit_status read_text(const char *text, taskfit_catalogue **catalogue_out, taskfit_error *err) {
    return taskfit_catalogue_read("own.csv", text, strlen(text), catalogue_out, err);
}

static void the_projects_own_file_reads_as_the_built_in_table(void **state) {
    (void)state;
    TASKFIT_STRBUF(bytes);
    ASSERT_INT(taskfit_file_read("data/instances_us-east-1.csv", 1 << 20, &bytes, NULL), TASKFIT_OK);
    taskfit_catalogue *read = NULL;
    ASSERT_INT(taskfit_catalogue_read("x.csv", bytes.data, bytes.len, &read, NULL), TASKFIT_OK);
    const taskfit_catalogue *builtin = taskfit_catalogue_builtin();
    ASSERT_INT(taskfit_catalogue_count(read), taskfit_catalogue_count(builtin));
    for (size_t i = 0; i < taskfit_catalogue_count(read); i++) {
        const taskfit_instance_type *a = taskfit_catalogue_at(read, i);
        const taskfit_instance_type *b = taskfit_catalogue_at(builtin, i);
        assert_string_equal(a->name, b->name);
        assert_true(a->architecture == b->architecture && a->vcpu == b->vcpu && a->gpus == b->gpus &&
                    a->memory_advertised_mib == b->memory_advertised_mib &&
                    a->memory_registered_mib == b->memory_registered_mib && a->awsvpc_tasks == b->awsvpc_tasks &&
                    a->awsvpc_tasks_trunking == b->awsvpc_tasks_trunking && a->price_usd_micros == b->price_usd_micros &&
                    a->current_generation == b->current_generation && a->burstable == b->burstable &&
                    a->memory_measured == b->memory_measured);
    }
    assert_string_equal(taskfit_catalogue_source(read), "x.csv, 2026-07-20");
    taskfit_catalogue_free(read);
}

static void columns_may_stand_in_any_order_and_the_optional_ones_be_absent(void **state) {
    (void)state;
    taskfit_catalogue *catalogue = NULL;
    ASSERT_INT(read_text("# mine\nusd_hour_ondemand_linux,note,arch,vcpu,instance_type,mem_registered_safe_mib\n"
                         "0.5,x,arm64,4,own.large,2Gi\n0.25,,x86_64,2,own.small,900\n",
                         &catalogue, NULL),
               TASKFIT_OK);
    ASSERT_INT(taskfit_catalogue_count(catalogue), 2);
    const taskfit_instance_type *type = taskfit_catalogue_at(catalogue, 1);
    assert_string_equal(type->name, "own.large");
    ASSERT_INT(type->architecture, TASKFIT_ARCH_ARM64);
    ASSERT_INT(type->vcpu, 4);
    ASSERT_INT(type->memory_registered_mib, 2048);
    ASSERT_INT(type->memory_advertised_mib, 0);
    ASSERT_INT(type->awsvpc_tasks, -1);
    ASSERT_INT(type->awsvpc_tasks_trunking, -1);
    ASSERT_INT(type->gpus, 0);
    ASSERT_INT(type->price_usd_micros, 500000);
    assert_true(type->current_generation && !type->burstable && type->memory_measured);
    assert_string_equal(taskfit_catalogue_source(catalogue), "own.csv");
    taskfit_catalogue_free(catalogue);
}

#define HEAD "instance_type,arch,vcpu,mem_registered_safe_mib,usd_hour_ondemand_linux,awsvpc_tasks_no_trunk,burstable\n"

static void every_defect_names_its_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *where, *message;
    } rows[] = {
        {"instance_type,vcpu\n", "own.csv",
         "no column 'arch' (needed: instance_type, arch, vcpu, mem_registered_safe_mib, usd_hour_ondemand_linux)"},
        {HEAD, "own.csv", "no instance type in the catalogue"},
        {HEAD "a.b,x86_64,2,100,1,1,0\n,x86_64,2,100,1,1,0\n", "own.csv:3:1: instance_type", "'': a value is missing"},
        {HEAD "a.b,x86,2,100,1,1,0\n", "own.csv:2:5: arch", "'x86': unknown architecture (x86_64 or arm64)"},
        {HEAD "a.b,x86_64,0,100,1,1,0\n", "own.csv:2:12: vcpu", NULL},
        {HEAD "a.b,x86_64,100001,100,1,1,0\n", "own.csv:2:12: vcpu", NULL},
        {HEAD "a.b,x86_64,2,0,1,1,0\n", "own.csv:2:14: mem_registered_safe_mib", "'0': an instance without memory"},
        {HEAD "a.b,x86_64,2,1MB,1,1,0\n", "own.csv:2:14: mem_registered_safe_mib", NULL},
        {HEAD "a.b,x86_64,2,100,,1,0\n", "own.csv:2:18: usd_hour_ondemand_linux", "'': a value is missing"},
        {HEAD "a.b,x86_64,2,100,-1,1,0\n", "own.csv:2:18: usd_hour_ondemand_linux", NULL},
        {HEAD "a.b,x86_64,2,100,1,x,0\n", "own.csv:2:20: awsvpc_tasks_no_trunk", NULL},
        {HEAD "a.b,x86_64,2,100,1,1,yes\n", "own.csv:2:22: burstable", "'yes': neither 0 nor 1"},
        {HEAD "a.b,x86_64,2,100,1,1,0\na.b,x86_64,4,100,1,1,0\n", "own.csv:3:1: instance_type",
         "'a.b': the type is listed twice"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        taskfit_error err = {0};
        taskfit_catalogue *catalogue = NULL;
        ASSERT_INT(read_text(rows[i].text, &catalogue, &err), TASKFIT_E_INPUT);
        assert_null(catalogue);
        assert_string_equal(err.where, rows[i].where);
        if (rows[i].message) {
            assert_string_equal(err.message, rows[i].message);
        } else {
            assert_true(err.message[0] == '\'');
        }
    }
}

static void a_slip_in_a_type_has_a_nearest_one(void **state) {
    (void)state;
    assert_string_equal(taskfit_catalogue_nearest(taskfit_catalogue_builtin(), "r7g.2xlrage"), "r7g.2xlarge");
    assert_null(taskfit_catalogue_nearest(taskfit_catalogue_builtin(), "mainframe"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_projects_own_file_reads_as_the_built_in_table),
        cmocka_unit_test(columns_may_stand_in_any_order_and_the_optional_ones_be_absent),
        cmocka_unit_test(every_defect_names_its_place),
        cmocka_unit_test(a_slip_in_a_type_has_a_nearest_one),
    };
    return RUN_TESTS(tests);
}
