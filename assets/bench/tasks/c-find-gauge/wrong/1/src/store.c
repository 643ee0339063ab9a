#include "store.h"

void store_init(struct store *store)
{
    ring_init(&store->ring);
    sums_init(&store->sums);
}

void store_add(struct store *store, struct reading reading)
{
    bool full = ring_full(&store->ring);

    ring_push(&store->ring, reading);
    sums_come(&store->sums, reading.tenths);
    if (full)
        sums_go(&store->sums, ring_get(&store->ring, RING_SIZE - 1).tenths);
}

int store_lowest(const struct store *store)
{
    int lowest = ring_get(&store->ring, 0).tenths;
    for (int i = 1; i < store->ring.count; i++)
        if (ring_get(&store->ring, i).tenths < lowest)
            lowest = ring_get(&store->ring, i).tenths;
    return lowest;
}

int store_highest(const struct store *store)
{
    int highest = ring_get(&store->ring, 0).tenths;
    for (int i = 1; i < store->ring.count; i++)
        if (ring_get(&store->ring, i).tenths > highest)
            highest = ring_get(&store->ring, i).tenths;
    return highest;
}
