#ifndef REPORT_H
#define REPORT_H

#include "store.h"

/* "12 readings, mean 1013.2, lowest 1011.9, highest 1013.9, falling" and the end of the line. */
void report_write(const struct store *store, char *out, size_t size);

#endif
