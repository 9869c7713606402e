import { z } from "zod";
import { jsonObjectSchema } from "../json.ts";
import { relevanceWords } from "../relevance.ts";
import { retrievalSettingsSchema } from "../retrieval-settings.ts";
import { documentSchema } from "./chat-message.ts";
import { formFlagSchema, uuidSchema } from "./field.ts";

export const vectorQuerySchema = z
  .object({
    storeId: uuidSchema,
    query: z.string().min(1, "must not be empty").max(200_000),
    topK: z.coerce.number().int().min(1).max(100).nullish(),
    mode: z
      .enum(["vector", "keyword", "hybrid"])
      .nullish()
      .meta({ description: "Search by meaning, by words, or by both (the default, which agents use)" }),
    filter: jsonObjectSchema.nullish().meta({
      description:
        "Only passages whose metadata has these values: { name: value }, { name: { $op: value } }, $and, $or, $not. Operators: $eq, $ne, $in, $nin, $gt, $gte, $lt, $lte, $exists",
    }),
    settings: retrievalSettingsSchema.nullish().meta({
      description:
        "Settings in place of the store's own: judging again, threshold, other wordings, neighbours and others",
    }),
    includeOrphans: formFlagSchema.nullish().meta({
      description: "Include deleted passages whose vectors are still in the database",
    }),
    inputs: jsonObjectSchema.nullish().meta({ description: "Overrides topK, mode and filter; for existing clients" }),
  })
  .meta({
    id: "VectorQuery",
    examples: [{ storeId: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f", query: "How long does a refund take?" }],
  });
export type VectorQuery = z.infer<typeof vectorQuerySchema>;

export const vectorQueryResultSchema = z
  .object({
    timeTaken: z.number().meta({ description: "Milliseconds" }),
    docs: z.array(
      documentSchema.extend({
        id: z.string(),
        chunkNo: z.number().int(),
        score: z.number(),
        relevance: z.number().meta({ description: "How well it answers, from 0 to 1" }),
        relevanceWord: z.enum(relevanceWords),
      }),
    ),
    warnings: z.array(z.string()).meta({ description: "What a step could not do, although the search was made" }),
  })
  .meta({
    id: "VectorQueryResult",
    examples: [
      {
        timeTaken: 12,
        docs: [
          {
            pageContent: "Refunds take five days.",
            metadata: { source: "faq.md" },
            id: "7c1e5a9d-3b2f-4e6a-9d8c-0f1e2d3c4b5a",
            chunkNo: 1,
            score: 0.83,
            relevance: 0.91,
            relevanceWord: "strong",
          },
        ],
        warnings: [],
      },
    ],
  });
export type VectorQueryResult = z.infer<typeof vectorQueryResultSchema>;
