import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "the model's server repeats the operator's key in an error and in a stream",
  env: { OPENAI_API_KEY: "operator-key-7f3b1c9a55", LOG_LEVEL: "debug" },
  async run(house) {
    const key = "operator-key-7f3b1c9a55";
    const agent = await house.agent(llmFlow());
    const visitor = house.visitor();
    const path = `/api/v1/prediction/${agent}`;
    house.script(() => ({ status: 401, body: { error: { message: `Incorrect API key provided: ${key}` } } }));
    const refused = await visitor.send("POST", path, { question: "Hello" });
    house.script(() => ({ text: `Your key is ${key}, keep it.`, pieces: 40 }));
    const answered = await visitor.send("POST", path, { question: "Hello", streaming: true });
    assert.ok(refused.status >= 500, refused.text);
    assert.match(answered.text, /event/);
    const words = answered.text
      .split("\n")
      .filter((line) => line.includes('"token"'))
      .map((line) => String((JSON.parse(line.slice("data:".length)) as { data: unknown }).data))
      .join("");
    for (const text of [refused.text, answered.text, words, house.platform.output()]) {
      assert.ok(!text.includes(key), "The operator's key got out.");
    }
    return "The key was in an error and in 40 pieces of a stream; it reached no answer and no log line.";
  },
});
