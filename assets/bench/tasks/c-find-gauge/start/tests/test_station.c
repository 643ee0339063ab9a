#include <stdio.h>
#include <string.h>

#include "station.h"

static int failed, number;

static void check(const char *name, int good)
{
    number++;
    printf("%sok %d - %s\n", good ? "" : "not ", number, name);
    if (!good)
        failed = 1;
}

int main(void)
{
    struct options options = {0};
    struct station station;
    char out[400];

    station_init(&station, &options);
    station_line(&station, "report\n", out, sizeof out);
    check("nothing yet", strcmp(out, "no readings\n") == 0);

    station_line(&station, "06:00 1013.2\n", out, sizeof out);
    station_line(&station, "06:10 1013.0\n", out, sizeof out);
    station_line(&station, "06:20 1012.5\n", out, sizeof out);
    station_line(&station, "report\n", out, sizeof out);
    check("three readings", strcmp(out, "3 readings, mean 1012.9, lowest 1012.5, highest 1013.2, steady\n") == 0);

    station_line(&station, "limit 1012.0\n", out, sizeof out);
    station_line(&station, "06:30 1011.9\n", out, sizeof out);
    check("alarm", strcmp(out, "alarm: 1011.9 @@UNIT@@ at 06:30\n") == 0);
    check("not understood", !station_line(&station, "noise\n", out, sizeof out));
    return failed;
}
