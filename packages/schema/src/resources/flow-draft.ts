import { z } from "zod";
import { findingSchema } from "../finding.ts";
import { flowDocumentSchema } from "../flow.ts";
import { jsonObjectTextSchema } from "./field.ts";
import { modelChoiceSchema } from "./model.ts";

/** What a flow should do, in a person's words. */
export const flowDraftRequestSchema = z
  .object({
    request: z
      .string()
      .trim()
      .min(1, "must not be empty")
      .max(8_000)
      .meta({ description: "What the flow should do, or what to change in `flowData`" }),
    flowData: jsonObjectTextSchema.optional().meta({ description: "The flow to change. Absent: a new one is drafted" }),
    evidence: z
      .string()
      .max(20_000)
      .optional()
      .meta({ description: "What happened in a run of it, such as the error of a step. The model reads it as data" }),
    model: modelChoiceSchema.optional().meta({ description: "The model that drafts. Default: the default model" }),
  })
  .meta({
    id: "FlowDraftRequest",
    examples: [{ request: "Answer questions about orders. Ask a person before refunds over 50." }],
  });
export type FlowDraftRequest = z.infer<typeof flowDraftRequestSchema>;

/** One edit of a draft, as it is made. */
export const flowEditSchema = z.object({
  kind: z.enum(["added", "changed", "connected", "removed"]),
  step: z.string(),
  label: z.string(),
});
export type FlowEdit = z.infer<typeof flowEditSchema>;

/** A drafted flow, which nobody has stored yet. */
export const flowDraftSchema = z
  .object({
    name: z.string().meta({ description: "A name for the agent; may be empty" }),
    summary: z.string().meta({ description: "What the flow does, or what was changed" }),
    open: z.array(z.string()).meta({ description: "What you still have to choose or supply" }),
    flow: flowDocumentSchema,
    findings: z.array(findingSchema),
    model: z.string().meta({ description: "The model that drafted it" }),
    usage: z.object({ inputTokens: z.number(), outputTokens: z.number(), calls: z.number() }),
  })
  .meta({ id: "FlowDraft" });
export type FlowDraft = z.infer<typeof flowDraftSchema>;
