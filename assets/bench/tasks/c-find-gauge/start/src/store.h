#ifndef STORE_H
#define STORE_H

#include "ring.h"
#include "sums.h"

/* The readings that are kept, and their sums. */
struct store {
    struct ring ring;
    struct sums sums;
};

void store_init(struct store *store);
void store_add(struct store *store, struct reading reading);
int store_lowest(const struct store *store);
int store_highest(const struct store *store);

#endif
