import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VectorCollection } from "@weft/engine/ports/vector-store";
import { openDatabase } from "../packages/database/src/open-database.ts";
import { createEmbeddedModel } from "../packages/providers/src/embedded/embedded-model.ts";
import { createEmbeddedStore } from "../packages/vector-stores/src/embedded/embedded-store.ts";
import { fetchPackage } from "./debian-package.ts";
import { bestRelevances, printThresholds } from "./retrieval/judge-threshold.ts";
import { type Half, type QuestionKind, readQuestions } from "./retrieval/judged-questions.ts";
import { type Passage, splitPages } from "./retrieval/passages.ts";
import { printReport } from "./retrieval/print-report.ts";
import { type AskedQuestion, judgeQuestion, type QuestionFigures } from "./retrieval/rank-pages.ts";
import { readPages } from "./retrieval/read-pages.ts";
import { source, sourceFolder } from "./retrieval/source.ts";
import { createVectorCache, type Embed } from "./retrieval/vector-cache.ts";
import { runCommand } from "./run-command.ts";

const dimension = 512;
const services = { readCredential: async () => undefined, fetch: globalThis.fetch };
const now = { signal: new AbortController().signal };

/**
 * How well real documentation is found by judged questions, in the half for tuning and the one that nothing was chosen by:
 * `npm run bench:retrieval [-- tuning] [databaseUrl]`. SQLite without an address. The first run embeds some 1,900 passages,
 * which takes a quarter of an hour; what was embedded is kept in `.cache/retrieval/`.
 */
await runCommand(async () => {
  const cache = join(import.meta.dirname, "../.cache/retrieval");
  const given = process.argv.slice(2);
  const halves: Half[] = given.includes("tuning") ? ["tuning"] : ["tuning", "held-out"];
  const databaseUrl = given.find((argument) => argument !== "tuning") ?? "";
  const pages = readPages(join(fetchPackage(cache, source), sourceFolder));
  const passages = await splitPages(pages);
  console.log(`${pages.length} pages, ${passages.length} passages`);

  const dataDir = mkdtempSync(join(tmpdir(), "weft-bench-"));
  const database = await openDatabase({ databaseUrl, dataDir });
  const store = createEmbeddedStore({ database, databaseUrl, dataDir });
  const model = createEmbeddedModel();
  try {
    const embed = createVectorCache(cache, model, dimension);
    const name = { collection: `retrieval_${process.pid}`, embedderId: model.id, dimension };
    const collection = await store.definition.open({}, name, services);
    const texts = passages.map(({ text }) => text);
    await upsert(collection, passages, await embed(texts, "document"));
    for (const half of halves) {
      for (const kind of ["natural", "identifiers"] as const) {
        const asked = await readAsked(embed, { half, kind });
        const questions: QuestionFigures[] = [];
        for (const question of asked) questions.push(await judgeQuestion(collection, question));
        printReport({ half, kind, questions });
        printThresholds(await bestRelevances(collection, asked));
      }
    }
    await collection.drop(now);
  } finally {
    await store.close();
    await model.close();
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** Ids are numbered, so that passages of equal score come in the same order in every run. */
async function upsert(collection: VectorCollection, passages: readonly Passage[], vectors: readonly Float32Array[]) {
  const records = passages.map(({ page, text }, index) => {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
    return { id, text, metadata: { page }, vector: vectors[index] ?? new Float32Array(dimension) };
  });
  await collection.upsert(records, now);
}

async function readAsked(embed: Embed, { half, kind }: { half: Half; kind: QuestionKind }): Promise<AskedQuestion[]> {
  const questions = readQuestions(kind, half);
  const texts = questions.map(({ text }) => text);
  const vectors = await embed(texts, "query");
  return questions.map((question, index) => ({ ...question, vector: vectors[index] ?? new Float32Array(dimension) }));
}
