/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every kind of chart must keep, whatever it is given. */
#include "chart_case.h"

/* Names that try to leave their element, from the list of hostile inputs (H36). */
static const char *const hostile[] = {
    "</script><script>alert(1)</script>",
    "\"><img onerror=x>",
    "]]>",
    "-- --!>",
    "&#x27;&lt;",
    "javascript:x",
    "a\nb\tc\r",
    "\xE2\x80\xAE"
    "evil",
    "\xFF\xC0\xAF\x80",
    "\x01\x1F\x7F",
    "",
    "%s%n%d",
    "a name of more than a hundred letters, without any blank that could break it: "
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
};

/* Every `<` opens or closes an element of the few that are drawn, elements nest, no raw control
 * byte or bare & stands in the text. */
static void assert_well_formed(ws_text svg)
{
    char open[16][16];
    int depth = 0;

    for (size_t i = 0; i < svg.length; i++) {
        unsigned char byte = (unsigned char)svg.start[i];

        cr_assert(byte >= 0x20 || byte == '\n');
        cr_assert(byte != '&' || strchr("aglq#", svg.start[i + 1]) != NULL);
        if (byte != '<') {
            continue;
        }
        bool is_end = svg.start[i + 1] == '/';
        size_t from = i + (is_end ? 2 : 1);
        size_t end = from;
        char name[16] = "";

        while (end < svg.length && strchr(" />\n", svg.start[end]) == NULL) {
            end++;
        }
        cr_assert(lt(sz, end - from, sizeof name));
        memcpy(name, svg.start + from, end - from);
        i = end;
        while (i < svg.length && svg.start[i] != '>') {
            cr_assert(svg.start[i] != '<');
            i++;
        }
        cr_assert(lt(sz, i, svg.length));
        if (is_end) {
            cr_assert(gt(int, depth, 0));
            depth--;
            cr_assert_str_eq(open[depth], name);
        } else if (svg.start[i - 1] != '/') {
            cr_assert(lt(int, depth, 16));
            memcpy(open[depth], name, sizeof name);
            depth++;
        }
    }
    cr_assert(eq(int, depth, 0));
}

Test(charts, list_is_sorted)
{
    cr_assert(ge(sz, ws_chart_type_count(), 1));
    for (size_t i = 0; i < ws_chart_type_count(); i++) {
        const ws_chart_type *type = ws_chart_type_at(i);

        cr_assert(ws_chart_type_find(ws_text_of(type->name)) == type);
        cr_assert(i == 0 || strcmp(ws_chart_type_at(i - 1)->name, type->name) < 0);
        cr_assert(type->summary[0] != '\0');
        cr_assert(type->question[strlen(type->question) - 1] == '?');
        cr_assert(type->width_px > 0 && type->height_px > 0);
    }
    cr_assert(ws_chart_type_find(WS_TEXT("pie")) == NULL);
}

/* The same element count with hostile names as with plain ones. */
Test(charts, foreign_text_stays_text)
{
    for (size_t t = 0; t < ws_chart_type_count(); t++) {
        int elements[2] = {0, 0};

        for (int round = 0; round < 2; round++) {
            chart_case c;

            chart_case_begin(&c);
            for (size_t i = 0; i < WS_COUNT_OF(hostile); i++) {
                chart_case_add(&c, round == 0 ? "x" : hostile[i], 10, 10);
            }
            chart_case_fill(&c, round == 0 ? "x" : hostile[11], 10);
            c.stages[1] = ws_text_of(round == 0 ? "x" : hostile[0]);
            c.course.arm = ws_text_of(round == 0 ? "x" : hostile[7]);
            c.accounts.arm = ws_text_of(round == 0 ? "x" : hostile[0]);
            c.data.title = ws_text_of(round == 0 ? "x" : hostile[0]);
            c.data.x.label = ws_text_of(round == 0 ? "x" : hostile[1]);
            c.data.y.unit = ws_text_of(round == 0 ? "x" : hostile[7]);
            c.data.source = ws_text_of(round == 0 ? "x" : hostile[8]);
            c.data.interval = ws_text_of(round == 0 ? "x" : hostile[2]);
            chart_case_draw(&c, ws_chart_type_at(t)->name);
            ws_text svg = chart_case_svg(&c);
            assert_well_formed(svg);
            elements[round] = chart_case_count(svg, "<text");
            cr_assert(eq(int, chart_case_count(svg, "<img") + chart_case_count(svg, "<script"), 0));
            cr_assert(eq(int, chart_case_count(svg, "href") + chart_case_count(svg, "style="), 0));
            chart_case_end(&c);
        }
        /* all but the lines that long words may add to the small print, and names that become
         * numbers where there is no room */
        cr_assert(ge(int, elements[1], elements[0]));
        cr_assert(le(int, elements[1], elements[0] + 4));
    }
}

