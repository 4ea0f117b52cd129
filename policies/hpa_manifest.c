/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The object around the metrics and the behaviour: its version and kind, its name, what it scales
 * and within which sizes, and where each version keeps its metrics.
 *
 * v1 has one target of its own, for cpu; what it cannot say lies as JSON in two annotations, in the
 * shape of v2beta1 and of a type without names for JSON. They are read as the API server converts
 * them.
 */
#include "hpa_manifest.h"

#include <assert.h>
#include <inttypes.h>

#include "ws/assert.h"

#define METRICS_ANNOTATION "autoscaling.alpha.kubernetes.io/metrics"
#define BEHAVIOUR_ANNOTATION "autoscaling.alpha.kubernetes.io/behavior"
#define CODE_WRONG_KIND 2201
#define CPU_PERCENT_DEFAULT 80

/* ---- version and kind ---- */

typedef struct {
    const char *name;
    ws_hpa_version version;
    const char *removed; /* the first Kubernetes without it; NULL: it is served */
} manifest_version;

/* Removals: the API's deprecation guide. */
static const manifest_version versions[] = {
    {"autoscaling/v1", WS_HPA_V1, NULL},
    {"autoscaling/v2beta1", WS_HPA_V2BETA1, "1.25"},
    {"autoscaling/v2beta2", WS_HPA_V2BETA2, "1.26"},
    {"autoscaling/v2", WS_HPA_V2, NULL},
};

static const char *const version_names[] = {"autoscaling/v1", "autoscaling/v2beta1",
                                            "autoscaling/v2beta2", "autoscaling/v2", NULL};

static_assert(WS_COUNT_OF(version_names) == WS_COUNT_OF(versions) + 1,
              "a name for each, then NULL");

/* The file as one would type it: of an inline manifest there is none. */
static const char *manifest_file(const ws_hpa_reader *reader, const ws_document *manifest)
{
    bool is_file = manifest->origin.length > 0 && manifest->at.source != NULL;
    ws_text name = WS_TEXT("hpa.yaml");

    if (is_file) {
        name = ws_arena_copy_text(reader->arena, manifest->at.source->name);
    }
    return name.start == NULL ? "" : name.start;
}

static void manifest_warn_removed(const ws_hpa_reader *reader, const ws_document *manifest,
                                  const manifest_version *version)
{
    bool is_same = version->version == WS_HPA_V2BETA2;
    ws_text help =
        ws_arena_format(reader->arena, "`kubectl convert -f %s --output-version autoscaling/v2`%s",
                        manifest_file(reader, manifest),
                        is_same ? ", or change this line: the `spec` used here is the "
                                  "same in v2"
                                : "");

    WS_ASSERT(version->removed != NULL);

    ws_diag_add(
        reader->diag,
        &(ws_diagnostic){
            .severity = WS_SEVERITY_WARNING,
            .code = WS_HPA_CODE_VERSION,
            .message =
                ws_arena_format(reader->arena, "clusters of today do not take `%s`", version->name),
            .at = ws_hpa_place(reader, manifest, "apiVersion"),
            .label = ws_arena_format(reader->arena, "removed in Kubernetes %s", version->removed),
            .help = help});
}

/* Index of the version with that name, or WS_COUNT_OF(versions). */
static size_t manifest_find_version(ws_text name)
{
    size_t index = 0;

    while (index < WS_COUNT_OF(versions) && !ws_text_is(name, versions[index].name)) {
        index++;
    }
    return index;
}

static bool manifest_read_version(ws_hpa_reader *reader, const ws_document *manifest)
{
    ws_text name = ws_hpa_read_text(reader, manifest, "apiVersion");
    int near = ws_text_nearest(name, version_names, WS_COUNT_OF(versions));
    size_t index = manifest_find_version(name);

    if (index < WS_COUNT_OF(versions)) {
        reader->version = versions[index].version;
        if (versions[index].removed != NULL) {
            manifest_warn_removed(reader, manifest, &versions[index]);
        }
        return true;
    }
    if (reader->is_good) {
        ws_hpa_refuse_with(
            reader, WS_HPA_CODE_VERSION, ws_hpa_place(reader, manifest, "apiVersion"),
            name.length == 0 ? WS_TEXT("the manifest has no `apiVersion`")
                             : ws_arena_format(reader->arena,
                                               "`%.*s` is no version of a "
                                               "HorizontalPodAutoscaler",
                                               WS_TEXT_ARGS(name)),
            name.length == 0 ? "this manifest" : "unknown version",
            near >= 0 ? ws_arena_format(reader->arena, "did you mean `%s`?", version_names[near])
                      : WS_TEXT("versions are `autoscaling/v2` and `v1`, and `v2beta2` and "
                                "`v2beta1`, which are removed"));
    }
    return false;
}

