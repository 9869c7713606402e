import assert from "node:assert/strict";
import { askBesideCrowd } from "../house/ask-beside-crowd.ts";
import { defineAttack } from "../house/define-attack.ts";
import { assertQuick } from "../house/hold-answers.ts";
import { httpFlow, llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "one visitor opens six hundred streams and leaves",
  async run(house) {
    const greedy = house.visitor();
    const closing = new AbortController();
    const { signal } = closing;
    const openStream = (path: string) =>
      greedy
        .open("POST", path, { question: "Go", streaming: true }, { signal })
        .then(({ response }) => response.statusCode)
        .catch(() => 0);
    const { answer, tookMs, held } = await askBesideCrowd(house, {
      hog: (url) => httpFlow({ url }),
      other: llmFlow(),
      send: (path) => Array.from({ length: 600 }, () => openStream(path)),
      pauseMs: 700,
      leave: () => closing.abort(),
    });
    assert.equal(answer.status, 200, "Another visitor was refused.");
    assertQuick(tookMs, 1_500);
    return `While ${held} streams were open another visitor was answered in ${tookMs.toFixed(0)} ms.`;
  },
});
