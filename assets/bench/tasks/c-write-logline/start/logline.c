#include "logline.h"

int @@FUNC@@(const char *line, const char *key, char *out, size_t size)
{
    (void)line;
    (void)key;
    (void)out;
    (void)size;
    return -1;
}
