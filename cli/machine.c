/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processors are read from what Linux tells in files: /proc/self/status (the mask of allowed ones)
 * and the control group's quota, version 2 (cpu.max) or 1 (cpu.cfs_quota_us), of the process's
 * group and of those above it. Where there are no such files, all that are online.
 */
#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "ws/number.h"
#include "ws/text.h"

#define MACHINE_PATH_BYTES 4096
#define MACHINE_STATUS_BYTES 16384 /* the groups of a user may fill many lines */
#define MACHINE_QUOTA_BYTES 128

/* The first bytes of a small file; the empty text when there is none or no memory for it. */
static ws_text machine_read(const char *path, size_t bytes_max, ws_arena *arena)
{
    WS_ASSERT(path != NULL);
    WS_ASSERT(bytes_max >= 1);

    char *bytes = ws_arena_alloc(arena, char, bytes_max);
    FILE *file = bytes != NULL ? fopen(path, "re") : NULL;
    ws_text text = {.start = bytes};

    if (file != NULL) {
        text.length = fread(bytes, 1, bytes_max, file);
        (void)fclose(file);
    }
    return text;
}

/* The rest of the line that starts with `key`. */
static ws_text machine_line(ws_text text, const char *key)
{
    ws_text wanted = ws_text_of(key);

    while (text.length > 0) {
        size_t end = ws_text_find_byte(text, '\n');
        ws_text line = ws_text_slice(text, 0, end);
        if (ws_text_starts_with(line, wanted)) {
            return ws_text_trimmed(ws_text_slice(line, wanted.length, line.length));
        }
        text = ws_text_slice(text, end + 1, text.length);
    }
    return (ws_text){.length = 0};
}

static size_t machine_bits(char digit)
{
    static const char digits[] = "0123456789abcdef";
    static const unsigned char bits[] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    const char *found = digit != '\0' ? strchr(digits, digit) : NULL;

    return found != NULL ? bits[found - digits] : 0;
}

static size_t machine_allowed(ws_arena *arena)
{
    ws_text status = machine_read("/proc/self/status", MACHINE_STATUS_BYTES, arena);
    ws_text mask = machine_line(status, "Cpus_allowed:");
    size_t count = 0;

    for (size_t i = 0; i < mask.length; i++) {
        count += machine_bits(mask.start[i]);
    }
    if (count == 0) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        count = online > 0 ? (size_t)online : 1;
    }
    return count;
}

/* Processors that a quota of `quota` in `period` is worth, rounded up; `count` when there is no
 * quota. */
static size_t machine_quota(ws_text quota, ws_text period, size_t count)
{
    WS_ASSERT(count >= 1);

    int64_t used = 0;
    int64_t span = 0;

    if (!ws_parse_i64(quota, &used) || !ws_parse_i64(period, &span) || used <= 0 || span <= 0) {
        return count;
    }
    size_t granted = (size_t)((used + span - 1) / span);
    return granted < count ? granted : count;
}

static size_t machine_group_v2(ws_text folder, size_t count, ws_arena *arena)
{
    ws_text path = ws_arena_format(arena, "/sys/fs/cgroup%.*s/cpu.max", WS_TEXT_ARGS(folder));

    if (path.start == NULL) {
        return count;
    }
    ws_text text = ws_text_trimmed(machine_read(path.start, MACHINE_QUOTA_BYTES, arena));
    size_t blank = ws_text_find_byte(text, ' ');
    return machine_quota(ws_text_slice(text, 0, blank), ws_text_slice(text, blank + 1, text.length),
                         count);
}

static size_t machine_group_v1(size_t count, ws_arena *arena)
{
    ws_text quota = machine_read("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", MACHINE_QUOTA_BYTES, arena);
    ws_text period =
        machine_read("/sys/fs/cgroup/cpu/cpu.cfs_period_us", MACHINE_QUOTA_BYTES, arena);

    return machine_quota(ws_text_trimmed(quota), ws_text_trimmed(period), count);
}

size_t ws_machine_cpus(ws_arena *arena)
{
    WS_ASSERT(arena != NULL);

    size_t count = machine_group_v1(machine_allowed(arena), arena);
    ws_text folder =
        machine_line(machine_read("/proc/self/cgroup", MACHINE_PATH_BYTES, arena), "0::");

    count = machine_group_v2(folder, count, arena);
    for (size_t end = folder.length; end > 0; end--) {
        if (folder.start[end - 1] == '/') {
            count = machine_group_v2(ws_text_slice(folder, 0, end - 1), count, arena);
        }
    }
    return count;
}

double ws_machine_clock_s(void)
{
    struct timespec now = {.tv_sec = 0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void ws_machine_date(char out[WS_MACHINE_DATE_BYTES])
{
    time_t now = time(NULL);
    struct tm parts;

    out[0] = '\0';
    if (gmtime_r(&now, &parts) != NULL) {
        (void)strftime(out, WS_MACHINE_DATE_BYTES, "%Y-%m-%dT%H:%M:%SZ", &parts);
    }
}

int64_t ws_machine_peak_memory_bytes(void)
{
    struct rusage usage;

    if (getrusage(RUSAGE_SELF, &usage) != 0) {
        return 0;
    }
    return (int64_t)usage.ru_maxrss * 1024;
}

static const char *machine_keep(const char *text, ws_arena *arena)
{
    const char *kept = ws_arena_copy_text(arena, ws_text_of(text)).start;
    return kept != NULL ? kept : "";
}

const char *ws_machine_host(ws_arena *arena)
{
    WS_ASSERT(arena != NULL);

    char name[256] = "";

    if (gethostname(name, sizeof name - 1) != 0) {
        return "";
    }
    return machine_keep(name, arena);
}

const char *ws_machine_folder(ws_arena *arena)
{
    WS_ASSERT(arena != NULL);

    char path[MACHINE_PATH_BYTES];

    return getcwd(path, sizeof path) != NULL ? machine_keep(path, arena) : "";
}
