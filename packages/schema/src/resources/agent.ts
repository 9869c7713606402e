import { z } from "zod";
import { hasValidAppearance } from "../chat-look.ts";
import { pinsSchema } from "../run-event.ts";
import { hasValidRetention } from "../visitor-retention.ts";
import { hasValidWritePolicy } from "../write-policy.ts";
import {
  flagInputSchema,
  jsonObjectTextSchema,
  jsonTextInputSchema,
  textInputSchema,
  timestampSchema,
  uuidSchema,
} from "./field.ts";

export const agentTypeSchema = z.enum(["AGENTFLOW", "CHATFLOW", "MULTIAGENT", "ASSISTANT"]);
export type AgentType = z.infer<typeof agentTypeSchema>;

/** A stored, versioned flow with its settings (reference, "Agent (chatflow)"). */
export const agentSchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    name: z.string(),
    flowData: z
      .string()
      .meta({ description: "JSON text. Without nodes, the agent is only a draft so far: it was never published." }),
    deployed: z.boolean(),
    isPublic: z.boolean(),
    apikeyid: z.string(),
    chatbotConfig: z.string().meta({ description: "JSON text" }),
    apiConfig: z.string().meta({ description: "JSON text" }),
    analytic: z.string().meta({ description: "JSON text" }),
    speechToText: z.string().meta({ description: "JSON text" }),
    category: z.string().meta({ description: "Categories joined by ;" }),
    type: agentTypeSchema,
    createdDate: timestampSchema,
    updatedDate: timestampSchema,
  })
  .meta({
    id: "Agent",
    examples: [
      {
        id: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        name: "Support",
        flowData:
          '{"weft":1,"nodes":[{"id":"start_0","type":"start"},{"id":"llm_0","type":"llm","label":"LLM"}],"edges":[{"id":"e","source":"start_0","target":"llm_0"}]}',
        deployed: true,
        isPublic: false,
        apikeyid: "",
        chatbotConfig: "{}",
        apiConfig: "{}",
        analytic: "{}",
        speechToText: "{}",
        category: "support;internal",
        type: "AGENTFLOW",
        createdDate: "2025-01-31T12:00:00.000Z",
        updatedDate: "2025-02-01T08:30:00.000Z",
      },
    ],
  });
export type Agent = z.infer<typeof agentSchema>;

const requiredName = z.string().min(1, "must not be empty");

/** Characters that people may write about a version. */
export const longestVersionTexts = { name: 80, note: 1_000 } as const;

/** What people write about a version. Absent fields stay unchanged. */
export const versionTextsSchema = z.object({
  name: z.string().trim().max(longestVersionTexts.name).optional(),
  note: z.string().trim().max(longestVersionTexts.note).optional(),
});
export type VersionTexts = z.infer<typeof versionTextsSchema>;

const publishedVersion = versionTextsSchema.optional().meta({
  description:
    "What to write about the version that runs this flow: the new one, or the present one if the flow is the same.",
});

/** Long enough for any key's id; PostgreSQL cannot index long texts. */
const apiKeyIdInputSchema = z
  .string()
  .max(500)
  .nullable()
  .transform((value) => value ?? "");

const settings = {
  deployed: flagInputSchema.optional(),
  isPublic: flagInputSchema.optional(),
  apikeyid: apiKeyIdInputSchema.optional(),
  chatbotConfig: jsonTextInputSchema
    .refine(hasValidAppearance, {
      error:
        'appearance takes "description" of at most 500 characters, "avatarEmoji" with one emoji, and "colorScheme": "light" or "dark"',
    })
    .optional(),
  apiConfig: jsonTextInputSchema
    .refine(hasValidWritePolicy, {
      error: 'visitorWrites takes "write" and "destructive", each "allow", "ask" or "refuse"',
    })
    .refine(hasValidRetention, { error: 'retention takes "visitorDays" and "leadDays", whole numbers from 1 to 36500' })
    .optional(),
  analytic: jsonTextInputSchema.optional(),
  speechToText: jsonTextInputSchema.optional(),
  category: textInputSchema.optional(),
  type: agentTypeSchema.optional(),
};

/** A create may bring its own new id; the server sets the dates. */
export const agentCreateSchema = z
  .object({
    id: uuidSchema.optional(),
    name: requiredName,
    flowData: jsonObjectTextSchema,
    version: publishedVersion,
    ...settings,
  })
  .meta({
    id: "AgentCreate",
    examples: [
      {
        name: "Support",
        flowData:
          '{"weft":1,"nodes":[{"id":"start_0","type":"start"},{"id":"llm_0","type":"llm","label":"LLM"}],"edges":[{"id":"e","source":"start_0","target":"llm_0"}]}',
        category: "support;internal",
      },
    ],
  });
