#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>

struct options {
    bool quiet; /* no alarms */
    bool has_limit;
    int limit; /* in tenths */
};

bool options_read(struct options *options, int argc, char **argv);

#endif
