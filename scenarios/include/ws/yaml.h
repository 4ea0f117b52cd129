/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * YAML and JSON texts to documents.
 *
 * A file is data from others. Its bytes are checked before libyaml sees them (size, UTF-8, hidden
 * characters, directives), then read event by event within bounds: an input is refused at the event
 * that passes one, and aliases are counted before they are built. Scalars keep their text: `no`,
 * `1:30` and `0777` are strings for whoever reads them (YAML 1.2 core schema). Merge keys
 * (`<<`) are accepted: keys of the map itself win, then those of the first merged map. Sources:
 * YAML 1.2.2; the merge key language independent type; libyaml 0.2.5's behaviour under hostile
 * input, as measured (quadratic in nesting and in %TAG directives).
 *
 * Errors: WS1101 not YAML, WS1102 tab, WS1103 a key that is no scalar, WS1104 missing colon, WS1201
 * duplicate key, WS1301 too many nodes, WS1302 alias inside its own anchor, WS1303 alias without
 * anchor, WS1304 merge of something else, WS1305 hidden character, WS1306 not UTF-8, WS1307 tag or
 * directive, WS1308 second document, WS2002 empty, WS2902 block style in a value, WS5104 a Helm
 * template, WS9001 to WS9005 bounds below, WS9007 out of memory.
 */
#ifndef WS_YAML_H
#define WS_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/document.h"

#define WS_YAML_BYTES_MAX ((size_t)4 << 20) /* of a text: WS9001 */
#define WS_YAML_DEPTH_MAX                                                                          \
    WS_DOCUMENT_DEPTH_MAX                  /* levels of lists and maps, aliases included: WS9002 */
#define WS_YAML_NODES_MAX ((size_t)100000) /* values after the expansion of aliases: WS1301 */
#define WS_YAML_ANCHORS_MAX ((size_t)1000) /* WS9003 */
#define WS_YAML_KEYS_MAX ((size_t)10000)   /* of one map: WS9004 */
#define WS_YAML_SCALAR_BYTES_MAX ((size_t)64 << 10) /* decoded: WS9005 */

/**
 * Reads a text of one document. Spans point into `source`, which must live as long as the document.
 * Values reached by an alias or a merge key have the place of the anchor, and carry the alias.
 *
 * @param document  receives the root, in `arena`; untouched on false
 * @param noun      what the text should hold, for WS2002 "the file holds no scenario"
 * @return          false with at least one error
 */
WS_NODISCARD bool ws_yaml_read(ws_document **document, const ws_source *source, const char *noun,
                               ws_arena *arena, ws_diag *diag);

/**
 * Reads a text of any number of documents (a manifest as `kubectl get` or `helm template` prints
 * it): a list of them, those that are empty left out. The bounds hold for all documents together.
 * Else as ws_yaml_read().
 */
WS_NODISCARD bool ws_yaml_read_stream(ws_document **documents, const ws_source *source,
                                      const char *noun, ws_arena *arena, ws_diag *diag);

/**
 * Reads the value of an override (`--set path=VALUE`): bytes [from, to) of the flag's text, a
 * scalar or a list or map in flow style. Nothing at all is a null. Else as ws_yaml_read().
 */
WS_NODISCARD bool ws_yaml_read_value(ws_document **document, const ws_source *source, size_t from,
                                     size_t to, ws_arena *arena, ws_diag *diag);

#endif
