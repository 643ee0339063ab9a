#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>

/* Adds to the end of the text in `out` as far as there is room. */
void text_add(char *out, size_t size, const char *format, ...);

/* "1013.2"; the text stays right until the fourth call after. */
const char *text_tenths(int tenths);

#endif
