import assert from "node:assert/strict";
import { askBesideCrowd } from "../house/ask-beside-crowd.ts";
import { defineAttack } from "../house/define-attack.ts";
import { assertQuick } from "../house/hold-answers.ts";
import { httpFlow, llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a hundred and twenty slow runs of one visitor",
  async run(house) {
    const greedy = house.visitor();
    const { answer, tookMs, held } = await askBesideCrowd(house, {
      hog: (url) => httpFlow({ url }),
      other: llmFlow(),
      send: (path) =>
        Array.from({ length: 120 }, () => greedy.send("POST", path, { question: "Go" }).catch(() => undefined)),
      pauseMs: 300,
    });
    assert.equal(answer.status, 200, answer.text);
    assertQuick(tookMs, 1_000);
    return `While ${held} runs waited another visitor was answered in ${tookMs.toFixed(0)} ms.`;
  },
});
