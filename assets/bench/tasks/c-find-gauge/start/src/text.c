#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_add(char *out, size_t size, const char *format, ...)
{
    size_t used = strlen(out);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(out + used, size - used, format, arguments);
    va_end(arguments);
}

const char *text_tenths(int tenths)
{
    static char texts[4][16];
    static int turn;
    char *text = texts[turn++ % 4];

    snprintf(text, sizeof texts[0], "%s%d.%d", tenths < 0 ? "-" : "", abs(tenths) / 10, abs(tenths) % 10);
    return text;
}
