#include "parse.h"

#include <ctype.h>
#include <stdio.h>

bool parse_tenths(const char *text, int *tenths)
{
    int sign = 1, value = 0, digits = 0;

    if (*text == '-') {
        sign = -1;
        text++;
    }
    for (; isdigit((unsigned char)*text) && digits < 6; text++, digits++)
        value = value * 10 + (*text - '0');
    if (digits == 0)
        return false;
    value *= 10;
    if (*text == '.') {
        text++;
        if (!isdigit((unsigned char)*text))
            return false;
        value += *text++ - '0';
    }
    if (*text != '\0' && !isspace((unsigned char)*text))
        return false;
    *tenths = sign * value;
    return true;
}

bool parse_reading(const char *line, struct reading *reading)
{
    int hour, minute, used = 0;

    if (sscanf(line, "%2d:%2d %n", &hour, &minute, &used) < 2 || used == 0)
        return false;
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59)
        return false;
    reading->minute = hour * 60 + minute;
    return parse_tenths(line + used, &reading->tenths);
}
