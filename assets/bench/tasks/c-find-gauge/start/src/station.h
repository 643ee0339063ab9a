#ifndef STATION_H
#define STATION_H

#include <stdbool.h>
#include <stddef.h>

#include "alarm.h"
#include "options.h"
#include "store.h"

struct station {
    struct store store;
    struct alarm alarm;
    bool quiet;
};

void station_init(struct station *station, const struct options *options);

/* Does one line; `out` gets what is to be printed. False when the line was not understood. */
bool station_line(struct station *station, const char *line, char *out, size_t size);

#endif
