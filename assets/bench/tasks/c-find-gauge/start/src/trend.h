#ifndef TREND_H
#define TREND_H

#include "ring.h"

enum trend { TREND_STEADY, TREND_RISING, TREND_FALLING };

/* From the last four readings. */
enum trend trend_of(const struct ring *ring);
const char *trend_word(enum trend trend);

#endif
