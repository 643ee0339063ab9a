#ifndef LOGLINE_H
#define LOGLINE_H

#include <stddef.h>

/*
 * A line of the @@WHAT@@ log is a row of fields with one or more spaces between them:
 *
 *     level@@SEP@@warn took@@SEP@@12 msg@@SEP@@"disk \"a\" full" retry
 *
 * A field is key@@SEP@@value. The value is either bare and ends at the next space or at the end
 * of the line, or it begins with a double quote and ends at the next double quote that
 * is not escaped. Inside quotes \" stands for " and \\ for \; in a bare value a backslash is
 * an ordinary character. A word without @@SEP@@ is a flag: a key whose value is empty.
 *
 * @@FUNC@@ looks for the first field with exactly this key and copies its value without
 * quotes and escapes to `out`: at most size - 1 characters and always a '\0' (nothing at all
 * when size is 0, then `out` may be NULL).
 *
 * It returns the length of the whole value, even if it did not fit, or -1 when no
 * field has this key; then `out` is left as it is. Text inside of quotes is never a key.
 */
int @@FUNC@@(const char *line, const char *key, char *out, size_t size);

#endif
