import { z } from "zod";
import { modelReferenceFields } from "./model-parameters.ts";
import { credentialOfModel } from "./reference-hints.ts";

/** Rerankers, by the names of the providers. `chat-model`: a chat model reranks instead. */
export const rerankerNames = ["none", "model-folder", "cohere", "jina", "voyage", "chat-model"] as const;

const rerankerLabels = {
  none: "Nothing",
  "model-folder": "Model folder",
  cohere: "Cohere",
  jina: "Jina AI",
  voyage: "Voyage AI",
  "chat-model": "A chat model",
} as const satisfies Record<(typeof rerankerNames)[number], string>;

const rerankers = rerankerNames.filter((name) => name !== "none");
const vendors = rerankers.filter((name) => name !== "chat-model" && name !== "model-folder");
const showWhenVendor = { field: "provider", is: vendors };
const showWhenAny = { field: "provider", is: rerankers };

export const rerankSettingsSchema = z.strictObject({
  provider: z
    .enum(rerankerNames)
    .default("none")
    .meta({ title: "Reranker", labels: rerankerLabels, needs: { "model-folder": "RERANKER_MODEL_DIR" } }),
  model: z.string().max(200).optional().meta({ title: "Model", placeholder: "rerank-v3.5", showWhen: showWhenVendor }),
  credential: z
    .string()
    .max(100)
    .optional()
    .meta({ title: "Credential", widget: "credential", ...credentialOfModel, showWhen: showWhenVendor }),
  baseUrl: z
    .string()
    .max(2_000)
    .optional()
    .meta({ title: "Base URL", ref: "address", placeholder: "https://…", advanced: true, showWhen: showWhenVendor }),
  candidates: z.number().int().min(1).max(200).default(30).meta({
    title: "Passages to judge",
    help: "How many of the passages that were found are judged again. A chat model judges 50 at most.",
    advanced: true,
    showWhen: showWhenAny,
  }),
});
export type RerankSettings = z.infer<typeof rerankSettingsSchema>;

const helperModel = z.strictObject(modelReferenceFields);

/**
 * How document stores are queried and how results are processed. The same for a store, an agent's knowledge and a
 * retriever step. Fields absent in the latter two default to the store's; fields absent in the store's are off.
 */
export const retrievalSettingsSchema = z.strictObject({
  mode: z
    .enum(["hybrid", "vector", "keyword"])
    .optional()
    .meta({
      title: "Search by",
      labels: { hybrid: "Meaning and words", vector: "Meaning", keyword: "Words" },
    }),
  rerank: rerankSettingsSchema.optional().meta({
    title: "Rerank",
    help: "A reranker or a chat model reads the passages that were found, and the best come first. If it fails, the order of the search stays.",
  }),
  scoreThreshold: z.number().min(0).max(1).optional().meta({
    title: "Minimum score",
    help: "Passages below it are left out, from 0 to 1. Where none is left, the answer is that nothing was found.",
  }),
  rewrite: z.boolean().optional().meta({
    title: "Complete follow-up questions",
    help: "A chat model makes the last message a question that can be understood without the conversation.",
  }),
  variants: z.number().int().min(0).max(5).optional().meta({
    title: "Query variations",
    help: "A chat model asks the question in so many other ways, and the passages found by all of them are merged.",
  }),
  hypothetical: z.boolean().optional().meta({
    title: "Search with an imagined answer",
    help: "A chat model writes what an answer might say, and passages that mean the same are found.",
    advanced: true,
  }),
  chatModel: helperModel.optional().meta({
    title: "Chat model for these steps",
    help: "Completes, words and judges. If empty, the default model.",
    widget: "model-settings",
    advanced: true,
  }),
  mmrLambda: z.number().min(0).max(1).optional().meta({
    title: "Relevance against variety",
    help: "Below 1, passages that repeat what others say give way to different ones. 0.5 weighs both alike.",
    advanced: true,
  }),
  neighbours: z.number().int().min(0).max(10).optional().meta({
    title: "Neighbours",
    help: "So many chunks before and after each passage are read with it.",
    advanced: true,
  }),
  parent: z
    .enum(["none", "section", "document"])
    .optional()
    .meta({
      title: "Read around it",
      labels: { none: "The passage alone", section: "Its section", document: "Its document" },
      advanced: true,
    }),
  parentCharacters: z
    .number()
    .int()
    .min(200)
    .max(100_000)
    .optional()
    .meta({
      title: "Most characters around it",
      help: "Of a section or document. If empty, 8,000.",
      advanced: true,
      showWhen: { field: "parent", is: ["section", "document"] },
    }),
});
export type RetrievalSettings = z.infer<typeof retrievalSettingsSchema>;

/** Merges both; the first takes precedence. */
export function withStoreSettings(own: RetrievalSettings, ofStore: RetrievalSettings): RetrievalSettings {
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  return { ...ofStore, ...Object.fromEntries(given) };
}
