#include "options.h"

#include <string.h>

#include "parse.h"

bool options_read(struct options *options, int argc, char **argv)
{
    memset(options, 0, sizeof *options);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-q") == 0) {
            options->quiet = true;
        } else if (strcmp(argv[i], "-l") == 0 && i + 1 < argc) {
            if (!parse_tenths(argv[++i], &options->limit))
                return false;
            options->has_limit = true;
        } else {
            return false;
        }
    }
    return true;
}
