import { languageTag } from "../languages/index.ts";
import { scheduleStrings } from "../strings.ts";

const { cron: strings } = scheduleStrings;

/** The values that one field of cron matches; `every`: all there are. */
type CronField = { values: readonly number[]; every: boolean };

/** More moments of a day are not listed. */
const mostTimes = 6;

/**
 * What a cron expression means, as a sentence: "At 09:00, Monday to Friday". Undefined for one that is invalid, has a field
 * for seconds, or is too intricate for one sentence.
 */
export function describeCron(cron: string): string | undefined {
  const texts = cron.trim().toLowerCase().split(/\s+/);
  if (texts.length !== 5) return undefined;
  const fields = ranges.map((range, index) => parseField(texts[index] ?? "", range));
  if (!areRead(fields)) return undefined;
  const [minutes, hours, days, months, weekdays] = fields;
  // Cron means either of the two, which hardly anyone expects.
  if (!days.every && !weekdays.every) return undefined;
  const time = describeTime(minutes, hours);
  if (time === undefined) return undefined;
  const day = describeDays(days, weekdays) ?? (hours.every ? undefined : strings.everyDay);
  const month = months.every ? undefined : strings.inMonths({ months: listed(months.values.map(monthName)) });
  return [time, day, month].filter((part) => part !== undefined).join(", ");
}

type Fields = readonly [CronField, CronField, CronField, CronField, CronField];

function areRead(fields: readonly (CronField | undefined)[]): fields is Fields {
  return fields.length === ranges.length && fields.every((field) => field !== undefined && field.values.length > 0);
}

type Range = { least: number; most: number; names?: readonly string[] };

const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const weekdayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Sunday is 0, and 7 as well. */
const ranges: readonly Range[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: ["", ...monthNames] },
  { least: 0, most: 7, names: weekdayNames },
];

function parseField(text: string, range: Range): CronField | undefined {
  const isWeekday = range.names === weekdayNames;
  const found = new Set<number>();
  for (const part of text.split(",")) {
    const values = parsePart(part, range);
    if (values === undefined) return undefined;
    for (const value of values) found.add(isWeekday ? value % 7 : value);
  }
  const values = [...found].toSorted((a, b) => a - b);
  const count = isWeekday ? 7 : range.most - range.least + 1;
  return { values, every: values.length === count };
}

/** One of `*`, `5`, `1-5`, each also with a step, as in `0-30/10`. */
function parsePart(part: string, { least, most, names = [] }: Range): number[] | undefined {
  const [, from = "", to, step] = /^(\*|[a-z\d]+)(?:-([a-z\d]+))?(?:\/(\d+))?$/.exec(part) ?? [];
  const toNumber = (text: string) => (/^\d+$/.test(text) ? Number(text) : names.indexOf(text));
  const first = from === "*" ? least : toNumber(from);
  const isOpen = from === "*" || (to === undefined && step !== undefined);
  const last = to === undefined ? (isOpen ? most : first) : toNumber(to);
  const by = step === undefined ? 1 : Number(step);
  const isValid = from !== "" && first >= least && last <= most && first <= last && by > 0;
  if (!isValid || (from === "*" && to !== undefined)) return undefined;
  return Array.from({ length: Math.floor((last - first) / by) + 1 }, (_, index) => first + index * by);
}

function describeTime(minutes: CronField, hours: CronField): string | undefined {
  const [minute = 0] = minutes.values;
  const everyMinutes = stepOf(minutes.values, 60);
  if (hours.every) {
    if (minutes.values.length === 1) return strings.everyHour({ minute });
    return everyMinutes === undefined ? undefined : strings.everyMinutes({ count: everyMinutes });
  }
  const times = hours.values.flatMap((hour) => minutes.values.map((each) => toTime(hour, each)));
  if (times.length <= mostTimes) return strings.at({ times: listed(times) });
  const [first = 0] = hours.values;
  const last = hours.values.at(-1) ?? 0;
  const isRow = last - first === hours.values.length - 1;
  if (everyMinutes && isRow) {
    return strings.between({ count: everyMinutes, from: toTime(first, 0), until: toTime(last, 60 - everyMinutes) });
  }
  const everyHours = stepOf(hours.values, 24);
  return everyHours !== undefined && minutes.values.length === 1
    ? strings.everyHours({ count: everyHours, minute })
    : undefined;
}

/** The distance of values that are evenly spread over a whole, from 0; undefined where they are not. */
function stepOf(values: readonly number[], whole: number): number | undefined {
  const step = whole / values.length;
  return Number.isInteger(step) && values.every((value, index) => value === index * step) ? step : undefined;
}

function describeDays(days: CronField, weekdays: CronField): string | undefined {
  if (!days.every) return strings.onDays({ days: listed(days.values.map(String)), count: days.values.length });
  if (weekdays.every) return undefined;
  // A week that begins on Monday, as people count working days.
  const week = weekdays.values.map((day) => (day + 6) % 7).toSorted((a, b) => a - b);
  const [first = 0] = week;
  const last = week.at(-1) ?? 0;
  if (week.length > 2 && last - first === week.length - 1) {
    return strings.weekdays({ from: weekdayName(first), until: weekdayName(last) });
  }
  return listed(week.map(weekdayName));
}

/** With a word before the last, as in a sentence. */
function listed(texts: readonly string[]): string {
  return new Intl.ListFormat(languageTag(), { type: "conjunction", style: "long" }).format(texts);
}

/** In the time zone of the name itself: these are no moments. */
const nameOf = (part: "month" | "weekday", date: Date) =>
  new Intl.DateTimeFormat(languageTag(), { [part]: "long", timeZone: "UTC" }).format(date);
const monthName = (month: number) => nameOf("month", new Date(Date.UTC(2024, month - 1, 1)));
/** From Monday, which is 0. */
const weekdayName = (day: number) => nameOf("weekday", new Date(Date.UTC(2024, 0, 1 + day)));

/** As a clock of 24 hours shows it. */
function toTime(hour: number, minute: number): string {
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}
