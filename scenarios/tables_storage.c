/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of what is stored and moved: storage, registry, a job's training data. */
#include "file.h"

#define ROW(structure, field) .name = #field, .offset = offsetof(structure, field)
#define SELF(structure)                                                                            \
    {                                                                                              \
        .kind = WS_PARAMETER_SELF, .offset = offsetof(structure, self)                             \
    }

static const ws_parameter channel_rows[] = {
    {ROW(ws_file_channel, bandwidth), .kind = WS_PARAMETER_BANDWIDTH, .required = true,
     .min = "1B/s", .help = "of all writers or readers together"},
    {ROW(ws_file_channel, per_node), .kind = WS_PARAMETER_BANDWIDTH, .min = "1B/s",
     .help = "most that one node writes or reads; a job has that of all its nodes"},
    {ROW(ws_file_channel, latency), .kind = WS_PARAMETER_DURATION, .default_text = "20ms",
     .help = "of one transfer"},
};
static const ws_parameter_table channel_table = {.noun = "channel",
                                                 .rows = channel_rows,
                                                 .count = WS_COUNT_OF(channel_rows),
                                                 .bytes = sizeof(ws_file_channel)};

static const char *const sharing_choices[] = {"max-min", "none", NULL};

static const ws_parameter store_rows[] = {
    SELF(ws_file_store),
    {ROW(ws_file_store, write), .kind = WS_PARAMETER_MAP, .table = &channel_table, .required = true,
     .help = "writing"},
    {ROW(ws_file_store, read), .kind = WS_PARAMETER_MAP, .table = &channel_table, .required = true,
     .help = "reading"},
    {ROW(ws_file_store, sharing), .kind = WS_PARAMETER_CHOICE, .choices = sharing_choices,
     .choice_noun = "a way to share a storage", .default_text = "max-min",
     .help =
         "`max-min`: transfers at the same time share the bandwidth fairly; `none`: each has all "
         "of it"},
    {ROW(ws_file_store, price), .kind = WS_PARAMETER_VOLUME_PRICE,
     .present_offset = offsetof(ws_file_store, has_price),
     .help = "of the checkpoints that it holds, or of its `size`; a month is 730 h"},
    {ROW(ws_file_store, size), .kind = WS_PARAMETER_BYTES, .min = "1B",
     .help = "that is paid for, whatever it holds"},
};
static const ws_parameter_table store_table = {.noun = "storage",
                                               .rows = store_rows,
                                               .count = WS_COUNT_OF(store_rows),
                                               .bytes = sizeof(ws_file_store)};

static const ws_parameter storage_rows[] = {
    {ROW(ws_file_storage, checkpoint), .kind = WS_PARAMETER_OPTIONAL_MAP, .table = &store_table,
     .help = "where checkpoints go, and where training data is"},
};
const ws_parameter_table ws_file_storage_table = {.noun = "storage",
                                                  .rows = storage_rows,
                                                  .count = WS_COUNT_OF(storage_rows),
                                                  .bytes = sizeof(ws_file_storage)};

static const ws_parameter registry_rows[] = {
    {ROW(ws_file_registry, bandwidth), .kind = WS_PARAMETER_BANDWIDTH, .required = true,
     .min = "1B/s", .help = "of all nodes that pull together"},
    {ROW(ws_file_registry, per_node), .kind = WS_PARAMETER_BANDWIDTH, .min = "1B/s",
     .help = "most that one node pulls and unpacks"},
};
const ws_parameter_table ws_file_registry_table = {.noun = "registry",
                                                   .rows = registry_rows,
                                                   .count = WS_COUNT_OF(registry_rows),
                                                   .bytes = sizeof(ws_file_registry)};

/* ---- local disks ---- */

static const ws_parameter local_disk_rows[] = {
    {ROW(ws_file_local_disk, size), .kind = WS_PARAMETER_BYTES, .required = true, .min = "1B",
     .help = "of a node; a job has the share of it that it has of the node's GPUs"},
    {ROW(ws_file_local_disk, read), .kind = WS_PARAMETER_BANDWIDTH, .required = true, .min = "1B/s",
     .help = "of a node, shared likewise"},
    {ROW(ws_file_local_disk, write), .kind = WS_PARAMETER_BANDWIDTH, .required = true,
     .min = "1B/s", .help = "of a node, shared likewise"},
};
const ws_parameter_table ws_file_local_disk_table = {.noun = "local disk",
                                                     .rows = local_disk_rows,
                                                     .count = WS_COUNT_OF(local_disk_rows),
                                                     .bytes = sizeof(ws_file_local_disk)};

static const ws_parameter local_checkpoint_rows[] = {
    SELF(ws_file_local_checkpoint),
    {ROW(ws_file_local_checkpoint, every), .kind = WS_PARAMETER_DURATION, .required = true,
     .min = "1s",
     .help = "running time between two writes; one that is due when the checkpoint's own `every` "
             "is over goes to the storage"},
};
const ws_parameter_table ws_file_local_checkpoint_table = {
    .noun = "local checkpoint",
    .rows = local_checkpoint_rows,
    .count = WS_COUNT_OF(local_checkpoint_rows),
    .bytes = sizeof(ws_file_local_checkpoint)};

/* ---- training data ---- */

static const char *const from_choices[] = {"storage", "local", NULL};

static const ws_parameter data_rows[] = {
    SELF(ws_file_data),
    {ROW(ws_file_data, bytes_per_sample), .kind = WS_PARAMETER_BYTES, .required = true, .min = "1B",
     .help = "read for each sample, whatever its batch; stages of a `duration` read nothing"},
    {ROW(ws_file_data, from), .kind = WS_PARAMETER_CHOICE, .choices = from_choices,
     .choice_noun = "a place of training data", .default_text = "storage",
     .help = "`storage`: `storage.checkpoint`; `local`: the `local_disk` of each node, where its "
             "part is copied from there before the first step"},
    {ROW(ws_file_data, size), .kind = WS_PARAMETER_BYTES, .min = "1B",
     .help = "of all of it; `from: local` needs it"},
};
const ws_parameter_table ws_file_data_table = {.noun = "training data",
                                               .rows = data_rows,
                                               .count = WS_COUNT_OF(data_rows),
                                               .bytes = sizeof(ws_file_data)};
