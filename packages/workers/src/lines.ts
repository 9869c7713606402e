/** A place in a line. */
export type Place = {
  /** Resolves when all earlier ones have left. Absent: there were none. */
  readonly turn?: Promise<void>;
  /** Lets the next one go on, now or when its turn comes. Further calls do nothing. */
  leave(): void;
};

/** Queues by name, first come, first served. An empty one takes no memory. */
export type Lines = { enter(name: string): Place };

type Standing = { call(): void };

export function createLines(): Lines {
  const lines = new Map<string, Standing[]>();
  return {
    enter(name) {
      const line = lines.get(name) ?? [];
      lines.set(name, line);
      const { promise, resolve } = Promise.withResolvers<void>();
      const standing: Standing = { call: resolve };
      const isFirst = line.push(standing) === 1;
      const leave = () => {
        const index = line.indexOf(standing);
        if (index < 0) return;
        line.splice(index, 1);
        // One that leaves before its turn has nothing more to wait for.
        standing.call();
        if (index > 0) return;
        if (line.length === 0) lines.delete(name);
        line[0]?.call();
      };
      return isFirst ? { leave } : { turn: promise, leave };
    },
  };
}
