/** What the number in a cell is shown as: itself, a moment (a day, a time of day, or both), or a length of time. */
export type NumberKind = "number" | "moment" | "duration";

/** Formats that every workbook has without naming them. Source: ECMA-376-1, section 18.8.30, East Asia included. */
export function kindOfFormatId(id: number): NumberKind {
  if (id === 46) return "duration";
  const isMoment = (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || id === 45 || id === 47 || (id >= 50 && id <= 58);
  return isMoment ? "moment" : "number";
}

/** Whether a format code such as `dd/mm/yyyy` or `[h]:mm` shows time; `#,##0.00 "days"` does not. */
export function kindOfFormatCode(code: string): NumberKind {
  const [positive = ""] = code.replace(/"[^"]*"|\\.|_.|\*./g, "").split(";");
  if (/\[(h+|m+|s+)\]/i.test(positive)) return "duration";
  const letters = positive.replace(/\[[^\]]*\]|general/gi, "");
  return /[ymdhs]/i.test(letters) ? "moment" : "number";
}

/**
 * A count of days as ISO 8601 writes it: `2026-01-31`, `2026-01-31T08:30:00`, `08:30:00` for a moment of less than a
 * day; a duration as `26:30:00`. Nothing for what is no time.
 */
export function toIsoText(days: number, kind: NumberKind, is1904: boolean): string | undefined {
  if (kind === "number" || days < 0 || days > lastDay) return undefined;
  const seconds = Math.round(days * secondsPerDay);
  if (kind === "duration" || seconds < secondsPerDay) return toClock(seconds);
  // Before March 1900 the count is one less, as it holds a 29 February 1900 that never was.
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const [date = ""] = new Date(epoch + seconds * 1000).toISOString().split("T");
  const time = seconds % secondsPerDay;
  return time === 0 ? date : `${date}T${toClock(time)}`;
}

const secondsPerDay = 86_400;

/** The end of the year 9999, where dates end. */
const lastDay = 2_958_465;

function toClock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
