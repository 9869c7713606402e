import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { assertQuick, holdAnswers, pause, timed } from "../house/hold-answers.ts";
import { httpFlow, llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "one visitor opens six hundred streams and leaves",
  async run(house) {
    const holding = holdAnswers();
    const slow = await house.shop(holding.reply);
    const hog = await house.agent(httpFlow({ url: slow.url }));
    const other = await house.agent(llmFlow());
    const greedy = house.visitor();
    const closing = new AbortController();
    const body = { question: "Go", streaming: true };
    const streams = Array.from({ length: 600 }, () =>
      greedy
        .open("POST", `/api/v1/prediction/${hog}`, body, { signal: closing.signal })
        .then(({ response }) => response.statusCode)
        .catch(() => 0),
    );
    await holding.begun();
    await pause(700);
    const { value, tookMs } = await timed(() =>
      house.visitor().send("POST", `/api/v1/prediction/${other}`, { question: "Hi" }),
    );
    const held = holding.count();
    closing.abort();
    holding.letGo();
    await Promise.all(streams);
    assert.equal(value.status, 200, "Another visitor was refused.");
    assertQuick(tookMs, 1_500);
    return `While ${held} streams were open another visitor was answered in ${tookMs.toFixed(0)} ms.`;
  },
});
