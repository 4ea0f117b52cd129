/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What the files that turn a scenario file into the simulator's structures share.
 *
 * Each ws_build_...() that returns a bool adds at least one error to context->diag when it returns
 * false, and goes on after a fault as far as that leads to no second one.
 */
#ifndef WS_SCENARIOS_BUILD_H
#define WS_SCENARIOS_BUILD_H

#include "file.h"
#include "ws/load.h"
#include "ws/quantity.h"
#include "ws/trace.h"
#include "ws/trace_series.h"

/** A window of a trace as it was read last, for the arms that override other things. */
typedef struct {
    const ws_file_trace *wanted; /* what it was read for; NULL: nothing was read */
    ws_trace trace;
    ws_trace_report report;
} ws_build_recording;

/** Series that were read, once for all arms. */
typedef struct {
    ws_text file; /* as it is written */
    ws_text format;
    ws_trace_series_set set;
    ws_trace_series_report report;
} ws_build_series;

#define WS_BUILD_SERIES_MAX 16

typedef struct {
    ws_build_series items[WS_BUILD_SERIES_MAX];
    size_t count;
} ws_build_series_files;

/** A file that a parameter names. */
typedef struct {
    ws_text path; /* as it is written */
    const ws_source *source;
    ws_span named_at;    /* where it is named first */
    ws_document *stream; /* its documents */
    bool is_sound;       /* false: they could not be read, which was told */
} ws_build_file;

typedef struct {
    ws_build_file items[WS_INPUT_FILES_MAX];
    size_t count;
} ws_build_files;

typedef struct {
    ws_arena *arena;
    ws_diag *diag;
    const ws_load_options *options;
    ws_text folder;                /* of the scenario file: paths are relative to it */
    ws_loaded *loaded;             /* takes inputs and assumptions */
    ws_build_recording *recording; /* shared by all arms */
    ws_build_series_files *series; /* likewise */
    ws_build_files *files;         /* likewise */
    ws_currency *currency;         /* of all amounts; shared by all arms */
    const ws_file_scenario *file;  /* NULL: its maps have faults */
    ws_scenario *scenario;         /* that is being built */
    bool has_names;                /* pools and jobs are known, so that references can be checked */
} ws_build;

/** Arena memory; on exhaustion a diagnostic WS9007 and NULL. */
void *ws_build_alloc(ws_build *context, size_t count, size_t size);
#define ws_build_new(context, type, count)                                                         \
    ((type *)ws_build_alloc((context), (count), sizeof(type)))

/** printf into the arena; an empty text when it is exhausted. */
#define ws_build_text(context, ...) ws_arena_format((context)->arena, __VA_ARGS__)

/** A piece of the file for a message: the text, or the beginning of a long one. */
ws_text ws_build_shown(ws_text text);

/** Place of a key's value in a map; of the map when the key is absent. NULL: no place. */
ws_span ws_build_at(const ws_document *map, const char *key);

/** Place of the key itself. */
ws_span ws_build_key_at(const ws_document *map, const char *key);

/** True when the file itself gives the key: neither absent nor put in as a default. */
bool ws_build_is_given(const ws_document *map, const char *key);

/**
 * Adds an error with a place, a label under it and a help. Returns false.
 *
 * @param label   NULL: none
 * @param help    empty: none
 */
bool ws_build_error(ws_build *context, int code, ws_span at, ws_text message, const char *label,
                    ws_text help);

/** Adds an error that needs more than that; its severity is set here. Returns false. */
bool ws_build_fault(ws_build *context, ws_diagnostic *fault);

/** Adds a warning. */
void ws_build_warn(ws_build *context, ws_diagnostic *fault);

/** Reads a scalar as a quantity; false with a diagnostic at its place. */
WS_NODISCARD bool ws_build_quantity(ws_build *context, const ws_document *document,
                                    ws_quantity_kind kind, ws_text name, ws_quantity *value);

