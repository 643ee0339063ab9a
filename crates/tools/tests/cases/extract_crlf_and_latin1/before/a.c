/* café */
int café(void)
{
}
int two(int a,
        int b)
{ return a; }
