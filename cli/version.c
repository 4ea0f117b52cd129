/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "build_info.h"
#include "command.h"
#include "output.h"
#include "status.h"

static void version_write_json(ws_writer *json)
{
    ws_json_begin_object(json, NULL);
    ws_json_text(json, "schema", WS_TEXT("worldsize.version/v1"));
    ws_json_text(json, "name", WS_TEXT("worldsize"));
    ws_json_text(json, "version", ws_text_of(ws_build_version));
    ws_json_text(json, "commit", ws_text_of(ws_build_commit));
    ws_json_text(json, "compiler", ws_text_of(ws_build_compiler));
    ws_json_text(json, "rng", WS_TEXT("philox4x64-10"));
    ws_json_text(json, "streams", WS_TEXT("v1"));
    ws_json_end_object(json);
}

static int version_main(const ws_invocation *invocation)
{
    ws_writer out;

    ws_output_begin(&out);
    if (invocation->settings->json) {
        version_write_json(&out);
    } else {
        ws_write_format(&out, "worldsize %s (%s, %s, rng philox4x64-10)\n", ws_build_version,
                        ws_build_commit, ws_build_compiler);
    }
    return ws_output_finish(&out, WS_STATUS_YES);
}

const ws_command ws_command_version = {
    .name = "version",
    .bit = WS_FOR_VERSION,
    .operands = "",
    .summary = "version, commit, compiler",
    .about = "Says what this program is, on one line.\n",
    .examples = "  worldsize version --json\n",
    .main = version_main,
};
