#include "station.h"

#include <string.h>

#include "parse.h"
#include "report.h"
#include "text.h"

void station_init(struct station *station, const struct options *options)
{
    store_init(&station->store);
    alarm_init(&station->alarm);
    station->quiet = options->quiet;
    if (options->has_limit)
        alarm_set(&station->alarm, options->limit);
}

bool station_line(struct station *station, const char *line, char *out, size_t size)
{
    struct reading reading;
    int limit;

    out[0] = '\0';
    if (strncmp(line, "report", 6) == 0) {
        report_write(&station->store, out, size);
        return true;
    }
    if (strncmp(line, "limit ", 6) == 0) {
        if (!parse_tenths(line + 6, &limit))
            return false;
        alarm_set(&station->alarm, limit);
        return true;
    }
    if (!parse_reading(line, &reading))
        return false;
    store_add(&station->store, reading);
    if (alarm_rings(&station->alarm, reading.tenths) && !station->quiet)
        text_add(out, size, "alarm: %s @@UNIT@@ at %02d:%02d\n", text_tenths(reading.tenths), reading.minute / 60, reading.minute % 60);
    return true;
}
