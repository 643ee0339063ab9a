export interface Options {
  /** How many states may be kept that one can go back to; @@MOST@@ if not given. */
  most?: number;
}

interface Step<T> {
  state: T;
  group?: string;
}

/**
 * The states of a drawing, with undo and redo. States are never changed or
 * copied here, only handed out again.
 */
export class @@CLASS@@<T> {
  private steps: Step<T>[];
  private at = 0;
  private open = false;
  private onDisk: Step<T>;
  private listeners: { listener: (state: T) => void }[] = [];
  private readonly most: number;

  constructor(first: T, options: Options = {}) {
    this.steps = [{ state: first }];
    this.onDisk = this.steps[0]!;
    this.most = options.most ?? @@MOST@@;
  }

  /** The state as it is now. */
  get current(): T {
    return this.steps[this.at]!.state;
  }

  /**
   * Makes `state` the current one. What had been undone cannot be redone any more.
   *
   * Steps with the same `group`, one directly after the other, are one step for
   * undo: the state replaces the one before, and undo goes back to the state
   * before the first of them. A group ends with a step without or with another
   * group, with undo, with redo (whether or not there was something to undo or
   * redo) and with `save`. A step never joins the very first state.
   *
   * If then more than `most` states lie before the current one, the oldest is
   * dropped.
   */
  @@PUSH@@(state: T, group?: string): void {
    const step = { state, group };
    this.steps.length = this.at + 1;
    if (this.open && group !== undefined && this.steps[this.at]!.group === group) {
      this.steps[this.at] = step;
    } else {
      this.steps.push(step);
    }
    while (this.steps.length > this.most) this.steps.shift();
    this.at = this.steps.length - 1;
    this.open = true;
    this.tell();
  }

  get canUndo(): boolean {
    return this.at > 0;
  }

  get canRedo(): boolean {
    return this.at + 1 < this.steps.length;
  }

  /** Goes one step back; false if there is none. */
  undo(): boolean {
    this.open = false;
    if (!this.canUndo) return false;
    this.at -= 1;
    this.tell();
    return true;
  }

  /** Takes the last undo back; false if there is none. */
  redo(): boolean {
    this.open = false;
    if (!this.canRedo) return false;
    this.at += 1;
    this.tell();
    return true;
  }

  /** Notes that the current state was written to disk. */
  save(): void {
    this.open = false;
    this.onDisk = this.steps[this.at]!;
  }

  /**
   * Whether the current state is the one that was last saved (at the beginning:
   * the first one). Going away from it by undo or redo and coming back counts as
   * saved, another step with an equal state does not.
   */
  get saved(): boolean {
    return this.steps[this.at] === this.onDisk;
  }

  /**
   * Calls `listener` with the current state after each step, undo and redo that
   * did something. Returns a function that ends this for this one call of
   * `onChange`; it may be called twice, and while listeners are being called.
   * Every listener that was there when the change began is called, in the order
   * in which they came.
   */
  onChange(listener: (state: T) => void): () => void {
    const entry = { listener };
    this.listeners = [...this.listeners, entry];
    return () => {
      this.listeners = this.listeners.filter((other) => other !== entry);
    };
  }

  private tell(): void {
    for (const { listener } of this.listeners) listener(this.current);
  }
}