/** Adds a sentence to the assumptions, once. */
void ws_build_assume(ws_build *context, ws_text sentence);

/**
 * Remembers a file that the scenario names, once, as far as there is room: its digest is in the
 * results. The bytes themselves are not kept. False with a diagnostic when it cannot be read.
 */
WS_NODISCARD bool ws_build_note_input(ws_build *context, const ws_file_name *file, ws_text role);

/** A name and where it stands. */
typedef struct {
    ws_text name; /* empty: it could not be read */
    ws_span at;
} ws_build_named;

/**
 * Names of one list must differ: WS4102 for each that does not. O(count^2), with texts compared
 * only when they are of one length.
 *
 * @param plural  what they are: "pools"
 * @param note    why; empty: none
 */
WS_NODISCARD bool ws_build_check_names(ws_build *context, const char *plural,
                                       const ws_build_named *named, size_t count, ws_text note);

/** Most names that a help lists. */
#define WS_BUILD_KNOWN_MAX 10

/**
 * A help that lists what there is, up to ten, and what was probably meant: "pools are `a`, `b`;
 * did you mean `a`?".
 *
 * @param noun   in the singular: "pool"
 * @param names  terminated; NULL entries are passed over
 */
ws_text ws_build_known(ws_build *context, const char *noun, const char *const *names, size_t count,
                       ws_text wrong);

/** A terminated copy of a name, for the list above; NULL when the arena is exhausted. */
const char *ws_build_string(ws_build *context, ws_text name);

/* ---- parts of a scenario: each adds its own to context->scenario ---- */

/** Builds a scenario from a document, in which defaults are put. Used once for the file and once
 * for each arm with `set`. */
WS_NODISCARD bool ws_build_scenario(ws_build *context, ws_document *root);

/** Pools. All of them are filled in, with faults or without; pool_count stays 0 when there are none
 * or too many. */
WS_NODISCARD bool ws_build_cluster(ws_build *context);

/** The network, or none; the pools must be filled in. With faults there is one without sense, so
 * that profiles do not miss it. */
WS_NODISCARD bool ws_build_network(ws_build *context);

/** Stated jobs. */
WS_NODISCARD bool ws_build_jobs(ws_build *context);

/** Recorded jobs. */
WS_NODISCARD bool ws_build_trace(ws_build *context);

/** A file that a map names under `key`, within what the scenario may reach. False with a
 * diagnostic. */
WS_NODISCARD bool ws_build_file_name(ws_build *context, ws_text shown, const char *key,
                                     const ws_document *map, ws_file_name *file);

/** Outages and availability that were recorded of a pool's machines. False with a diagnostic. */
WS_NODISCARD bool ws_build_absences(ws_build *context, const ws_file_pool *file,
                                    ws_pool_spec *pool);

/** Prices that were recorded for a pool: node_price and price_steps. False with a diagnostic. */
WS_NODISCARD bool ws_build_prices(ws_build *context, const ws_file_pool *file, ws_pool_spec *pool);

/** "2d": a time for a message. */
ws_text ws_build_span_text(ws_build *context, int64_t span_ns);

/** Reads the window of a trace into context->recording, unless it is there already. */
WS_NODISCARD bool ws_build_recording_read(ws_build *context, const ws_file_trace *file);

/** Series that were picked from a file; at least one. */
typedef struct {
    const ws_trace_series **items;
    size_t count;
} ws_build_picked;

/** Reads series and picks those that are asked for, all of one metric. False with a diagnostic. */
WS_NODISCARD bool ws_build_pick_series(ws_build *context, const ws_file_series *file,
                                       ws_build_picked *picked);

/** The one stage of a job with demand; its kind and sizes must be filled in. */
WS_NODISCARD bool ws_build_demand(ws_build *context, const ws_file_demand *file,
                                  ws_job_template *template);

/** When a stated job arrives. */
WS_NODISCARD bool ws_build_arrivals(ws_build *context, const ws_file_job *file,
                                    ws_arrivals *arrivals);

