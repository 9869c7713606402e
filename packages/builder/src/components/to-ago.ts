const units: readonly [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ["year", 31_557_600_000],
  ["month", 2_629_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** A relative time such as "3 hours ago"; "just now" within a minute, also for times less than that in the future. */
export function toAgo(momentMs: number, nowMs: number): string {
  const elapsedMs = nowMs - momentMs;
  for (const [unit, ms] of units) {
    if (Math.abs(elapsedMs) >= ms) return format.format(-Math.trunc(elapsedMs / ms), unit);
  }
  return "just now";
}
