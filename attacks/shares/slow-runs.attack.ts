import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { assertQuick, holdAnswers, pause, timed } from "../house/hold-answers.ts";
import { httpFlow, llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a hundred and twenty slow runs of one visitor",
  async run(house) {
    const holding = holdAnswers();
    const slow = await house.shop(holding.reply);
    const hog = await house.agent(httpFlow({ url: slow.url }));
    const other = await house.agent(llmFlow());
    const greedy = house.visitor();
    const runs = Array.from({ length: 120 }, () =>
      greedy.send("POST", `/api/v1/prediction/${hog}`, { question: "Go" }).catch(() => undefined),
    );
    await holding.begun();
    await pause(300);
    const { value, tookMs } = await timed(() =>
      house.visitor().send("POST", `/api/v1/prediction/${other}`, { question: "Hi" }),
    );
    const held = holding.count();
    holding.letGo();
    await Promise.all(runs);
    assert.equal(value.status, 200, value.text);
    assertQuick(tookMs, 1_000);
    return `While ${held} runs waited another visitor was answered in ${tookMs.toFixed(0)} ms.`;
  },
});
