import { chatTypeSchema, momentQuerySchema, pageQuerySchema, ratingSchema, uuidSchema } from "@weft/schema";
import { z } from "zod";

/** A flag as query text: `true`, `false`, `1` or `0`, in any case. */
const flagQuerySchema = z
  .string()
  .toLowerCase()
  .meta({ description: "true or false" })
  .pipe(z.enum(["true", "false", "1", "0"]))
  .transform((text) => text === "true" || text === "1");

/** One value, several of the same name, or a JSON array of them. */
function listQuerySchema<T extends z.ZodEnum>(item: T) {
  return z
    .union([z.string(), z.array(z.string())])
    .meta({ description: `${item.options.join(" or ")}; may be repeated or sent as a JSON array` })
    .transform(toList)
    .pipe(z.array(item).min(1));
}

const counted = {
  chatType: listQuerySchema(chatTypeSchema).optional(),
  startDate: momentQuerySchema.optional(),
  endDate: momentQuerySchema.optional(),
  feedbackType: listQuerySchema(ratingSchema).optional(),
};

const filters = {
  ...counted,
  chatId: z.string().optional(),
  sessionId: z.string().optional(),
  memoryType: z.string().optional(),
};

/** Query of `GET /chatmessage/{id}`. `feedbackType` counts only where `feedback` is true. */
export const messageListQuerySchema = pageQuerySchema.extend({
  ...filters,
  messageId: uuidSchema.optional(),
  order: z.enum(["ASC", "DESC"]).meta({ default: "ASC" }).optional(),
  feedback: flagQuerySchema.optional(),
});

/** Query of `DELETE /chatmessage/{id}`. */
export const messageDeleteQuerySchema = z.object({ ...filters, hardDelete: flagQuerySchema.optional() });

/** Query of `GET /stats/{id}`. */
export const chatStatsQuerySchema = z.object(counted);

/** The filter of a list: with `feedback` only messages that have some, of any rating unless `feedbackType` says which. */
export function toListFilter({ feedback, feedbackType, ...filter }: z.output<typeof messageListQuerySchema>) {
  return { ...filter, rated: feedback === true ? (feedbackType ?? ratingSchema.options) : undefined };
}

function toList(value: string | string[]): unknown {
  if (Array.isArray(value)) return value;
  if (!value.startsWith("[")) return [value];
  try {
    return JSON.parse(value);
  } catch {
    return [value];
  }
}
