#include <stdio.h>
#include <string.h>

#include "station.h"

enum { KEEP = @@KEEP@@ };

static int failed, number;
static struct station station;
static char out[400];

static void check(const char *name, int good)
{
    number++;
    printf("%sok %d - %s\n", good ? "" : "not ", number, name);
    if (!good)
        failed = 1;
}

static void fresh(void)
{
    struct options options = {0};
    station_init(&station, &options);
}

static void feed(int tenths)
{
    char line[40];
    sprintf(line, "10:00 %s%d.%d\n", tenths < 0 ? "-" : "", (tenths < 0 ? -tenths : tenths) / 10, (tenths < 0 ? -tenths : tenths) % 10);
    station_line(&station, line, out, sizeof out);
}

static int reports(const char *text)
{
    station_line(&station, "report", out, sizeof out);
    return strcmp(out, text) == 0;
}

static int mean(void)
{
    int whole, tenth;
    station_line(&station, "report", out, sizeof out);
    char *at = strstr(out, "mean ");
    if (at == NULL || sscanf(at, "mean %d.%d", &whole, &tenth) != 2)
        return -1;
    return whole * 10 + tenth;
}

int main(void)
{
    char text[200];

    fresh();
    for (int i = 0; i < KEEP; i++)
        feed(100);
    sprintf(text, "%d readings, mean 10.0, lowest 10.0, highest 10.0, steady\n", KEEP);
    check("exactly full", reports(text));

    fresh();
    feed(9000);
    for (int i = 0; i < KEEP; i++)
        feed(200);
    check("the first one is gone", reports((sprintf(text, "%d readings, mean 20.0, lowest 20.0, highest 20.0, steady\n", KEEP), text)));

    fresh();
    for (int i = 0; i < 5 * KEEP; i++)
        feed(i < 3 * KEEP ? 500 : 700);
    check("old values are gone", mean() == 700);

    fresh();
    int good = 1;
    int kept[KEEP], at = 0, count = 0;
    unsigned random = 77;
    for (int i = 0; i < 2000; i++) {
        random = random * 1103515245u + 12345u;
        int value = 4000 + (int)(random >> 16) % 3000;
        feed(value);
        kept[at] = value;
        at = (at + 1) % KEEP;
        if (count < KEEP)
            count++;
        long sum = 0;
        for (int j = 0; j < count; j++)
            sum += kept[j];
        good &= mean() == (int)((sum + count / 2) / count);
    }
    check("mean after each of many", good);

    fresh();
    for (int i = 0; i < KEEP + 3; i++)
        feed(1000 + 10 * i);
    check("rising over the edge", strstr((reports(""), out), "lowest 103.0") && strstr(out, "rising"));

    fresh();
    for (int i = 0; i < 2 * KEEP; i++)
        feed(i % 2 ? -15 : -25);
    sprintf(text, "%d readings, mean -2.0, lowest -2.5, highest -1.5, falling\n", KEEP);
    check("below zero", strstr((reports(""), out), "mean -2.0, lowest -2.5, highest -1.5") != NULL);

    fresh();
    feed(15);
    check("a single one", reports("1 reading, mean 1.5, lowest 1.5, highest 1.5, steady\n"));

    /* The sums must be kept, not made anew: what they hold is what the report says. */
    fresh();
    for (int i = 0; i < 3 * KEEP; i++)
        feed(300 + i);
    long sum = 0;
    for (int i = 2 * KEEP; i < 3 * KEEP; i++)
        sum += 300 + i;
    check("the sums are those of what is kept", station.store.sums.total == sum && station.store.sums.count == KEEP);
    return failed;
}
