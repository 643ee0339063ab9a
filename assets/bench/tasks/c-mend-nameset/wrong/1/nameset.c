#include "nameset.h"

#include <stddef.h>
#include <string.h>

/* Open addressing: a name stands in the slot of its hash, or in the next one that was free. */

static unsigned home(const char *name)
{
    unsigned sum = 0;
    while (*name)
        sum += (unsigned char)*name++;
    return sum % @@PREFIX@@_SLOTS;
}

/* The slot of the name, or -1. */
static int find(const struct nameset *set, const char *name)
{
    unsigned at = home(name);
    for (int step = 0; step < @@PREFIX@@_SLOTS; step++) {
        const char *there = set->slot[at];
        if (there == NULL)
            return -1;
        if (strcmp(there, name) == 0)
            return (int)at;
        at = (at + 1) % @@PREFIX@@_SLOTS;
    }
    return -1;
}

void @@PREFIX@@_init(struct nameset *set)
{
    memset(set, 0, sizeof *set);
}

bool @@PREFIX@@_add(struct nameset *set, const char *name)
{
    if (find(set, name) >= 0)
        return true;
    if (set->count == @@PREFIX@@_SLOTS)
        return false;
    unsigned at = home(name);
    while (set->slot[at] != NULL)
        at = (at + 1) % @@PREFIX@@_SLOTS;
    set->slot[at] = name;
    set->count++;
    return true;
}

bool @@PREFIX@@_has(const struct nameset *set, const char *name)
{
    return find(set, name) >= 0;
}

bool @@PREFIX@@_remove(struct nameset *set, const char *name)
{
    int at = find(set, name);
    if (at < 0)
        return false;
    unsigned next = (at + 1u) % @@PREFIX@@_SLOTS;
    set->slot[at] = NULL;
    if (set->slot[next] != NULL && home(set->slot[next]) == (unsigned)at) {
        set->slot[at] = set->slot[next];
        set->slot[next] = NULL;
    }
    set->count--;
    return true;
}

int @@PREFIX@@_count(const struct nameset *set)
{
    return set->count;
}
