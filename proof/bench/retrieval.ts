import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VectorCollection } from "@weft/engine/ports/vector-store";
import type { Database } from "../../packages/database/src/database.ts";
import { openDatabase } from "../../packages/database/src/open-database.ts";
import { createEmbeddedModel } from "../../packages/providers/src/embedded/embedded-model.ts";
import { createEmbeddedStore } from "../../packages/vector-stores/src/embedded/embedded-store.ts";
import { fetchPackage } from "./debian-package.ts";
import { type GivenBySettings, judgeSettings, keepChunks, printSettings } from "./retrieval/judge-settings.ts";
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

type Manual = { name: string; storeId: string; collection: VectorCollection; removeChunks(): Promise<void> };
type Group = { half: Half; kind: QuestionKind };
type Bench = { database: Database; manuals: readonly Manual[]; embed: Embed; halvesOfSettings: readonly Half[] };

/**
 * How well real documentation is found by judged questions, in the half for tuning and the one that nothing was chosen by:
 * `./weft bench:retrieval [tuning] [settings] [databaseUrl]`. SQLite without an address. What is given by settings
 * of a search is measured on the tuning half alone, and on both with `settings`. The first run embeds some 6,900 passages,
 * which takes two minutes of CPU time on the native runtime; what was embedded is kept in `.cache/retrieval/`.
 */
await runCommand(async () => {
  const cache = join(import.meta.dirname, "../../.cache/retrieval");
  const given = process.argv.slice(2);
  const halves: Half[] = given.includes("tuning") ? ["tuning"] : ["tuning", "held-out"];
  const halvesOfSettings: Half[] = given.includes("settings") ? halves : ["tuning"];
  const databaseUrl = given.find((argument) => !["tuning", "settings"].includes(argument)) ?? "";
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
      const records = passages.map((passage, index) => ({ ...passage, id: toId(manuals.length, index) }));
      const removeChunks = await keepChunks(database, name.collection, records);
      manuals.push({ name: source.manual, storeId: name.collection, collection, removeChunks });
      await upsert(collection, records, embed);
    }
    const bench = { database, manuals, embed, halvesOfSettings };
    for (const half of halves) {
      for (const kind of ["natural", "identifiers"] as const) await report(bench, { half, kind });
    }
  } finally {
    for (const { collection, removeChunks } of manuals) {
      await collection.drop(now);
      await removeChunks();
    }
    await store.close();
    await model.close();
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** Ids are numbered, so that passages of equal score come in the same order in every run. */
function toId(manual: number, passage: number): string {
  return `00000000-0000-4000-${8_000 + manual}-${String(passage).padStart(12, "0")}`;
}

async function upsert(
  collection: VectorCollection,
  passages: readonly (Passage & { id: string })[],
  embed: Embed,
): Promise<void> {
  const texts = passages.map(({ text }) => text);
  const vectors = await embed(texts, "document");
  const records = passages.map((passage, index) => ({
    ...passage,
    vector: vectors[index] ?? new Float32Array(dimension),
  }));
  await collection.upsert(records, now);
}

async function report({ database, manuals, embed, halvesOfSettings }: Bench, group: Group): Promise<void> {
  const judged = new Map<string, QuestionFigures[]>();
  const best: BestRelevances = { answered: [], removed: [] };
  const given: GivenBySettings[] = [];
  for (const { name, storeId, collection } of manuals) {
    const asked = await readAsked(name, embed, group);
    if (asked.length === 0) continue;
    const questions: QuestionFigures[] = [];
    for (const question of asked) questions.push(await judgeQuestion(collection, question));
    judged.set(name, questions);
    const { answered, removed } = await bestRelevances(collection, asked);
    best.answered.push(...answered);
    best.removed.push(...removed);
    if (!halvesOfSettings.includes(group.half)) continue;
    for (const question of asked) given.push(await judgeSettings(database, { storeId, collection }, question));
  }
  printReport({ ...group, questions: [...judged.values()].flat() });
  for (const [manual, questions] of judged) printManual(manual, questions);
  printThresholds(best);
  if (given.length > 0) printSettings(given);
}

async function readAsked(manual: string, embed: Embed, group: Group): Promise<AskedQuestion[]> {
  const questions = readQuestions(manual, group);
  const texts = questions.map(({ text }) => text);
  const vectors = await embed(texts, "query");
  return questions.map((question, index) => ({ ...question, vector: vectors[index] ?? new Float32Array(dimension) }));
}
