import { z } from "zod";
import { timestampSchema, uuidSchema } from "./field.ts";

/** A key for programs, as lists show it: never the key itself. */
export const apiKeySchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    keyName: z.string(),
    keyHint: z.string().meta({ description: "First characters of the key" }),
    permissions: z.array(z.string()),
    createdDate: timestampSchema,
    updatedDate: timestampSchema,
    lastUsedDate: timestampSchema.nullable().meta({ description: "To the minute; null until the first use" }),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof apiKeySchema>;

/** The answer to a create: the only one that shows the key. */
export const newApiKeySchema = z
  .object({ ...apiKeySchema.shape, apiKey: z.string().meta({ description: "The key. It is not shown again." }) })
  .meta({ id: "NewApiKey" });
export type NewApiKey = z.infer<typeof newApiKeySchema>;

const keyNameSchema = z.string().trim().min(1, "must not be empty").max(200);
const permissionsInputSchema = z.array(z.string()).min(1, "must name at least one permission").max(100);

/** Body of a create. Without permissions the key may only run predictions. */
export const apiKeyCreateSchema = z
  .object({
    id: uuidSchema.optional(),
    keyName: keyNameSchema,
    permissions: permissionsInputSchema.default(["predictions:run"]),
  })
  .meta({ id: "ApiKeyCreate" });
export type ApiKeyCreate = z.infer<typeof apiKeyCreateSchema>;

/** Body of an update: what is absent stays as it is. */
export const apiKeyUpdateSchema = z
  .object({ keyName: keyNameSchema.optional(), permissions: permissionsInputSchema.optional() })
  .meta({ id: "ApiKeyUpdate" });
export type ApiKeyUpdate = z.infer<typeof apiKeyUpdateSchema>;
