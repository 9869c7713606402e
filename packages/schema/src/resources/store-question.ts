import { z } from "zod";
import { timestampSchema, uuidSchema } from "./field.ts";

/** Most questions of a store. */
export const mostStoreQuestions = 1_000;

const name = z.string().trim().min(1, "must not be empty").max(500);
const relevant = z.array(name).min(1, "must name a document").max(20).meta({
  description: "Names of the documents that answer it, as the `source` (or else `title`) of their passages",
});
const words = z.array(name).max(10).meta({ description: "Texts that a passage must contain to be right" });
const question = z.string().trim().min(1, "must not be empty").max(2_000);

export const storeQuestionInputSchema = z.object({ question, relevant, words: words.default([]) }).meta({
  id: "StoreQuestionInput",
  examples: [{ question: "How long does a refund take?", relevant: ["faq.md"], words: ["five days"] }],
});
export type StoreQuestionInput = z.infer<typeof storeQuestionInputSchema>;

/** The question set of a store in an export file. Absent fields stay unchanged. */
export const storeQuestionSetSchema = z.object({
  questions: z.array(storeQuestionInputSchema).max(mostStoreQuestions).optional(),
  checkAfterIndexing: z.boolean().optional(),
});
export type StoreQuestionSet = z.infer<typeof storeQuestionSetSchema>;

/** Absent fields stay unchanged. */
export const storeQuestionUpdateSchema = z
  .object({ question: question.optional(), relevant: relevant.optional(), words: words.optional() })
  .meta({ id: "StoreQuestionUpdate", examples: [{ words: ["five working days"] }] });
export type StoreQuestionUpdate = z.infer<typeof storeQuestionUpdateSchema>;

/** A question of a store's set, with the expected passages. */
export const storeQuestionSchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    storeId: z.string().meta({ format: "uuid" }),
    question: z.string(),
    relevant: z.array(z.string()),
    words: z.array(z.string()),
    createdDate: timestampSchema,
    updatedDate: timestampSchema,
  })
  .meta({
    id: "StoreQuestion",
    examples: [
      {
        id: "7c1e5a9d-3b2f-4e6a-9d8c-0f1e2d3c4b5a",
        storeId: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        question: "How long does a refund take?",
        relevant: ["faq.md"],
        words: ["five days"],
        createdDate: "2025-01-31T12:00:00.000Z",
        updatedDate: "2025-01-31T12:00:00.000Z",
      },
    ],
  });
export type StoreQuestion = z.infer<typeof storeQuestionSchema>;

export const storeQuestionImportSchema = z
  .object({
    text: z.string().max(5_000_000).meta({ description: "A question file of `retrieve-eval`, YAML or JSON" }),
  })
  .meta({
    id: "StoreQuestionImport",
    examples: [{ text: "questions:\n  - question: How long does a refund take?\n    relevant: [faq.md]\n" }],
  });

export const storeQuestionImportResultSchema = z
  .object({
    added: z.number().int(),
    skipped: z.number().int().meta({ description: "Questions that the store has already" }),
  })
  .meta({ id: "StoreQuestionImportResult", examples: [{ added: 12, skipped: 3 }] });

const rate = z.number().min(0).max(1);

/** Recall@5 has dropped if it is lower than before by more than this. */
export const recallMargin = 0.02;

