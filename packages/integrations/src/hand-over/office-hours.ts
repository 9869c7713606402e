const week = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

export const dayNames = ["every-day", "weekdays", "weekend", ...week] as const;

/** Times of day as `09:00`. A span that does not end later than it begins goes on into the next day. */
export type OfficeHours = {
  spans: readonly { days: (typeof dayNames)[number]; from: string; to: string }[];
  timeZone: string;
};

/** Whether a moment is within office hours; without spans, every moment is. */
export function areOpen({ spans, timeZone }: OfficeHours, atMs: number): boolean {
  const local = localTime(atMs, timeZone);
  if (spans.length === 0 || local === undefined) return true;
  const { day, minute } = local;
  return spans.some(({ days, from, to }) => {
    const [begin, end] = [minutesOf(from), minutesOf(to)];
    if (begin < end) return isOn(days, day) && minute >= begin && minute < end;
    return (isOn(days, day) && minute >= begin) || (isOn(days, (day + 6) % 7) && minute < end);
  });
}

/** For example `Monday to Friday 09:00–17:00 (Europe/Berlin)`. */
export function describeHours({ spans, timeZone }: OfficeHours): string {
  const listed = spans.map(({ days, from, to }) => `${wordsOf(days)} ${from}–${to}`);
  return `${listed.join(", ")} (${timeZone})`;
}

/** Day of the week, Sunday being 0, and minute of the day; undefined for an unknown time zone. */
export function localTime(atMs: number, timeZone: string): { day: number; minute: number } | undefined {
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      weekday: "long",
      hour: "2-digit",
      minute: "2-digit",
    });
    const parts = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
    const day = week.map(String).indexOf(parts.weekday?.toLowerCase() ?? "");
    return { day, minute: Number(parts.hour) * 60 + Number(parts.minute) };
  } catch {
    return undefined;
  }
}

function isOn(days: (typeof dayNames)[number], day: number): boolean {
  const isWeekend = day === 0 || day === 6;
  if (days === "every-day") return true;
  if (days === "weekdays") return !isWeekend;
  return days === "weekend" ? isWeekend : week[day] === days;
}

function wordsOf(days: (typeof dayNames)[number]): string {
  if (days === "every-day") return "every day";
  if (days === "weekdays") return "Monday to Friday";
  return days === "weekend" ? "Saturday and Sunday" : `${days[0]?.toUpperCase()}${days.slice(1)}`;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}
