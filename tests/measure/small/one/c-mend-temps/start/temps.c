/* Reads temperatures, one a line, and prints how many there are, the highest and the mean. */
#include <stdio.h>

#define MOST 1000

static double highest(const double *values, int count)
{
    double best = values[0];
    for (int i = 1; i < count; i++)
        if (values[i] > best)
            best = values[i];
    return best;
}

static void report(const double *values, int count)
{
    printf("count %d\n", count);
    printf("highest %.1f\n", highest(values, count));
    printf("mean %.1f\n", mean(values, count));
}

double mean(const double *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

int main(void)
{
    double values[MOST];
    int count = 0;
    while (count < MOST && scanf("%lf", &values[count]) == 1)
        count++;
    if (count == 0) {
        fprintf(stderr, "no temperatures\n");
        return 1;
    }
    report(values, count);
    return 0;
}
