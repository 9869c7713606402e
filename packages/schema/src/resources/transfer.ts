import { z } from "zod";
import { jsonObjectSchema } from "../json.ts";
import { agentCreateSchema, versionTextsSchema } from "./agent.ts";
import { assistantCreateSchema } from "./assistant.ts";
import { documentStoreCreateSchema } from "./document-store.ts";
import { jsonObjectTextSchema, timestampSchema, uuidSchema } from "./field.ts";
import { storeQuestionSetSchema } from "./store-question.ts";
import { toolCreateSchema } from "./tool.ts";
import { variableCreateSchema } from "./variable.ts";

/** Format name of an export file, and the newest format version that this version reads and writes. */
export const exportFormat = "weft-export";
export const exportFormatVersion = 1;

/** Replaces a secret in an export file. */
export const removedSecret = "[secret]";

/** The lists of an export file, in import order: referenced items come first. */
export const transferKinds = ["variables", "tools", "documentStores", "agents", "assistants"] as const;
export type TransferKind = (typeof transferKinds)[number];

const list = (description: string) => z.array(jsonObjectSchema).max(100_000).meta({ description });

const exportExample = {
  format: exportFormat,
  formatVersion: exportFormatVersion,
  productVersion: "0.3.0",
  createdDate: "2025-01-31T12:00:00.000Z",
  variables: [
    {
      id: "7c1e5a9d-3b2f-4e6a-9d8c-0f1e2d3c4b5a",
      name: "city",
      value: "London",
      type: "string",
      createdDate: "2025-01-31T12:00:00.000Z",
      updatedDate: "2025-02-01T08:30:00.000Z",
    },
  ],
  tools: [],
  documentStores: [],
  agents: [],
  assistants: [],
  credentials: [],
};

/** An installation without its secrets. List entries are checked one by one, by `transferEntrySchemas`. */
export const exportFileSchema = z
  .object({
    format: z.literal(exportFormat, `must be "${exportFormat}": this is not an export of Weft`),
    formatVersion: z
      .number()
      .int()
      .min(1)
      .max(
        exportFormatVersion,
        `was written by a newer version of Weft. This one reads formats up to ${exportFormatVersion}: upgrade it first`,
      ),
    productVersion: z.string().max(100).meta({ description: "Version of Weft that wrote the file" }),
    createdDate: timestampSchema,
    variables: list("As GET /variables answers them, without values that are secrets"),
    tools: list("As GET /tools answers them"),
    documentStores: list(
      "Settings, loaders and the question set, without documents; files names what has to be uploaded again",
    ),
    agents: list("As GET /chatflows answers them, with the saved flows as versions, oldest first"),
    assistants: list("As GET /assistants answers them"),
    credentials: list("id, name and credentialName of the credentials that the other lists use; never their values"),
  })
  .meta({
    id: "ExportFile",
    examples: [exportExample],
  });
export type ExportFile = z.infer<typeof exportFileSchema>;

const { variables, tools, documentStores, agents, assistants, credentials } = exportFileSchema.shape;

/** An export file as imports accept it: lists may be missing. */
export const importFileSchema = z
  .object({
    ...exportFileSchema.shape,
    variables: variables.default([]),
    tools: tools.default([]),
    documentStores: documentStores.default([]),
    agents: agents.default([]),
    assistants: assistants.default([]),
    credentials: credentials.default([]),
  })
  .meta({ id: "ImportFile", examples: [exportExample] });

const momentSchema = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/, 'must be a date such as "2025-01-31T12:00:00.000Z"');
const identity = { id: uuidSchema, createdDate: momentSchema, updatedDate: momentSchema };

const versionSchema = versionTextsSchema.extend({ flowData: jsonObjectTextSchema, createdDate: momentSchema });

/** The entries of each list, and of the credentials they use. */
export const transferEntrySchemas = {
  variables: variableCreateSchema.safeExtend(identity),
  tools: toolCreateSchema.extend(identity),
  documentStores: documentStoreCreateSchema.extend({
    ...identity,
    files: z.array(z.string().max(1_000)).max(100_000).default([]),
    questionSet: storeQuestionSetSchema.default({}),
  }),
  agents: agentCreateSchema.omit({ flowData: true, apikeyid: true, version: true }).extend({
    ...identity,
    needsApiKey: z.boolean().default(false),
    versions: z.array(versionSchema).min(1, "must hold at least the current flow"),
  }),
  assistants: assistantCreateSchema.extend(identity),
} as const satisfies Record<TransferKind, z.ZodType>;

export const transferCredentialSchema = z.object({
  id: uuidSchema,
  name: z.string().max(10_000),
  credentialName: z.string().max(1_000),
});

export type TransferEntries = { [Kind in TransferKind]: z.output<(typeof transferEntrySchemas)[Kind]> };

/** `skip` keeps existing items that differ from the file; `overwrite` replaces them. */
export const importModeSchema = z.enum(["skip", "overwrite"]);
export type ImportMode = z.infer<typeof importModeSchema>;

const namedSchema = z.object({ id: z.string(), name: z.string() });
const outcomesSchema = z.object({
  added: z.array(namedSchema),
  unchanged: z.array(namedSchema),
  overwritten: z.array(namedSchema),
  skipped: z.array(namedSchema).meta({ description: "Different here, and kept: overwrite takes what the file says" }),
});
export type ImportOutcomes = z.infer<typeof outcomesSchema>;
export type ImportOutcome = keyof ImportOutcomes;

const nextStepSchema = z.object({
  topic: z.enum(["credential", "document-store", "secret", "api-key", "schedule"]),
  id: z.string().meta({ description: "Of what has to be completed" }),
  name: z.string(),
  message: z.string(),
});
export type ImportNextStep = z.infer<typeof nextStepSchema>;

/** The changes of an import, done or planned, and the remaining manual tasks. */
export const importReportSchema = z
  .object({
    dryRun: z.boolean().meta({ description: "Whether nothing was written" }),
    variables: outcomesSchema,
    tools: outcomesSchema,
    documentStores: outcomesSchema,
    agents: outcomesSchema,
    assistants: outcomesSchema,
    next: z.array(nextStepSchema).meta({ description: "What to do before everything works as it did" }),
  })
  .meta({
    id: "ImportReport",
    examples: [
      {
        dryRun: false,
        variables: {
          added: [{ id: "7c1e5a9d-3b2f-4e6a-9d8c-0f1e2d3c4b5a", name: "city" }],
          unchanged: [],
          overwritten: [],
          skipped: [],
        },
        tools: { added: [], unchanged: [], overwritten: [], skipped: [] },
        documentStores: { added: [], unchanged: [], overwritten: [], skipped: [] },
        agents: { added: [], unchanged: [], overwritten: [], skipped: [] },
        assistants: { added: [], unchanged: [], overwritten: [], skipped: [] },
        next: [],
      },
    ],
  });
export type ImportReport = z.infer<typeof importReportSchema>;
