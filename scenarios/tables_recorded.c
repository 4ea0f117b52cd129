/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of what was recorded of a pool's machines and prices. */
#include "file.h"

#define ROW(structure, field) .name = #field, .offset = offsetof(structure, field)
#define SELF(structure)                                                                            \
    {                                                                                              \
        .kind = WS_PARAMETER_SELF, .offset = offsetof(structure, self)                             \
    }

/* ---- outages ---- */

static const char *const assign_choices[] = {"in-order", "drawn", NULL};

static const ws_parameter outages_rows[] = {
    SELF(ws_file_outages),
    {ROW(ws_file_outages, file), .kind = WS_PARAMETER_PATH, .required = true,
     .help = "relative to this file"},
    {ROW(ws_file_outages, format), .kind = WS_PARAMETER_TEXT, .default_text = "auto",
     .help = "format of the recording; `auto`: found by its content"},
    {ROW(ws_file_outages, nodes), .kind = WS_PARAMETER_INTEGER, .min = "1", .max = "10000000",
     .help = "of the cluster that was recorded, with those that never failed; default: the nodes "
             "that the file names"},
    {ROW(ws_file_outages, assign), .kind = WS_PARAMETER_CHOICE, .choices = assign_choices,
     .choice_noun = "a way to assign nodes", .default_text = "in-order",
     .help = "`in-order`: the first node that the file names is the pool's first, and so on; "
             "`drawn`: each of the pool's is drawn from all recorded ones, alike in all "
             "replications"},
    {ROW(ws_file_outages, from), .kind = WS_PARAMETER_DURATION, .default_text = "0s",
     .help = "time 0 of the scenario, since the recording's own zero"},
    {ROW(ws_file_outages, to), .kind = WS_PARAMETER_DURATION,
     .present_offset = offsetof(ws_file_outages, has_to),
     .help = "end of what is replayed; default: the last event"},
    {ROW(ws_file_outages, repeat), .kind = WS_PARAMETER_BOOL, .default_text = "false",
     .help = "begins again at `from` when `to` is reached; else nothing fails from there on"},
};
const ws_parameter_table ws_file_outages_table = {.noun = "recording of outages",
                                                  .rows = outages_rows,
                                                  .count = WS_COUNT_OF(outages_rows),
                                                  .bytes = sizeof(ws_file_outages)};

/* ---- availability ---- */

static const ws_parameter supply_rows[] = {
    SELF(ws_file_supply),
    {ROW(ws_file_supply, file), .kind = WS_PARAMETER_PATH, .required = true,
     .help = "relative to this file"},
    {ROW(ws_file_supply, format), .kind = WS_PARAMETER_TEXT, .default_text = "auto",
     .help = "format of the recording; `auto`: found by its content"},
    {ROW(ws_file_supply, from), .kind = WS_PARAMETER_DURATION,
     .present_offset = offsetof(ws_file_supply, has_from),
     .help = "time 0 of the scenario, since the recording's own zero; default: its first event"},
};
static const ws_parameter_table supply_table = {.noun = "recording of availability",
                                                .rows = supply_rows,
                                                .count = WS_COUNT_OF(supply_rows),
                                                .bytes = sizeof(ws_file_supply)};

static const ws_parameter spot_rows[] = {
    SELF(ws_file_spot),
    {ROW(ws_file_spot, recorded), .kind = WS_PARAMETER_MAP, .table = &supply_table,
     .required = true, .help = "when the market had which nodes"},
    {ROW(ws_file_spot, notice), .kind = WS_PARAMETER_DURATION, .default_text = "2m",
     .help = "from the notice of a reclaim until the node is taken"},
    {ROW(ws_file_spot, detection), .kind = WS_PARAMETER_DURATION, .default_text = "20s",
     .help = "until a job that stayed has noticed that its node is gone"},
};
const ws_parameter_table ws_file_spot_table = {.noun = "spot market",
                                               .rows = spot_rows,
                                               .count = WS_COUNT_OF(spot_rows),
                                               .bytes = sizeof(ws_file_spot)};

/* ---- prices ---- */

static const ws_parameter prices_rows[] = {
    SELF(ws_file_prices),
    {ROW(ws_file_prices, file), .kind = WS_PARAMETER_PATH, .required = true,
     .help = "relative to this file"},
    {ROW(ws_file_prices, format), .kind = WS_PARAMETER_TEXT, .default_text = "auto",
     .help = "format of the recording; `auto`: found by its content"},
    {ROW(ws_file_prices, match), .kind = WS_PARAMETER_DOCUMENT,
     .help = "labels of the series that is meant, where there are several: {InstanceType: "
             "p5.48xlarge, AvailabilityZone: us-east-1a}"},
    {ROW(ws_file_prices, per_gpu), .kind = WS_PARAMETER_PRICE,
     .present_offset = offsetof(ws_file_prices, has_per_gpu),
     .help = "what a value of 1 is, when values are of one GPU: `$1/h`"},
    {ROW(ws_file_prices, per_node), .kind = WS_PARAMETER_PRICE,
     .present_offset = offsetof(ws_file_prices, has_per_node),
     .help = "likewise when values are of a whole node; instead of `per_gpu`"},
    {ROW(ws_file_prices, from), .kind = WS_PARAMETER_TIMESTAMP,
     .help = "time 0 of the scenario; default: the first price"},
};
const ws_parameter_table ws_file_prices_table = {.noun = "recording of prices",
                                                 .rows = prices_rows,
                                                 .count = WS_COUNT_OF(prices_rows),
                                                 .bytes = sizeof(ws_file_prices)};
