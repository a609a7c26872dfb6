#include "proof.h"

#include "unit.h"

#include "base/sha256.h"


static int append(void *sink, const char *data, size_t len) {
    taskfit_strbuf_add(sink, data, len);
    return 0;
}

proof proof_of(const char *file) {
    proof p = {0};
    taskfit_error err = {0};
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    taskfit_settings settings;
    taskfit_settings_init(&settings);
    settings.ladder = false;
    settings.time_limit_ms = 0;
    taskfit_strbuf_init(&p.text);
    if (taskfit_deployment_parse("test.yaml", file, strlen(file), &options, &p.deployment, &err) != TASKFIT_OK ||
        taskfit_size(p.deployment, &settings, &p.plan, &err) != TASKFIT_OK ||
        taskfit_certify(p.plan, &settings, append, &p.text, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return p;
}

void proof_release(proof *p) {
    taskfit_plan_free(p->plan);
    taskfit_deployment_free(p->deployment);
    taskfit_strbuf_release(&p->text);
}

static void keep(void *arg, const char *text) {
    taskfit_strbuf_printf(arg, "%s\n", text);
}

size_t proof_check(const proof *p, const char *text, size_t len, taskfit_strbuf *told) {
    size_t n_broken = 99;
    taskfit_error err = {0};
    assert_int_equal(taskfit_certificate_check(p->plan, NULL, text, len, keep, told, &n_broken, &err), TASKFIT_OK);
    return n_broken;
}

void proof_mutate(const proof *p, const char *from, const char *to, bool rehash, taskfit_strbuf *out) {
    const char *at = strstr(p->text.data, from);
    if (at == NULL) {
        fail_msg("no '%s' in\n%s", from, p->text.data);
        return;
    }
    taskfit_strbuf_add(out, p->text.data, (size_t)(at - p->text.data));
    taskfit_strbuf_adds(out, to);
    taskfit_strbuf_adds(out, at + strlen(from));
    if (rehash) {
        const char *last = strstr(out->data, "\nsha256: ");
        assert_non_null(last);
        TASKFIT_STRBUF(body);
        char hex[TASKFIT_SHA256_HEX_SIZE];
        taskfit_strbuf_add(&body, out->data, (size_t)(last + 1 - out->data));
        taskfit_sha256_hex(body.data, body.len, hex);
        taskfit_strbuf_printf(&body, "sha256: %s\n", hex);
        taskfit_strbuf_reset(out);
        taskfit_strbuf_add(out, body.data, body.len);
    }
}

