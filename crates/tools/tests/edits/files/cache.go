// Package cache keeps answers for a while, the oldest leaving first.
package cache

import (
	"container/list"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrTooLarge says that a value would never fit.
var ErrTooLarge = errors.New("value larger than the whole cache")

type entry struct {
	key     string
	value   []byte
	expires time.Time
}

// Cache is safe for use by several goroutines.
type Cache struct {
	mu       sync.Mutex
	capacity int
	used     int
	lifetime time.Duration
	order    *list.List
	entries  map[string]*list.Element
	now      func() time.Time
}

// New makes a cache of so many bytes.
func New(capacity int, lifetime time.Duration) *Cache {
	return &Cache{
		capacity: capacity,
		lifetime: lifetime,
		order:    list.New(),
		entries:  make(map[string]*list.Element),
		now:      time.Now,
	}
}

// Get gives what is kept under key, unless it is too old.
func (c *Cache) Get(key string) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	element, ok := c.entries[key]
	if !ok {
		return nil, false
	}
	found := element.Value.(*entry)
	if c.now().After(found.expires) {
		c.drop(element)
		return nil, false
	}
	c.order.MoveToFront(element)
	return found.value, true
}

// Put keeps value under key.
func (c *Cache) Put(key string, value []byte) error {
	if len(value) > c.capacity {
		return fmt.Errorf("keeping %q: %w", key, ErrTooLarge)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if element, ok := c.entries[key]; ok {
		c.drop(element)
	}
	for c.used+len(value) > c.capacity {
		c.drop(c.order.Back())
	}
	element := c.order.PushFront(&entry{
		key:     key,
		value:   value,
		expires: c.now().Add(c.lifetime),
	})
	c.entries[key] = element
	c.used += len(value)
	return nil
}

// Remove forgets what is kept under key.
func (c *Cache) Remove(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if element, ok := c.entries[key]; ok {
		c.drop(element)
	}
}

// Len says how many entries there are.
func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.entries)
}

func (c *Cache) drop(element *list.Element) {
	gone := c.order.Remove(element).(*entry)
	delete(c.entries, gone.key)
	c.used -= len(gone.value)
}
