/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What scenarios say of storage and of training data, and what is refused. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "scenarios/edited.h"

static ws_edited edited;

static void set_up(void)
{
    ws_edited_init(&edited, "storage");
}

static void tear_down(void)
{
    ws_edited_fini(&edited);
}

TestSuite(storage, .init = set_up, .fini = tear_down);

#define STORAGE                                                                                    \
    "{checkpoint: {write: {bandwidth: 4GB/s}, read: {bandwidth: 6GB/s, per_node: 5GB/s}}}"

/* One job of a node with 8 GPUs; `disk` is a line of the pool, or empty. */
static bool load_on(const char *disk, const char *storage, const char *job)
{
    ws_text text = ws_arena_format(&edited.arena,
                                   "schema: worldsize.scenario/v1\n"
                                   "name: storage\n"
                                   "horizon: 1h\n"
                                   "cluster:\n"
                                   "  pools:\n"
                                   "    - name: pool\n"
                                   "      gpu: {type: H100, per_node: 8}\n"
                                   "      nodes: {initial: 4, max: 4}\n"
                                   "      price: {per_gpu: $2.99/h}\n"
                                   "%s"
                                   "network: {preset: dgx-h100}\n"
                                   "storage: %s\n"
                                   "workload:\n"
                                   "  jobs:\n"
                                   "    - {name: job, gpus: {per_replica: 8}, %s}\n"
                                   "policies:\n"
                                   "  - {name: all, type: fixed, target: {pool: pool}, nodes: 4}\n",
                                   disk, storage, job);

    return ws_edited_load(&edited, text, NULL);
}

static bool load(const char *storage, const char *job)
{
    return load_on("", storage, job);
}

/* The bytes that a unit of work of the first stage reads. */
static double reads(const char *job)
{
    cr_assert(load(STORAGE, job), "%s\n%s", job, ws_edited_printed(&edited));
    return edited.loaded.scenario.workload.templates[0].stages[0].spec.read_bytes;
}

static void expect_refused(const char *storage, const char *job, int code)
{
    cr_expect_not(load(storage, job), "%s", job);
    cr_expect(ws_edited_found(&edited, code) != NULL, "%s\n%s", job, ws_edited_printed(&edited));
}

/* A sample of 4096 tokens; a step of 512 samples; steps of a batch that follows the size count
 * samples during the run. */
Test(storage, data_is_read_for_each_sample_whatever_the_unit)
{
    static const struct {
        const char *job;
        double bytes;
    } rows[] = {
        {"step: {curve: {1: 10 samples/s}}, stages: [{name: s, work: 9k samples}]", 8192},
        {"step: {curve: {1: 10k tokens/s}}, stages: [{name: s, work: 9M tokens, sequence: 4096}]",
         2},
        {"step: {curve: {1: 10k tokens/s}}, stages: [{name: s, work: 9k samples, sequence: 4096}]",
         8192},
        {"step: {curve: {1: 10 samples/s}}, stages: [{name: s, work: 9k steps, global_batch: 512}]",
         512 * 8192},
        {"step: {profile: {compute: 1s/sample, bytes: 1B}}, stages: [{name: s, work: 9k steps, "
         "replica_batch: 8}]",
         8192},
    };

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        ws_text job = ws_arena_format(
            &edited.arena, "replicas: 1, data: {bytes_per_sample: 8KiB}, %s", rows[i].job);
        cr_expect(eq(dbl, reads(job.start), rows[i].bytes), "%s", rows[i].job);
    }
}

Test(storage, data_that_cannot_be_counted_is_refused)
{
    expect_refused(STORAGE,
                   "replicas: 1, data: {bytes_per_sample: 8KiB}, step: {curve: {1: 10k tokens/s}}, "
                   "stages: [{name: s, work: 9M tokens}]",
                   4205);
    expect_refused(STORAGE,
                   "replicas: 1, data: {bytes_per_sample: 8KiB}, stages: [{name: s, duration: 9m}]",
                   4205);
    expect_refused("{}",
                   "replicas: 1, data: {bytes_per_sample: 8KiB}, step: {curve: {1: 9 samples/s}}, "
                   "stages: [{name: s, work: 9 samples}]",
                   4104);
    expect_refused(STORAGE,
                   "replicas: 1, data: {bytes_per_sample: 0B}, step: {curve: {1: 9 samples/s}}, "
                   "stages: [{name: s, work: 9 samples}]",
                   3107);
}

/* 4 nodes read at most the 6 GB/s of the storage, one its own 5 GB/s. At 100 samples of 100 MB a
 * second and replica one waits half of the time. Reads are flows where the storage is shared. */
Test(storage, how_fast_data_is_read)
{
    static const char job[] = "replicas: 1, data: {bytes_per_sample: 100MB}, "
                              "step: {curve: {1: 100 samples/s}}, "
                              "stages: [{name: s, work: 9k samples}]";
    const ws_scenario *scenario = &edited.loaded.scenario;

    cr_assert(load(STORAGE, job), "%s", ws_edited_printed(&edited));
    const ws_job_kind *kind = &scenario->workload.templates[0].kind;
    cr_expect(eq(dbl, ws_job_read_bytes_per_s(kind, 1, 0), 5e9));
    cr_expect(eq(dbl, ws_job_read_bytes_per_s(kind, 4, 0), 6e9));
    cr_expect(kind->data.is_shared);
    cr_expect(scenario->has_transfers);
    const ws_diagnostic *warning = ws_edited_found(&edited, 4314);
    cr_assert(warning != NULL);
    cr_expect(ws_text_is(warning->label, "5 GB/s of the 10 that they need"));

    cr_assert(load("{checkpoint: {write: {bandwidth: 40GB/s}, read: {bandwidth: 40GB/s}, sharing: "
                   "none}}",
                   job));
    cr_expect_not(scenario->workload.templates[0].kind.data.is_shared);
    cr_expect_not(scenario->has_transfers);
    cr_expect(ws_edited_found(&edited, 4314) == NULL);
}

