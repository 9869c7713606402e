import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";

const code = `
  const ways = [
    () => ({}).constructor.constructor("return process")(),
    () => fetch.constructor("return process")(),
    () => console.log.constructor("return globalThis.process ?? require(['node', 'process'].join(':'))")(),
  ];
  for (const way of ways) {
    try { const env = JSON.stringify(way().env); if (env) return env; } catch {}
  }
  return "nothing of " + ways.length;`;

export const attack = defineAttack({
  name: "user code reaches the process through the constructors of what it is given",
  env: { SHOP_SECRET: "in-the-environment" },
  async run(house) {
    const agent = await house.agent({
      nodes: [{ id: "function", type: "custom-function", config: { code } }],
    });
    const { status, text } = await house.visitor().send("POST", `/api/v1/prediction/${agent}`, { question: "Go" });
    assert.equal(status, 200, text);
    assert.match(text, /nothing of 3/);
    return "The code ran and tried three ways; none had the environment.";
  },
});