export type AgentCreate = z.infer<typeof agentCreateSchema>;

/** Absent fields stay unchanged. */
export const agentUpdateSchema = z
  .object({
    name: requiredName.optional(),
    flowData: jsonObjectTextSchema.optional(),
    version: publishedVersion,
    ...settings,
  })
  .meta({ id: "AgentUpdate", examples: [{ name: "Support, day and night", deployed: true }] });
export type AgentUpdate = z.infer<typeof agentUpdateSchema>;

/** Characters of all pinned outputs of a draft, as JSON text. */
export const longestPins = 1_000_000;

const draftExample = {
  flowData: '{"weft":1,"nodes":[{"id":"start_0","type":"start"}],"edges":[]}',
  pins: { http_0: { output: { status: 200, body: { city: "London" } } } },
};

/** The edited flow of an agent, beside the published one. */
export const agentDraftSchema = z
  .object({
    isDraft: z.boolean().meta({ description: "False: there is no draft, and this is the published flow." }),
    flowData: z.string().meta({ description: "JSON text" }),
    pins: pinsSchema.meta({ description: "Outputs that test runs use in place of executing a step, by node id." }),
    savedBy: z.string().meta({ description: "The account or API key that last saved the draft." }),
    updatedDate: timestampSchema,
  })
  .meta({
    id: "AgentDraft",
    examples: [{ isDraft: true, ...draftExample, savedBy: "ada@example.com", updatedDate: "2025-02-01T08:30:00.000Z" }],
  });
export type AgentDraft = z.infer<typeof agentDraftSchema>;

/** Absent fields stay unchanged. */
export const agentDraftUpdateSchema = z
  .object({ flowData: jsonObjectTextSchema.optional(), pins: pinsSchema.optional() })
  .meta({ id: "AgentDraftUpdate", examples: [draftExample] });
export type AgentDraftUpdate = z.infer<typeof agentDraftUpdateSchema>;

/** A saved flow of an agent, as lists show it. */
export const agentVersionSummarySchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    agentId: z.string().meta({ format: "uuid" }),
    /** 1, 2, 3 … per agent. */
    number: z.number().int(),
    /** New runs use it. */
    current: z.boolean(),
    createdDate: timestampSchema,
    createdBy: z.string().nullable().meta({
      description:
        "Who saved it: an e-mail address, the name of an API key, or `operator`. Null: unknown, or an import",
    }),
    name: z.string().meta({ description: "What people call it; empty: nothing but its number" }),
    note: z.string().meta({ description: "What people wrote about it; empty: nothing" }),
  })
  .meta({
    id: "AgentVersionSummary",
    examples: [
      {
        id: "0d9f6c3a-7b1e-4f55-9f3c-1c2b3a4d5e6f",
        agentId: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        number: 3,
        current: true,
        createdDate: "2025-01-31T12:00:00.000Z",
        createdBy: "ada@example.com",
        name: "Careful refunds",
        note: "Asks before refunds over 50",
      },
    ],
  });
export type AgentVersionSummary = z.infer<typeof agentVersionSummarySchema>;

/** Changes what people wrote about a version: its name, its note or both. */
export const agentVersionUpdateSchema = versionTextsSchema
  .refine(({ name, note }) => name !== undefined || note !== undefined, { error: 'needs "name", "note" or both' })
  .meta({ id: "AgentVersionUpdate", examples: [{ name: "Careful refunds", note: "Asks before refunds over 50" }] });

export const agentVersionSchema = z
  .object({ ...agentVersionSummarySchema.shape, flowData: z.string().meta({ description: "JSON text" }) })
  .meta({
    id: "AgentVersion",
    examples: [
      {
        id: "0d9f6c3a-7b1e-4f55-9f3c-1c2b3a4d5e6f",
        agentId: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        number: 3,
        current: true,
        createdDate: "2025-01-31T12:00:00.000Z",
        createdBy: "ada@example.com",
        name: "Careful refunds",
        note: "Asks before refunds over 50",
        flowData:
          '{"weft":1,"nodes":[{"id":"start_0","type":"start"},{"id":"llm_0","type":"llm","label":"LLM"}],"edges":[{"id":"e","source":"start_0","target":"llm_0"}]}',
      },
    ],
  });
export type AgentVersion = z.infer<typeof agentVersionSchema>;
