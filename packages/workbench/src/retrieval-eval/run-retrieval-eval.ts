import { createIdSource } from "@weft/database";
import { meanReciprocalRank, recallAtK } from "@weft/knowledge";
import type { DocumentStore, UpsertResult, VectorQueryResult } from "@weft/schema";
import { type Config, systemClock } from "@weft/server";
import { openWorkbench, type Workbench } from "../open-workbench.ts";
import type { RetrievalEval } from "./retrieval-eval-file.ts";

/** How well the documents of one question were found. */
export type QuestionReport = { question: string; recall: number; rank: number | null; found: string[] };

export type RetrievalReport = {
  topK: number;
  chunks: number;
  /** Mean share of the relevant documents among the first `topK`. */
  recallAtK: number;
  /** Mean of 1 / rank of the first relevant document. */
  meanReciprocalRank: number;
  questions: QuestionReport[];
};

/** Puts the documents into a document store of its own, asks every question, and compares. */
export async function runRetrievalEval(file: RetrievalEval, config: Config): Promise<RetrievalReport> {
  const ids = createIdSource(systemClock.now);
  const workbench = await openWorkbench({ config, clock: systemClock, ids });
  try {
    const { storeId, chunks } = await fill(workbench, file);
    const questions: (QuestionReport & { relevant: Set<string> })[] = [];
    for (const { question, relevant } of file.questions) {
      const found = await ask(workbench, { storeId, question, file });
      questions.push(judge(question, { relevant: new Set(relevant), found, topK: file.topK }));
    }
    const cases = questions.map(({ relevant, found }) => ({ relevant, ranked: found }));
    const recall = questions.reduce((sum, { recall: one }) => sum + one, 0) / questions.length;
    return {
      topK: file.topK,
      chunks,
      recallAtK: recall,
      meanReciprocalRank: meanReciprocalRank(cases),
      questions: questions.map(({ relevant: _, ...report }) => report),
    };
  } finally {
    await workbench.close();
  }
}

async function fill(workbench: Workbench, { files, splitter, embedding, vectorStore }: RetrievalEval) {
  const store = (await workbench.call("POST", "/document-store/store", { name: "Evaluation" })) as DocumentStore;
  const config = {
    files: files.map(({ name, bytes }) => `data:;base64,${Buffer.from(bytes).toString("base64")},filename:${name}`),
  };
  const result = (await workbench.call("POST", `/document-store/upsert/${store.id}`, {
    loader: { name: "file", config },
    ...(splitter && { splitter }),
    ...(embedding && { embedding }),
    ...(vectorStore && { vectorStore }),
  })) as UpsertResult;
  const [failure] = result.failed;
  if (failure) throw new Error(`${failure.source}: ${failure.message}`);
  return { storeId: store.id, chunks: result.numAdded };
}

type Asking = { storeId: string; question: string; file: Pick<RetrievalEval, "topK" | "mode"> };

/** Names of the documents that were found, the best first, each once. */
async function ask(workbench: Workbench, { storeId, question, file }: Asking): Promise<string[]> {
  const { topK, mode } = file;
  const body = { storeId, query: question, topK, ...(mode && { mode }) };
  const { docs } = (await workbench.call("POST", "/document-store/vectorstore/query", body)) as VectorQueryResult;
  return [...new Set(docs.map(({ metadata }) => String(metadata.source)))];
}

type Judging = { relevant: Set<string>; found: string[]; topK: number };

function judge(question: string, { relevant, found, topK }: Judging) {
  const first = found.findIndex((name) => relevant.has(name));
  const rank = first === -1 ? null : first + 1;
  return { question, relevant, recall: recallAtK(relevant, found, topK), rank, found };
}
