#ifndef PARSE_H
#define PARSE_H

#include <stdbool.h>

#include "reading.h"

/* "1013.2" to 10132; the text ends there or with white space. */
bool parse_tenths(const char *text, int *tenths);

/* "06:10 1013.2" */
bool parse_reading(const char *line, struct reading *reading);

#endif
