import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VectorCollection } from "@weft/engine/ports/vector-store";
import { openDatabase } from "../packages/database/src/open-database.ts";
import { createEmbeddedModel } from "../packages/providers/src/embedded/embedded-model.ts";
import { createEmbeddedStore } from "../packages/vector-stores/src/embedded/embedded-store.ts";
import { fetchPackage } from "./debian-package.ts";
import { type BestRelevances, bestRelevances, printThresholds } from "./retrieval/judge-threshold.ts";
import { type Half, type QuestionKind, readQuestions } from "./retrieval/judged-questions.ts";
import { type Passage, splitPages } from "./retrieval/passages.ts";
import { printManual, printReport } from "./retrieval/print-report.ts";
import { type AskedQuestion, judgeQuestion, type QuestionFigures } from "./retrieval/rank-pages.ts";
import { readPages } from "./retrieval/read-pages.ts";
import { sources } from "./retrieval/sources.ts";
import { createVectorCache, type Embed } from "./retrieval/vector-cache.ts";
import { runCommand } from "./run-command.ts";

const dimension = 512;
const services = { readCredential: async () => undefined, fetch: globalThis.fetch };
const now = { signal: new AbortController().signal };

type Manual = { name: string; collection: VectorCollection };
type Group = { half: Half; kind: QuestionKind };

/**
 * How well real documentation is found by judged questions, in the half for tuning and the one that nothing was chosen by:
 * `npm run bench:retrieval [-- tuning] [databaseUrl]`. SQLite without an address. The first run embeds some 6,900 passages,
 * which takes two minutes of CPU time on the native runtime; what was embedded is kept in `.cache/retrieval/`.
 */
await runCommand(async () => {
  const cache = join(import.meta.dirname, "../.cache/retrieval");
  const given = process.argv.slice(2);
  const halves: Half[] = given.includes("tuning") ? ["tuning"] : ["tuning", "held-out"];
  const databaseUrl = given.find((argument) => argument !== "tuning") ?? "";
  const dataDir = mkdtempSync(join(tmpdir(), "weft-bench-"));
  const database = await openDatabase({ databaseUrl, dataDir });
  const store = createEmbeddedStore({ database, databaseUrl, dataDir });
  const model = createEmbeddedModel();
  const embed = createVectorCache(cache, model, dimension);
  const manuals: Manual[] = [];
  try {
    for (const source of sources) {
      const pages = readPages(source.manual, join(fetchPackage(cache, source), source.folder));
      const passages = await splitPages(pages);
      console.log(`${source.manual}: ${pages.length} pages, ${passages.length} passages`);
      const name = { collection: `retrieval_${source.manual}_${process.pid}`, embedderId: model.id, dimension };
      const collection = await store.definition.open({}, name, services);
      manuals.push({ name: source.manual, collection });
      await upsert(collection, passages, embed);
    }
    for (const half of halves) {
      for (const kind of ["natural", "identifiers"] as const) await report(manuals, embed, { half, kind });
    }
  } finally {
    for (const { collection } of manuals) await collection.drop(now);
    await store.close();
    await model.close();
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** Ids are numbered, so that passages of equal score come in the same order in every run. */
async function upsert(collection: VectorCollection, passages: readonly Passage[], embed: Embed): Promise<void> {
  const texts = passages.map(({ text }) => text);
  const vectors = await embed(texts, "document");
  const records = passages.map((passage, index) => {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
    return { id, ...passage, vector: vectors[index] ?? new Float32Array(dimension) };
  });
  await collection.upsert(records, now);
}

async function report(manuals: readonly Manual[], embed: Embed, group: Group): Promise<void> {
  const judged = new Map<string, QuestionFigures[]>();
  const best: BestRelevances = { answered: [], removed: [] };
  for (const { name, collection } of manuals) {
    const asked = await readAsked(name, embed, group);
    if (asked.length === 0) continue;
    const questions: QuestionFigures[] = [];
    for (const question of asked) questions.push(await judgeQuestion(collection, question));
    judged.set(name, questions);
    const { answered, removed } = await bestRelevances(collection, asked);
    best.answered.push(...answered);
    best.removed.push(...removed);
  }
  printReport({ ...group, questions: [...judged.values()].flat() });
  for (const [manual, questions] of judged) printManual(manual, questions);
  printThresholds(best);
}

async function readAsked(manual: string, embed: Embed, group: Group): Promise<AskedQuestion[]> {
  const questions = readQuestions(manual, group);
  const texts = questions.map(({ text }) => text);
  const vectors = await embed(texts, "query");
  return questions.map((question, index) => ({ ...question, vector: vectors[index] ?? new Float32Array(dimension) }));
}
