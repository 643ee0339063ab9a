#include <stdio.h>
#include <string.h>

#include "logline.h"

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
    const char *line = "level@@SEP@@warn took@@SEP@@12 msg@@SEP@@\"disk full\" retry";
    char out[32];

    check("bare value", @@FUNC@@(line, "took", out, sizeof out) == 2 && strcmp(out, "12") == 0);
    check("quoted value", @@FUNC@@(line, "msg", out, sizeof out) == 9 && strcmp(out, "disk full") == 0);
    check("no such key", @@FUNC@@(line, "host", out, sizeof out) == -1);
    return failed;
}
