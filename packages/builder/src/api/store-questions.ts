import { queryOptions } from "@tanstack/react-query";
import type { StoreEvaluation } from "@weft/client";
import { client } from "./client.ts";
import { documentStoreKeys } from "./document-stores.ts";

const { all } = documentStoreKeys;

/** The oldest first. */
export const storeQuestionsQuery = (storeId: string) =>
  queryOptions({
    queryKey: [...all, "questions", storeId],
    queryFn: ({ signal }) => client.listStoreQuestions({ id: storeId }, { signal }),
    staleTime: 0,
  });

/** How well the store answered its questions, the newest first. */
export const storeEvaluationsQuery = (storeId: string) =>
  queryOptions({
    queryKey: [...all, "evaluations", storeId],
    queryFn: ({ signal }) => client.listStoreEvaluations({ id: storeId }, { signal }),
    staleTime: 0,
  });

/** One of them with the outcome of each question. Never changes while it is the newest. */
export const storeEvaluationQuery = (storeId: string, evaluationId: string) =>
  queryOptions({
    queryKey: [...all, "evaluation", storeId, evaluationId],
    queryFn: ({ signal }) => client.getStoreEvaluation({ id: storeId, evaluationId }, { signal }),
  });

export type EvaluationProgress = { done: number; total: number };

/** Asks all questions of a store. Rejects with what it failed with; aborting the signal cancels it on the server. */
export async function evaluateStore(
  storeId: string,
  { onProgress, signal }: { onProgress(progress: EvaluationProgress): void; signal: AbortSignal },
): Promise<StoreEvaluation | undefined> {
  let evaluation: StoreEvaluation | undefined;
  for await (const { event, data } of await client.evaluateStore({ id: storeId }, {}, { signal })) {
    if (event === "progress") onProgress(data as EvaluationProgress);
    if (event === "evaluation") evaluation = data as StoreEvaluation;
    if (event === "error") throw new Error((data as { message: string }).message);
  }
  return evaluation;
}
