import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { assertQuick, pause, timed } from "../house/hold-answers.ts";
import { functionFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "functions that never end hold the sandbox",
  async run(house) {
    const hog = await house.agent(functionFlow("for (;;);", { timeoutMs: 1_500 }));
    const other = await house.agent(functionFlow("return 6 * 7"));
    const hogs = Array.from({ length: 12 }, () =>
      house.visitor().send("POST", `/api/v1/prediction/${hog}`, { question: "Go" }),
    );
    await pause(200);
    const { value, tookMs } = await timed(() =>
      house.visitor().send("POST", `/api/v1/prediction/${other}`, { question: "Go" }),
    );
    await Promise.all(hogs);
    assert.match(value.text, /42/);
    assertQuick(tookMs, 3_000);
    return `Beside twelve endless functions the other agent's answered in ${tookMs.toFixed(0)} ms.`;
  },
});