static bool manifest_check_kind(ws_hpa_reader *reader, const ws_document *manifest)
{
    ws_text kind = ws_hpa_read_text(reader, manifest, "kind");
    ws_span at = ws_hpa_place(reader, manifest, "kind");

    if (ws_text_is(kind, "HorizontalPodAutoscaler")) {
        return true;
    }
    if (ws_text_ends_with(kind, WS_TEXT("List"))) {
        ws_hpa_refuse_with(
            reader, WS_HPA_CODE_SEVERAL, at,
            ws_arena_format(reader->arena, "a %.*s holds several manifests", WS_TEXT_ARGS(kind)),
            "which of them?", WS_TEXT("put it into a file and name one: `manifest: FILE#NAME`"));
    } else if (reader->is_good) {
        ws_hpa_refuse_with(
            reader, WS_HPA_CODE_KIND, at,
            kind.length == 0
                ? WS_TEXT("the manifest has no `kind`")
                : ws_arena_format(reader->arena, "a %.*s is no HorizontalPodAutoscaler",
                                  WS_TEXT_ARGS(kind)),
            kind.length == 0 ? "this manifest" : "another kind",
            WS_TEXT("name the manifest of the HorizontalPodAutoscaler; a kustomization is rendered "
                    "first (`kubectl kustomize`)"));
    }
    return false;
}

/* Whether `{{` is in it. */
static bool manifest_is_template(ws_text scalar)
{
    for (size_t i = 0; i + 1 < scalar.length; i++) {
        if (scalar.start[i] == '{' && scalar.start[i + 1] == '{') {
            return true;
        }
    }
    return false;
}

/* A value that is still a template, or NULL. */
static const ws_document *manifest_find_template(const ws_document *document)
{
    const ws_document *found = NULL;

    if (document->kind == WS_DOCUMENT_SCALAR && manifest_is_template(document->scalar)) {
        return document;
    }
    for (size_t i = 0; i < document->count && found == NULL; i++) {
        found = manifest_find_template(document->entries[i].value);
    }
    return found;
}

/* Templates in quotes are YAML. Annotations and labels may hold anything, and are not looked at. */
static bool manifest_check_rendered(ws_hpa_reader *reader, const ws_document *manifest)
{
    static const char *const parts[] = {"apiVersion", "kind", "spec"};
    const ws_document *name =
        ws_hpa_find(reader, ws_hpa_find(reader, manifest, "metadata"), "name");
    const ws_document *found = name == NULL ? NULL : manifest_find_template(name);

    for (size_t i = 0; i < WS_COUNT_OF(parts) && found == NULL; i++) {
        const ws_document *part = ws_hpa_find(reader, manifest, parts[i]);

        found = part == NULL ? NULL : manifest_find_template(part);
    }
    if (found != NULL) {
        ws_hpa_refuse_with(reader, WS_HPA_CODE_TEMPLATE, found->at,
                           WS_TEXT("this looks like a Helm template"), "not rendered",
                           WS_TEXT("render it first (`helm template`)"));
    }
    return found == NULL;
}

/* ---- name, target, sizes ---- */

static void manifest_check_name(ws_hpa_reader *reader, const ws_document *manifest)
{
    const ws_document *metadata = ws_hpa_read_map(reader, manifest, "metadata");
    ws_text name = ws_hpa_read_text(reader, metadata, "name");
    const ws_document *value = ws_hpa_find(reader, metadata, "name");

    if (metadata == NULL && ws_hpa_find(reader, manifest, "metadata") != NULL) {
        return; /* not a map, which was told */
    }
    if (value != NULL && name.length == 0 && !value->quoted) {
        return; /* not a text, likewise */
    }
    if (!ws_hpa_is_dns_subdomain(name)) {
        ws_hpa_refuse(reader, WS_HPA_CODE_NAME, value == NULL ? manifest->at : value->at,
                      name.length == 0
                          ? WS_TEXT("`metadata.name` is missing")
                          : WS_TEXT("`metadata.name` is lower-case letters, digits, `-` and `.`, "
                                    "with a letter or digit at both ends"));
    }
}

