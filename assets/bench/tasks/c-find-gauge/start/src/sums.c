#include "sums.h"

void sums_init(struct sums *sums)
{
    sums->total = 0;
    sums->count = 0;
}

void sums_come(struct sums *sums, int tenths)
{
    sums->total += tenths;
    sums->count++;
}

void sums_go(struct sums *sums, int tenths)
{
    sums->total -= tenths;
    sums->count--;
}

int sums_mean(const struct sums *sums)
{
    if (sums->count == 0)
        return 0;
    long half = sums->count / 2;
    return (int)((sums->total + (sums->total < 0 ? -half : half)) / sums->count);
}
