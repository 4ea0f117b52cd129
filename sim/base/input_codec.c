/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gzip by zlib, zstd by libzstd.
 *
 * Both formats allow several members in a row; a file is whole only when it ends between two of
 * them. What follows the last member and is no member is damage: gzip(1) would ignore it, but it
 * may as well be the rest of a broken copy.
 */
#include "input_codec.h"

#include <limits.h>
#include <stdlib.h>

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "ws/assert.h"

typedef struct {
    z_stream stream;
    bool between;   /* at the start of a member */
    size_t members; /* complete ones */
} codec_gzip;

static void *gzip_open(void)
{
    codec_gzip *gzip = calloc(1, sizeof *gzip);

    /* 15: the largest window; 16: gzip wrapping only, with its checksum and length verified. */
    if (gzip != NULL && inflateInit2(&gzip->stream, 15 + 16) != Z_OK) {
        free(gzip);
        return NULL;
    }
    if (gzip != NULL) {
        gzip->between = true;
    }
    return gzip;
}

static const char *gzip_fault(const codec_gzip *gzip, int code)
{
    if (code == Z_MEM_ERROR) {
        return "there is no memory to unpack it";
    }
    if (gzip->stream.total_out == 0 && gzip->members > 0) {
        return "something follows the end of its gzip data";
    }
    return "its gzip data are damaged";
}

static uInt gzip_length(size_t length)
{
    return length < UINT_MAX ? (uInt)length : UINT_MAX;
}

/* One call of inflate(); true when it moved on. */
static bool gzip_step(codec_gzip *gzip, ws_input_piece *piece, int *code)
{
    uInt in_given = gzip_length(piece->in_left);
    uInt out_given = gzip_length(piece->out_left);

    gzip->stream.next_in = (z_const Bytef *)piece->in;
    gzip->stream.avail_in = in_given;
    gzip->stream.next_out = piece->out;
    gzip->stream.avail_out = out_given;
    *code = inflate(&gzip->stream, Z_NO_FLUSH);
    size_t in_used = in_given - gzip->stream.avail_in;
    size_t out_used = out_given - gzip->stream.avail_out;
    piece->in += in_used;
    piece->in_left -= in_used;
    piece->out += out_used;
    piece->out_left -= out_used;
    return in_used > 0 || out_used > 0;
}

static const char *gzip_unpack(void *decoder, ws_input_piece *piece)
{
    codec_gzip *gzip = decoder;
    bool moved = true;

    /* Without input, too: the decoder may hold bytes that did not fit the last time. */
    while (moved && piece->out_left > 0 && (piece->in_left > 0 || !gzip->between)) {
        int code = Z_OK;
        if (gzip->between && gzip->members > 0) {
            (void)inflateReset(&gzip->stream);
        }
        gzip->between = false;
        moved = gzip_step(gzip, piece, &code);
        if (code == Z_STREAM_END) {
            gzip->between = true;
            gzip->members++;
        } else if (code != Z_OK && code != Z_BUF_ERROR) {
            return gzip_fault(gzip, code);
        }
    }
    return NULL;
}

static bool gzip_may_end(const void *decoder)
{
    const codec_gzip *gzip = decoder;

    return gzip->between;
}

static void gzip_close(void *decoder)
{
    codec_gzip *gzip = decoder;

    (void)inflateEnd(&gzip->stream);
    free(gzip);
}

static const ws_input_codec codec_type_gzip = {
    .name = "gzip",
    .open = gzip_open,
    .unpack = gzip_unpack,
    .may_end = gzip_may_end,
    .close = gzip_close,
};

typedef struct {
    ZSTD_DStream *stream;
    bool between;  /* at the start of a frame */
    size_t frames; /* complete ones */
} codec_zstd;

static void *zstd_open(void)
{
    codec_zstd *zstd = calloc(1, sizeof *zstd);

    if (zstd == NULL) {
        return NULL;
    }
    zstd->stream = ZSTD_createDStream();
    zstd->between = true;
    if (zstd->stream == NULL) {
        free(zstd);
        return NULL;
    }
    return zstd;
}

static const char *zstd_fault(const codec_zstd *zstd, size_t code)
{
    ZSTD_ErrorCode error = ZSTD_getErrorCode(code);

    if (error == ZSTD_error_frameParameter_windowTooLarge) {
        return "its zstd window is above 128 MiB (pack it without --long)";
    }
    if (error == ZSTD_error_memory_allocation) {
        return "there is no memory to unpack it";
    }
    if (error == ZSTD_error_prefix_unknown && zstd->frames > 0) {
        return "something follows the end of its zstd data";
    }
    return "its zstd data are damaged";
}

