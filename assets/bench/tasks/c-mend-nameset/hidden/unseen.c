#include <stdio.h>
#include <string.h>

#include "nameset.h"

enum { N = @@PREFIX@@_SLOTS };

static int failed, number;

static void check(const char *name, int good)
{
    number++;
    printf("%sok %d - %s\n", good ? "" : "not ", number, name);
    fflush(stdout);
    if (!good)
        failed = 1;
}

static char names[64][8];

int main(void)
{
    struct nameset set;

    /* Names that all have the same home, and names with different ones. */
    static const char *same[] = {"abc", "acb", "bac", "bca", "cab", "cba"};
    for (int i = 0; i < 64; i++)
        sprintf(names[i], "n%02d", i);

    check("as many slots as before", N == @@SLOTS@@);
    @@PREFIX@@_init(&set);
    for (int i = 0; i < 6; i++)
        @@PREFIX@@_add(&set, same[i]);
    @@PREFIX@@_remove(&set, same[1]);
    @@PREFIX@@_remove(&set, same[3]);
    check("the others are still found", @@PREFIX@@_has(&set, "abc") && @@PREFIX@@_has(&set, "bac") && @@PREFIX@@_has(&set, "cab") && @@PREFIX@@_has(&set, "cba"));
    check("the removed ones are not", !@@PREFIX@@_has(&set, "acb") && !@@PREFIX@@_has(&set, "bca") && @@PREFIX@@_count(&set) == 4);
    check("none is there twice", @@PREFIX@@_add(&set, "cba") && @@PREFIX@@_count(&set) == 4 && @@PREFIX@@_remove(&set, "cba") && !@@PREFIX@@_has(&set, "cba"));

    @@PREFIX@@_init(&set);
    int added = 0;
    for (int i = 0; i < N; i++)
        added += @@PREFIX@@_add(&set, names[i]);
    check("takes as many as it has slots", added == N && @@PREFIX@@_count(&set) == N && !@@PREFIX@@_add(&set, "more"));
    check("full, and asked for another", !@@PREFIX@@_has(&set, "nobody") && @@PREFIX@@_add(&set, names[N - 1]));
    check("room again after a removal", @@PREFIX@@_remove(&set, names[2]) && @@PREFIX@@_add(&set, "more") && @@PREFIX@@_has(&set, "more") && @@PREFIX@@_count(&set) == N);

    /* Coming and going for a long time: slots must become free again. */
    @@PREFIX@@_init(&set);
    int good = 1;
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < N; i++)
            good &= @@PREFIX@@_add(&set, names[(round * 7 + i) % 64]);
        good &= @@PREFIX@@_count(&set) == N;
        for (int i = 0; i < N; i++)
            good &= @@PREFIX@@_remove(&set, names[(round * 7 + i) % 64]);
        good &= @@PREFIX@@_count(&set) == 0 && !@@PREFIX@@_has(&set, names[(round * 7) % 64]);
    }
    check("coming and going", good);

    /* Every name that should be there is, and no other, after each of many steps. */
    @@PREFIX@@_init(&set);
    char in[64] = {0};
    unsigned random = @@SLOTS@@ * 2654435761u;
    int count = 0;
    good = 1;
    for (int step = 0; step < 4000; step++) {
        random = random * 1103515245u + 12345u;
        int i = (int)(random >> 16) % 24;
        if (in[i]) {
            good &= @@PREFIX@@_remove(&set, names[i]);
            in[i] = 0;
            count--;
        } else if (count < N) {
            good &= @@PREFIX@@_add(&set, names[i]);
            in[i] = 1;
            count++;
        }
        for (int j = 0; j < 24; j++)
            good &= @@PREFIX@@_has(&set, names[j]) == (in[j] != 0);
        good &= @@PREFIX@@_count(&set) == count;
    }
    check("many steps", good);

    @@PREFIX@@_init(&set);
    check("removing what is not there", !@@PREFIX@@_remove(&set, "abc") && @@PREFIX@@_count(&set) == 0);
    return failed;
}
