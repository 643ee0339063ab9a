#include <stdio.h>

#include "nameset.h"

static int failed, number;

static void check(const char *name, int good)
{
    number++;
    printf("%sok %d - %s\n", good ? "" : "not ", number, name);
    if (!good)
        failed = 1;
}

int main(void)
{
    struct nameset set;

    @@PREFIX@@_init(&set);
    check("add and ask", @@PREFIX@@_add(&set, "anna") && @@PREFIX@@_has(&set, "anna") && !@@PREFIX@@_has(&set, "bert"));
    check("add twice", @@PREFIX@@_add(&set, "anna") && @@PREFIX@@_count(&set) == 1);
    check("remove", @@PREFIX@@_remove(&set, "anna") && !@@PREFIX@@_has(&set, "anna") && @@PREFIX@@_count(&set) == 0);

    /* The same letters, so the same place. */
    @@PREFIX@@_init(&set);
    @@PREFIX@@_add(&set, "leon");
    @@PREFIX@@_add(&set, "noel");
    @@PREFIX@@_remove(&set, "leon");
    check("one stays when the other goes", @@PREFIX@@_has(&set, "noel"));
    return failed;
}
