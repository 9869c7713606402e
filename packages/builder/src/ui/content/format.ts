import type { Json } from "@weft/client";
import { formatDollars, languageTag, withDecimals } from "../../languages/index.ts";
import { commonStrings } from "../../strings.ts";

const { units: unitNames, justNow } = commonStrings;

/** A duration in two units at most: `12 ms`, `1.25 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(durationMs: number): string {
  const ms = Math.max(0, Math.round(durationMs));
  if (ms < 1_000) return `${ms} ${unitNames.ms}`;
  if (ms < 10_000) return `${withDecimals(ms / 1_000, 2)} ${unitNames.s}`;
  if (ms < 60_000) return `${withDecimals(ms / 1_000, 1)} ${unitNames.s}`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return joined(Math.floor(seconds / 60), "min", seconds % 60, "s");
  const minutes = Math.round(seconds / 60);
  if (minutes < 1_440) return joined(Math.floor(minutes / 60), "h", minutes % 60, "min");
  const hours = Math.round(minutes / 60);
  return joined(Math.floor(hours / 24), "d", hours % 24, "h");
}

function joined(large: number, largeUnit: Unit, small: number, smallUnit: Unit): string {
  const start = `${large} ${unitNames[largeUnit]}`;
  return small === 0 ? start : `${start} ${small} ${unitNames[smallUnit]}`;
}

type Unit = keyof typeof unitNames;

/** A share of 1, with one decimal at most. */
export function formatPercent(share: number): string {
  return share.toLocaleString(languageTag(), { style: "percent", maximumFractionDigits: 1 });
}

const thisYear = new Intl.DateTimeFormat(languageTag(), {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const otherYear = new Intl.DateTimeFormat(languageTag(), {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const timeOfDay = new Intl.DateTimeFormat(languageTag(), { timeStyle: "medium", hourCycle: "h23" });
const exact = new Intl.DateTimeFormat(languageTag(), { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });

/** A moment as a list shows it, in the reader's time zone. */
export function formatMoment(isoDate: string, nowMs = Date.now()): string {
  const date = new Date(isoDate);
  if (Number.isNaN(date.getTime())) return isoDate;
  const isThisYear = date.getFullYear() === new Date(nowMs).getFullYear();
  return (isThisYear ? thisYear : otherYear).format(date);
}

/** The time of a moment, with its seconds. */
export function formatTimeOfDay(momentMs: number): string {
  return timeOfDay.format(momentMs);
}

/** A moment with its seconds. */
export function formatExactMoment(isoDate: string): string {
  const date = new Date(isoDate);
  return Number.isNaN(date.getTime()) ? isoDate : exact.format(date);
}

const units: readonly [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ["year", 31_557_600_000],
  ["month", 2_629_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

const format = new Intl.RelativeTimeFormat(languageTag(), { numeric: "auto" });

/** A relative time such as "3 hours ago"; "just now" within a minute, also for times less than that in the future. */
export function toAgo(momentMs: number, nowMs: number): string {
  const elapsedMs = nowMs - momentMs;
  for (const [unit, ms] of units) {
    if (Math.abs(elapsedMs) >= ms) return format.format(-Math.trunc(elapsedMs / ms), unit);
  }
  return justNow;
}

const secondsFormat = new Intl.RelativeTimeFormat(languageTag(), { style: "short" });

/** A relative time in whole seconds, such as "3 sec. ago", for what is watched while it changes. */
export function toSecondsAgo(seconds: number): string {
  return secondsFormat.format(-Math.round(seconds), "second");
}

/** US dollars as people read them, such as "$0.0021" or "$12.30"; what is less than can be shown says so. */
export function formatCost(dollars: number): string {
  if (dollars > 0 && dollars < 0.0001) return `<${formatDollars(0.0001, 4, 4)}`;
  const digits = dollars > 0 && dollars < 1 ? 4 : 2;
  return formatDollars(dollars, digits, digits);
}

/** A size as people read it, such as "1.4 MB". */
export function formatSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`;
  const [unit, size] = bytes < 1e9 ? ["MB", 1e6] : bytes < 1e12 ? ["GB", 1e9] : ["TB", 1e12];
  return `${withDecimals(bytes / size, 1)} ${unit}`;
}

/** A readable value: text unchanged, anything else as JSON. `indent`: spaces per level; 0: one line. */
export function prettyJson(value: Json, indent = 2): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, indent);
}

/** Formats a text that may be JSON. */
export function prettyText(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Most steps report their result as `content`, which is shown as text; the rest follows as data. */
export function splitContent(value: Json): { text?: string; rest?: Json } {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return { rest: value };
  const { content, ...others } = value;
  if (typeof content !== "string") return { rest: value };
  return Object.keys(others).length === 0 ? { text: content } : { text: content, rest: others };
}
