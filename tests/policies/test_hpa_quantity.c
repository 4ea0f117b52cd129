/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantities, by the grammar and the rounding of Kubernetes' resource.Quantity, worked out by hand.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdint.h>
#include <string.h>

#include "hpa_quantity.h"

Test(hpa_quantity, reads_what_kubernetes_reads)
{
    static const struct {
        const char *text;
        int64_t milli;
    } cases[] = {
        {"80", 80000},
        {"1500m", 1500},
        {"8Gi", INT64_C(8589934592000)},
        {"1Ki", 1024000},
        {"0.5Mi", 524288000},
        {"1.5Gi", INT64_C(1610612736000)},
        {"1e3", 1000000},
        {"1E2", 100000},
        {"1e-3", 1},
        {"1E", INT64_MAX}, /* 10^18, in thousandths beyond int64 */
        {"9P", INT64_C(9000000000000000000)},
        {"2k", 2000000},
        {"3M", INT64_C(3000000000)},
        {"4G", INT64_C(4000000000000)},
        {"5T", INT64_C(5000000000000000)},
        {"7Ti", INT64_C(7696581394432000)},
        {"2Pi", INT64_C(2251799813685248000)},
        {"1Ei", INT64_MAX},
        {".5", 500},
        {"5.", 5000},
        {"+5", 5000},
        {"0", 0},
        {"-5", -5000},
        {"0.0001", 1}, /* rounds up */
        {"1u", 1},
        {"1000001n", 2}, /* 1.000001 milli-units */
        {"1000000n", 1},
        {"1.0001", 1001},
        {"-0.0001", 0}, /* up is towards 0 here */
        {"99999999999999999999999", INT64_MAX},
        {"1e999999999999", INT64_MAX},
        {"1e-99999", 1},
        {"0e99", 0},
        {"0.00000000000000000000000000000000000000001", 1},
        {"10000000000000000000000000000000000000000e-40", 1000},
        {"9223372036854775.807", INT64_MAX},
        {"9223372036854775.8061", INT64_MAX},
    };

    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        ws_hpa_quantity quantity = {.milli = 7};

        cr_expect(ws_hpa_quantity_parse(ws_text_of(cases[i].text), &quantity), "%s", cases[i].text);
        cr_expect(eq(i64, quantity.milli, cases[i].milli), "%s", cases[i].text);
    }
}

Test(hpa_quantity, refuses_what_kubernetes_refuses)
{
    static const char *const texts[] = {
        "",   " ",   "8 Gi",  "1e3m", "1K",   "gi",    "8GI", "8gi",
        "1e", "1e+", "1e1.5", "0x10", "1_0",  "1,5",   "-",   ".",
        "m",  "1mm", "nan",   "inf",  "1Kii", "1.2.3", "--1", "{{ x }}",
    };

    for (size_t i = 0; i < WS_COUNT_OF(texts); i++) {
        ws_hpa_quantity quantity = {.milli = 7, .value = 7};

        cr_expect(not(ws_hpa_quantity_parse(ws_text_of(texts[i]), &quantity)), "%s", texts[i]);
        cr_expect(eq(i64, quantity.milli, 7), "%s", texts[i]);
    }
    cr_expect(not(ws_hpa_quantity_parse((ws_text){.start = "1\0", .length = 2},
                                        &(ws_hpa_quantity){.milli = 0})));
}

/* A tolerance is finer than a milli-unit may be. */
Test(hpa_quantity, has_the_nearest_double_too)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0.05", 0.05},  {"50m", 0.05}, {"500u", 0.0005}, {"0.1", 0.1},
        {"1e-3", 0.001}, {"2Ki", 2048}, {"-1.5", -1.5},   {"0", 0},
    };

    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        ws_hpa_quantity quantity = {.value = 7};

        cr_expect(ws_hpa_quantity_parse(ws_text_of(cases[i].text), &quantity), "%s", cases[i].text);
        cr_expect(eq(dbl, quantity.value, cases[i].value), "%s", cases[i].text);
    }
}
