import { z } from "zod";
import { credentialOfModel } from "./reference-hints.ts";

/** Selects a chat model. Absent fields default to their context, such as the operator's default. */
export const modelReferenceFields = {
  provider: z.string().max(100).optional().meta({ title: "Provider", widget: "model-provider" }),
  model: z.string().max(200).optional().meta({ title: "Model", widget: "model", ref: "model" }),
  baseUrl: z
    .string()
    .max(2_000)
    .optional()
    .meta({ title: "Base URL", ref: "address", placeholder: "https://…", advanced: true }),
  credential: z
    .string()
    .max(100)
    .optional()
    .meta({ title: "Credential", widget: "credential", ...credentialOfModel }),
};

/**
 * How much a model thinks before it answers. Each vendor supports some levels, and takes the nearest or rejects others.
 */
export const reasoningLevels = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** Vendor-neutral parameters of a chat model. Absent: the vendor's default. */
export const modelParameterFields = {
  temperature: z.number().min(0).max(2).optional().meta({ title: "Temperature" }),
  maxTokens: z.number().int().min(1).optional().meta({ title: "Longest answer (tokens)" }),
  reasoning: z
    .enum(reasoningLevels)
    .optional()
    .meta({ title: "Reasoning", help: "How much the model thinks before it answers.", advanced: true }),
  thinkingTokens: z.number().int().min(0).max(1_000_000).optional().meta({
    title: "Thinking (tokens)",
    help: "How many tokens it may think, in place of Reasoning. 0 stops it from thinking.",
    advanced: true,
  }),
  topP: z.number().min(0).max(1).optional().meta({ title: "Top P", advanced: true }),
  topK: z.number().int().min(1).max(10_000).optional().meta({ title: "Top K", advanced: true }),
  frequencyPenalty: z.number().min(-2).max(2).optional().meta({ title: "Frequency penalty", advanced: true }),
  presencePenalty: z.number().min(-2).max(2).optional().meta({ title: "Presence penalty", advanced: true }),
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .optional()
    .meta({ title: "Seed", help: "The same seed makes the same answer more likely.", advanced: true }),
  stop: z
    .array(z.string().min(1).max(200))
    .max(16)
    .optional()
    .meta({ title: "Stop at", help: "The answer ends before any of these texts.", advanced: true }),
  contextTokens: z
    .number()
    .int()
    .min(1)
    .max(10_000_000)
    .optional()
    .meta({ title: "Context (tokens)", help: "How much of a conversation the server keeps in view.", advanced: true }),
};

export const modelParametersSchema = z.object(modelParameterFields);
export type ModelParameters = z.infer<typeof modelParametersSchema>;
export type ModelParameterName = keyof ModelParameters;

export const modelParameterNames = Object.keys(modelParameterFields) as ModelParameterName[];
