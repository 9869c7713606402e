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
