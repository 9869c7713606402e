import { defineNode, type NodeContext, type WaitEnd } from "@weft/engine/node";
import { templated } from "@weft/engine/template";
import { type Json, signalNamePattern, toMoment, WeftError } from "@weft/schema";
import { z } from "zod";

const secondMs = 1_000;
const units = { seconds: secondMs, minutes: 60 * secondMs, hours: 3_600 * secondMs, days: 86_400 * secondMs } as const;
// linear: the pattern of signals is that of a whole text
const optionalSignal = new RegExp(`^$|${signalNamePattern.source}`);
/** A longer wait is a mistake in a template, or a schedule. */
const longestMs = 366 * units.days;

const config = z.object({
  mode: z
    .enum(["duration", "until"])
    .default("duration")
    .meta({ title: "Wait", labels: { duration: "For a while", until: "Until a moment" } }),
  amount: z
    .string()
    .max(10_000)
    .default("1")
    .meta({
      title: "How long",
      help: "A number, or a template that gives one. At most a year.",
      showWhen: { field: "mode", is: ["duration"] },
      ...templated,
    }),
  unit: z
    .enum(["seconds", "minutes", "hours", "days"])
    .default("minutes")
    .meta({
      title: "Unit",
      labels: { seconds: "Seconds", minutes: "Minutes", hours: "Hours", days: "Days" },
      showWhen: { field: "mode", is: ["duration"] },
    }),
  until: z
    .string()
    .max(10_000)
    .default("")
    .meta({
      title: "Moment",
      help: "A date and time with its offset from UTC, such as 2026-03-01T09:00:00+01:00, or milliseconds since 1970. At a moment in the past the flow continues at once.",
      showWhen: { field: "mode", is: ["until"] },
      ...templated,
    }),
  signal: z
    .string()
    .regex(optionalSignal, "may have letters, digits, dots, hyphens and underscores, 100 at most")
    .default("")
    .meta({
      title: "Signal",
      help: "The flow continues earlier when this signal is sent to the run: POST /executions/{id}/signals/{name}.",
      advanced: true,
    }),
  message: z
    .string()
    .max(200_000)
    .default("")
    .meta({
      title: "Message",
      help: "What the chat says when the wait is longer than a minute.",
      widget: "textarea",
      advanced: true,
      ...templated,
    }),
});
type WaitSettings = z.infer<typeof config>;

/** Lets time pass, up to a year, without keeping the run in memory. */
export const wait = defineNode({
  type: "wait",
  version: 1,
  title: "Wait",
  summary: "Waits for a while, until a moment, or for a signal, and then continues.",
  group: "logic",
  config,
  icon: "clock",
  outline: ["mode", "amount", "unit", "until"],
  mayRetry: false,
  async execute(context, settings) {
    if (context.answer !== undefined) return ended(context.answer as WaitEnd);
    const now = context.now();
    const until =
      settings.mode === "duration" ? now + durationOf(context, settings) : momentOf(context, settings.until);
    if (until - now > longestMs)
      throw failure(context, `would wait until ${toMoment(until)}, which is more than a year`);
    if (until <= now) return ended({ resumedBy: "time", at: until });
    const { signal } = settings;
    const message = context.renderText(settings.message).trim();
    return {
      type: "suspend",
      text: message || waitingText(until, signal),
      details: { kind: "wait" },
      until,
      asks: false,
      ...(signal === "" ? {} : { signal }),
    };
  },
});

function ended(end: WaitEnd) {
  const waitedUntil = toMoment(end.at);
  const { resumedBy } = end;
  const more: Record<string, Json> = end.resumedBy === "signal" ? { signal: end.signal, payload: end.payload } : {};
  return { type: "completed" as const, output: { waitedUntil, resumedBy, ...more }, text: waitedUntil };
}

function durationOf(context: NodeContext, { amount, unit }: WaitSettings): number {
  const value = toNumber(context.render(amount));
  if (value === undefined || value < 0) {
    throw failure(context, `needs a number of ${unit} that is zero or more, but got ${said(amount, context)}`);
  }
  const ms = Math.round(value * units[unit]);
  if (ms > longestMs) throw failure(context, `would wait for ${value} ${unit}, which is more than a year`);
  return ms;
}

/** With an offset from UTC: a wall-clock time is not the same moment everywhere. */
const zonedPattern = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/i;
/** The range of a date in JavaScript. */
const furthestMs = 8_640_000_000_000_000;

function momentOf(context: NodeContext, until: string): number {
  const value = context.render(until);
  const text = typeof value === "string" ? value.trim() : "";
  const ms = toNumber(value) ?? (zonedPattern.test(text) ? Date.parse(text.replace(" ", "T")) : Number.NaN);
  if (Number.isFinite(ms) && Math.abs(ms) <= furthestMs) return Math.trunc(ms);
  const expected = "a date and time with its offset, such as 2026-03-01T09:00:00+01:00, or milliseconds since 1970";
  throw failure(context, `needs ${expected}, but got ${said(until, context)}`);
}

/** Undefined unless it is a finite number. */
function toNumber(value: Json): number | undefined {
  const isText = typeof value === "string" && value.trim() !== "";
  const number = typeof value === "number" || isText ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

function said(template: string, context: NodeContext): string {
  const text = context.renderText(template);
  return text.trim() === "" ? "nothing" : JSON.stringify(text.slice(0, 100));
}

function failure({ label }: NodeContext, reason: string): WeftError {
  return new WeftError("flow-node-failed", { params: { reason: `${label} ${reason}.` } });
}

function waitingText(until: number, signal: string): string {
  const moment = `Waiting until ${toMoment(until)}`;
  return signal === "" ? `${moment}.` : `${moment}, or for the signal "${signal}".`;
}
