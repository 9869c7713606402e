import type { Tables } from "@weft/database";
import {
  momentAfter,
  type RetrievalSettings,
  type StoreEvaluation,
  type StoreEvaluationDetail,
  type StoreOutcome,
  type StoreQuestion,
  type StoreQuestionInput,
  type StoreQuestionUpdate,
  toJsonObject,
  toMoment,
  type VectorQuery,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import { z } from "zod";
import { readRetrievalConfig, type SearchService } from "../search/index.ts";
import { getStore, lockStore } from "../state/document-store.store.ts";
import { listLoaders } from "../state/loader.store.ts";
import type { StoreContext } from "../store-context.ts";
import { readChoice } from "../stores/store-backend.ts";
import type { DocumentEvaluationRow, DocumentLoaderRow, DocumentQuestionRow } from "../tables.ts";
import { dropOf, type EvaluatedOutcome, evaluate, evaluatedDepth, type Recalls } from "./evaluate.ts";
import * as store from "./question.store.ts";
import { writeQuestionFile } from "./question-file.ts";
import type { QuestionFileReader } from "./question-file-reader.ts";
import { assertRoom, toInput, toQuestionRow } from "./question-set.ts";

/**
 * The questions of a store and how well it answers them. Methods that take an id reject with `not-found` for an unknown
 * one.
 */
export type Questions = ReturnType<typeof createQuestions>;

/** Number of evaluations kept per store. */
const keptEvaluations = 200;

const isolation = { isolation: "read-committed" } as const;

export function createQuestions(
  context: StoreContext,
  { search, fileReader }: { search: SearchService; fileReader: QuestionFileReader },
) {
  const { database, clock, ids } = context;
  const { read } = database;
  return {
    /** Oldest first. */
    async list(storeId: string): Promise<StoreQuestion[]> {
      await getStore(read, storeId);
      return (await store.listQuestions(read, storeId)).map(toQuestion);
    },

    async get(storeId: string, id: string): Promise<StoreQuestion> {
      return toQuestion((await store.findQuestion(read, storeId, id)) ?? unknown("question", id));
    },

    /** Rejects with `limit-exceeded` if the store has the maximum number of questions. */
    async add(storeId: string, input: StoreQuestionInput, id = ids.uuid()): Promise<StoreQuestion> {
      const row = toQuestionRow(input, { id, storeId, now: toMoment(clock.now()) });
      await database.write(async (tx) => {
        await lockStore(tx, storeId);
        assertRoom((await store.listQuestions(tx, storeId)).length + 1);
        await store.insertQuestions(tx, [row]);
      }, isolation);
      return toQuestion(row);
    },

    async change(
      storeId: string,
      id: string,
      { question, relevant, words }: StoreQuestionUpdate,
    ): Promise<StoreQuestion> {
      return database.write(async (tx) => {
        await lockStore(tx, storeId);
        const before = (await store.findQuestion(tx, storeId, id)) ?? unknown("question", id);
        const row = {
          ...before,
          ...(question !== undefined && { question }),
          ...(relevant && { relevant: JSON.stringify(relevant) }),
          ...(words && { words: JSON.stringify(words) }),
          updatedDate: momentAfter(before.updatedDate, clock.now()),
        };
        await store.updateQuestion(tx, row);
        return toQuestion(row);
      }, isolation);
    },

    async remove(storeId: string, id: string): Promise<void> {
      const isGone = await database.write((tx) => store.deleteQuestion(tx, storeId, id), isolation);
      if (!isGone) unknown("question", id);
    },

    /**
     * Adds those questions of a file that the store does not have. Rejects with `parameters-invalid` for an invalid
     * file.
     */
    async importFile(storeId: string, text: string): Promise<{ added: number; skipped: number }> {
      const given = await fileReader.read(text);
      return database.write(async (tx) => {
        await lockStore(tx, storeId);
        const present = await store.listQuestions(tx, storeId);
        const known = new Set(present.map(({ question }) => question));
        const added = given.filter(({ question }) => !known.has(question) && known.add(question));
        assertRoom(present.length + added.length);
        const now = toMoment(clock.now());
        const rows = added.map((input) => toQuestionRow(input, { id: ids.uuid(), storeId, now }));
        await store.insertQuestions(tx, rows);
        return { added: added.length, skipped: given.length - added.length };
      }, isolation);
    },

    /** The file that `retrieve-eval` reads. */
    async exportFile(storeId: string): Promise<string> {
      await getStore(read, storeId);
      return writeQuestionFile((await store.listQuestions(read, storeId)).map(toQuestion), evaluatedDepth);
    },

    /** Newest first. */
    async evaluations(storeId: string): Promise<StoreEvaluation[]> {
      await getStore(read, storeId);
      return (await store.listEvaluations(read, storeId)).map(toEvaluation);
    },

    async evaluation(storeId: string, id: string): Promise<StoreEvaluationDetail> {
      const row = (await store.findEvaluation(read, storeId, id)) ?? unknown("evaluation", id);
      return toDetail(row, await store.findRanksBefore(read, row));
    },

    /** Rejects with `parameters-invalid` for a store without questions. */
    async assertAny(storeId: string): Promise<void> {
      await getStore(read, storeId);
      if ((await store.listQuestions(read, storeId)).length === 0) throw noQuestions();
    },

    evaluate: (storeId: string, options: EvaluateOptions) => evaluateStore(context, storeId, { ...options, search }),
  };
}

export type EvaluateOptions = {
  /** Default: the store's. */
  mode?: VectorQuery["mode"];
  onProgress?(done: number, total: number): void;
  signal: AbortSignal;
  /** Default: `request`. */
  cause?: StoreEvaluation["cause"];
  /** Runs in the transaction that stores the outcome. If it rejects, nothing is stored. */
  keep?(tx: Kysely<Tables>): Promise<void>;
};

/** Asks all questions and stores the outcome. A cancelled or failed evaluation stores nothing. */
async function evaluateStore(
  { database, clock, ids, backend }: StoreContext,
  storeId: string,
  { search, mode, onProgress, signal, cause = "request", keep }: EvaluateOptions & { search: SearchService },
): Promise<StoreEvaluation> {
  const { read } = database;
  const since = performance.now();
  const row = await getStore(read, storeId);
  const questions = (await store.listQuestions(read, storeId)).map(toQuestion);
  const loaders = await listLoaders(read, [storeId]);
  const retrieval = readRetrievalConfig(row);
  const { id: embedding } = await backend.embedder(row);
  const settings = {
    embedding,
    vectorStore: readChoice(row.vectorStoreConfig).name ?? "embedded",
    splitters: splittersOf(loaders),
    mode: mode ?? retrieval.mode ?? "hybrid",
    reranker: rerankerOf(retrieval),
  };
  const progress = (done: number) => onProgress?.(done, questions.length);
  const evaluated = await evaluate({ search, questions, mode, onProgress: progress, signal });
  signal.throwIfAborted();
  const { numbers, outcomes, recalls, warnings } = evaluated;
  const timeTaken = Math.round(performance.now() - since);
  const made = {
    id: ids.uuid(),
    storeId,
    createdDate: toMoment(clock.now()),
    ranks: JSON.stringify(Object.fromEntries(outcomes.map(({ questionId, rank }) => [questionId, rank]))),
    recalls: JSON.stringify(recalls),
    outcomes: JSON.stringify(outcomes),
  };
  return database.write(async (tx) => {
    await lockStore(tx, storeId);
    await keep?.(tx);
    const recallDrop = await dropSince(tx, { storeId, mode: settings.mode, questions, recalls });
    const summary = JSON.stringify({ ...numbers, timeTaken, settings, warnings, cause, recallDrop });
    await store.insertEvaluation(tx, { ...made, summary }, keptEvaluations);
    return toEvaluation({ ...made, summary });
  }, isolation);
}

type Compared = { storeId: string; mode: string; questions: readonly StoreQuestion[]; recalls: Recalls };

/** Compared with the last evaluation in this mode. Questions changed since then are left out. */
async function dropSince(tx: Kysely<Tables>, { storeId, mode, questions, recalls }: Compared): Promise<number | null> {
  const evaluations = (await store.listEvaluations(tx, storeId)).map(toEvaluation);
  const last = evaluations.find(({ settings }) => settings.mode === mode);
  const before = last && (await store.findEvaluation(tx, storeId, last.id));
  if (before === undefined) return null;
  const changed = new Map(questions.map(({ id, updatedDate }) => [id, updatedDate]));
  const isSame = (id: string) => (changed.get(id) ?? "") <= before.createdDate;
  return dropOf(recalls, JSON.parse(before.recalls) as Recalls, isSame);
}

function rerankerOf({ rerank, chatModel }: RetrievalSettings): string {
  if (rerank === undefined || rerank.provider === "none") return "none";
  const model = rerank.provider === "chat-model" ? chatModel?.model : rerank.model;
  return model ? `${rerank.provider}: ${model}` : rerank.provider;
}

const mostSplitters = 10;

/** Each distinct splitter with its settings. */
function splittersOf(loaders: readonly DocumentLoaderRow[]): string[] {
  const names = loaders.map(({ splitter, splitterConfig }) => {
    const settings = Object.entries(toJsonObject(JSON.parse(splitterConfig))).map(
      ([name, value]) => `${name}: ${value}`,
    );
    return settings.length === 0 ? splitter : `${splitter} (${settings.join(", ")})`;
  });
  return [...new Set(names)].sort().slice(0, mostSplitters);
}

function toQuestion(row: DocumentQuestionRow): StoreQuestion {
  return { ...row, ...toInput(row) };
}

type Summary = Omit<StoreEvaluation, "id" | "storeId" | "createdDate" | "cause" | "recallDrop">;

function toEvaluation(row: Pick<DocumentEvaluationRow, "id" | "storeId" | "createdDate" | "summary">): StoreEvaluation {
  const { id, storeId, createdDate, summary } = row;
  // Evaluations of older versions were requested by users and have no comparison.
  return { id, storeId, createdDate, cause: "request", recallDrop: null, ...(JSON.parse(summary) as Summary) };
}

const ranksSchema = z.record(z.string(), z.number().nullable());

function toDetail(row: DocumentEvaluationRow, ranksBefore: string | undefined): StoreEvaluationDetail {
  const outcomes: EvaluatedOutcome[] = JSON.parse(row.outcomes || "[]");
  const before = new Map(Object.entries(ranksSchema.parse(JSON.parse(ranksBefore ?? "{}"))));
  const compared = outcomes.map((outcome): StoreOutcome => {
    const previousRank = before.get(outcome.questionId);
    return previousRank === undefined ? outcome : { ...outcome, previousRank };
  });
  return { ...toEvaluation(row), outcomes: compared };
}

function noQuestions(): WeftError {
  const reason = "This document store has no questions to check. Add one first.";
  return new WeftError("parameters-invalid", { params: { reason } });
}

function unknown(resource: string, id: string): never {
  throw new WeftError("not-found", { params: { resource, id } });
}
