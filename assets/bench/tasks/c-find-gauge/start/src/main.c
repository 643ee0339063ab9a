#include <stdio.h>

#include "options.h"
#include "station.h"

int main(int argc, char **argv)
{
    struct options options;
    if (!options_read(&options, argc, argv)) {
        fprintf(stderr, "usage: gauge [-q] [-l limit]\n");
        return 64;
    }

    struct station station;
    station_init(&station, &options);

    char line[200], answer[400];
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (!station_line(&station, line, answer, sizeof answer))
            fprintf(stderr, "gauge: not understood: %s", line);
        fputs(answer, stdout);
    }
    return 0;
}
