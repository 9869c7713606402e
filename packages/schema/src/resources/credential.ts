import { z } from "zod";
import { timestampSchema, uuidSchema } from "./field.ts";

/** One value of a credential: what it is called in `plainDataObj`, and how a form shows it. */
export type CredentialField = { readonly name: string; readonly title: string; readonly secret: boolean };
export type CredentialType = { readonly title: string; readonly fields: readonly CredentialField[] };

/** The credential types that this platform itself reads. Other `credentialName`s are kept as they come. */
export const credentialTypes = {
  openAIApi: { title: "OpenAI API", fields: [{ name: "openAIApiKey", title: "API key", secret: true }] },
  tavilyApi: { title: "Tavily API", fields: [{ name: "tavilyApiKey", title: "API key", secret: true }] },
  braveSearchApi: { title: "Brave Search API", fields: [{ name: "braveApiKey", title: "API key", secret: true }] },
  serperApi: { title: "Serper API", fields: [{ name: "serperApiKey", title: "API key", secret: true }] },
  anthropicApi: { title: "Anthropic API", fields: [{ name: "anthropicApiKey", title: "API key", secret: true }] },
  googleGenerativeAI: {
    title: "Google Gemini API",
    fields: [{ name: "googleGenerativeAPIKey", title: "API key", secret: true }],
  },
  httpBearerToken: { title: "HTTP bearer token", fields: [{ name: "token", title: "Token", secret: true }] },
  httpBasicAuth: {
    title: "HTTP basic authentication",
    fields: [
      { name: "basicAuthUsername", title: "User name", secret: false },
      { name: "basicAuthPassword", title: "Password", secret: true },
    ],
  },
  httpApiKey: {
    title: "HTTP header",
    fields: [
      { name: "key", title: "Header name", secret: false },
      { name: "value", title: "Header value", secret: true },
    ],
  },
} as const satisfies Record<string, CredentialType>;

/** What clients of the Flowise API send back in place of a value that they were not shown. */
export const redactedCredentialValue = "_FLOWISE_BLANK_07167752-1a71-43b1-bf8f-4f32252165db";

/** An encrypted secret, as answers show it: never its values. */
export const credentialSchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    name: z.string(),
    credentialName: z.string().meta({ description: "Type of the credential, for example openAIApi" }),
    fields: z.array(z.string()).meta({ description: "Names of the values that are set" }),
    readable: z.boolean().meta({
      description: "False when the stored values cannot be decrypted with the present key. Enter them again.",
    }),
    createdDate: timestampSchema,
    updatedDate: timestampSchema,
  })
  .meta({
    id: "Credential",
    examples: [
      {
        id: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        name: "OpenAI",
        credentialName: "openAIApi",
        fields: ["openAIApiKey"],
        readable: true,
        createdDate: "2025-01-31T12:00:00.000Z",
        updatedDate: "2025-02-01T08:30:00.000Z",
      },
    ],
  });
export type Credential = z.infer<typeof credentialSchema>;

const plainDataSchema = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .meta({ description: "Values by field name. They are encrypted and never shown again." });

const requiredText = z.string().min(1, "must not be empty");

/** Body of a create. */
export const credentialCreateSchema = z
  .object({
    id: uuidSchema.optional(),
    name: requiredText,
    credentialName: requiredText,
    plainDataObj: plainDataSchema,
  })
  .meta({
    id: "CredentialCreate",
    examples: [{ name: "OpenAI", credentialName: "openAIApi", plainDataObj: { openAIApiKey: "sk-…" } }],
  });
export type CredentialCreate = z.infer<typeof credentialCreateSchema>;

/**
 * Body of an update. `plainDataObj` is merged: `""` and the redaction marker leave a value as it is, null removes it.
 */
export const credentialUpdateSchema = z
  .object({
    name: requiredText.optional(),
    credentialName: requiredText.optional(),
    plainDataObj: plainDataSchema.optional(),
  })
  .meta({ id: "CredentialUpdate", examples: [{ plainDataObj: { openAIApiKey: "sk-…" } }] });
export type CredentialUpdate = z.infer<typeof credentialUpdateSchema>;
