#ifndef READING_H
#define READING_H

struct reading {
    int minute; /* of the day */
    int tenths;
};

#endif
