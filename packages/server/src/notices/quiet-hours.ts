import type { QuietHours } from "@weft/schema";

/** Whether it is quiet at that moment, by the wall clock of the zone. They may go over midnight. */
export function isQuiet({ from, to, timeZone }: QuietHours, now: number): boolean {
  const parts = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const time = parts.format(now);
  return from < to ? time >= from && time < to : time >= from || time < to;
}
