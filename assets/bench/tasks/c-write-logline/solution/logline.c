#include "logline.h"

#include <string.h>

int @@FUNC@@(const char *line, const char *key, char *out, size_t size)
{
    size_t key_length = strlen(key);

    while (*line) {
        while (*line == ' ')
            line++;
        if (!*line)
            break;

        const char *name = line;
        while (*line && *line != ' ' && *line != '@@SEP@@')
            line++;
        int wanted = (size_t)(line - name) == key_length && strncmp(name, key, key_length) == 0;
        size_t length = 0;
        int quoted = 0;

        if (*line == '@@SEP@@') {
            line++;
            if (*line == '"') {
                quoted = 1;
                line++;
            }
            while (*line && *line != (quoted ? '"' : ' ')) {
                if (quoted && *line == '\\' && (line[1] == '"' || line[1] == '\\'))
                    line++;
                if (wanted && length + 1 < size)
                    out[length] = *line;
                length++;
                line++;
            }
            if (quoted && *line == '"')
                line++;
        }
        if (wanted) {
            if (size > 0)
                out[length < size ? length : size - 1] = '\0';
            return (int)length;
        }
    }
    return -1;
}
