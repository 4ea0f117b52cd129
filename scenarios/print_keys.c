/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything that a scenario file may say, from the tables and lists in the code: the manual's
 * reference. */
#include "file.h"
#include "schedules.h"
#include "ws/arbiter.h"
#include "ws/collective.h"
#include "ws/elasticity.h"
#include "ws/load.h"
#include "ws/machine.h"
#include "ws/metric.h"
#include "ws/policies.h"
#include "ws/trace.h"

/** Text that is put together; empty for good once the arena is exhausted. */
typedef struct {
    ws_arena *arena;
    ws_text text;
} keys_page;

static void keys_add(keys_page *page, ws_text more)
{
    if (page->text.start != NULL) {
        page->text =
            ws_arena_format(page->arena, "%.*s%.*s", WS_TEXT_ARGS(page->text), WS_TEXT_ARGS(more));
    }
}

static void keys_add_string(keys_page *page, const char *more)
{
    keys_add(page, ws_text_of(more));
}

/** A heading with a paragraph below it. */
static void keys_add_heading(keys_page *page, const char *heading, const char *words)
{
    keys_add(page, ws_arena_format(page->arena, "\n%s\n\n%s\n", heading, words));
}

static void keys_add_table(keys_page *page, const ws_parameter_table *table)
{
    keys_add_string(page, "\n");
    keys_add(page, ws_parameters_print_markdown(table, page->arena));
}

/** "`pool`, `job`": what a policy can scale. */
static ws_text keys_targets(ws_arena *arena, uint32_t kinds)
{
    static const char *const names[] = {
        [WS_TARGET_POOL] = "pool", [WS_TARGET_JOB] = "job", [WS_TARGET_JOBS] = "jobs"};
    ws_text all = WS_TEXT("");

    for (size_t i = 0; i < WS_COUNT_OF(names); i++) {
        if (((kinds >> i) & 1) != 0) {
            all = ws_arena_format(arena, "%.*s%s`%s`", WS_TEXT_ARGS(all),
                                  all.length == 0 ? "" : ", ", names[i]);
        }
    }
    return all;
}

static void keys_add_policies(keys_page *page)
{
    keys_add_heading(page, "## Policies",
                     "An entry under `policies` is an arm. These keys are common to all types; "
                     "those of its type "
                     "stand beside them.");
    keys_add_table(page, &ws_file_arm_table);
    keys_add_heading(page, "### Several controllers side by side",
                     "With `controllers` an arm has none of the keys above but `name` and `set`.");
    keys_add_table(page, &ws_file_group_table);
    keys_add_heading(page, "### Each of them", "The keys of its type stand beside these.");
    keys_add_table(page, &ws_file_controller_table);
    for (size_t i = 0; i < ws_policy_count(); i++) {
        const ws_policy_type *type = ws_policy_at(i);
        ws_text targets = keys_targets(page->arena, type->target_kinds);

        keys_add(page,
                 ws_arena_format(page->arena, "\n### Type `%s`\n\n`%s`: %s. It scales: %.*s.\n",
                                 type->name, type->name, type->summary, WS_TEXT_ARGS(targets)));
        keys_add_table(page, type->parameters);
    }
}

static void keys_add_metrics(keys_page *page)
{
    static const char *const scopes[] = {[WS_METRIC_CLUSTER] = "the cluster",
                                         [WS_METRIC_JOB] = "each replica",
                                         [WS_METRIC_RESOURCE] = "each replica, with a request"};

    keys_add_heading(page, "## Metrics", "What policies can see.");
    keys_add_string(page, "\n| metric | unit | of | meaning |\n| --- | --- | --- | --- |\n");
    for (size_t i = 0; i < WS_METRIC_COUNT; i++) {
        const ws_metric *metric = &ws_metrics[i];

        keys_add(page, ws_arena_format(page->arena, "| `%s` | %s | %s | %s |\n", metric->name,
                                       metric->unit, scopes[metric->scope], metric->help));
    }
}

