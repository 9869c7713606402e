import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a key that is limited to one agent asks another",
  async run(house) {
    const own = await house.agent(llmFlow(), { isPublic: false, name: "Own" });
    const other = await house.agent(llmFlow(), { isPublic: false, name: "Other agent" });
    const permissions = ["predictions:run", "agents:read", "messages:read", "executions:read"];
    const holder = await house.keyHolder({ agents: [own], permissions });
    const allowed = await holder.send("POST", `/api/v1/prediction/${own}`, { question: "Hi" });
    assert.equal(allowed.status, 200, allowed.text);
    const tries = [
      ["POST", `/api/v1/prediction/${other}`, { question: "Hi" }],
      ["GET", `/api/v1/chatflows/${other}`, undefined],
      ["GET", `/api/v1/chatmessage/${other}`, undefined],
      ["POST", "/v1/chat/completions", { model: other, messages: [{ role: "user", content: "Hi" }] }],
      ["POST", `/api/v1/mcp/${other}`, { jsonrpc: "2.0", id: 1, method: "tools/list" }],
    ] as const;
    const statuses: number[] = [];
    for (const [method, path, body] of tries) {
      const { status, text } = await holder.send(method, path, body);
      assert.ok(status >= 400 || text === "[]", `${method} ${path} answered ${status}: ${text.slice(0, 200)}`);
      statuses.push(status);
    }
    const { text } = await holder.send("GET", "/api/v1/chatflows");
    assert.ok(text.includes(own) && !text.includes(other), "The list names the other agent.");
    assert.equal(house.asked().length, 1, "The other agent was asked.");
    return `Its own agent answered; the other was answered with ${statuses.join(", ")} and stands in no list.`;
  },
});
