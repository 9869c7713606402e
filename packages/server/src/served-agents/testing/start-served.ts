import type { TestContext } from "node:test";
import { listen } from "@weft/http";
import type { Script } from "@weft/providers/testing";
import type { TestDatabases } from "../../../../database/src/testing/test-databases.ts";
import { openScriptedPlatform } from "../../testing/scripted-model.ts";
import { stopAfter } from "../../testing/stop-after.ts";
import { llmFlow } from "../../testing/test-platform.ts";

/** A platform on a socket with a scripted model, for clients of other protocols. */
export async function startServed(
  t: TestContext,
  databases: TestDatabases,
  script: Script,
  env: Record<string, string> = {},
) {
  const stop = stopAfter(t);
  const platform = await openScriptedPlatform(t, databases, script, { env });
  const server = await listen(platform, { host: "127.0.0.1", port: 0 });
  stop(() => server.close({ graceMs: 0 }));
  return {
    stop,
    model: platform.model,
    platform,
    url: server.url,
    async deploy(name: string, flowData = llmFlow(), more: object = {}) {
      const body = { name, flowData, deployed: true, ...more };
      return (await platform.json<{ id: string }>("POST", "/chatflows", body)).id;
    },
    async key(permissions = ["predictions:run"]) {
      return platform.json<{ id: string; apiKey: string }>("POST", "/apikey", { keyName: "key", permissions });
    },
    /** States of an agent's runs, the newest first. */
    async states(agentId: string): Promise<string[]> {
      const messages = await platform.json<{ executionId: string }[]>("GET", `/chatmessage/${agentId}`);
      const ids = [...new Set(messages.map(({ executionId }) => executionId))];
      const runs = ids.map((id) => platform.json<{ state: string }>("GET", `/executions/${id}`));
      return (await Promise.all(runs)).map(({ state }) => state);
    },
  };
}
