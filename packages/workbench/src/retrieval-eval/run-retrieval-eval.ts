import { glob, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createIdSource } from "@weft/database";
import { meanReciprocalRank, recallAtK } from "@weft/knowledge/fuse-ranks";
import { documentName, judgePassages } from "@weft/knowledge/judge-passages";
import type { DocumentStore, UpsertResult, VectorQueryResult } from "@weft/schema";
import { type Config, systemClock } from "@weft/server";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { openWorkbench, type Workbench } from "../open-workbench.ts";
import { FileError, readText } from "../read-flow-file.ts";

const component = z.strictObject({ name: z.string(), config: z.record(z.string(), z.json()).default({}) });

/** Questions, and which documents answer them. */
const fileSchema = z.strictObject({
  /** Files beside this one; `*` stands for any part of a name. */
  documents: z.array(z.string().min(1)).min(1),
  splitter: component.optional(),
  embedding: component.optional(),
  vectorStore: component.optional(),
  mode: z.enum(["vector", "keyword", "hybrid"]).optional(),
  topK: z.number().int().min(1).max(100).default(4),
  questions: z
    .array(
      z.strictObject({
        question: z.string().min(1),
        /** Names of the documents that answer it. */
        relevant: z.array(z.string().min(1)).min(1),
        /** Texts that a passage of them must contain to count. */
        words: z.array(z.string().min(1)).default([]),
      }),
    )
    .min(1),
});

type RetrievalEval = z.infer<typeof fileSchema> & { files: readonly { name: string; bytes: Uint8Array }[] };

/** Reads a question file, YAML or JSON, and the documents that it names. Rejects with `FileError`. */
export async function readRetrievalEval(path: string): Promise<RetrievalEval> {
  const parsed = fileSchema.safeParse(parse(path, await readText(path)));
  if (!parsed.success) {
    const mistakes = parsed.error.issues.map(({ path: place, message }) => `${path}: ${place.join(".")}: ${message}`);
    throw new FileError(mistakes.join("\n"));
  }
  const files = await readDocuments(path, parsed.data.documents);
  const names = new Set(files.map(({ name }) => name));
  const unknown = parsed.data.questions.flatMap(({ relevant }) => relevant).find((name) => !names.has(name));
  if (unknown !== undefined) throw new FileError(`${path}: relevant names ${unknown}, which is none of the documents.`);
  return { ...parsed.data, files };
}

function parse(path: string, text: string): unknown {
  try {
    return parseYaml(text);
  } catch (cause) {
    throw new FileError(`${path} is neither YAML nor JSON: ${(cause as Error).message.split("\n", 1)[0]}.`);
  }
}

async function readDocuments(path: string, patterns: readonly string[]) {
  const files: { name: string; bytes: Uint8Array }[] = [];
  for (const pattern of patterns) {
    const found: string[] = [];
    for await (const match of glob(pattern, { cwd: dirname(path) })) found.push(match);
    for (const match of found.sort()) {
      const file = join(dirname(path), match);
      if ((await stat(file)).isFile()) files.push({ name: basename(match), bytes: await readFile(file) });
    }
    if (found.length === 0) throw new FileError(`${path}: no document matches ${pattern}.`);
  }
  return files;
}

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
    for (const { question, relevant, words } of file.questions) {
      const found = await ask(workbench, { storeId, question, relevant, words, file });
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

type Asking = RetrievalEval["questions"][number] & { storeId: string; file: RetrievalEval };

/** Names of the documents that were found, the best first, each once. */
async function ask(workbench: Workbench, { storeId, question, relevant, words, file }: Asking): Promise<string[]> {
  const { topK, mode } = file;
  const body = { storeId, query: question, topK, ...(mode && { mode }) };
  const { docs } = (await workbench.call("POST", "/document-store/vectorstore/query", body)) as VectorQueryResult;
  const passages = docs.map(({ metadata, pageContent }) => ({ document: documentName(metadata), text: pageContent }));
  return judgePassages({ relevant, words }, passages).ranked;
}

type Judging = { relevant: Set<string>; found: string[]; topK: number };

function judge(question: string, { relevant, found, topK }: Judging) {
  const first = found.findIndex((name) => relevant.has(name));
  const rank = first === -1 ? null : first + 1;
  return { question, relevant, recall: recallAtK(relevant, found, topK), rank, found };
}
