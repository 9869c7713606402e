import { z } from "zod";
import { parseBoundHost } from "../bound-host.ts";
import { timestampSchema, uuidSchema } from "./field.ts";

/** One value of a credential: what it is called in `plainDataObj`, and how a form shows it. */
export type CredentialField = { readonly name: string; readonly title: string; readonly secret: boolean };
export type CredentialType = {
  readonly title: string;
  readonly fields: readonly CredentialField[];
  /** The vendor's own hosts, which every credential of the type may be sent to. See `parseBoundHost`. */
  readonly hosts?: readonly string[];
};

/** The credential types that this platform itself reads. Other `credentialName`s are kept as they come. */
export const credentialTypes = {
  openAIApi: {
    title: "OpenAI API",
    fields: [{ name: "openAIApiKey", title: "API key", secret: true }],
    hosts: ["api.openai.com"],
  },
  tavilyApi: {
    title: "Tavily API",
    fields: [{ name: "tavilyApiKey", title: "API key", secret: true }],
    hosts: ["api.tavily.com"],
  },
  braveSearchApi: {
    title: "Brave Search API",
    fields: [{ name: "braveApiKey", title: "API key", secret: true }],
    hosts: ["api.search.brave.com"],
  },
  serperApi: {
    title: "Serper API",
    fields: [{ name: "serperApiKey", title: "API key", secret: true }],
    hosts: ["google.serper.dev"],
  },
  anthropicApi: {
    title: "Anthropic API",
    fields: [{ name: "anthropicApiKey", title: "API key", secret: true }],
    hosts: ["api.anthropic.com"],
  },
  googleGenerativeAI: {
    title: "Google Gemini API",
    fields: [{ name: "googleGenerativeAPIKey", title: "API key", secret: true }],
    hosts: ["*.googleapis.com"],
  },
  groqApi: {
    title: "Groq API",
    fields: [{ name: "groqApiKey", title: "API key", secret: true }],
    hosts: ["api.groq.com"],
  },
  mistralAIApi: {
    title: "Mistral AI API",
    fields: [{ name: "mistralAIAPIKey", title: "API key", secret: true }],
    hosts: ["api.mistral.ai"],
  },
  togetherAIApi: {
    title: "Together AI API",
    fields: [{ name: "togetherAIApiKey", title: "API key", secret: true }],
    hosts: ["api.together.xyz", "api.together.ai"],
  },
  xaiApi: { title: "xAI API", fields: [{ name: "xaiApiKey", title: "API key", secret: true }], hosts: ["api.x.ai"] },
  perplexityApi: {
    title: "Perplexity API",
    fields: [{ name: "perplexityApiKey", title: "API key", secret: true }],
    hosts: ["api.perplexity.ai"],
  },
  fireworksApi: {
    title: "Fireworks API",
    fields: [{ name: "fireworksApiKey", title: "API key", secret: true }],
    hosts: ["api.fireworks.ai"],
  },
  cerebrasAIApi: {
    title: "Cerebras API",
    fields: [{ name: "cerebrasApiKey", title: "API key", secret: true }],
    hosts: ["api.cerebras.ai"],
  },
  nvidiaNIMApi: {
    title: "NVIDIA NIM API",
    fields: [{ name: "nvidiaNIMApiKey", title: "API key", secret: true }],
    hosts: ["integrate.api.nvidia.com"],
  },
  sambanovaApi: {
    title: "SambaNova API",
    fields: [{ name: "sambanovaApiKey", title: "API key", secret: true }],
    hosts: ["api.sambanova.ai"],
  },
  deepseekApi: {
    title: "DeepSeek API",
    fields: [{ name: "deepseekApiKey", title: "API key", secret: true }],
    hosts: ["api.deepseek.com"],
  },
  openRouterApi: {
    title: "OpenRouter API",
    fields: [{ name: "openRouterApiKey", title: "API key", secret: true }],
    hosts: ["openrouter.ai"],
  },
  litellmApi: { title: "LiteLLM API", fields: [{ name: "litellmApiKey", title: "API key", secret: true }] },
  localAIApi: { title: "LocalAI API", fields: [{ name: "localAIApiKey", title: "API key", secret: true }] },
  azureOpenAIApi: {
    title: "Azure OpenAI API",
    fields: [{ name: "azureOpenAIApiKey", title: "API key", secret: true }],
    hosts: ["*.openai.azure.com", "*.services.ai.azure.com"],
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
    fields: z.array(z.string()).meta({ description: "Names of the fields that have a value" }),
    readable: z.boolean().meta({
      description: "False if the stored values cannot be decrypted with the current encryption key; enter them again",
    }),
    hosts: z.array(z.string()).meta({
      description: "Hosts it may be sent to in addition to the vendor's, for example api.example.com or *.example.com",
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

const hostsSchema = z
  .array(
    z.string().transform((text, context) => {
      const host = parseBoundHost(text);
      if (host !== undefined) return host;
      context.addIssue("must be a host such as api.example.com, api.example.com:8443 or *.example.com");
      return z.NEVER;
    }),
  )
  .max(200)
  .transform((hosts) => [...new Set(hosts)])
  .meta({ description: "Hosts it may be sent to in addition to the vendor's; replaces the previous list" });

const requiredText = z.string().min(1, "must not be empty");

/** Body of a create. */
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

/**
 * Body of an update. `plainDataObj` is merged: `""` and the redaction marker leave a value as it is, null removes it.
 */
export const credentialUpdateSchema = z
  .object({
    name: requiredText.optional(),
    credentialName: requiredText.optional(),
    plainDataObj: plainDataSchema.optional(),
    hosts: hostsSchema.optional(),
  })
  .meta({ id: "CredentialUpdate", examples: [{ plainDataObj: { openAIApiKey: "sk-…" } }] });
export type CredentialUpdate = z.infer<typeof credentialUpdateSchema>;
