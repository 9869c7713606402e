import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "@weft/database";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, flowOf, openTestPlatform } from "../testing/test-platform.ts";
import { findClosedOverrides } from "./override-permissions.ts";

const dayMs = 86_400_000;

await onTestDatabase((databases) => {
  test("agents are named whose requests lately used overrides that are not enabled", async (t) => {
    let database: Database | undefined;
    const wrapDatabase = (opened: Database) => {
      database = opened;
      return opened;
    };
    const platform = await openTestPlatform(t, databases, {}, { wrapDatabase });
    const find = (nowMs = Date.now()) => findClosedOverrides((database as Database).read, nowMs);
    const flow = flowOf("direct-reply", "Reply", { message: "{{ $vars.tone }}" });
    const id = await agentWith(platform, flow, { name: "Shop", isPublic: true });
    const quiet = await agentWith(platform, flow, { name: "Quiet" });
    await platform.json("POST", `/prediction/${quiet}`, { question: "Hi", overrideConfig: { sessionId: "s" } });
    assert.deepEqual(await find(), []);
    const history = [{ role: "userMessage", content: "x" }];
    const overrideConfig = { vars: { tone: "kind" }, temperature: 0.1 };
    await platform.json("POST", `/prediction/${id}`, { question: "Hi", overrideConfig, history });
    const names = ["vars.tone", "temperature", "history"];
    assert.deepEqual(await find(), [{ agentId: id, agentName: "Shop", names }]);
    assert.deepEqual(await find(Date.now() + 31 * dayMs), []);
    const enable = (more: object) =>
      platform.json("PUT", `/chatflows/${id}`, {
        apiConfig: JSON.stringify({ overrideConfig: { status: true, ...more } }),
      });
    const variables = [{ name: "tone", enabled: true }];
    await enable({ variables });
    assert.deepEqual((await find())[0]?.names, ["temperature", "history"]);
    await enable({ variables, history: true, nodes: { Any: [{ name: "temperature", enabled: true }] } });
    assert.deepEqual(await find(), []);
  });
});
