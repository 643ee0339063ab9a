/** Lets parts tell others what happened without knowing them. */
export function createBus() {
  const listeners = new Map();
  return {
    on(name, listener) {
      listeners.set(name, [...(listeners.get(name) ?? []), listener]);
    },
    emit(name, what) {
      for (const listener of listeners.get(name) ?? []) listener(what);
    },
  };
}