#define PAID                                                                                       \
    "{checkpoint: {write: {bandwidth: 4GB/s}, read: {bandwidth: 6GB/s}, price: $0.10/GiB/month"
#define SAVED "replicas: 1, step: {curve: {1: 9 samples/s}}, stages: [{name: s, work: 9 samples}], "

/* 94 GiB x 0.10 / 730 h = $0.012876712(3)/h; 365 TiB x 102.4 / 730 = $51.2/h. */
Test(storage, what_the_storage_costs)
{
    const ws_scenario *scenario = &edited.loaded.scenario;

    cr_assert(load(PAID "}}", SAVED "checkpoint: {every: 10m, size: 94GiB, keep: 3}"));
    const ws_checkpoint_spec *checkpoint = &scenario->workload.templates[0].kind.checkpoint;
    cr_expect(eq(i32, checkpoint->keep, 3));
    cr_expect(eq(i64, checkpoint->keep_price.nano_per_h, 12876712));
    cr_expect(eq(i64, scenario->storage_price.nano_per_h, 0));

    cr_assert(load(PAID ", size: 365TiB}}", SAVED "checkpoint: {every: 10m, size: 94GiB}"));
    checkpoint = &scenario->workload.templates[0].kind.checkpoint;
    cr_expect(eq(i32, checkpoint->keep, 1));
    cr_expect(eq(i64, checkpoint->keep_price.nano_per_h, 0));
    cr_expect(eq(i64, scenario->storage_price.nano_per_h, 51200000000));
    cr_expect(eq(sz, edited.diag.count, 0), "%s", ws_edited_printed(&edited));
}

Test(storage, prices_of_nothing_or_beyond_counting)
{
    cr_assert(load(PAID "}}", SAVED "checkpoint: {every: 10m, write: 1m, read: 1m}"));
    cr_expect(ws_edited_found(&edited, 4315) != NULL, "%s", ws_edited_printed(&edited));
    expect_refused(
        "{checkpoint: {write: {bandwidth: 4GB/s}, read: {bandwidth: 6GB/s}, size: 1TiB}}",
        SAVED "priority: 1", 2302);
    expect_refused("{checkpoint: {write: {bandwidth: 4GB/s}, read: {bandwidth: 6GB/s}, size: 8PiB, "
                   "price: $1000000/GiB/month}}",
                   SAVED "priority: 1", 3107);
    expect_refused("{checkpoint: {write: {bandwidth: 4GB/s}, read: {bandwidth: 6GB/s}, price: "
                   "$1000000/GiB/month}}",
                   SAVED "checkpoint: {every: 10m, size: 1TiB, keep: 1000}", 3107);
}

#define DISK "      local_disk: {size: 8TB, read: 20GB/s, write: 10GB/s}\n"

/* 94 GiB twice and 7 TB are 7.2 TB on the 8 GPUs of one node, which has 8 TB. */
Test(storage, local_disks)
{
    static const char job[] = SAVED "checkpoint: {every: 30m, size: 94GiB, local: {every: 5m}}, "
                                    "data: {bytes_per_sample: 1MB, from: local, size: 7TB}";
    const ws_scenario *scenario = &edited.loaded.scenario;

    cr_assert(load_on(DISK, STORAGE, job), "%s", ws_edited_printed(&edited));
    const ws_job_kind *kind = &scenario->workload.templates[0].kind;
    cr_expect(eq(dbl, scenario->pools[0].disk.bytes, 8e12));
    cr_expect(eq(i64, kind->checkpoint.local_every.ns, 5 * WS_NS_PER_MIN));
    cr_expect(eq(dbl, kind->checkpoint.local_bytes, 94 * 1073741824.0));
    cr_expect(kind->data.is_local);
    cr_expect(eq(dbl, kind->data.bytes, 7e12));
    ws_world world = ws_job_world_packed(kind, 0, &scenario->pools[0], NULL, 1);
    cr_expect(eq(dbl, world.read_bytes_per_s, 20e9));
}

Test(storage, what_does_not_fit_on_local_disks_is_refused)
{
    static const struct {
        const char *disk;
        const char *job;
        int code;
    } rows[] = {
        {"", SAVED "checkpoint: {every: 30m, size: 94GiB, local: {every: 5m}}", 4104},
        {"", SAVED "data: {bytes_per_sample: 1MB, from: local, size: 7TB}", 4104},
        {DISK, SAVED "data: {bytes_per_sample: 1MB, from: local, size: 9TB}", 4214},
        {DISK,
         SAVED "checkpoint: {every: 30m, size: 1TB, local: {every: 5m}}, "
               "data: {bytes_per_sample: 1MB, from: local, size: 7TB}",
         4214},
        {DISK, SAVED "data: {bytes_per_sample: 1MB, from: local}", 2102},
        {DISK, SAVED "data: {bytes_per_sample: 1MB, size: 7TB}", 2302},
        {DISK, SAVED "checkpoint: {every: 30m, size: 1TB, local: {every: 30m}}", 2302},
        {DISK, SAVED "checkpoint: {every: 30m, write: 1m, read: 1m, local: {every: 5m}}", 2102},
    };

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        cr_expect_not(load_on(rows[i].disk, STORAGE, rows[i].job), "%s", rows[i].job);
        cr_expect(ws_edited_found(&edited, rows[i].code) != NULL, "%s\n%s", rows[i].job,
                  ws_edited_printed(&edited));
    }
}