static void manifest_check_reference(ws_hpa_reader *reader, const ws_document *spec)
{
    static const char *const names[] = {"apiVersion", "kind", "name", NULL};
    const ws_document *reference = ws_hpa_read_map(reader, spec, "scaleTargetRef");

    if (reference == NULL) {
        if (ws_hpa_find(reader, spec, "scaleTargetRef") == NULL) {
            ws_hpa_refuse(reader, WS_HPA_CODE_REFERENCE, spec->at,
                          WS_TEXT("`scaleTargetRef` is missing"));
        }
        return;
    }
    ws_hpa_check_fields(reader, reference, &(ws_hpa_fields){"`scaleTargetRef`", names});
    ws_hpa_manifest_check_reference(reader, reference, "scaleTargetRef");
}

void ws_hpa_manifest_check_reference(ws_hpa_reader *reader, const ws_document *reference,
                                     const char *what)
{
    static const char *const keys[] = {"kind", "name"};

    for (size_t i = 0; i < WS_COUNT_OF(keys); i++) {
        ws_text name = ws_hpa_read_text(reader, reference, keys[i]);

        if (!ws_hpa_is_path_segment(name)) {
            ws_hpa_refuse(reader, WS_HPA_CODE_REFERENCE, ws_hpa_place(reader, reference, keys[i]),
                          ws_arena_format(reader->arena, "`%s.%s` %s", what, keys[i],
                                          name.length == 0 ? "is missing"
                                                           : "is not `.` or `..`, and holds no `/` "
                                                             "and no `%`"));
        }
    }
}

static void manifest_refuse_range(ws_hpa_reader *reader, const ws_document *spec, int32_t least,
                                  int32_t most)
{
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = WS_HPA_CODE_MIN_ABOVE_MAX,
        .message = WS_TEXT("`minReplicas` is above `maxReplicas`"),
        .at = ws_hpa_place(reader, spec, "minReplicas"),
        .label = ws_arena_format(reader->arena, "%" PRId32, least),
        .also = ws_hpa_place(reader, spec, "maxReplicas"),
        .also_label = ws_arena_format(reader->arena, "%" PRId32, most),
    };

    WS_ASSERT(least > most);

    reader->is_good = false;
    ws_diag_add(reader->diag, &diagnostic);
}

static void manifest_read_sizes(ws_hpa_reader *reader, const ws_document *spec,
                                ws_hpa_parameters *parameters)
{
    bool was_good = reader->is_good;
    int32_t least = 1;
    int32_t most = 0;
    bool has_most = false;

    reader->is_good = true;
    (void)ws_hpa_read_integer(reader, spec, "minReplicas", WS_HPA_CODE_SIZE, &least);
    has_most = ws_hpa_read_integer(reader, spec, "maxReplicas", WS_HPA_CODE_SIZE, &most);
    if (reader->is_good && least < 0) {
        ws_hpa_refuse(reader, WS_HPA_CODE_SIZE, ws_hpa_place(reader, spec, "minReplicas"),
                      WS_TEXT("`minReplicas` is at least 0"));
    }
    if (reader->is_good && most < 1) {
        ws_hpa_refuse(reader, WS_HPA_CODE_SIZE, ws_hpa_place(reader, spec, "maxReplicas"),
                      has_most ? WS_TEXT("`maxReplicas` is at least 1")
                               : WS_TEXT("`maxReplicas` is missing"));
    }
    if (reader->is_good && least > most) {
        manifest_refuse_range(reader, spec, least, most);
    }
    parameters->replicas_min = least;
    parameters->replicas_max = most;
    reader->is_good = reader->is_good && was_good;
}

/* ---- metrics and behaviour ---- */

/* The JSON in an annotation; NULL when there is none, or when it does not parse, which Kubernetes
 * passes over in silence. */
static const ws_document *manifest_annotation(const ws_hpa_reader *reader,
                                              const ws_document *manifest, const char *name)
{
    const ws_document *annotations =
        ws_hpa_find(reader, ws_hpa_find(reader, manifest, "metadata"), "annotations");
    const ws_document *annotation = ws_hpa_find(reader, annotations, name);
    ws_document *made = NULL;

    if (annotation == NULL || annotation->kind != WS_DOCUMENT_SCALAR) {
        return NULL;
    }
    if (!ws_document_read_json(&made, annotation->scalar, annotation->at, reader->arena)) {
        ws_diag_add(reader->diag,
                    &(ws_diagnostic){.severity = WS_SEVERITY_WARNING,
                                     .code = WS_HPA_CODE_ANNOTATION,
                                     .message = ws_arena_format(reader->arena,
                                                                "annotation `%s` is no JSON", name),
                                     .at = annotation->at,
                                     .label = WS_TEXT("Kubernetes passes it over in silence")});
        return NULL;
    }
    return made->count > 0 ? made : NULL; /* an empty one counts as absent */
}

