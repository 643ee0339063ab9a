#include "trend.h"

enum { LOOK_BACK = 4, STEADY = 3 };

enum trend trend_of(const struct ring *ring)
{
    if (ring->count < LOOK_BACK)
        return TREND_STEADY;
    int change = ring_get(ring, ring->count - 1).tenths - ring_get(ring, ring->count - LOOK_BACK).tenths;
    if (change >= STEADY)
        return TREND_RISING;
    if (change <= -STEADY)
        return TREND_FALLING;
    return TREND_STEADY;
}

const char *trend_word(enum trend trend)
{
    static const char *words[] = {"steady", "rising", "falling"};
    return words[trend];
}
