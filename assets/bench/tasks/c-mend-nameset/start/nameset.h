#ifndef NAMESET_H
#define NAMESET_H

#include <stdbool.h>

/* A set of names of @@WHO@@, of fixed size, without allocation. The names themselves are not copied. */

enum { @@PREFIX@@_SLOTS = @@SLOTS@@ };

struct nameset {
    const char *slot[@@PREFIX@@_SLOTS];
    int count;
};

void @@PREFIX@@_init(struct nameset *set);

/* True when the name is in the set afterwards; false when the set is full. */
bool @@PREFIX@@_add(struct nameset *set, const char *name);

bool @@PREFIX@@_has(const struct nameset *set, const char *name);

/* True when the name was there. */
bool @@PREFIX@@_remove(struct nameset *set, const char *name);

int @@PREFIX@@_count(const struct nameset *set);

#endif
