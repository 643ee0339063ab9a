/*
 * ring.c - a ring buffer of bytes with one writer and one reader.
 *
 * The buffer has a size that is a power of two; both positions only grow, and
 * are cut to the size when they are used.
 */

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct ring {
    uint8_t *bytes;
    size_t size;
    size_t head;
    size_t tail;
    bool closed;
};

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool is_power_of_two(size_t size)
{
    return size != 0 && (size & (size - 1)) == 0;
}

int ring_init(struct ring *ring, size_t size)
{
    if (!is_power_of_two(size))
        return -EINVAL;
    ring->bytes = malloc(size);
    if (ring->bytes == NULL)
        return -ENOMEM;
    ring->size = size;
    ring->head = 0;
    ring->tail = 0;
    ring->closed = false;
    return 0;
}

void ring_free(struct ring *ring)
{
    free(ring->bytes);
    memset(ring, 0, sizeof(*ring));
}

size_t ring_used(const struct ring *ring)
{
    return ring->head - ring->tail;
}

size_t ring_room(const struct ring *ring)
{
    return ring->size - ring_used(ring);
}

/* Writes as much as there is room for; says how much that was. */
size_t ring_write(struct ring *ring, const void *data, size_t length)
{
    size_t at = ring->head & (ring->size - 1);
    size_t count = min_size(length, ring_room(ring));
    size_t first = min_size(count, ring->size - at);

    if (ring->closed)
        return 0;
    memcpy(ring->bytes + at, data, first);
    memcpy(ring->bytes, (const uint8_t *)data + first, count - first);
    ring->head += count;
    return count;
}

/* Reads as much as there is, up to length bytes. */
size_t ring_read(struct ring *ring, void *data, size_t length)
{
    size_t at = ring->tail & (ring->size - 1);
    size_t count = min_size(length, ring_used(ring));
    size_t first = min_size(count, ring->size - at);

    memcpy(data, ring->bytes + at, first);
    memcpy((uint8_t *)data + first, ring->bytes, count - first);
    ring->tail += count;
    return count;
}

int ring_find(const struct ring *ring, uint8_t byte, size_t *offset)
{
    for (size_t i = 0; i < ring_used(ring); i++) {
        size_t at = (ring->tail + i) & (ring->size - 1);
        if (ring->bytes[at] == byte) {
            *offset = i;
            return 0;
        }
    }
    return -ENOENT;
}

void ring_close(struct ring *ring)
{
    ring->closed = true;
}