/* Values at the ends of what a double holds draw something finite. */
Test(charts, extreme_values)
{
    static const double values[] = {0, -0.0, 1e-320, 1e300, -1e300, 1.7e308, -1.7e308, 1, 1e15};

    for (size_t t = 0; t < ws_chart_type_count(); t++) {
        for (size_t i = 0; i < WS_COUNT_OF(values); i++) {
            for (size_t j = 0; j < WS_COUNT_OF(values); j++) {
                chart_case c;
                ws_chart_arm *arm = NULL;

                chart_case_begin(&c);
                arm = chart_case_add(&c, "a", values[i], values[j]);
                arm->x.low = -1.7e308;
                arm->x.high = (double)INFINITY;
                arm->y.low = values[i];
                arm->y.high = values[j];
                chart_case_add(&c, "b", values[j], values[i]);
                chart_case_fill(&c, "a", values[i]);
                c.steps[1].paid.low = values[j];
                c.accounts.account_gpu_h[WS_ACCOUNT_LOST] = values[j];
                chart_case_draw(&c, ws_chart_type_at(t)->name);
                assert_well_formed(chart_case_svg(&c));
                chart_case_end(&c);
            }
        }
    }
}

Test(charts, as_many_arms_as_there_may_be)
{
    for (size_t t = 0; t < ws_chart_type_count(); t++) {
        chart_case c;

        chart_case_begin(&c);
        for (int i = 0; i < WS_CHART_ARMS_MAX; i++) {
            ws_chart_arm *arm = chart_case_add(&c, "arm", 100 + i * 7 % 13, 50 + i * 5 % 11);

            arm->x.low = arm->x.mean - 1;
            arm->x.high = arm->x.mean + 1;
            arm->y.low = arm->y.mean - 1;
            arm->y.high = arm->y.mean + 1;
        }
        chart_case_draw(&c, ws_chart_type_at(t)->name);
        assert_well_formed(chart_case_svg(&c));
        chart_case_end(&c);
    }
}

static char *charts_drawn(const ws_chart_type *type)
{
    chart_case c;

    chart_case_begin(&c);
    chart_case_add(&c, "a", 1.0 / 3, 2.0 / 3);
    chart_case_add(&c, "b", 0.4, 0.7);
    chart_case_fill(&c, "a", 100.0 / 3);
    chart_case_draw(&c, type->name);
    ws_text svg = chart_case_svg(&c);
    char *copy = strndup(svg.start, svg.length);
    chart_case_end(&c);
    return copy;
}

/* Drawn twice, the bytes are the same. */
Test(charts, are_deterministic)
{
    for (size_t t = 0; t < ws_chart_type_count(); t++) {
        char *first = charts_drawn(ws_chart_type_at(t));
        char *second = charts_drawn(ws_chart_type_at(t));

        cr_assert_str_eq(first, second);
        free(first);
        free(second);
    }
}

/* Without anything to draw, a chart says so. */
Test(charts, nothing_at_all)
{
    for (size_t t = 0; t < ws_chart_type_count(); t++) {
        chart_case c;

        chart_case_begin(&c);
        chart_case_draw(&c, ws_chart_type_at(t)->name);
        cr_assert(eq(int, chart_case_calls(&c, WS_CANVAS_TEXT), 2)); /* the title, and a sentence */
        cr_assert(eq(int, chart_case_calls(&c, WS_CANVAS_POLYLINE), 0));
        assert_well_formed(chart_case_svg(&c));
        chart_case_end(&c);
    }
}

/* A full arena in the middle of a chart: no crash, and the canvas says so. */
Test(charts, an_exhausted_arena)
{
    for (size_t t = 0; t < ws_chart_type_count(); t++) {
        bool is_complete = false;

        for (size_t bound = 0; !is_complete; bound += 997) {
            chart_case c;
            ws_arena small;

            chart_case_begin(&c);
            chart_case_add(&c, "a", 1, 2);
            chart_case_add(&c, "b", 2, 3);
            chart_case_fill(&c, "a", 5);
            ws_arena_init(&small, &ws_allocator_default, bound);
            ws_chart_draw(ws_chart_type_at(t), &c.data, WS_TEXT("c"), &c.canvas, &small);
            is_complete = !c.canvas.failed;
            cr_assert(lt(sz, bound, (size_t)4 << 20));
            ws_arena_reset(&small);
            chart_case_end(&c);
        }
    }
}

/* xmllint, where it is installed, agrees. */
Test(charts, xmllint_reads_the_svg)
{
    char folder[4096];
    char command[8300];
    chart_case c;
    FILE *file = NULL;

    if (system("command -v xmllint >/dev/null 2>&1") != 0) {
        (void)fprintf(stderr, "SKIPPED: xmllint is absent\n");
        cr_skip_test();
    }
    chart_case_begin(&c);
    for (size_t i = 0; i < WS_COUNT_OF(hostile); i++) {
        chart_case_add(&c, hostile[i], 10 + (double)i, 10 + (double)(i * i % 7));
    }
    chart_case_draw(&c, "pareto");
    ws_text svg = chart_case_svg(&c);
    (void)ws_test_scratch("charts-xmllint", folder, sizeof folder);
    (void)snprintf(command, sizeof command, "%s/c.svg", folder);
    file = fopen(command, "wb");
    cr_assert(file != NULL);
    cr_assert(eq(sz, fwrite(svg.start, 1, svg.length, file), svg.length));
    cr_assert(eq(int, fclose(file), 0));
    (void)snprintf(command, sizeof command, "xmllint --noout --nonet '%s/c.svg'", folder);
    cr_assert(eq(int, system(command), 0));
    chart_case_end(&c);
}
