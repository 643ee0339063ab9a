export interface Options {
  /** How many states may be kept that one can go back to; @@MOST@@ if not given. */
  most?: number;
}

/**
 * The states of a drawing, with undo and redo. States are never changed or
 * copied here, only handed out again.
 */
export class @@CLASS@@<T> {
  constructor(first: T, options: Options = {}) {
    throw new Error(`not written yet: ${first} ${options}`);
  }

  /** The state as it is now. */
  get current(): T {
    throw new Error('not written yet');
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
    throw new Error(`not written yet: ${state} ${group}`);
  }

  get canUndo(): boolean {
    throw new Error('not written yet');
  }

  get canRedo(): boolean {
    throw new Error('not written yet');
  }

  /** Goes one step back; false if there is none. */
  undo(): boolean {
    throw new Error('not written yet');
  }

  /** Takes the last undo back; false if there is none. */
  redo(): boolean {
    throw new Error('not written yet');
  }

  /** Notes that the current state was written to disk. */
  save(): void {
    throw new Error('not written yet');
  }

  /**
   * Whether the current state is the one that was last saved (at the beginning:
   * the first one). Going away from it by undo or redo and coming back counts as
   * saved, another step with an equal state does not.
   */
  get saved(): boolean {
    throw new Error('not written yet');
  }

  /**
   * Calls `listener` with the current state after each step, undo and redo that
   * did something. Returns a function that ends this for this one call of
   * `onChange`; it may be called twice, and while listeners are being called.
   * Every listener that was there when the change began is called, in the order
   * in which they came.
   */
  onChange(listener: (state: T) => void): () => void {
    throw new Error(`not written yet: ${listener}`);
  }
}
