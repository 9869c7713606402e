import type { Tables } from "@weft/database";
import {
  mostStoreQuestions,
  parseTextList,
  type StoreQuestionInput,
  type StoreQuestionSet,
  toMoment,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import type { StoreContext } from "../store-context.ts";
import type { DocumentQuestionRow } from "../tables.ts";
import { setCheck } from "./check.store.ts";
import * as store from "./question.store.ts";

/**
 * Gives a store the question set of an export file, in the transaction that writes the store: a question in the file
 * replaces the store's, and other questions stay. Rejects with `limit-exceeded`.
 */
export async function keepQuestionSet(
  { clock, ids }: StoreContext,
  tx: Kysely<Tables>,
  { storeId, set }: { storeId: string; set: StoreQuestionSet },
): Promise<void> {
  const { questions = [], checkAfterIndexing } = set;
  if (checkAfterIndexing !== undefined) await setCheck(tx, storeId, checkAfterIndexing);
  const named = new Set(questions.map(({ question }) => question));
  const missing = new Map(questions.map((one) => [sayingOf(one), one]));
  const present = await store.listQuestions(tx, storeId);
  let kept = present.length;
  for (const row of present) {
    if (!named.has(row.question) || missing.delete(sayingOf(toInput(row)))) continue;
    await store.deleteQuestion(tx, storeId, row.id);
    kept -= 1;
  }
  assertRoom(kept + missing.size);
  const now = toMoment(clock.now());
  const rows = [...missing.values()].map((one) => toQuestionRow(one, { id: ids.uuid(), storeId, now }));
  await store.insertQuestions(tx, rows);
}

/** A comparable form of a question and its expectations. */
function sayingOf({ question, relevant, words }: StoreQuestionInput): string {
  return JSON.stringify([question, relevant, words]);
}

export function toInput({ question, relevant, words }: DocumentQuestionRow): StoreQuestionInput {
  return { question, relevant: parseTextList(relevant), words: parseTextList(words) };
}

type Added = { id: string; storeId: string; now: string };

export function toQuestionRow(
  { question, relevant, words }: StoreQuestionInput,
  { id, storeId, now }: Added,
): DocumentQuestionRow {
  const texts = { relevant: JSON.stringify(relevant), words: JSON.stringify(words) };
  return { id, storeId, createdDate: now, updatedDate: now, question, ...texts };
}

/** Throws `limit-exceeded` for more than a store's maximum. */
export function assertRoom(count: number): void {
  if (count <= mostStoreQuestions) return;
  const params = { where: "the question set of this store", limit: mostStoreQuestions, what: "questions" };
  throw new WeftError("limit-exceeded", { params });
}
