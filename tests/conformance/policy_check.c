/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy_check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define CHECK_ATOL 1e-9
#define CHECK_RTOL 1e-6

void ws_policy_check_note(ws_policy_check *check, const char *format, ...)
{
    size_t room = sizeof check->text - check->length;
    va_list arguments;
    int added = 0;

    va_start(arguments, format);
    added = vsnprintf(check->text + check->length, room, format, arguments);
    va_end(arguments);
    if (added > 0) {
        check->length += (size_t)added < room ? (size_t)added : room - 1;
    }
    if (check->length + 3 < sizeof check->text) {
        check->text[check->length++] = ';';
        check->text[check->length++] = ' ';
        check->text[check->length] = '\0';
    }
}

void ws_policy_check_near(ws_policy_check *check, const char *what, double expected, double got)
{
    if (!(fabs(got - expected) <= CHECK_ATOL + check->rtol * fabs(expected))) {
        ws_policy_check_note(check, "%s: expected %.10g, got %.10g", what, expected, got);
    }
}

void ws_policy_check_f64(ws_policy_check *check, const char *key, double got)
{
    const json_t *expected = json_object_get(check->expected, key);

    check->compared++;
    if (json_is_number(expected)) {
        ws_policy_check_near(check, key, json_number_value(expected), got);
    } else {
        ws_policy_check_note(check, "%s: no number is expected", key);
    }
}

void ws_policy_check_list(ws_policy_check *check, const char *key, const double *got, size_t count)
{
    const json_t *expected = json_object_get(check->expected, key);
    size_t size = json_array_size(expected);

    check->compared++;
    if (size == 0 || size > count) {
        ws_policy_check_note(check, "%s: expected %zu numbers, got %zu", key, size, count);
        return;
    }
    for (size_t i = 0; i < size; i++) {
        ws_policy_check_near(check, key, json_number_value(json_array_get(expected, i)), got[i]);
    }
}

double ws_policy_check_number(const json_t *object, const char *key, double otherwise)
{
    const json_t *member = json_object_get(object, key);

    return json_is_number(member) ? json_number_value(member) : otherwise;
}

size_t ws_policy_check_numbers(const json_t *list, double *out, size_t capacity)
{
    size_t count = json_array_size(list);

    WS_ASSERT(count <= capacity);
    for (size_t i = 0; i < count; i++) {
        out[i] = json_number_value(json_array_get(list, i));
    }
    return count;
}

size_t ws_policy_check_series(const ws_policy_check *check, double *out, size_t capacity)
{
    const char *name = json_string_value(json_object_get(check->input, "series"));
    const json_t *series = name == NULL ? NULL : json_object_get(check->series, name);

    return ws_policy_check_numbers(json_object_get(series, "values"), out, capacity);
}

/* Every method has its table of ids. */
static ws_policy_check_run *check_find(const char *id)
{
    return id == NULL ? NULL : ws_policy_check_find_forecast(id);
}

static ws_policy_check_end check_vector(const json_t *root, const json_t *vector,
                                        ws_policy_check *check)
{
    ws_policy_check_run *run = check_find(json_string_value(json_object_get(vector, "id")));

    *check = (ws_policy_check){.series = json_object_get(root, "series"),
                               .input = json_object_get(vector, "input"),
                               .expected = json_object_get(vector, "expected"),
                               .rtol = ws_policy_check_number(vector, "rtol", CHECK_RTOL)};
    if (run == NULL) {
        return WS_POLICY_CHECK_SKIPPED;
    }
    run(check);
    if (check->compared != json_object_size(check->expected)) {
        ws_policy_check_note(check, "%zu of %zu expected members were compared", check->compared,
                             json_object_size(check->expected));
    }
    return check->length == 0 ? WS_POLICY_CHECK_PASSED : WS_POLICY_CHECK_FAILED;
}

bool ws_policy_check_file(const char *path, ws_policy_check_tell *tell, void *context,
                          ws_policy_check_sums *sums)
{
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    const json_t *vectors = json_object_get(root, "vectors");

    if (!json_is_array(vectors)) {
        json_decref(root);
        return false;
    }
    *sums = (ws_policy_check_sums){{0}};
    for (size_t i = 0; i < json_array_size(vectors); i++) {
        const json_t *vector = json_array_get(vectors, i);
        const char *id = json_string_value(json_object_get(vector, "id"));
        ws_policy_check check;
        ws_policy_check_end end = check_vector(root, vector, &check);

        sums->counts[end]++;
        if (end != WS_POLICY_CHECK_PASSED && tell != NULL) {
            tell(context, id == NULL ? "(no id)" : id, end, &check);
        }
    }
    json_decref(root);
    return true;
}
