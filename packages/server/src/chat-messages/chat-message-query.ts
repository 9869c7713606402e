import { chatTypeSchema, momentQuerySchema, pageQuerySchema, uuidSchema } from "@weft/schema";
import { z } from "zod";

/** A flag as query text: `true`, `false`, `1` or `0`, in any case. */
const flagQuerySchema = z
  .string()
  .toLowerCase()
  .pipe(z.enum(["true", "false", "1", "0"]))
  .transform((text) => text === "true" || text === "1");

/** One value, several of the same name, or a JSON array of them. */
function listQuerySchema<T extends z.ZodType<string, string>>(item: T) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform(toList)
    .pipe(z.array(item).min(1));
}

const ratingSchema = z.enum(["THUMBS_UP", "THUMBS_DOWN"]);

const filters = {
  chatId: z.string().optional(),
  sessionId: z.string().optional(),
  memoryType: z.string().optional(),
  chatType: listQuerySchema(chatTypeSchema).optional(),
  startDate: momentQuerySchema.optional(),
  endDate: momentQuerySchema.optional(),
  feedbackType: listQuerySchema(ratingSchema).optional(),
};

/** Query of `GET /chatmessage/{id}`. `feedbackType` counts only where `feedback` is true. */
export const messageListQuerySchema = pageQuerySchema.extend({
  ...filters,
  messageId: uuidSchema.optional(),
  order: z.enum(["ASC", "DESC"]).optional(),
  feedback: flagQuerySchema.optional(),
});

/** Query of `DELETE /chatmessage/{id}`. */
export const messageDeleteQuerySchema = z.object({ ...filters, hardDelete: flagQuerySchema.optional() });

function toList(value: string | string[]): unknown {
  if (Array.isArray(value)) return value;
  if (!value.startsWith("[")) return [value];
  try {
    return JSON.parse(value);
  } catch {
    return [value];
  }
}
