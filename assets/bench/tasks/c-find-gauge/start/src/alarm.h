#ifndef ALARM_H
#define ALARM_H

#include <stdbool.h>

struct alarm {
    bool set;
    int limit;
    bool below; /* it was below when last looked at */
};

void alarm_init(struct alarm *alarm);
void alarm_set(struct alarm *alarm, int limit);

/* True once when the values go below the limit, and again only after they were above. */
bool alarm_rings(struct alarm *alarm, int tenths);

#endif
