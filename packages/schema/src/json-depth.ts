/**
 * Deepest nesting of JSON from outside that is worked on. Below it every parser, validator and serializer is safe to
 * recurse; what is deeper is refused or kept as text.
 */
export const maxJsonDepth = 200;

/** Whether arrays and objects are nested in each other more than `levels` deep. Looks no deeper than that. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}