/** Legal sizes of a stated job. */
WS_NODISCARD bool ws_build_sizes(ws_build *context, const ws_file_job *file,
                                 ws_job_template *template);

/** A job of one stage with the sizes of a template: to ask ws_job_legal_at_least() and the like
 * before there is a job. It borrows both. */
ws_job_spec ws_build_probe(const ws_job_template *template, const ws_stage_spec *stage);

/** Legal sizes and the batch of all stages by DeepSpeed's elastic batch rule. */
WS_NODISCARD bool ws_build_deepspeed(ws_build *context, const ws_file_deepspeed *file,
                                     ws_job_template *template);

/** Sizes that the pools can never bear: an error when the job could not go on, else a warning.
 * Sizes and stages must be filled in. */
WS_NODISCARD bool ws_build_check_reach(ws_build *context, const ws_file_job *file,
                                       const ws_job_template *template);

/** Stages of a stated job; its sizes must be filled in. */
WS_NODISCARD bool ws_build_stages(ws_build *context, const ws_file_job *file,
                                  ws_job_template *template);

/* ---- what is common to stated and recorded jobs ---- */

/** Fills pools and pool_speed. @param at  place of the types */
WS_NODISCARD bool ws_build_accepted_pools(ws_build *context, const ws_list *types,
                                          const ws_document *speed, ws_span at, ws_job_kind *kind);

WS_NODISCARD bool ws_build_checkpoint(ws_build *context, const ws_file_checkpoint *file,
                                      ws_job_kind *kind);

/** Labels of a kind's pods and series. */
WS_NODISCARD bool ws_build_labels(ws_build *context, const ws_document *document,
                                  ws_job_kind *kind);

WS_NODISCARD bool ws_build_worker_start(ws_build *context, const ws_file_worker_start *file,
                                        ws_worker_start *start);

/** The training data of a stated job; its sizes and stages must be filled in. */
WS_NODISCARD bool ws_build_data(ws_build *context, const ws_file_data *file,
                                ws_job_template *template);

/** What transfers share: the storage and the registry. */
void ws_build_channels(ws_build *context);

/** The price of a storage that is paid for by its size. */
WS_NODISCARD bool ws_build_storage_price(ws_build *context);

/** How many checkpoints are kept, and what each costs where that is paid for. */
WS_NODISCARD bool ws_build_keep_price(ws_build *context, const ws_file_checkpoint *file,
                                      ws_checkpoint_spec *checkpoint);

/** A price, and nothing that it is of; all jobs must be built. */
void ws_build_warn_storage_price(ws_build *context);

/** What a job has on the disks of its nodes: local checkpoints, training data. Pools, checkpoint
 * and data must be filled in. Either file may be NULL. @param replicas_min  its smallest size */
WS_NODISCARD bool ws_build_disks(ws_build *context, const ws_file_checkpoint *checkpoint,
                                 const ws_file_data *data, int32_t replicas_min, ws_job_kind *kind);

/** The image pull of a pool. */
WS_NODISCARD bool ws_build_image(ws_build *context, const ws_file_cold_start *file,
                                 ws_node_start *start);

/** Replicas that all pools which a kind accepts can bear together. */
int64_t ws_build_reachable_replicas(const ws_build *context, const ws_job_kind *kind);

/* ---- how fast work is done ---- */

/** A step model as it is written, once for all stages that use it. */
typedef struct {
    const struct ws_build_step_kind *kind; /* NULL: there is none, or it has faults */
    const ws_document *value;              /* of its one entry */
    const void *parameters;                /* as its kind has read them, without a batch */
    ws_work_unit unit;                     /* of its rates; WS_WORK_NONE: not said */
} ws_build_model;

/** Reads `{NAME: VALUE}` as the step model of that name (build_step.h). */
WS_NODISCARD bool ws_build_read_model(ws_build *context, const ws_document *document,
                                      ws_build_model *model);

