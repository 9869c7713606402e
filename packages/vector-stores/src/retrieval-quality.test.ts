// @tier long: it measures how well questions find answers.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { EmbeddingModel } from "@weft/engine/ports/embedding-model";
import { createRandom } from "../../../proof/bench/random.ts";
import { heldOutSet } from "../../../proof/bench/retrieval-quality/held-out-set.ts";
import { measureQuality, type QualityReport } from "../../../proof/bench/retrieval-quality/measure-quality.ts";
import type { QuestionSet } from "../../../proof/bench/retrieval-quality/question-set.ts";
import { tuningSet } from "../../../proof/bench/retrieval-quality/questions.ts";
import { onTestDatabase } from "../../database/src/testing/test-databases.ts";
import { createEmbeddedModel } from "../../providers/src/embedded/embedded-model.ts";
import { openEmbeddedStore } from "./testing/bench.ts";

await onTestDatabase((databases) => {
  test("hybrid search is nearly as good as the better method on each kind of question, and better than both on all", async (t) => {
    const model = createEmbeddedModel();
    t.after(model.close);
    const { open } = await openEmbeddedStore(t, databases);
    for (const [label, set] of Object.entries({ tuning: tuningSet, "held-out": heldOutSet })) {
      const report = await measureQuality(model, await open(label, 512, model.id), set);
      assertGood(label, report);
    }
  });

  test("a surer embedding model makes hybrid search better, and never worse than either method alone", async (t) => {
    const { open } = await openEmbeddedStore(t, databases);
    for (const [label, set] of Object.entries({ tuning: tuningSet, "held-out": heldOutSet })) {
      let before = 0;
      for (const sureness of [1, 3, 5, 9]) {
        const model = createNoisyOracle(set, sureness);
        const collection = await open(`${label}-${sureness}`, set.passages.length, model.id);
        const { vector, keyword, hybrid } = (await measureQuality(model, collection, set)).all;
        const [least, reached] = [
          Math.max(before, vector.meanReciprocalRank, keyword.meanReciprocalRank),
          hybrid.meanReciprocalRank,
        ];
        assert.ok(
          reached >= 0.99 * least,
          `${label}, sureness ${sureness}: ${reached} hybrid, ${least} before or alone`,
        );
        before = reached;
      }
      assert.ok(before > 0.98, `${label}: ${before}`);
    }
  });
});

/** A model that tells the answer of a question from other passages by so many standard deviations of its noise. */
function createNoisyOracle({ passages, paraphrases, identifiers }: QuestionSet, sureness: number): EmbeddingModel {
  const answers = new Map([...paraphrases, ...identifiers].map(({ text, answer }) => [text, answer]));
  const random = createRandom(7);
  const noise = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const toVector = (text: string) => {
    const answer = answers.get(text);
    return Float32Array.from(passages, (passage, index) =>
      answer === undefined ? Number(passage === text) : noise() + (index === answer ? sureness : 0),
    );
  };
  return { id: `oracle-${sureness}`, maxBatch: 100, embed: async ({ texts }) => texts.map(toVector) };
}

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
