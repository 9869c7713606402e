/** Values by key with separate listeners: a change to one does not rerender components that show another. */
export type KeyedValues<T> = {
  get(key: string): T | undefined;
  subscribe(key: string, listener: () => void): () => void;
};

export type KeyedStore<T> = KeyedValues<T> & {
  set(key: string, value: T): void;
  /** Replaces all values. */
  replace(values: ReadonlyMap<string, T>): void;
};

/** `isSame` decides whether a value changed. Default: identity. */
export function createKeyedStore<T>(
  isSame: (a: T | undefined, b: T | undefined) => boolean = Object.is,
): KeyedStore<T> {
  let values: ReadonlyMap<string, T> = new Map();
  const listeners = new Map<string, Set<() => void>>();
  const tell = (key: string) => {
    for (const listener of listeners.get(key) ?? []) listener();
  };

  return {
    get: (key) => values.get(key),
    set(key, value) {
      if (isSame(values.get(key), value)) return;
      values = new Map(values).set(key, value);
      tell(key);
    },
    replace(next) {
      const before = values;
      const kept = [...next].map(([key, value]) => {
        const known = before.get(key);
        return [key, known !== undefined && isSame(known, value) ? known : value] as const;
      });
      values = new Map(kept);
      for (const key of new Set([...before.keys(), ...values.keys()])) {
        if (before.get(key) !== values.get(key)) tell(key);
      }
    },
    subscribe(key, listener) {
      const own = listeners.get(key) ?? new Set();
      listeners.set(key, own.add(listener));
      return () => {
        own.delete(listener);
      };
    },
  };
}
