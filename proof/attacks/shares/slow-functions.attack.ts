import assert from "node:assert/strict";
import { askBesideCrowd } from "../house/ask-beside-crowd.ts";
import { defineAttack } from "../house/define-attack.ts";
import { assertQuick } from "../house/hold-answers.ts";
import { functionFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "forty functions of one agent wait for a slow service",
  async run(house) {
    const { answer, tookMs, held } = await askBesideCrowd(house, {
      hog: (url) => functionFlow(`return await (await fetch("${url}")).text()`, { timeoutMs: 30_000 }),
      other: functionFlow("return 6 * 7"),
      send: (path) => Array.from({ length: 40 }, () => house.visitor().send("POST", path, { question: "Go" })),
      pauseMs: 300,
    });
    assert.match(answer.text, /42/);
    assertQuick(tookMs, 1_000);
    return `While ${held} functions waited the other agent's answered in ${tookMs.toFixed(0)} ms.`;
  },
});
