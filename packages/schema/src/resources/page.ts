import { z } from "zod";

/** A whole number in a query. The error message names both limits. */
export function wholeNumberQuery(least: number, most: number): z.ZodCoercedNumber<unknown> {
  const error = `must be a whole number from ${least} to ${most}`;
  const check = { error, abort: true };
  return z.coerce.number({ error }).int(check).min(least, check).max(most, check);
}

/** Page number, from 1. */
export const pageNumberQuerySchema = wholeNumberQuery(1, 1_000_000);

/** With both, a list answers `{ data, total }` with one page; with one or none it answers in full. */
export const pageQuerySchema = z.object({
  page: pageNumberQuerySchema.optional().meta({ description: "With `limit`: the page to return, from 1" }),
  limit: wholeNumberQuery(1, 10_000)
    .optional()
    .meta({ description: "With `page`: entries per page. With only one of the two the list is complete." }),
});
export type PageQuery = z.infer<typeof pageQuerySchema>;

/** One page of a list, and the length of the whole list. */
export function pageSchema<T extends z.ZodType>(item: T): z.ZodObject<{ data: z.ZodArray<T>; total: z.ZodNumber }> {
  return z.object({ data: z.array(item), total: z.number().int() });
}

const isoMoment = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * A moment in a query: an ISO 8601 date or date-time, converted to UTC with milliseconds so that it compares as text.
 * Defaults to UTC without an offset; a date alone means its first moment. Accepts a `+` that was decoded to a space.
 */
export const momentQuerySchema = momentSchema("00:00");

/** Like `momentQuerySchema`, for the end of a period: a date alone means its last moment. */
export const endMomentQuerySchema = momentSchema("23:59:59.999");

function momentSchema(timeOfDate: string) {
  return z
    .string()
    .meta({ format: "date-time" })
    .transform((text, context) => {
      const moment = parseMoment(text, timeOfDate);
      if (moment !== undefined) return moment;
      context.addIssue({ code: "custom", message: "must be an ISO 8601 date-time, for example 2025-01-31T12:00:00Z" });
      return z.NEVER;
    });
}

function parseMoment(text: string, timeOfDate: string): string | undefined {
  const match = isoMoment.exec(text.trim().replace(/ (\d{2}:?\d{2})$/, "+$1"));
  if (match === null) return undefined;
  const [, date, time = timeOfDate, offset = "Z"] = match;
  const moment = new Date(`${date}T${time}${offset.toUpperCase()}`);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}
