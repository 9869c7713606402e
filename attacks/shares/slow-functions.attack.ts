import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { assertQuick, holdAnswers, pause, timed } from "../house/hold-answers.ts";
import { functionFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "forty functions of one agent wait for a slow service",
  async run(house) {
    const holding = holdAnswers();
    const slow = await house.shop(holding.reply);
    const hog = await house.agent(
      functionFlow(`return await (await fetch("${slow.url}")).text()`, { timeoutMs: 30_000 }),
    );
    const other = await house.agent(functionFlow("return 6 * 7"));
    const hogs = Array.from({ length: 40 }, () =>
      house.visitor().send("POST", `/api/v1/prediction/${hog}`, { question: "Go" }),
    );
    await holding.begun();
    await pause(300);
    const { value, tookMs } = await timed(() =>
      house.visitor().send("POST", `/api/v1/prediction/${other}`, { question: "Go" }),
    );
    const held = holding.count();
    holding.letGo();
    await Promise.all(hogs);
    assert.match(value.text, /42/);
    assertQuick(tookMs, 1_000);
    return `While ${held} functions waited the other agent's answered in ${tookMs.toFixed(0)} ms.`;
  },
});