/** The step of one stage by a model that was read. */
WS_NODISCARD bool ws_build_apply_model(ws_build *context, const ws_build_model *model,
                                       const ws_file_stage *stage, ws_stage_spec *spec);

/** Whether that step suits the sizes that the job may have; `spec` has it and the stage's limits.
 */
WS_NODISCARD bool ws_build_check_model(ws_build *context, const ws_build_model *model,
                                       const ws_job_template *template, const ws_file_stage *stage,
                                       const ws_stage_spec *spec);

/** What a recording is taken to do at other sizes. One object serves all jobs of the same recorded
 * size. */
typedef struct {
    enum { WS_BUILD_SPEEDUP_NONE, WS_BUILD_SPEEDUP_AMDAHL, WS_BUILD_SPEEDUP_CURVE } kind;
    double parallel_fraction;
    const ws_curve_point *points; /* relative */
    size_t point_count;
    ws_text words; /* for the assumptions: "linear", "Amdahl's law with ..." */
} ws_build_speedup;

/** Reads `linear`, {amdahl: FRACTION} or {curve: {SHARE: SPEED, ...}}; NULL is none. */
WS_NODISCARD bool ws_build_read_speedup(ws_build *context, const ws_document *document,
                                        ws_build_speedup *speedup);

/** The step model of a job recorded at `replicas`. */
WS_NODISCARD bool ws_build_apply_speedup(ws_build *context, const ws_build_speedup *speedup,
                                         int32_t replicas, ws_step *step);

/* ---- documents in files ---- */

/**
 * Puts the documents in the place of the paths that name them: `manifest: FILE` or `FILE#NAME`, in
 * every controller of `root`. Each file is among the loaded inputs, in the role of its key. Paths
 * that are documents already stay as they are, and so do those with a fault.
 */
WS_NODISCARD bool ws_build_read_files(ws_build *context, ws_document *root);

/** True when a controller still has a path where a document should be: that was told when it was
 * read. */
bool ws_build_is_file_left(const ws_document *controller, const ws_parameter_table *table);

/** Once all is built: drops what was found several times in a file that several policies name, and
 * notes where that file is named. */
void ws_build_tell_files(const ws_build *context);

/* ---- arms ---- */

/** Where a controller stands and who it belongs to. */
typedef struct {
    ws_document *map;            /* its keys */
    ws_text where;               /* its path, for messages */
    ws_parameter_binding common; /* keys that all policy types share */
} ws_build_entry;

/**
 * Reads a map as a controller: the common keys into their own structure, the others by the table of
 * the policy type that `type` names.
 */
WS_NODISCARD bool ws_build_read_controller(ws_build *context, const ws_build_entry *entry,
                                           ws_controller_spec *controller);

/** Whether a query shows the series of a kind of job. */
bool ws_build_query_picks(const ws_query *query, const ws_job_kind *kind);

/** Checks that monitoring has what a controller's policy asks for, and that selectors pick series.
 */
WS_NODISCARD bool ws_build_check_queries(ws_build *context, const ws_controller_spec *controller);

/** What the models of a stated job say; NULL for other targets. Ends with the arena. */
const ws_outlook *ws_build_outlook(ws_build *context, const ws_target *target);

/** Looks a target up and checks that the controller's policy can scale it and see its metrics. */
WS_NODISCARD bool ws_build_controller(ws_build *context, ws_text arm, const ws_file_target *target,
                                      ws_controller_spec *controller);

/**
 * The arms, from the list under `policies`, in loaded->arms: each has its name even when it has
 * faults.
 *
 * @param list      NULL: there is none, which was reported
 * @param pristine  the document before defaults, for arms with overrides of their own; NULL: leave
 * these out
 */
WS_NODISCARD bool ws_build_arms(ws_build *context, const ws_document *list,
                                const ws_document *pristine);

/** Metrics, baseline, thresholds. */
WS_NODISCARD bool ws_build_comparison(ws_build *context);

#endif
