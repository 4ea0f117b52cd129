/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of GPUs and machines: that their rows fit together, and some figures that everybody
 * knows. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "ws/assert.h"
#include "ws/machine.h"

static const ws_gpu_model *model_of(const char *name)
{
    const ws_gpu_model *model = ws_gpu_model_find(ws_text_of(name));

    cr_assert(model != NULL, "%s", name);
    return model;
}

Test(machine, models_are_found_by_name_and_alias)
{
    cr_expect(model_of("H100-SXM5-80GB") == model_of("h100"));
    cr_expect(model_of("A100") == model_of("A100-SXM4-80GB"));
    cr_expect(model_of("A100-40GB") != model_of("A100"));
    cr_expect(ws_gpu_model_find(WS_TEXT("H10")) == NULL);
    cr_expect(ws_gpu_model_find(WS_TEXT("")) == NULL);
    cr_expect(ws_gpu_model_find(WS_TEXT("A100-40GB A100")) == NULL);
}

/* TFLOP/s, dense, as the datasheets state them (half of the sparse ones). */
Test(machine, peak_rates_are_dense)
{
    static const struct {
        const char *name;
        ws_precision precision;
        double tera;
    } rows[] = {{"V100", WS_BF16, 125},      {"A100", WS_BF16, 312},   {"A100", WS_TF32, 156},
                {"H100", WS_BF16, 989.4},    {"H200", WS_FP8, 1978.9}, {"B200", WS_FP4, 9000},
                {"MI300X", WS_BF16, 1307.4}, {"A100", WS_FP8, 0}};

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        cr_expect(ieee_ulp_eq(dbl, model_of(rows[i].name)->flops_per_s[rows[i].precision],
                              rows[i].tera * 1e12, 4),
                  "%s", rows[i].name);
    }
}

/* More bits never compute faster, and every row has what a model needs. */
Test(machine, every_model_is_whole)
{
    for (size_t i = 0; ws_gpu_model_at(i) != NULL; i++) {
        const ws_gpu_model *model = ws_gpu_model_at(i);
        double slower = 0;

        cr_expect(model->memory_bytes >= 16e9, "%s", model->name);
        cr_expect(model->memory_bytes_per_s >= 500e9, "%s", model->name);
        cr_expect(model->flops_per_s[WS_BF16] > 0, "%s", model->name);
        cr_expect(model->source[0] != '\0', "%s", model->name);
        for (int p = 0; p < WS_PRECISIONS; p++) {
            double rate = model->flops_per_s[p];

            cr_expect(rate <= 0 || rate >= slower, "%s", model->name);
            slower = rate > 0 ? rate : slower;
        }
    }
}

Test(machine, every_machine_is_whole)
{
    for (size_t i = 0; ws_machine_at(i) != NULL; i++) {
        const ws_machine *machine = ws_machine_at(i);
        ws_network network = ws_machine_network(machine);

        cr_expect(ws_gpu_model_find(ws_text_of(machine->gpu)) != NULL, "%s", machine->name);
        cr_expect(ws_machine_find(ws_text_of(machine->name)) == machine);
        cr_expect(machine->nics >= 1 && machine->nics <= machine->gpus_per_node);
        cr_expect(machine->intra_ring_bytes_per_s <= machine->intra_bytes_per_s);
        cr_expect(machine->nic_ring_bytes_per_s <= machine->nic_bytes_per_s);
        cr_expect(network.intra_node.latency_s > 0 && network.inter_node.latency_s > 0);
        cr_expect(machine->source[0] != '\0', "%s", machine->name);
        for (size_t k = 1; machine->slices != NULL && machine->slices[k] != 0; k++) {
            cr_expect(machine->slices[k] > machine->slices[k - 1]);
        }
    }
}

/* DGX H100: 18 links of 20.6 GB/s, and 400 Gb/s = 50 GB/s of which 48 are reached, for each GPU. */
Test(machine, a_network_is_what_large_messages_reach)
{
    ws_network h100 = ws_machine_network(ws_machine_find(WS_TEXT("dgx-h100")));
    ws_network p4d = ws_machine_network(ws_machine_find(WS_TEXT("p4d.24xlarge")));

    cr_expect(epsilon_eq(dbl, h100.intra_node.bytes_per_s, 370.8e9, 1));
    cr_expect(epsilon_eq(dbl, h100.inter_node.bytes_per_s, 48e9, 1));
    cr_expect(h100.inter_per_gpu);
    cr_expect(p4d.inter_per_gpu == false);
    cr_expect(eq(i32, p4d.nics, 4));
    cr_expect(epsilon_eq(dbl, p4d.inter_node.bytes_per_s, 12e9, 1));
}
