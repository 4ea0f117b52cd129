/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The tables of named mixes; figures in percent as they are published. */
#ifndef WS_TRACES_SYNTH_MIX_H
#define WS_TRACES_SYNTH_MIX_H

#include "ws/trace_synth.h"

#define MIX_QUANTILES 8 /* 5, 10, 25, 50, 75, 90, 95 and 99 % */
#define MIX_SIZES_MAX 16
#define MIX_TYPES_MAX 8
#define MIX_OUTCOMES 3 /* completed, cancelled, failed */

/** Jobs of one size, and the GPU time that they use; 0: not published. */
typedef struct {
    int32_t gpus;
    double jobs_percent;
    double work_percent;
} mix_size;

/** Jobs of a type. */
typedef struct {
    const char *kind;
    double jobs_percent;
    double work_percent;
    double quantiles_s[MIX_QUANTILES]; /* 0: not published */
} mix_types;

typedef struct {
    const char *name;
    const char *summary;
    const char *source;
    double rate_per_h;
    double days;                       /* of the recording: no job runs longer */
    mix_size sizes[MIX_SIZES_MAX];     /* to the first of 0 GPUs */
    double quantiles_s[MIX_QUANTILES]; /* of all jobs; unused where there are types */
    const mix_types *types;
    size_t type_count; /* 0: run times hang on the size */
    double jobs_percent[MIX_OUTCOMES];
    double work_percent[MIX_OUTCOMES];
    double week[7]; /* shares of any sum */
} mix_row;

#endif
