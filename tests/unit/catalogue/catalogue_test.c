#include "unit.h"

#include "catalogue/catalogue.h"
#include "catalogue/table.h"

static void figures_are_those_of_the_file(void **state) {
    (void)state;
    /* data/instances_us-east-1.csv, by hand */
    static const struct {
        const char *name;
        taskfit_architecture architecture;
        int64_t vcpu, advertised_mib, registered_mib, slots, trunked, gpus, usd_micros;
        bool current, burstable, measured;
    } rows[] = {
        {"r7g.2xlarge", TASKFIT_ARCH_ARM64, 8, 65536, 63138, 3, 40, 0, 428400, true, false, true},
        {"m6i.2xlarge", TASKFIT_ARCH_X86_64, 8, 32768, 31548, 3, 40, 0, 384000, false, false, true},
        {"t2.micro", TASKFIT_ARCH_X86_64, 1, 1024, 945, 1, 1, 0, 11600, true, true, true}, /* no trunking */
        {"c3.large", TASKFIT_ARCH_X86_64, 2, 3840, 3713, 2, 2, 0, 105000, false, false, true}, /* i386/x86_64 */
        {"g5.12xlarge", TASKFIT_ARCH_X86_64, 48, 196608, 191162, 14, 120, 4, 5672000, true, false, true},
    };
    const taskfit_catalogue *catalogue = taskfit_catalogue_builtin();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const taskfit_instance_type *type = taskfit_catalogue_find(catalogue, rows[i].name);
        assert_non_null(type);
        assert_string_equal(type->name, rows[i].name);
        ASSERT_INT(type->architecture, rows[i].architecture);
        ASSERT_INT(type->vcpu, rows[i].vcpu);
        ASSERT_INT(type->memory_advertised_mib, rows[i].advertised_mib);
        ASSERT_INT(type->memory_registered_mib, rows[i].registered_mib);
        ASSERT_INT(type->awsvpc_tasks, rows[i].slots);
        ASSERT_INT(type->awsvpc_tasks_trunking, rows[i].trunked);
        ASSERT_INT(type->gpus, rows[i].gpus);
        ASSERT_INT(type->price_usd_micros, rows[i].usd_micros);
        ASSERT_INT(type->current_generation, rows[i].current);
        ASSERT_INT(type->burstable, rows[i].burstable);
        ASSERT_INT(type->memory_measured, rows[i].measured);
    }
}

static void every_type_is_in_order_and_found(void **state) {
    (void)state;
    const taskfit_catalogue *catalogue = taskfit_catalogue_builtin();
    ASSERT_INT(taskfit_catalogue_count(catalogue), 1236);
    for (size_t i = 0; i < taskfit_catalogue_count(catalogue); i++) {
        const taskfit_instance_type *type = taskfit_catalogue_at(catalogue, i);
        assert_ptr_equal(taskfit_catalogue_find(catalogue, type->name), type);
        if (i > 0) {
            assert_true(taskfit_instance_type_compare(taskfit_catalogue_at(catalogue, i - 1), type) < 0);
        }
        assert_true(type->vcpu > 0 && type->memory_registered_mib > 0 && type->price_usd_micros > 0);
        assert_true(type->memory_registered_mib <= type->memory_advertised_mib);
        assert_true(type->awsvpc_tasks >= 1 && type->awsvpc_tasks_trunking >= type->awsvpc_tasks);
    }
}

/* Types without a measurement follow the formula of data/README.md. */
static void unmeasured_memory_is_the_fallback(void **state) {
    (void)state;
    const taskfit_catalogue *catalogue = taskfit_catalogue_builtin();
    int64_t n_unmeasured = 0;
    for (size_t i = 0; i < taskfit_catalogue_count(catalogue); i++) {
        const taskfit_instance_type *type = taskfit_catalogue_at(catalogue, i);
        if (!type->memory_measured) {
            int64_t advertised_mib = type->memory_advertised_mib;
            ASSERT_INT(type->memory_registered_mib, advertised_mib >= 4096 ? advertised_mib * 956 / 1000 - 240
                                                                           : advertised_mib * 88 / 100 - 20);
            n_unmeasured++;
        }
    }
    ASSERT_INT(n_unmeasured, 167);
}

static void other_names_are_not_found(void **state) {
    (void)state;
    static const char *const names[] = {"", ".", "r7g", "r7g.", "r7g.2xlarg", "r7g.2xlarge ", "R7G.2xlarge", "zz9.large"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_null(taskfit_catalogue_find(taskfit_catalogue_builtin(), names[i]));
    }
}

static void order_is_natural(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int64_t vcpu;
    } rows[] = {{"c5.large", 2}, {"c5.metal", 96}, {"c5-flex.large", 1}, {"c5a.large", 2}, {"c10.a", 4}, {"c10.b", 4}, {"own", 8}, {"own1", 1}};
    for (size_t i = 1; i < sizeof rows / sizeof *rows; i++) {
        taskfit_instance_type a = {.name = rows[i - 1].name, .vcpu = rows[i - 1].vcpu};
        taskfit_instance_type b = {.name = rows[i].name, .vcpu = rows[i].vcpu};
        assert_true(taskfit_instance_type_compare(&a, &b) < 0);
        assert_true(taskfit_instance_type_compare(&b, &a) > 0);
        ASSERT_INT(taskfit_instance_type_compare(&a, &a), 0);
    }
}

static void the_source_states_its_date(void **state) {
    (void)state;
    assert_string_equal(taskfit_catalogue_source(taskfit_catalogue_builtin()), "built in, us-east-1, 2026-07-20");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_those_of_the_file),
        cmocka_unit_test(every_type_is_in_order_and_found),
        cmocka_unit_test(unmeasured_memory_is_the_fallback),
        cmocka_unit_test(other_names_are_not_found),
        cmocka_unit_test(order_is_natural),
        cmocka_unit_test(the_source_states_its_date),
    };
    return RUN_TESTS(tests);
}
