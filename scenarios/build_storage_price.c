/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the storage costs: all of its size, or the checkpoints that it holds. */
#include "build.h"

static bool price_too_large(ws_build *context, const ws_file_store *store)
{
    return ws_build_error(context, 3107, ws_build_at(store->self, "price"),
                          WS_TEXT("the price of what is stored is beyond what can be counted"),
                          "of all of it", WS_TEXT("it is at most $1000000000 an hour"));
}

/** The nearest billionth of a currency unit. */
static ws_volume_price price_of(const ws_file_store *store)
{
    return (ws_volume_price){.nano_per_gib_month = (int64_t)(store->price * 1e9 + 0.5)};
}

bool ws_build_storage_price(ws_build *context)
{
    WS_ASSERT(context->file != NULL);

    const ws_file_store *store = context->file->storage.checkpoint;

    if (store == NULL || store->size == 0) {
        return true;
    }
    if (!store->has_price) {
        return ws_build_error(context, 2302, ws_build_key_at(store->self, "size"),
                              WS_TEXT("the `size` of a storage says nothing without its `price`"),
                              "not used", WS_TEXT("add `price: $0.10/GiB/month`, or remove it"));
    }
    return ws_price_of_volume(store->size, price_of(store), &context->scenario->storage_price) ||
           price_too_large(context, store);
}

bool ws_build_keep_price(ws_build *context, const ws_file_checkpoint *file,
                         ws_checkpoint_spec *checkpoint)
{
    const ws_file_store *store = context->file->storage.checkpoint;
    int64_t all = 0;

    WS_ASSERT(checkpoint != NULL);
    checkpoint->keep = (int32_t)file->keep;
    if (!file->has_size || store == NULL || !store->has_price || store->size > 0) {
        return true;
    }
    return (ws_price_of_volume(file->size, price_of(store), &checkpoint->keep_price) &&
            !__builtin_mul_overflow(checkpoint->keep_price.nano_per_h, file->keep, &all) &&
            all <= WS_FLEET_PRICE_MAX) ||
           price_too_large(context, store);
}

void ws_build_warn_storage_price(ws_build *context)
{
    WS_ASSERT(context->file != NULL);

    const ws_file_store *store = context->file->storage.checkpoint;
    const ws_workload *workload = &context->scenario->workload;
    bool is_paid = workload->recorded_count > 0 &&
                   workload->recorded[0].kind->checkpoint.keep_price.nano_per_h > 0;

    if (store == NULL || !(store->price > 0) || store->size > 0) {
        return;
    }
    for (size_t i = 0; i < workload->template_count; i++) {
        is_paid = is_paid || workload->templates[i].kind.checkpoint.keep_price.nano_per_h > 0;
    }
    if (!is_paid) {
        ws_build_warn(context,
                      &(ws_diagnostic){
                          .code = 4315,
                          .message = WS_TEXT(
                              "the storage has a price, and nothing is known of what it holds"),
                          .at = ws_build_at(store->self, "price"),
                          .label = WS_TEXT("costs nothing"),
                          .help = WS_TEXT("add the `size` of the storage, or of the checkpoints")});
    }
}
