#include <stdio.h>
#include <string.h>

#include "logline.h"

static int failed, number;

static void check(const char *name, int good)
{
    number++;
    printf("%sok %d - %s\n", good ? "" : "not ", number, name);
    fflush(stdout);
    if (!good)
        failed = 1;
}

static int gives(const char *line, const char *key, const char *value)
{
    char out[64];
    memset(out, '#', sizeof out);
    int n = @@FUNC@@(line, key, out, sizeof out);
    return n == (int)strlen(value) && strcmp(out, value) == 0 && out[n + 1] == '#';
}

int main(void)
{
    char out[8];

    check("first, middle and last bare field",
          gives("unit@@SEP@@k9 port@@SEP@@8080 zone@@SEP@@eu", "unit", "k9") && gives("unit@@SEP@@k9 port@@SEP@@8080 zone@@SEP@@eu", "port", "8080") &&
              gives("unit@@SEP@@k9 port@@SEP@@8080 zone@@SEP@@eu", "zone", "eu"));
    check("several spaces", gives("   unit@@SEP@@k9    port@@SEP@@8080  ", "port", "8080"));
    check("key is compared as a whole",
          gives("grid@@SEP@@7 idle@@SEP@@3 id@@SEP@@5", "id", "5") && @@FUNC@@("grid@@SEP@@7 idle@@SEP@@3", "id", out, sizeof out) == -1);
    check("quotes and spaces", gives("text@@SEP@@\"two  words\" end@@SEP@@1", "text", "two  words") && gives("text@@SEP@@\"two  words\" end@@SEP@@1", "end", "1"));
    check("escapes in quotes", gives("text@@SEP@@\"say \\\"hi\\\" c:\\\\x\" n@@SEP@@4", "text", "say \"hi\" c:\\x") && gives("text@@SEP@@\"a\\\\\" n@@SEP@@4", "n", "4"));
    check("backslash in a bare value", gives("path@@SEP@@c:\\new\\\"x n@@SEP@@1", "path", "c:\\new\\\"x"));
    check("text in quotes is no key", gives("msg@@SEP@@\"user@@SEP@@root id@@SEP@@1 x\" id@@SEP@@22", "id", "22") && @@FUNC@@("msg@@SEP@@\"a user@@SEP@@root b\"", "user", out, sizeof out) == -1);
    check("flag", gives("fast retry n@@SEP@@1", "retry", "") && gives("n@@SEP@@1 last", "last", ""));
    check("empty values", gives("a@@SEP@@ b@@SEP@@\"\" c@@SEP@@2", "a", "") && gives("a@@SEP@@ b@@SEP@@\"\" c@@SEP@@2", "b", "") && gives("a@@SEP@@ b@@SEP@@\"\" c@@SEP@@2", "c", "2"));
    check("first of two wins", gives("n@@SEP@@1 n@@SEP@@2", "n", "1"));
    check("value with the separator", gives("q@@SEP@@x@@SEP@@y n@@SEP@@1", "q", "x@@SEP@@y"));

    memset(out, '#', sizeof out);
    check("cut to the size", @@FUNC@@("name@@SEP@@abcdefghij", "name", out, 5) == 10 && strcmp(out, "abcd") == 0 && out[5] == '#');
    memset(out, '#', sizeof out);
    check("cut inside quotes", @@FUNC@@("name@@SEP@@\"a\\\"c def\" z@@SEP@@1", "name", out, 4) == 7 && strcmp(out, "a\"c") == 0);
    memset(out, '#', sizeof out);
    check("not there leaves out alone", @@FUNC@@("a@@SEP@@1", "b", out, sizeof out) == -1 && out[0] == '#');
    check("size 0", @@FUNC@@("a@@SEP@@123", "a", NULL, 0) == 3);
    check("empty line", @@FUNC@@("", "a", out, sizeof out) == -1);
    return failed;
}
