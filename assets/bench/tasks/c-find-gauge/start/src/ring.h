#ifndef RING_H
#define RING_H

#include <stdbool.h>

#include "reading.h"

enum { RING_SIZE = @@KEEP@@ };

/* The last RING_SIZE readings. */
struct ring {
    struct reading at[RING_SIZE];
    int next;
    int count;
};

void ring_init(struct ring *ring);
bool ring_full(const struct ring *ring);

/* Puts a reading in; the oldest makes room for it when the ring is full. */
void ring_push(struct ring *ring, struct reading reading);

/* 0 is the oldest, count - 1 the newest. */
struct reading ring_get(const struct ring *ring, int index);

#endif
