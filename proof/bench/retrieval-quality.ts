import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../packages/database/src/open-database.ts";
import { createEmbeddedModel } from "../../packages/providers/src/embedded/embedded-model.ts";
import { createEmbeddedStore } from "../../packages/vector-stores/src/embedded/embedded-store.ts";
import { heldOutSet } from "./retrieval-quality/held-out-set.ts";
import { measureQuality, type QualityReport } from "./retrieval-quality/measure-quality.ts";
import { tuningSet } from "./retrieval-quality/questions.ts";

/**
 * How well the embedded model and store find passages by 30 paraphrases and 30 identifiers or keywords, in two sets: the one
 * that hybrid search was tuned on, and one that nothing was tuned on:
 * `node proof/bench/retrieval-quality.ts [databaseUrl]`, SQLite without an address.
 */
const dataDir = mkdtempSync(join(tmpdir(), "weft-bench-"));
const databaseUrl = process.argv[2] ?? "";
const database = await openDatabase({ databaseUrl, dataDir });
const store = createEmbeddedStore({ database, databaseUrl, dataDir });
const model = createEmbeddedModel();
const services = { readCredential: async () => undefined, fetch: globalThis.fetch };

for (const [label, set] of Object.entries({ tuning: tuningSet, "held-out": heldOutSet })) {
  const name = { collection: `quality_${label}_${process.pid}`, embedderId: model.id, dimension: 512 };
  const collection = await store.definition.open({}, name, services);
  printReport(label, await measureQuality(model, collection, set));
  await collection.drop({ signal: new AbortController().signal });
}

await store.close();
await model.close?.();
await database.close();
rmSync(dataDir, { recursive: true, force: true });

function printReport(label: string, report: QualityReport): void {
  console.log(label.padEnd(24), "   first  among 5       MRR");
  for (const [questions, byMode] of Object.entries(report)) {
    for (const [mode, { first, amongFive, meanReciprocalRank }] of Object.entries(byMode)) {
      const figures = [first, amongFive, meanReciprocalRank].map((figure) => figure.toFixed(3).padStart(9));
      console.log(questions.padEnd(14), mode.padEnd(9), ...figures);
    }
  }
}
