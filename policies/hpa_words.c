/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hpa_words.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "ws/assert.h"
#include "ws/time.h"

void ws_hpa_words_add(ws_hpa_words *words, const char *format, ...)
{
    size_t room = sizeof words->text - words->length;
    va_list arguments;
    int added = 0;

    WS_ASSERT(words->length < sizeof words->text);

    va_start(arguments, format);
    added = vsnprintf(words->text + words->length, room, format, arguments);
    va_end(arguments);
    if (added > 0) {
        words->length += (size_t)added < room ? (size_t)added : room - 1;
    }
}

void ws_hpa_words_add_milli(ws_hpa_words *words, int64_t milli)
{
    uint64_t size = milli < 0 ? (uint64_t)0 - (uint64_t)milli : (uint64_t)milli;
    unsigned rest = (unsigned)(size % 1000);
    int digits = 3;

    ws_hpa_words_add(words, "%s%" PRIu64, milli < 0 ? "-" : "", size / 1000);
    if (rest == 0) {
        return;
    }
    while (rest % 10 == 0) {
        rest /= 10;
        digits--;
    }
    WS_ASSERT(digits > 0);
    ws_hpa_words_add(words, ".%0*u", digits, rest);
}

/* "is 190 in 2 series": what is compared with the target. */
static void words_add_reading(ws_hpa_words *words, const ws_hpa_metric *metric,
                              const ws_hpa_proposal *proposal, const char *noun)
{
    bool is_summed = metric->source == WS_HPA_EXTERNAL || metric->source == WS_HPA_OBJECT;

    ws_hpa_words_add(words, "is ");
    if (metric->target_kind == WS_HPA_UTILIZATION) {
        ws_hpa_words_add(words, "%" PRId32 "%%", proposal->utilization);
        return;
    }
    ws_hpa_words_add_milli(words, is_summed ? proposal->total : proposal->usage);
    if (!is_summed) {
        ws_hpa_words_add(words, " a %s", noun);
    } else if (proposal->series_count > 1) {
        ws_hpa_words_add(words, " in %zu series", proposal->series_count);
    }
}

/* "against a target of 80 a replica". */
static void words_add_target(ws_hpa_words *words, const ws_hpa_metric *metric, const char *noun)
{
    bool is_summed = metric->source == WS_HPA_EXTERNAL || metric->source == WS_HPA_OBJECT;

    ws_hpa_words_add(words, " against a target of ");
    if (metric->target_kind == WS_HPA_UTILIZATION) {
        ws_hpa_words_add(words, "%" PRId64 "%%", metric->target);
        return;
    }
    ws_hpa_words_add_milli(words, metric->target);
    if (is_summed && metric->target_kind == WS_HPA_AVERAGE_VALUE) {
        ws_hpa_words_add(words, " a %s", noun);
    }
}

static void words_add_proposal(ws_hpa_words *words, const ws_hpa_telling *telling,
                               const ws_hpa_outcome *outcome)
{
    const ws_hpa_named_metric *metric = &telling->metrics[outcome->chosen_metric];
    const ws_hpa_proposal *chosen = &telling->proposals[outcome->chosen_metric];
    size_t failed = 0;

    WS_ASSERT(outcome->chosen_metric < telling->metric_count);

    for (size_t i = 0; i < telling->metric_count; i++) {
        failed += telling->proposals[i].fault != WS_HPA_NO_FAULT ? 1 : 0;
    }
    ws_hpa_words_add(words, "%.*s ", WS_TEXT_ARGS(metric->name));
    words_add_reading(words, &metric->metric, chosen, telling->noun);
    words_add_target(words, &metric->metric, telling->noun);
    ws_hpa_words_add(words,
                     chosen->is_within ? ": %" PRId32 " is within tolerance" : ": wants %" PRId32,
                     outcome->raw);
    if (failed > 0) {
        ws_hpa_words_add(words, "; %zu of %zu metrics failed", failed, telling->metric_count);
    }
}

static void words_add_stabilisation(ws_hpa_words *words, const ws_hpa_telling *telling,
                                    const ws_hpa_outcome *outcome)
{
    const ws_hpa_settings *settings = telling->settings;
    bool is_up = outcome->stabilisation == WS_HPA_SCALE_UP_STABILIZED;
    ws_duration window = is_up ? settings->up.window : settings->down.window;

    WS_ASSERT(outcome->is_normalised);

    if (outcome->stabilised == outcome->raw) {
        return;
    }
    if (!settings->has_behaviour) {
        window = settings->downscale_stabilization;
    }
    ws_hpa_words_add(words, "; the scale-%s window of %" PRId64 " s allows %" PRId32,
                     is_up ? "up" : "down", window.ns / WS_NS_PER_S, outcome->stabilised);
}

static void words_add_pace(ws_hpa_words *words, const ws_hpa_settings *settings,
                           const ws_hpa_outcome *outcome)
{
    bool is_up = outcome->limited == WS_HPA_SCALE_UP_LIMIT;
    const ws_hpa_rules *rules = is_up ? &settings->up : &settings->down;
    const char *way = is_up ? "up" : "down";

    if (!settings->has_behaviour) {
        ws_hpa_words_add(words,
                         "; the scale-up limit of twice the size and at least %.0f allows %" PRId32,
                         settings->scale_up_minimum, outcome->replicas);
    } else if (outcome->policy >= rules->policy_count) {
        ws_hpa_words_add(words, "; scaling %s is disabled", way);
    } else {
        const ws_hpa_policy *policy = &rules->policies[outcome->policy];

        ws_hpa_words_add(words,
                         "; the scale-%s limit of %" PRId32 "%s in %" PRId64 " s allows %" PRId32,
                         way, policy->value, policy->kind == WS_HPA_POLICY_PODS ? " pods" : "%",
                         policy->period.ns / WS_NS_PER_S, outcome->replicas);
    }
}

static void words_add_limit(ws_hpa_words *words, const ws_hpa_telling *telling,
                            const ws_hpa_outcome *outcome)
{
    if (outcome->limited == WS_HPA_SCALE_UP_LIMIT || outcome->limited == WS_HPA_SCALE_DOWN_LIMIT) {
        words_add_pace(words, telling->settings, outcome);
    } else if (outcome->limited == WS_HPA_TOO_MANY_REPLICAS) {
        ws_hpa_words_add(words, "; the maximum allows %" PRId32, outcome->replicas);
    } else if (outcome->limited == WS_HPA_TOO_FEW_REPLICAS) {
        ws_hpa_words_add(words, "; the minimum asks for %" PRId32, outcome->replicas);
    }
}

ws_hpa_words ws_hpa_words_reason(const ws_hpa_telling *telling, const ws_hpa_outcome *outcome)
{
    ws_hpa_words words = {.length = 0};

    WS_ASSERT(telling->settings != NULL);
    WS_ASSERT(telling->noun != NULL);
    WS_ASSERT(outcome->is_rescale);

    if (outcome->rescale == WS_HPA_RESCALE_ABOVE_MAX) {
        ws_hpa_words_add(&words, "%" PRId32 " is above the maximum of %" PRId32, outcome->wanted,
                         telling->settings->replicas_max);
    } else if (outcome->rescale == WS_HPA_RESCALE_BELOW_MIN) {
        ws_hpa_words_add(&words, "%" PRId32 " is below the minimum of %" PRId32, outcome->wanted,
                         telling->settings->replicas_min);
    } else {
        words_add_proposal(&words, telling, outcome);
        words_add_stabilisation(&words, telling, outcome);
        words_add_limit(&words, telling, outcome);
    }
    return words;
}
