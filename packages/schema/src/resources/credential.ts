import { z } from "zod";
import { parseBoundHost } from "../bound-host.ts";
import { timestampSchema, uuidSchema } from "./field.ts";

/** Sent by clients of the Flowise API in place of a value that they were not shown. */
export const redactedCredentialValue = "_FLOWISE_BLANK_07167752-1a71-43b1-bf8f-4f32252165db";

/** An encrypted secret, as answers show it: without its values. */
export const credentialSchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    name: z.string(),
    credentialName: z.string().meta({ description: "Type of the credential, for example openAIApi" }),
    fields: z.array(z.string()).meta({ description: "Names of the fields that have a value" }),
    readable: z.boolean().meta({
      description: "False if the stored values cannot be decrypted with the current encryption key; enter them again",
    }),
    hosts: z.array(z.string()).meta({
      description: "Hosts it may be sent to in addition to the vendor's, for example api.example.com or *.example.com",
    }),
    destinations: z
      .array(
        z.object({
          destination: z.string(),
          confirmedBy: z.string().nullable(),
          confirmedDate: timestampSchema.nullable(),
        }),
      )
      .meta({
        description:
          "The same as addresses, with who allowed each and when; null: it is from before that was kept. An address with http may be called without TLS",
      }),
    impliedHosts: z.array(z.string()).meta({ description: "Hosts implied by its type and base URL" }),
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
        hosts: [],
        destinations: [],
        impliedHosts: ["api.openai.com"],
        createdDate: "2025-01-31T12:00:00.000Z",
        updatedDate: "2025-02-01T08:30:00.000Z",
      },
    ],
  });
export type Credential = z.infer<typeof credentialSchema>;

const plainDataSchema = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .meta({ description: "Values by field name. They are stored encrypted and never returned." });

/** An address or a host; the value is its entry in `hosts`. */
const hostSchema = z
  .string()
  .max(500)
  .transform((text, context) => {
    const host = parseBoundHost(text);
    if (host !== undefined) return host;
    context.addIssue(
      "must be an address such as https://api.example.com, or a host such as api.example.com:8443 or *.example.com",
    );
    return z.NEVER;
  });

export const destinationSchema = z
  .strictObject({ destination: hostSchema })
  .meta({ id: "Destination", examples: [{ destination: "https://api.example.com" }] });

const hostsSchema = z
  .array(hostSchema)
  .max(200)
  .transform((hosts) => [...new Set(hosts)])
  .meta({ description: "Hosts it may be sent to in addition to the vendor's; replaces the previous list" });

const requiredText = z.string().min(1, "must not be empty");

export const credentialCreateSchema = z
  .object({
    id: uuidSchema.optional(),
    name: requiredText,
    credentialName: requiredText,
    plainDataObj: plainDataSchema,
    hosts: hostsSchema.optional(),
  })
  .meta({
    id: "CredentialCreate",
    examples: [{ name: "OpenAI", credentialName: "openAIApi", plainDataObj: { openAIApiKey: "sk-…" } }],
  });
export type CredentialCreate = z.infer<typeof credentialCreateSchema>;

/** `plainDataObj` is merged: `""` and the redaction marker leave a value unchanged, null removes it. */
export const credentialUpdateSchema = z
  .object({
    name: requiredText.optional(),
    credentialName: requiredText.optional(),
    plainDataObj: plainDataSchema.optional(),
    hosts: hostsSchema.optional(),
  })
  .meta({ id: "CredentialUpdate", examples: [{ plainDataObj: { openAIApiKey: "sk-…" } }] });
export type CredentialUpdate = z.infer<typeof credentialUpdateSchema>;
