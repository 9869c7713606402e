// @tier long: it kills processes and waits for others to take over.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Execution } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import type { CountingApi } from "../testing/counting-api.ts";
import type { PlatformProcess } from "../testing/platform-process.ts";
import { openProcessBench, shortLease, sideBySide } from "../testing/process-bench.ts";

type Message = { content: string; chatType: string };

/** Looks something up, calls a slow API, and says both. */
function flow({ port }: CountingApi, words: string): string {
  const url = `http://127.0.0.1:${port}`;
  return JSON.stringify({
    weft: 1,
    nodes: [
      { id: "start", type: "start" },
      { id: "look", type: "http", label: "Look", config: { url: `${url}/look` } },
      { id: "call", type: "http", label: "Call", config: { url: `${url}/slow-${words}` } },
      { id: "end", type: "direct-reply", label: "End", config: { message: `${words} {{ look }}` } },
    ],
    edges: ["start>look", "look>call", "call>end"].map((edge) => {
      const [source = "", target = ""] = edge.split(">");
      return { id: edge, source, target };
    }),
  });
}

type Change = (platform: PlatformProcess, id: string, api: CountingApi) => Promise<unknown>;

/** What may happen to a draft while its run goes on. */
const changes: Record<string, Change> = {
  edited: (platform, id, api) =>
    platform.call("PUT", `/chatflows/${id}/draft`, {
      flowData: flow(api, "edited"),
      pins: { look: { output: "later", text: "later" }, call: { output: "later", text: "later" } },
    }),
  published: async (platform, id, api) => {
    const flowData = flow(api, "drafted");
    await platform.call("PUT", `/chatflows/${id}`, { flowData });
    await platform.call("PUT", `/chatflows/${id}`, { flowData: flow(api, "newer") });
  },
  discarded: (platform, id) => platform.call("DELETE", `/chatflows/${id}/draft`),
};

await forEachDatabase((databases) => {
  describe("a run of a draft that is killed in the middle of a step", sideBySide, () => {
    for (const [what, change] of Object.entries(changes)) {
      it(`goes on with the draft as it began, although that is ${what}`, async (t) => {
        const bench = await openProcessBench(t, databases);
        const api = await bench.startApi();
        const first = await bench.start(shortLease);
        const { id } = await first.call<{ id: string }>("POST", "/chatflows", {
          name: "Agent",
          flowData: flow(api, "published"),
        });
        await first.call("PUT", `/chatflows/${id}/draft`, {
          flowData: flow(api, "drafted"),
          pins: { look: { output: "pinned", text: "pinned" } },
        });
        const body = { question: "Go", chatId: "chat", streaming: true, draft: true };
        const asked = first
          .send("POST", `/prediction/${id}`, body)
          .then((response) => response.text())
          .catch(() => undefined);
        await api.reached;
        await change(first, id, api);
        await first.kill("SIGKILL");
        await asked;
        api.release();

        const second = await bench.start();
        const [run] = await until(async () => {
          const { data } = await second.call<{ data: Execution[] }>("GET", `/executions?agentflowId=${id}`);
          return data[0]?.state === "FINISHED" ? data : undefined;
        });
        const { text, steps } = await second.call<Execution>("GET", `/executions/${run?.id}`);
        assert.equal(text, "drafted pinned");
        assert.deepEqual(
          steps.map(({ nodeId, pinned }) => (pinned ? `${nodeId} pinned` : nodeId)),
          ["start", "look pinned", "call", "end"],
        );
        assert.deepEqual([...api.counts], [["/slow-drafted", 2]]);
        const messages = await second.call<Message[]>("GET", `/chatmessage/${id}?chatId=chat&order=ASC`);
        assert.deepEqual(
          messages.map(({ content, chatType }) => [content, chatType]),
          [
            ["Go", "INTERNAL"],
            ["drafted pinned", "INTERNAL"],
          ],
        );
      });
    }
  });
});