static void keys_add_machines(keys_page *page)
{
    keys_add_heading(page, "## Machines",
                     "What `network.preset` may be. A GPU that is known by one of these names, as "
                     "`gpu.type` or `gpu.preset`, brings its memory and peak rates.");
    keys_add_string(page,
                    "\n| machine | GPUs of a node | GPU | NICs of a node |\n| --- | --- | --- "
                    "| --- |\n");
    for (size_t i = 0; ws_machine_at(i) != NULL; i++) {
        const ws_machine *machine = ws_machine_at(i);

        keys_add(page, ws_arena_format(page->arena, "| `%s` | %d | `%s` | %d of %.0f Gb/s |\n",
                                       machine->name, machine->gpus_per_node, machine->gpu,
                                       machine->nics, machine->nic_bytes_per_s * 8 / 1e9));
    }
    keys_add_heading(page, "## Models of collectives", "What `network.collectives.model` may be.");
    keys_add_string(page, "\n| model | meaning |\n| --- | --- |\n");
    for (size_t i = 0; ws_collective_at(i) != NULL; i++) {
        const ws_collective_type *type = ws_collective_at(i);

        keys_add(page, ws_arena_format(page->arena, "| `%s` | %s |\n", type->name, type->summary));
    }
}

static void keys_add_lists(keys_page *page)
{
    keys_add_heading(page, "## Elasticity modes", "What `elasticity.mode` may be.");
    keys_add_string(page, "\n| mode | meaning |\n| --- | --- |\n");
    for (size_t i = 0; i < ws_elasticity_count(); i++) {
        const ws_elasticity_type *mode = ws_elasticity_at(i);

        keys_add(page, ws_arena_format(page->arena, "| `%s` | %s |\n", mode->name, mode->summary));
    }
    keys_add_heading(page, "## Formats of traces",
                     "What `workload.trace.format` may be, besides `auto`.");
    keys_add_string(page, "\n| format | meaning |\n| --- | --- |\n");
    for (size_t i = 0; i < ws_trace_type_count(); i++) {
        const ws_trace_type *type = ws_trace_type_at(i);

        keys_add(page, ws_arena_format(page->arena, "| `%s` | %s |\n", type->name, type->summary));
    }
}

static void keys_add_schedules(keys_page *page)
{
    keys_add_string(page, "\n| preset | stages | is | source |\n| --- | --- | --- | --- |\n");
    for (size_t i = 0; i < ws_schedule_count(); i++) {
        const ws_schedule *schedule = ws_schedule_at(i);
        size_t count = schedule->count + (schedule->rounds - 1) * schedule->alternating;

        keys_add(page, ws_arena_format(page->arena, "| `%s` | %zu | %s | %s |\n", schedule->name,
                                       count, schedule->summary, schedule->source));
    }
}

ws_text ws_scenario_print_keys(ws_arena *arena)
{
    keys_page page = {.arena = arena, .text = WS_TEXT("## Keys\n")};

    WS_ASSERT(arena != NULL);
    keys_add_table(&page, &ws_file_scenario_table);
    keys_add_heading(&page, "### `submit`, as a process", "Of a job whose arrivals are drawn.");
    keys_add_table(&page, &ws_file_submit_table);
    keys_add_heading(&page, "### `step: {profile: {...}}`",
                     "Of a job or a stage whose rate follows from compute and communication.");
    keys_add_table(&page, &ws_file_profile_table);
    keys_add_heading(&page, "### `step: {pollux: {...}}`",
                     "Of a job or a stage whose step times were fitted: the throughput model of "
                     "Pollux (OSDI 2021). K counts replicas.");
    keys_add_table(&page, &ws_file_pollux_table);
    keys_add_heading(&page, "### `step: {transformer: {...}}`",
                     "Of a job or a stage whose rate follows from a transformer's shape, its "
                     "layout, the GPU and the network.");
    keys_add_table(&page, &ws_file_transformer_table);
    keys_add_heading(&page, "### `stages: {preset: NAME}`", "The stages of a published run.");
    keys_add_table(&page, &ws_file_schedule_table);
    keys_add_schedules(&page);
    keys_add_policies(&page);
    keys_add_metrics(&page);
    keys_add_machines(&page);
    keys_add_lists(&page);
    return page.text;
}
