import { z } from "zod";

const positiveInteger = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/** With both, a list answers `{ data, total }` with one page; with one or none it is complete. */
export const pageQuerySchema = z.object({
  /** From 1. */
  page: positiveInteger.optional(),
  limit: positiveInteger.optional(),
});
export type PageQuery = z.infer<typeof pageQuerySchema>;

/** One page of a list, and how many items the whole list has. */
export function pageSchema<T extends z.ZodType>(item: T): z.ZodObject<{ data: z.ZodArray<T>; total: z.ZodNumber }> {
  return z.object({ data: z.array(item), total: z.number().int() });
}

const isoMoment = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * A moment in a query: an ISO 8601 date or date-time, brought to UTC with milliseconds so that it compares as text.
 * Without an offset UTC is meant; a date alone means its first moment. A `+` that was decoded to a space is understood.
 */
export const momentQuerySchema = z
  .string()
  .meta({ format: "date-time" })
  .transform((text, context) => {
    const moment = parseMoment(text);
    if (moment !== undefined) return moment;
    context.addIssue({ code: "custom", message: "must be an ISO 8601 date-time, for example 2025-01-31T12:00:00Z" });
    return z.NEVER;
  });

function parseMoment(text: string): string | undefined {
  const match = isoMoment.exec(text.trim().replace(/ (\d{2}:?\d{2})$/, "+$1"));
  if (match === null) return undefined;
  const [, date, time = "00:00", offset = "Z"] = match;
  const moment = new Date(`${date}T${time}${offset.toUpperCase()}`);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}