/* v1: those of the annotation first, that of cpu last. */
static void manifest_read_v1(ws_hpa_metric_list *list, const ws_document *manifest,
                             const ws_document *spec)
{
    static const char key[] = "targetCPUUtilizationPercentage";
    ws_hpa_reader *reader = list->reader;
    const ws_document *annotation = manifest_annotation(reader, manifest, METRICS_ANNOTATION);
    int32_t percent = 0;

    if (annotation != NULL) {
        ws_hpa_manifest_metrics(list, annotation, true);
    }
    if (!ws_hpa_read_integer(reader, spec, key, WS_HPA_CODE_TARGET, &percent)) {
        return;
    }
    if (percent < 1) {
        ws_hpa_refuse(reader, WS_HPA_CODE_TARGET, ws_hpa_place(reader, spec, key),
                      WS_TEXT("`targetCPUUtilizationPercentage` is at least 1"));
    } else {
        ws_hpa_manifest_add_cpu(list, percent, ws_hpa_place(reader, spec, key));
    }
}

static void manifest_read_metrics(ws_hpa_metric_list *list, const ws_document *manifest,
                                  const ws_document *spec)
{
    ws_hpa_reader *reader = list->reader;
    bool was_good = reader->is_good;

    reader->is_good = true;
    if (reader->version == WS_HPA_V1) {
        manifest_read_v1(list, manifest, spec);
    } else {
        const ws_document *metrics = ws_hpa_read_list(reader, spec, "metrics");

        if (metrics != NULL) {
            ws_hpa_manifest_metrics(list, metrics, reader->version == WS_HPA_V2BETA1);
        }
    }
    if (list->count == 0 && reader->is_good) {
        ws_hpa_manifest_add_cpu(list, CPU_PERCENT_DEFAULT, spec->at); /* the API's default */
    }
    if (list->count > list->capacity) {
        ws_hpa_refuse_with(reader, WS_HPA_CODE_METRIC_COUNT, ws_hpa_place(reader, spec, "metrics"),
                           ws_arena_format(reader->arena,
                                           "a manifest has at most %zu metrics here, found %zu",
                                           list->capacity, list->count),
                           "too many", WS_TEXT(""));
    }
    reader->is_good = reader->is_good && was_good;
}

static void manifest_read_behaviour(ws_hpa_reader *reader, const ws_document *manifest,
                                    const ws_document *spec, ws_hpa_parameters *parameters)
{
    const ws_document *behaviour = NULL;

    if (reader->version == WS_HPA_V2 || reader->version == WS_HPA_V2BETA2) {
        behaviour = ws_hpa_read_map(reader, spec, "behavior");
    } else {
        behaviour = manifest_annotation(reader, manifest, BEHAVIOUR_ANNOTATION);
        reader->folds_case = true;
    }
    if (behaviour != NULL) {
        ws_hpa_manifest_behaviour(reader, behaviour, parameters);
    }
    reader->folds_case = false;
}

/* No replica, no metric of a replica. */
static void manifest_check_zero(ws_hpa_reader *reader, const ws_document *spec,
                                const ws_hpa_metric_list *list)
{
    ws_span at = ws_hpa_place(reader, spec, "minReplicas");

    for (size_t i = 0; i < list->count && i < list->capacity; i++) {
        if (list->metrics[i].query.source == WS_QUERY_EXTERNAL) {
            ws_diag_add(
                reader->diag,
                &(ws_diagnostic){
                    .severity = WS_SEVERITY_WARNING,
                    .code = WS_HPA_CODE_ZERO,
                    .message = WS_TEXT("`minReplicas: 0` needs the feature gate HPAScaleToZero"),
                    .at = at,
                    .label = WS_TEXT("refused by a cluster without it")});
            return;
        }
    }
    ws_hpa_refuse(reader, WS_HPA_CODE_ZERO, at,
                  WS_TEXT("`minReplicas: 0` needs an Object or External metric"));
}

