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

/* One job of a node with 8 GPUs. */
static bool load(const char *storage, const char *job)
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
                                   "network: {preset: dgx-h100}\n"
                                   "storage: %s\n"
                                   "workload:\n"
                                   "  jobs:\n"
                                   "    - {name: job, gpus: {per_replica: 8}, %s}\n"
                                   "policies:\n"
                                   "  - {name: all, type: fixed, target: {pool: pool}, nodes: 4}\n",
                                   storage, job);

    return ws_edited_load(&edited, text, NULL);
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
    cr_expect(eq(dbl, ws_job_read_bytes_per_s(kind, 1), 5e9));
    cr_expect(eq(dbl, ws_job_read_bytes_per_s(kind, 4), 6e9));
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
