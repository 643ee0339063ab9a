/* Keeps the last few step counts of a watch and prints their sum and the best of them. */
#include <stdio.h>

#define KEPT 7

struct week {
    int steps[KEPT];
    int used;
};

static void push(struct week *week, int steps)
{
    if (week->used == KEPT) {
        for (int i = 1; i < KEPT; i++)
            week->steps[i - 1] = week->steps[i];
        week->used--;
    }
    week->steps[week->used++] = steps;
}

static long sum(const struct week *week)
{
    long all = 0;
    for (int i = 0; i < week->used; i++)
        all += week->steps[i];
    return all;
}

static int best(const struct week *week)
{
    int top = 0;
    for (int i = 0; i < week->used; i++)
        if (week->steps[i] > top)
            top = week->steps[i];
    return top;
}

int main(void)
{
    struct week week = {.used = 0};
    int steps;
    while (scanf("%d", &steps) == 1)
        push(&week, steps);
    printf("sum %ld\nbest %d\n", sum(&week), best(&week));
    return 0;
}
