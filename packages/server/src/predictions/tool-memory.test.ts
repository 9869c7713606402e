import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Script } from "@weft/providers/testing";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openScriptedPlatform } from "../testing/scripted-model.ts";
import { agentWith, flowOf } from "../testing/test-platform.ts";

const sum = { name: "calculator", arguments: { expression: "40000 + 4443" } };

/** Calls the tool where the last message is the user's first. */
const script: Script = ({ messages }) => {
  const last = messages.at(-1);
  return last?.role === "user" && JSON.stringify(last).includes("first") ? { toolCalls: [sum] } : { text: "Done." };
};

await onTestDatabase((databases) => {
  test("the second turn of a session reads what the first one called and what came of it, unless the agent forgets", async (t) => {
    for (const [config, roles] of [
      [{}, ["user", "assistant", "tool", "assistant", "user"]],
      [{ rememberTools: false }, ["user", "assistant", "user"]],
    ] as const) {
      const platform = await openScriptedPlatform(t, databases, script);
      const flow = flowOf("agent", "Agent", { tools: [{ type: "calculator", config: {} }], ...config });
      const id = await agentWith(platform, flow);
      const chatId = randomUUID();
      for (const question of ["the first", "the second"]) await platform.ask(id, { question, chatId });
      const told = (platform.model.requests.at(-1)?.body.messages ?? []).filter(({ role }) => role !== "system");
      assert.deepEqual(
        told.map(({ role }) => role),
        roles,
      );
      assert.equal(JSON.stringify(told).includes("44443"), roles.length === 5);
    }
  });
});
