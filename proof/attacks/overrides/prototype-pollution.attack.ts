import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { functionFlow, llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "keys such as __proto__ in a body change what other requests see",
  async run(house) {
    const agent = await house.agent(llmFlow());
    const path = `/api/v1/prediction/${agent}`;
    const visitor = house.visitor();
    for (const body of [
      '{"question":"Hi","overrideConfig":{"__proto__":{"isAuthor":true,"polluted":"yes"}}}',
      '{"question":"Hi","overrideConfig":{"vars":{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}}}',
      '{"__proto__":{"polluted":"yes"},"question":"Hi"}',
    ]) {
      await visitor.send("POST", path, body);
    }
    const probe = await house.agent(functionFlow("return String(({}).polluted) + String($vars.polluted)"));
    const { text } = await visitor.send("POST", `/api/v1/prediction/${probe}`, { question: "Hi" });
    assert.match(text, /undefinedundefined/);
    assert.ok(!(await visitor.send("GET", "/api/v1/version")).text.includes("polluted"));
    return "Three bodies were read; afterwards no object had the planted key.";
  },
});
