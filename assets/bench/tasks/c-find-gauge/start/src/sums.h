#ifndef SUMS_H
#define SUMS_H

/* What is added up as readings come and go. */
struct sums {
    long total;
    int count;
};

void sums_init(struct sums *sums);
void sums_come(struct sums *sums, int tenths);
void sums_go(struct sums *sums, int tenths);

/* In tenths, rounded to the nearest; 0 when there is nothing. */
int sums_mean(const struct sums *sums);

#endif
