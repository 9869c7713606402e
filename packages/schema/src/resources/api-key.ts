import { z } from "zod";
import { timestampSchema, uuidSchema } from "./field.ts";

/** A key for programs, as lists show it, without the secret. */
export const apiKeySchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    keyName: z.string(),
    keyHint: z.string().meta({ description: "First characters of the key" }),
    permissions: z.array(z.string()),
    agents: z.array(z.string()).meta({ description: "Ids of the agents the key is limited to; empty means all" }),
    clientId: z.string().meta({
      description: "Owner of the chats created with this key. Keys with the same clientId share their chats.",
    }),
    ownerId: z.string().nullable().meta({
      description: "The account the key belongs to: it can do no more than that. Null: nobody's",
    }),
    createdDate: timestampSchema,
    updatedDate: timestampSchema,
    lastUsedDate: timestampSchema.nullable().meta({ description: "Accurate to the minute; null if never used" }),
  })
  .meta({
    id: "ApiKey",
    examples: [
      {
        id: "7c1e5a9d-3b2f-4e6a-9d8c-0f1e2d3c4b5a",
        keyName: "Website",
        keyHint: "wk_4f9a2",
        permissions: ["predictions:run"],
        agents: [],
        clientId: "website",
        ownerId: null,
        createdDate: "2025-01-31T12:00:00.000Z",
        updatedDate: "2025-02-01T08:30:00.000Z",
        lastUsedDate: "2025-02-01T08:30:00.000Z",
      },
    ],
  });
export type ApiKey = z.infer<typeof apiKeySchema>;

/** The answer to a create, the only one with the secret. */
export const newApiKeySchema = z
  .object({ ...apiKeySchema.shape, apiKey: z.string().meta({ description: "The key. It is only returned here." }) })
  .meta({
    id: "NewApiKey",
    examples: [
      {
        id: "7c1e5a9d-3b2f-4e6a-9d8c-0f1e2d3c4b5a",
        keyName: "Website",
        keyHint: "wk_4f9a2",
        permissions: ["predictions:run"],
        agents: [],
        clientId: "website",
        ownerId: null,
        createdDate: "2025-01-31T12:00:00.000Z",
        updatedDate: "2025-02-01T08:30:00.000Z",
        lastUsedDate: null,
        apiKey: "wk_4f9a2ExampleOfAKeyThatIsShownOnlyOnce",
      },
    ],
  });
export type NewApiKey = z.infer<typeof newApiKeySchema>;

const keyNameSchema = z.string().trim().min(1, "must not be empty").max(200);
const permissionsInputSchema = z.array(z.string()).min(1, "must name at least one permission").max(100);

/** Permissions of a chat client, such as a widget in a page. It cannot read what others wrote. */
const chatClientPermissions = ["predictions:run", "attachments:write", "feedback:write", "leads:write"];

const agentsInputSchema = z
  .array(uuidSchema)
  .max(1_000)
  .meta({ description: "Ids of the agents and assistants the key is limited to; empty means all" });
const clientIdInputSchema = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,100}$/, "must be 1 to 100 letters, digits, dots, dashes or underscores")
  .meta({
    description: "Owner of the chats created with this key. Use an existing clientId to continue that client's chats.",
  });

export const apiKeyCreateSchema = z
  .object({
    id: uuidSchema.optional(),
    keyName: keyNameSchema,
    permissions: permissionsInputSchema
      .default(chatClientPermissions)
      .meta({ description: "Defaults to what a chat client needs, without access to other users' messages" }),
    agents: agentsInputSchema.default([]),
    clientId: clientIdInputSchema.optional(),
  })
  .meta({ id: "ApiKeyCreate", examples: [{ keyName: "Website", permissions: ["predictions:run"] }] });
export type ApiKeyCreate = z.infer<typeof apiKeyCreateSchema>;

/** Absent fields stay unchanged. */
export const apiKeyUpdateSchema = z
  .object({
    keyName: keyNameSchema.optional(),
    permissions: permissionsInputSchema.optional(),
    agents: agentsInputSchema.optional(),
    clientId: clientIdInputSchema.optional(),
  })
  .meta({ id: "ApiKeyUpdate", examples: [{ permissions: ["predictions:run", "messages:read"] }] });
export type ApiKeyUpdate = z.infer<typeof apiKeyUpdateSchema>;
