import { randomUUID } from "node:crypto";
import { llmFlow } from "../../../packages/server/src/testing/test-platform.ts";
import { createAgent, expectOk, noteRun, type PlayerOptions } from "./player.ts";

/** The same request under the same key, at all servers at once. */
export const repeats: PlayerOptions = {
  name: "repeats",
  weight: 1,
  async prepare(world) {
    const { client, cluster } = world;
    const agentId = await createAgent(world, "Repeated", llmFlow());
    let asked: { chatId: string; runIds: Set<string> }[] = [];
    return {
      async play() {
        const [key, chatId] = [randomUUID(), randomUUID()];
        const one = { chatId, runIds: new Set<string>() };
        asked.push(one);
        const ask = () => client.ask("POST", `/prediction/${agentId}`, { question: "Next", chatId }, { key });
        for (const answer of await Promise.all(Array.from({ length: cluster.count + 1 }, ask))) {
          const result = expectOk<{ executionId: string }>(world, answer, "A repeated message");
          if (result) one.runIds.add(result.executionId);
        }
        for (const id of one.runIds) noteRun(world, "repeats", id);
      },
      async collect() {
        for (const { chatId, runIds } of asked) {
          const messages = await cluster.call<unknown[]>("GET", `/chatmessage/${agentId}?chatId=${chatId}`);
          world.facts.onlyOnce.push({
            what: `The repeated message of chat ${chatId}`,
            times: Math.max(runIds.size, messages.length / 2),
          });
        }
        asked = [];
      },
    };
  },
};
