import { z } from "zod";
import { findingSchema } from "../finding.ts";
import { flowDocumentSchema } from "../flow.ts";
import { agentSchema } from "./agent.ts";
import { credentialSchema } from "./credential.ts";
import { jsonObjectTextSchema, uuidSchema } from "./field.ts";

/**
 * The format of a text. `unknown` has no native form; `classic` is a flow of wired components; a `workspace` holds
 * several flows; `foundry` and `agent-builder` are files of other platforms, converted once, at import.
 */
export const flowDialectSchema = z.enum([
  "native",
  "agentflow-v2",
  "classic",
  "workspace",
  "foundry",
  "agent-builder",
  "unknown",
]);
export type FlowDialect = z.infer<typeof flowDialectSchema>;

const flowEntrySchema = z.object({ name: z.string(), flowData: z.string().meta({ description: "JSON text" }) });

const flowText =
  '{"weft":1,"nodes":[{"id":"start_0","type":"start"},{"id":"llm_0","type":"llm","label":"LLM"}],"edges":[{"id":"e","source":"start_0","target":"llm_0"}]}';

/** Files of another builder that together describe one flow. */
const importFilesSchema = z
  .array(z.object({ name: z.string().max(500), text: z.string().max(4_000_000) }))
  .min(1, "must hold at least one file")
  .max(100);

const choiceKindSchema = z.enum(["model", "agent", "document-store", "credential"]);
const choicesSchema = z
  .array(
    z.object({
      kind: choiceKindSchema,
      name: z.string().max(2_000),
      value: z.union([z.string().max(200), z.record(z.string(), z.string().max(2_000))]),
    }),
  )
  .max(500)
  .meta({
    description:
      "What was chosen for names in the files: the id of an agent, document store or credential, or the settings of a model (`provider`, `model`, `baseUrl`, `credential`; `{}` is the default model)",
  });

/** A flow's text as stored or exported, or files of another builder. */
export const flowReadingRequestSchema = z
  .union([
    z.object({
      flowData: jsonObjectTextSchema,
      agentId: uuidSchema
        .optional()
        .meta({ description: "The agent that has the flow: steps name its own document stores by their ids" }),
    }),
    z.object({ files: importFilesSchema, choices: choicesSchema.optional() }),
  ])
  .meta({ id: "FlowReadingRequest", examples: [{ flowData: flowText }] });
export type FlowReadingRequest = z.infer<typeof flowReadingRequestSchema>;

const importChoiceSchema = z.object({
  kind: choiceKindSchema,
  name: z.string().meta({ description: "As the files name it" }),
  nodeIds: z.array(z.string()).meta({ description: "The steps that use it" }),
  proposal: z.string().optional().meta({ description: "An id with that name on this server" }),
});

/** A flow converted to the native format, with its findings. */
export const flowReadingSchema = z
  .object({
    dialect: flowDialectSchema,
    name: z.string().meta({ description: "What the files call the flow; may be empty" }),
    flow: flowDocumentSchema.meta({ description: "Has no nodes if it cannot be converted" }),
    findings: z.array(findingSchema),
    flows: z.array(flowEntrySchema).meta({ description: "The flows of a workspace; read each one separately" }),
    choices: z.array(importChoiceSchema).meta({ description: "What only you can choose" }),
    secrets: z
      .array(z.object({ name: z.string(), credentialName: z.string(), host: z.string().optional() }))
      .meta({ description: "Secrets in the files, without values. An import stores them as credentials." }),
  })
  .meta({ id: "FlowReading" });
export type FlowReading = z.infer<typeof flowReadingSchema>;

export const flowImportRequestSchema = z
  .object({
    files: importFilesSchema,
    choices: choicesSchema.optional(),
    name: z
      .string()
      .max(500)
      .optional()
      .meta({ description: "Name of the agent. Default: as the files call the flow" }),
  })
  .meta({
    id: "FlowImportRequest",
    examples: [
      {
        name: "Support",
        files: [
          {
            name: "support.workflow.yaml",
            text: "kind: workflow\nactions:\n  - kind: SendActivity\n    id: hello\n    activity: Hello\n",
          },
        ],
      },
    ],
  });
export type FlowImportRequest = z.infer<typeof flowImportRequestSchema>;

/** An agent created from imported files. */
export const flowImportSchema = z
  .object({
    agent: agentSchema,
    findings: z.array(findingSchema),
    credentials: z.array(credentialSchema).meta({ description: "Stored secrets of the files" }),
  })
  .meta({ id: "FlowImport" });
export type FlowImport = z.infer<typeof flowImportSchema>;
