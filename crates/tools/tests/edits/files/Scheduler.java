package org.example.tasks;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Runs tasks when they are due, the most urgent first.
 *
 * <p>Not safe for use by several threads; the owner calls {@link #tick()} every now and then.
 */
public final class Scheduler {
    private static final int MAX_ATTEMPTS = 3;

    private final Clock clock;
    private final PriorityQueue<Task> queue = new PriorityQueue<>(Comparator.comparing(Task::due));
    private final Map<String, Task> byName = new HashMap<>();
    private final List<String> failed = new ArrayList<>();

    public Scheduler(Clock clock) {
        this.clock = clock;
    }

    /** Adds a task; one of the same name is replaced. */
    public void schedule(String name, Duration delay, Runnable work) {
        cancel(name);
        Task task = new Task(name, clock.instant().plus(delay), work, 1);
        byName.put(name, task);
        queue.add(task);
    }

    public boolean cancel(String name) {
        Task task = byName.remove(name);
        if (task == null) {
            return false;
        }
        return queue.remove(task);
    }

    /** Runs what is due and says how many tasks that were. */
    public int tick() {
        Instant now = clock.instant();
        int count = 0;
        while (!queue.isEmpty() && !queue.peek().due().isAfter(now)) {
            Task task = queue.poll();
            byName.remove(task.name());
            run(task);
            count++;
        }
        return count;
    }

    private void run(Task task) {
        try {
            task.work().run();
        } catch (RuntimeException e) {
            if (task.attempt() >= MAX_ATTEMPTS) {
                failed.add(task.name());
                return;
            }
            Task again = task.later(clock.instant().plusSeconds(task.attempt() * 10L));
            byName.put(again.name(), again);
            queue.add(again);
        }
    }

    public Optional<Instant> nextDue() {
        Task task = queue.peek();
        if (task == null) {
            return Optional.empty();
        }
        return Optional.of(task.due());
    }

    public List<String> failed() {
        return List.copyOf(failed);
    }

    private record Task(String name, Instant due, Runnable work, int attempt) {
        Task later(Instant when) {
            return new Task(name, when, work, attempt + 1);
        }
    }
}
