const months = "(?<month>(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)\\.?";
const dayFirst = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?${months}`, "i");
const dates = [
  /["']?\b(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<time>\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(?<zone>Z|[+-]\d\d:\d\d)?)?["']?/,
  new RegExp(`\\b${months}\\s+(?<day>\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:,?\\s+(?<year>\\d{4}))?`, "i"),
  /\b(?:today|tonight|(?<tomorrow>tomorrow)|in (?<days>\d+) days?)\b/i,
];
const clock = /(?:\bat\s+)?\b(?:(\d{1,2})(?::(\d{2}))?\s*(?:([ap])\.?m\b\.?|(?<=:\d\d))|(noon)|midnight)/i;

/** A value, and the text without it. */
export type Found = { value: string; rest: string };

/**
 * The first date of a text as `YYYY-MM-DDTHH:mm:ssZ` in UTC, midnight when no time is said.
 * `today`: an ISO date that "tomorrow" and a missing year are counted from.
 */
export function findDate(text: string, today = ""): Found | undefined {
  const plain = text.replace(dayFirst, "$2 $1");
  const match = dates.map((pattern) => pattern.exec(plain)).find((found) => found !== null);
  const { date, time, zone = "Z", month, day, year = today.slice(0, 4), tomorrow, days } = match?.groups ?? {};
  const rest = plain.replace(match?.[0] ?? "", " ");
  const [said = "", hour, minute, half, noon] = (time === undefined && clock.exec(rest)) || [];
  const afternoon = half?.toLowerCase() === "p" || noon !== undefined ? 12 : 0;
  const hours = (half === undefined ? Number(hour ?? 0) : Number(hour) % 12) + afternoon;
  const midnight = Date.parse(month === undefined ? (date ?? today) : `${month} ${day}, ${year} UTC`);
  const later = ((Number(days ?? (tomorrow && 1) ?? 0) * 24 + hours) * 60 + Number(minute ?? 0)) * 60_000;
  const at = time === undefined ? midnight + later : Date.parse(`${date}T${time}${zone}`);
  if (match === undefined || Number.isNaN(at)) return undefined;
  return { value: `${new Date(at).toISOString().slice(0, 19)}Z`, rest: rest.replace(said, " ") };
}