/* ---- the whole ---- */

static void manifest_check_fields(const ws_hpa_reader *reader, const ws_document *manifest,
                                  const ws_document *spec)
{
    static const char *const top[] = {"apiVersion", "kind", "metadata", "spec", "status", NULL};
    static const char *const v1[] = {"scaleTargetRef", "minReplicas", "maxReplicas",
                                     "targetCPUUtilizationPercentage", NULL};
    static const char *const beta1[] = {"scaleTargetRef", "minReplicas", "maxReplicas", "metrics",
                                        NULL};
    static const char *const v2[] = {"scaleTargetRef", "minReplicas", "maxReplicas",
                                     "metrics",        "behavior",    NULL};
    static const char *const *const of_version[] = {
        [WS_HPA_V1] = v1, [WS_HPA_V2BETA1] = beta1, [WS_HPA_V2BETA2] = v2, [WS_HPA_V2] = v2};

    WS_ASSERT(reader->version < WS_COUNT_OF(of_version));

    ws_hpa_check_fields(reader, manifest, &(ws_hpa_fields){"a HorizontalPodAutoscaler", top});
    ws_hpa_check_fields(reader, spec,
                        &(ws_hpa_fields){ws_arena_format(reader->arena, "the `spec` of %s",
                                                         version_names[reader->version])
                                             .start,
                                         of_version[reader->version]});
}

static void manifest_read_spec(ws_hpa_metric_list *list, const ws_document *manifest,
                               ws_hpa_parameters *parameters)
{
    ws_hpa_reader *reader = list->reader;
    const ws_document *spec = ws_hpa_read_map(reader, manifest, "spec");

    if (spec == NULL) {
        if (ws_hpa_find(reader, manifest, "spec") == NULL) {
            ws_hpa_refuse(reader, WS_HPA_CODE_REFERENCE, manifest->at,
                          WS_TEXT("the manifest has no `spec`"));
        }
        return;
    }
    manifest_check_fields(reader, manifest, spec);
    manifest_check_reference(reader, spec);
    manifest_read_sizes(reader, spec, parameters);
    manifest_read_metrics(list, manifest, spec);
    manifest_read_behaviour(reader, manifest, spec, parameters);
    if (parameters->replicas_min == 0 && reader->is_good) {
        manifest_check_zero(reader, spec, list);
    }
}

static bool manifest_check_map(ws_hpa_reader *reader, const ws_document *manifest)
{
    bool is_list = manifest->kind == WS_DOCUMENT_LIST;

    if (manifest->kind == WS_DOCUMENT_MAP) {
        return true;
    }
    ws_hpa_refuse_with(reader, CODE_WRONG_KIND, manifest->at,
                       WS_TEXT("`manifest` is a HorizontalPodAutoscaler, or the path of one"),
                       is_list ? "a list" : "none",
                       is_list ? WS_TEXT("a patch is rendered first (`kubectl kustomize`)")
                               : WS_TEXT(""));
    return false;
}

bool ws_hpa_manifest_read(ws_hpa_parameters *parameters, ws_arena *arena, ws_diag *diag)
{
    const ws_document *manifest = parameters->manifest;
    ws_hpa_reader reader = {.arena = arena, .diag = diag, .is_good = true};
    ws_hpa_mapping mapping = {.count = 0};
    ws_hpa_metric_list list = {
        .reader = &reader,
        .mapping = &mapping,
        .metrics = ws_arena_alloc(arena, ws_hpa_stated_metric, WS_HPA_METRICS_MAX),
        .capacity = WS_HPA_METRICS_MAX,
    };

    WS_ASSERT(manifest != NULL);

    if (list.metrics == NULL) {
        return ws_diag_error(diag, 9007, ws_span_none, "out of memory while loading");
    }
    if (!ws_hpa_mapping_read(&mapping, parameters->mapping, arena, diag) ||
        !manifest_check_map(&reader, manifest) || !manifest_check_rendered(&reader, manifest) ||
        !manifest_check_kind(&reader, manifest) || !manifest_read_version(&reader, manifest)) {
        return false;
    }
    manifest_check_name(&reader, manifest);
    manifest_read_spec(&list, manifest, parameters);
    if (reader.is_good) {
        ws_hpa_mapping_warn_unused(&mapping, &reader);
    }
    parameters->stated = list.metrics;
    parameters->stated_count = list.count;
    return reader.is_good;
}
