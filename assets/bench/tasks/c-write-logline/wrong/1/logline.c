#include "logline.h"

#include <string.h>

int @@FUNC@@(const char *line, const char *key, char *out, size_t size)
{
    const char *at = strstr(line, key);
    if (!at)
        return -1;
    at += strlen(key);
    size_t length = 0;
    if (*at == '@@SEP@@') {
        at++;
        char end = ' ';
        if (*at == '"') {
            end = '"';
            at++;
        }
        while (*at && *at != end) {
            if (end == '"' && *at == '\\' && at[1])
                at++;
            if (length + 1 < size)
                out[length] = *at;
            length++;
            at++;
        }
    }
    if (size > 0)
        out[length < size ? length : size - 1] = '\0';
    return (int)length;
}
