#include <stddef.h>

#include "report.h"

#include "text.h"
#include "trend.h"

void report_write(const struct store *store, char *out, size_t size)
{
    int count = store->ring.count;

    if (count == 0) {
        text_add(out, size, "no readings\n");
        return;
    }
    text_add(out, size, "%d reading%s, mean %s, ", count, count == 1 ? "" : "s", text_tenths(sums_mean(&store->sums)));
    text_add(out, size, "lowest %s, highest %s, ", text_tenths(store_lowest(store)), text_tenths(store_highest(store)));
    text_add(out, size, "%s\n", trend_word(trend_of(&store->ring)));
}
