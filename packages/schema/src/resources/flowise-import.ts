import { z } from "zod";

const count = z.int().nonnegative();

const leftRowsSchema = z.object({
  reason: z.string(),
  count,
  examples: z.array(z.string()).meta({ description: "Names or ids of the first of them" }),
});

/** The outcome for a table: rows read, written, already there, and left out with a reason. */
const flowiseTableReportSchema = z
  .object({ table: z.string(), read: count, written: count, there: count, left: z.array(leftRowsSchema) })
  .meta({ id: "FlowiseTableReport" });

export type FlowiseTableReport = z.infer<typeof flowiseTableReportSchema>;

const flowiseAgentReportSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    access: z
      .enum(["key", "public", "closed"])
      .meta({ description: "Who may ask it: holders of its key, everybody, or holders of any key" }),
    findings: z.array(z.string()),
  })
  .meta({ id: "FlowiseAgentReport" });

export type FlowiseAgentReport = z.infer<typeof flowiseAgentReportSchema>;

/** The report of an import, or of a dry run, with the operator's remaining tasks. */
export const flowiseReportSchema = z
  .object({
    dryRun: z.boolean(),
    tables: z.array(flowiseTableReportSchema),
    agents: z.array(flowiseAgentReportSchema).meta({ description: "In the order of their names" }),
    notes: z.array(z.string()).meta({
      description: "Sentences about single rows that are here and differ, such as credentials without values",
    }),
    runtimeVariables: z
      .array(z.string())
      .meta({ description: "Variables whose values the other server took from its environment" }),
    privateHosts: z
      .array(z.string())
      .meta({ description: "Hosts, as host:port, that flows call and that only a private network reaches" }),
    schedules: z
      .array(z.string())
      .meta({ description: "Names of the agents that start on a schedule, switched off here" }),
    embedding: z
      .array(z.object({ store: z.string(), chunks: count }))
      .meta({ description: "Chunks that the server embeds, by document store" }),
    notMoved: z
      .array(z.object({ table: z.string(), count }))
      .meta({ description: "Rows that have no counterpart here" }),
  })
  .meta({ id: "FlowiseReport" });

export type FlowiseReport = z.infer<typeof flowiseReportSchema>;

/** Import flows without a key, which answer everyone in Flowise, as closed or as public. */
export const openFlowsSchema = z.enum(["closed", "public"]);

export type OpenFlows = z.infer<typeof openFlowsSchema>;

export const flowiseImportStartSchema = z
  .object({
    dryRun: z.boolean().meta({ description: "Only report what an import would do" }),
    key: z.string().max(10_000).optional().meta({
      description:
        "Text of encryption.key, without which credentials come without their values. Default: the one given before for this file; empty: none.",
    }),
    confirmDestinations: z.boolean().default(false).meta({
      description:
        "Let its credentials be sent to where its flows send them. Otherwise each one that is not its vendor's own is a finding of its agent",
    }),
    openFlows: openFlowsSchema.default("closed").meta({
      description: "What flows become that need no key: closed (callers need an API key) or public",
    }),
    workspace: z
      .string()
      .max(200)
      .optional()
      .meta({ description: "Name of the one workspace that is imported. Default: all of them." }),
  })
  .meta({ id: "FlowiseImportStart" });

export type FlowiseImportStart = z.infer<typeof flowiseImportStartSchema>;

const chosen = {
  dryRun: z.boolean(),
  openFlows: openFlowsSchema.meta({ description: "What was chosen for flows that need no key" }),
  confirmDestinations: z.boolean().meta({ description: "Whether its credentials may go where its flows send them" }),
  workspace: z.string().nullable().meta({ description: "The one workspace that was chosen; null: all of them" }),
};

const flowiseImportRunSchema = z
  .discriminatedUnion("state", [
    z.object({
      state: z.literal("running"),
      ...chosen,
      progress: z
        .object({ table: z.string(), done: count, total: count })
        .nullable()
        .meta({ description: "How many rows of the present table were read" }),
    }),
    z.object({ state: z.literal("done"), ...chosen, report: flowiseReportSchema }),
    z.object({ state: z.literal("failed"), ...chosen, error: z.string() }),
  ])
  .meta({ id: "FlowiseImportRun" });

export type FlowiseImportRun = z.infer<typeof flowiseImportRunSchema>;

/** An uploaded Flowise file, and its latest dry run or import. */
export const flowiseImportSchema = z
  .object({
    file: z
      .object({
        name: z.string(),
        sizeBytes: count,
        receivedBytes: count.meta({ description: "Less than sizeBytes: the upload goes on there" }),
        workspaces: z.array(z.string()).meta({ description: "Their names, once the file is complete" }),
      })
      .nullable(),
    hasKey: z.boolean().meta({ description: "Whether a key was given for the file" }),
    run: flowiseImportRunSchema.nullable(),
  })
  .meta({ id: "FlowiseImport" });

export type FlowiseImport = z.infer<typeof flowiseImportSchema>;
