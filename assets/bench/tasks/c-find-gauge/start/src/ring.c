#include "ring.h"

void ring_init(struct ring *ring)
{
    ring->next = 0;
    ring->count = 0;
}

bool ring_full(const struct ring *ring)
{
    return ring->count == RING_SIZE;
}

void ring_push(struct ring *ring, struct reading reading)
{
    ring->at[ring->next] = reading;
    ring->next = (ring->next + 1) % RING_SIZE;
    if (ring->count < RING_SIZE)
        ring->count++;
}

struct reading ring_get(const struct ring *ring, int index)
{
    int first = (ring->next + RING_SIZE - ring->count) % RING_SIZE;
    return ring->at[(first + index) % RING_SIZE];
}