static const char *zstd_unpack(void *decoder, ws_input_piece *piece)
{
    codec_zstd *zstd = decoder;
    bool moved = true;

    while (moved && piece->out_left > 0 && (piece->in_left > 0 || !zstd->between)) {
        ZSTD_inBuffer in = {.src = piece->in, .size = piece->in_left, .pos = 0};
        ZSTD_outBuffer out = {.dst = piece->out, .size = piece->out_left, .pos = 0};
        size_t left = ZSTD_decompressStream(zstd->stream, &out, &in);
        if (ZSTD_isError(left)) {
            return zstd_fault(zstd, left);
        }
        piece->in += in.pos;
        piece->in_left -= in.pos;
        piece->out += out.pos;
        piece->out_left -= out.pos;
        moved = in.pos > 0 || out.pos > 0;
        zstd->between = left == 0;
        zstd->frames += left == 0;
    }
    return NULL;
}

static bool zstd_may_end(const void *decoder)
{
    const codec_zstd *zstd = decoder;

    return zstd->between;
}

static void zstd_close(void *decoder)
{
    codec_zstd *zstd = decoder;

    (void)ZSTD_freeDStream(zstd->stream);
    free(zstd);
}

static const ws_input_codec codec_type_zstd = {
    .name = "zstd",
    .open = zstd_open,
    .unpack = zstd_unpack,
    .may_end = zstd_may_end,
    .close = zstd_close,
};

static bool codec_is_skippable_zstd(ws_text head)
{
    return head.length >= 4 && ((unsigned char)head.start[0] & 0xF0u) == 0x50u &&
           ws_text_starts_with(ws_text_slice(head, 1, head.length), WS_TEXT("\x2a\x4d\x18"));
}

const ws_input_codec *ws_input_codec_find(ws_text head)
{
    if (ws_text_starts_with(head, WS_TEXT("\x1f\x8b"))) {
        return &codec_type_gzip;
    }
    if (ws_text_starts_with(head, WS_TEXT("\x28\xb5\x2f\xfd")) || codec_is_skippable_zstd(head)) {
        return &codec_type_zstd;
    }
    return NULL;
}

typedef struct {
    const char *magic; /* `?` stands for any byte */
    size_t length;
    ws_input_refusal refusal;
} codec_magic;

/*
 * Sources: the formats' own specifications. What follows "PAR1" is the type field of a page header,
 * and what follows "BZh?" is the first block's mark; without them a table may well begin with these
 * letters.
 */
static const codec_magic codec_magics[] = {
    {"PK\003\004", 4, {"a zip archive", "unzip FILE"}},
    {"\xfd\x37zXZ\0", 6, {"an xz file", "unxz --keep FILE"}},
    {"BZh?1AY&SY", 10, {"a bzip2 file", "bunzip2 --keep FILE"}},
    {"PAR1\x15", 5, {"a Parquet file", "duckdb -c \"COPY (FROM 'FILE') TO 'FILE.csv' (HEADER)\""}},
    {"\x04\x22\x4d\x18", 4, {"an lz4 file", "unlz4 FILE"}},
    {"7z\xbc\xaf\x27\x1c", 6, {"a 7-Zip archive", "7z x FILE"}},
};

static const ws_input_refusal codec_refusal_xlsx = {
    .kind = "an Excel workbook",
    .command = "libreoffice --headless --convert-to csv FILE",
};

static bool codec_magic_matches(const codec_magic *magic, ws_text head)
{
    if (head.length < magic->length) {
        return false;
    }
    for (size_t i = 0; i < magic->length; i++) {
        if (magic->magic[i] != '?' && magic->magic[i] != head.start[i]) {
            return false;
        }
    }
    return true;
}

static bool codec_contains(ws_text text, ws_text part)
{
    for (size_t i = 0; i + part.length <= text.length; i++) {
        if (ws_text_starts_with(ws_text_slice(text, i, text.length), part)) {
            return true;
        }
    }
    return false;
}

/* A workbook is a zip archive whose first members are named so. */
static bool codec_is_xlsx(ws_text head)
{
    return ws_text_starts_with(head, WS_TEXT("PK\003\004")) &&
           (codec_contains(head, WS_TEXT("[Content_Types].xml")) ||
            codec_contains(head, WS_TEXT("xl/workbook.xml")));
}

const ws_input_refusal *ws_input_refusal_find(ws_text head)
{
    if (codec_is_xlsx(head)) {
        return &codec_refusal_xlsx;
    }
    for (size_t i = 0; i < WS_COUNT_OF(codec_magics); i++) {
        if (codec_magic_matches(&codec_magics[i], head)) {
            return &codec_magics[i].refusal;
        }
    }
    return NULL;
}
