/** Adds a batch of any length to a list. Spread as arguments, a long one would overflow the stack. */
export function collect<T>(list: T[], batch: readonly T[]): void {
  for (const item of batch) list.push(item);
}
