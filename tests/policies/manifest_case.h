/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Policies of type `hpa` with a manifest in flow style, on one line; places of faults are marked
 * in the text itself. */
#ifndef WS_TESTS_MANIFEST_CASE_H
#define WS_TESTS_MANIFEST_CASE_H

#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "hpa_parameters.h"
#include "policies/policy_bench.h"
#include "ws/assert.h"

#define MANIFEST_OF(version)                                                                       \
    "apiVersion: autoscaling/" version ", kind: HorizontalPodAutoscaler, metadata: {name: worker}"
#define MANIFEST_REF "scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: worker}"

/** A policy with a manifest of a version, whose spec has a target, maxReplicas 10, and `more`. */
#define MANIFEST(version, more)                                                                    \
    "{manifest: {" MANIFEST_OF(version) ", spec: {" MANIFEST_REF ", maxReplicas: 10" more "}}}"

/** The same with keys of the policy behind the manifest. */
#define MANIFEST_AND(version, more, keys)                                                          \
    "{manifest: {" MANIFEST_OF(version) ", spec: {" MANIFEST_REF ", maxReplicas: 10" more          \
                                        "}}, " keys "}"

/** An entry of `metrics`. */
#define EXTERNAL_OF(name, target)                                                                  \
    ", metrics: [{type: External, external: {metric: {name: " name "}, target: {" target "}}}]"

/** A text without its marks « and », and where they were. */
typedef struct {
    char text[2000];
    int column; /* of the first mark, from 1; 0: there is none */
    int width;
} manifest_marked;

static inline manifest_marked manifest_unmark(const char *marked)
{
    static const char opening[] = "«";
    static const char closing[] = "»";
    manifest_marked plain = {.column = 0};
    const char *open = strstr(marked, opening);
    const char *close = strstr(marked, closing);
    size_t length = 0;

    WS_ASSERT(strlen(marked) < sizeof plain.text);
    for (const char *at = marked; *at != '\0';) {
        if (at == open || at == close) {
            plain.column = at == open ? (int)length + 1 : plain.column;
            plain.width = at == close ? (int)length + 1 - plain.column : plain.width;
            at += at == open ? strlen(opening) : strlen(closing);
        } else {
            plain.text[length] = *at;
            length++;
            at++;
        }
    }
    plain.text[length] = '\0';
    return plain;
}

/** Opens a bench with the text; asserts that it is good, whatever it warns of. */
static inline const ws_hpa_parameters *manifest_open(ws_policy_bench *bench, ws_target_kind target,
                                                     const char *text)
{
    cr_assert(ws_policy_bench_open(bench, "hpa", target, text), "%s\n%s", text,
              ws_policy_bench_complaint(bench));
    return bench->parameters;
}

/** The only diagnostic beside that of a removed version, or that one where it is what is looked
 * for. */
static inline const ws_diagnostic *manifest_found(ws_policy_bench *bench, int code)
{
    const ws_diagnostic *found = NULL;

    for (size_t i = 0; i < bench->diag.count; i++) {
        if (code == 5101 || bench->diag.entries[i].code != 5101) {
            cr_assert(found == NULL, "%s", ws_policy_bench_complaint(bench));
            found = &bench->diag.entries[i];
        }
    }
    return found;
}

/** Opens a bench with a marked text that has exactly one diagnostic: its severity, code, message
 * and place are checked. */
static inline void manifest_expect(const char *marked, ws_severity severity, int code,
                                   const char *message)
{
    manifest_marked plain = manifest_unmark(marked);
    ws_policy_bench bench;
    bool is_good = ws_policy_bench_open(&bench, "hpa", WS_TARGET_JOB, plain.text);
    const ws_diagnostic *found = manifest_found(&bench, code);

    cr_expect(eq(int, is_good, severity == WS_SEVERITY_WARNING), "%s", marked);
    cr_assert(found != NULL, "%s", marked);
    cr_expect(eq(int, (int)found->severity, (int)severity), "%s", marked);
    cr_expect(eq(int, found->code, code), "%s", marked);
    cr_expect(ws_text_is(found->message, message), "%s\n%.*s", marked,
              WS_TEXT_ARGS(found->message));
    cr_expect(eq(i32, found->at.column, plain.column), "%s", marked);
    cr_expect(eq(i32, found->at.length, plain.width), "%s", marked);
    ws_policy_bench_close(&bench);
}

#endif
