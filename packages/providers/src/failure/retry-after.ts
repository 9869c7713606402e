/**
 * Seconds to wait, from `Retry-After` (RFC 9110, 10.2.3): a number of seconds, or a date read against the answer's own
 * `Date`, so that neither clock matters. OpenAI's `retry-after-ms` is more exact and wins. Undefined when none is given.
 */
export function readRetryAfterSeconds(headers: Record<string, string>): number | undefined {
  const ms = headers["retry-after-ms"];
  if (ms !== undefined && /^\d+(\.\d+)?$/.test(ms)) return Math.ceil(Number(ms) / 1000);
  const value = headers["retry-after"]?.trim();
  if (value === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value));
  const seconds = Math.ceil((Date.parse(value) - Date.parse(headers.date ?? "")) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
