/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_case.h"
#include "ws/trace_format.h"

/* Every format of every record stands in the list once, under its own name. */
Test(format, the_list_is_whole)
{
    size_t count = 0;

    for (; ws_trace_format_names[count] != NULL; count++) {
        ws_trace_format format = ws_trace_format_at(count);

        cr_assert(eq(int,
                     (format.jobs != NULL) + (format.series != NULL) + (format.outages != NULL) +
                         (format.steps != NULL) + format.is_pods,
                     1));
        cr_assert_str_eq(ws_trace_format_name(&format), ws_trace_format_names[count]);
        cr_assert(strlen(ws_trace_format_summary(&format)) > 20);
        for (size_t i = 0; i < count; i++) {
            cr_assert(strcmp(ws_trace_format_names[i], ws_trace_format_names[count]) != 0);
        }
    }
    cr_assert(eq(sz, count,
                 ws_trace_type_count() + ws_trace_series_type_count() +
                     ws_trace_outage_type_count() + ws_trace_steps_type_count() + 1));
}

/* Heads of other records are not taken for series, nor the other way round. */
Test(format, heads_are_told_apart)
{
    static const char *const jobs[] = {
        "id,arrival_s,gpus,duration_s\n",
        "1 0 0 60 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n",
        "JobID|State|Submit|Start|End|AllocTRES\n",
        "[{\"jobid\":\"a\",\"attempts\":[]}]\n",
        "ResNet-18 (batch size 32)\tpython3\t.\t-n\t1\t1\t1\t1\t-1\t0\n",
        "colour,taste\n"};
    static const char *const series[] = {"{\"data\":{\"resultType\":\"matrix\"}}\n",
                                         "# HELP u x\nu 1\n", "{__name__=\"u\"} 1 1600000000000\n",
                                         "{\"SpotPriceHistory\":[]}\n", "time,value\n1,2\n"};

    for (size_t i = 0; i < WS_COUNT_OF(jobs); i++) {
        cr_assert(ws_trace_series_sniff_head(ws_text_of(jobs[i])) == NULL, "%s", jobs[i]);
        cr_assert(ws_trace_outage_sniff_head(ws_text_of(jobs[i])) == NULL, "%s", jobs[i]);
    }
    for (size_t i = 0; i < WS_COUNT_OF(series); i++) {
        cr_assert(ws_trace_series_sniff_head(ws_text_of(series[i])) != NULL, "%s", series[i]);
        cr_assert(ws_trace_outage_sniff_head(ws_text_of(series[i])) == NULL, "%s", series[i]);
        for (size_t k = 0; k < ws_trace_type_count(); k++) {
            cr_assert(not(ws_trace_type_at(k)->sniff(ws_text_of(series[i]))), "%s", series[i]);
        }
    }
}
