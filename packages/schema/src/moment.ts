/** Milliseconds since the epoch as ISO 8601 text in UTC with milliseconds: it sorts as text. */
export function toMoment(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** Now, or a millisecond after `previous` where that is later: dates of one thing only ever move forward. */
export function momentAfter(previous: string, nowMs: number): string {
  return toMoment(Math.max(nowMs, Date.parse(previous) + 1));
}
