import assert from "node:assert/strict";
import { test } from "node:test";
import { heldOutSet } from "../../../bench/retrieval-quality/held-out-set.ts";
import { measureQuality, type QualityReport } from "../../../bench/retrieval-quality/measure-quality.ts";
import { tuningSet } from "../../../bench/retrieval-quality/questions.ts";
import { forEachDatabase } from "../../database/src/testing/test-databases.ts";
import { createEmbeddedModel } from "../../providers/src/embedded/embedded-model.ts";
import { openEmbeddedStore } from "./testing/bench.ts";

await forEachDatabase((databases) => {
  test("hybrid search is nearly as good as the better method on each kind of question, and better than both on all", async (t) => {
    const model = createEmbeddedModel();
    t.after(model.close);
    const { open } = await openEmbeddedStore(t, databases);
    for (const [label, set] of Object.entries({ tuning: tuningSet, "held-out": heldOutSet })) {
      const report = await measureQuality(model, await open(label, 512, model.id), set);
      assertGood(label, report);
    }
  });
});

function assertGood(label: string, report: QualityReport): void {
  for (const kind of ["paraphrases", "identifiers", "all"] as const) {
    const { vector, keyword, hybrid } = report[kind];
    for (const figure of ["meanReciprocalRank", "amongFive"] as const) {
      const better = Math.max(vector[figure], keyword[figure]);
      const said = `${label} ${kind} ${figure}: ${hybrid[figure]} hybrid, ${vector[figure]} vector, ${keyword[figure]} keyword`;
      if (kind === "all") assert.ok(hybrid[figure] > better, said);
      else assert.ok(hybrid[figure] >= 0.95 * better, said);
    }
  }
}
