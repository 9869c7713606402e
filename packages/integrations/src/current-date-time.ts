import { z } from "zod";
import { defineIntegration } from "./define-integration.ts";
import { invalidTool } from "./tool-name.ts";

/** Tells the model what time it is. */
export const currentDateTime = defineIntegration({
  type: "current-date-time",
  title: "Current date and time",
  summary: "Returns the date, time and day of the week.",
  group: "built-in",
  icon: "clock",
  config: z.object({
    timeZone: z.string().trim().max(100).default("UTC").meta({
      title: "Time zone",
      widget: "time-zone",
      help: "Used if the model does not specify one. An IANA name, for example Europe/Berlin.",
    }),
  }),
  build(config, { clock }) {
    const timeZone = config.timeZone || "UTC";
    const name = "current_date_time";
    if (describeMoment(0, timeZone) === undefined) {
      throw invalidTool(name, `its time zone ${timeZone} is not known. Use an IANA name, for example Europe/Berlin.`);
    }
    return [
      {
        name,
        description: "The current date, time and day of the week.",
        parameters: {
          type: "object",
          properties: {
            timeZone: {
              type: "string",
              description: `IANA time zone, for example Europe/Berlin. Default ${timeZone}.`,
            },
          },
          additionalProperties: false,
        },
        kind: "read",
        effect: "read",
        async call(args) {
          const zone = typeof args.timeZone === "string" && args.timeZone !== "" ? args.timeZone : timeZone;
          const content = describeMoment(clock.now(), zone);
          if (content !== undefined) return { content };
          const shown = zone.slice(0, 100);
          return {
            content: `No time zone ${shown} is known. Send an IANA name, for example Europe/Berlin.`,
            isError: true,
          };
        },
      },
    ];
  },
});

/** For example `2026-07-01T14:05:09+02:00, Wednesday, Europe/Berlin`; undefined for an unknown zone. */
function describeMoment(atMs: number, timeZone: string): string | undefined {
  const format = formatFor(timeZone);
  if (format === undefined) return undefined;
  const parts = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute, second, weekday, timeZoneName = "" } = parts;
  const offset = timeZoneName.replace("GMT", "") || "+00:00";
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${offset}, ${weekday}, ${timeZone}`;
}

function formatFor(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      weekday: "long",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      timeZoneName: "longOffset",
    });
  } catch {
    return undefined;
  }
}
