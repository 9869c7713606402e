const months = "((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)\\.?";
const dayFirst = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?${months}`, "i");
const monthFirst = new RegExp(`\\b${months}\\s+(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:,?\\s+(\\d{4}))?`, "i");
const iso = /\b(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?)?/;
const relative = /\b(?:today|tonight|(tomorrow)|in (\d+) days?)\b/i;
const clock = /(?:\bat\s+)?\b(?:(\d{1,2})(?::(\d{2}))?\s*(?:([ap])\.?m\b\.?|(?<=:\d\d))|(noon)|midnight)/i;

/**
 * The first date of a text as `YYYY-MM-DDTHH:mm:ssZ` in UTC, midnight when no time is said, and the text without it.
 * `today`: an ISO date that "tomorrow" and a missing year are counted from.
 */
export function findDate(text: string, today: string | undefined): { value: string; rest: string } | undefined {
  const [whole, date, time, zone = "Z"] = iso.exec(text) ?? [];
  if (time !== undefined) return finish(text.replace(whole ?? "", " "), Date.parse(`${date}T${time}${zone}`));
  const plain = text.replace(dayFirst, "$2 $1");
  const day = date === undefined ? findDay(plain, today) : { said: date, at: Date.parse(date) };
  if (day === undefined) return undefined;
  const rest = plain.replace(day.said, " ");
  const [said = "", hour, minute = "0", half, noon] = clock.exec(rest) ?? [];
  const afternoon = half?.toLowerCase() === "p" || noon !== undefined ? 12 : 0;
  const hours = (half === undefined ? Number(hour ?? 0) : Number(hour) % 12) + afternoon;
  return finish(rest.replace(said, " "), day.at + (hours * 60 + Number(minute)) * 60_000);
}

function findDay(text: string, today: string | undefined): { said: string; at: number } | undefined {
  const [named, month, day, year = today?.slice(0, 4)] = monthFirst.exec(text) ?? [];
  if (named !== undefined) return { said: named, at: Date.parse(`${month} ${day}, ${year} UTC`) };
  const [said, tomorrow, days = tomorrow === undefined ? 0 : 1] = relative.exec(text) ?? [];
  return said === undefined ? undefined : { said, at: Date.parse(today ?? "") + Number(days) * 86_400_000 };
}

function finish(rest: string, at: number): { value: string; rest: string } | undefined {
  return Number.isNaN(at) ? undefined : { value: `${new Date(at).toISOString().slice(0, 19)}Z`, rest };
}