/** The results of an evaluation, and the state of the store. */
export const storeEvaluationSchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    storeId: z.string().meta({ format: "uuid" }),
    createdDate: timestampSchema,
    questions: z.number().int(),
    recallAt1: rate.meta({ description: "Mean share of the expected documents that came first" }),
    recallAt5: rate.meta({ description: "Mean share of the expected documents among the first five" }),
    meanReciprocalRank: rate,
    timeTaken: z.number().meta({ description: "Milliseconds" }),
    settings: z.object({
      embedding: z.string().meta({ description: "Id of the embedding model" }),
      vectorStore: z.string(),
      splitters: z.array(z.string()),
      mode: z.string(),
      reranker: z.string().meta({ description: "What judged the passages again; `none` where nothing did" }),
    }),
    warnings: z.array(z.string()).meta({ description: "What steps of the searches could not do" }),
    cause: z
      .enum(["request", "indexing"])
      .meta({ description: "Whether a user requested the evaluation or an upsert triggered it" }),
    recallDrop: rate.nullable().meta({
      description: `By how much recall@5 of the questions that were asked before, too, is lower than in the evaluation before in the same mode; null for up to ${recallMargin}`,
    }),
  })
  .meta({
    id: "StoreEvaluation",
    examples: [
      {
        id: "7c1e5a9d-3b2f-4e6a-9d8c-0f1e2d3c4b5a",
        storeId: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        createdDate: "2025-01-31T12:00:00.000Z",
        questions: 40,
        recallAt1: 0.7,
        recallAt5: 0.95,
        meanReciprocalRank: 0.81,
        timeTaken: 900,
        settings: {
          embedding: "embedded:use-lite-en",
          vectorStore: "embedded",
          splitters: ["recursive-character (chunkSize: 1000)"],
          mode: "hybrid",
          reranker: "none",
        },
        warnings: [],
        cause: "request",
        recallDrop: null,
      },
    ],
  });
export type StoreEvaluation = z.infer<typeof storeEvaluationSchema>;

const place = z.number().int().nullable();

const storeOutcomeSchema = z.object({
  questionId: z.string(),
  question: z.string(),
  relevant: z.array(z.string()),
  words: z.array(z.string()),
  rank: place.meta({ description: "Place of the first right document; null: not found" }),
  previousRank: place.optional().meta({ description: "Its place in the evaluation before, if it was asked there" }),
  found: z.array(z.object({ document: z.string(), chunkNo: z.number().int(), text: z.string(), isRight: z.boolean() })),
});
export type StoreOutcome = z.infer<typeof storeOutcomeSchema>;

/** An evaluation with the outcome of each question; without them once a newer one exists. */
export const storeEvaluationDetailSchema = storeEvaluationSchema
  .extend({ outcomes: z.array(storeOutcomeSchema) })
  .meta({
    id: "StoreEvaluationDetail",
    examples: [
      {
        id: "7c1e5a9d-3b2f-4e6a-9d8c-0f1e2d3c4b5a",
        storeId: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        createdDate: "2025-01-31T12:00:00.000Z",
        questions: 1,
        recallAt1: 1,
        recallAt5: 1,
        meanReciprocalRank: 1,
        timeTaken: 30,
        settings: {
          embedding: "embedded:use-lite-en",
          vectorStore: "embedded",
          splitters: [],
          mode: "hybrid",
          reranker: "none",
        },
        warnings: [],
        cause: "indexing",
        recallDrop: null,
        outcomes: [],
      },
    ],
  });
export type StoreEvaluationDetail = z.infer<typeof storeEvaluationDetailSchema>;

export const storeEvaluationRequestSchema = z
  .object({ mode: z.enum(["vector", "keyword", "hybrid"]).optional().meta({ description: "Default: the store's" }) })
  .meta({ id: "StoreEvaluationRequest", examples: [{}] });

/** Whether a store's questions are checked automatically. */
export const storeCheckSettingsSchema = z
  .object({
    afterIndexing: z.boolean().meta({ description: "Ask all questions after every upsert that changed something" }),
  })
  .meta({ id: "StoreCheckSettings", examples: [{ afterIndexing: true }] });
export type StoreCheckSettings = z.infer<typeof storeCheckSettingsSchema>;

/** The setting, and the progress of the check. */
export const storeCheckSchema = storeCheckSettingsSchema
  .extend({
    state: z.enum(["idle", "waiting", "running"]).meta({
      description: "`waiting`: upserts changed something, and the questions are asked once they have ended",
    }),
    error: z.string().nullable().meta({ description: "Why the last check after an upsert failed; null if it did not" }),
  })
  .meta({ id: "StoreCheck", examples: [{ afterIndexing: true, state: "idle", error: null }] });
export type StoreCheck = z.infer<typeof storeCheckSchema>;

export const storeQuestionParamsSchema = z.object({ id: uuidSchema, questionId: uuidSchema });
export const storeEvaluationParamsSchema = z.object({ id: uuidSchema, evaluationId: uuidSchema });
