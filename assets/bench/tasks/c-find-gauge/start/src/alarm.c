#include "alarm.h"

void alarm_init(struct alarm *alarm)
{
    alarm->set = false;
    alarm->limit = 0;
    alarm->below = false;
}

void alarm_set(struct alarm *alarm, int limit)
{
    alarm->set = true;
    alarm->limit = limit;
    alarm->below = false;
}

bool alarm_rings(struct alarm *alarm, int tenths)
{
    bool was = alarm->below;
    alarm->below = alarm->set && tenths < alarm->limit;
    return alarm->below && !was;
}
