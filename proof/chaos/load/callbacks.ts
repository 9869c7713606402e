import { waitFor } from "../house/wait-for.ts";
import { createAgent, describe, isForLater, noteRun, type PlayerOptions } from "./player.ts";

/** Webhooks that are answered at once, whose end is told at a callback address: at least once, under one id. */
export const callbacks: PlayerOptions = {
  name: "callbacks",
  weight: 1,
  async prepare(world) {
    const { client, services } = world;
    const webhook = { auth: { type: "none" }, response: "async", callbackUrl: `${services.apiUrl}/callback` };
    const flow = JSON.stringify({
      weft: 1,
      nodes: [
        { id: "start_0", type: "start", config: { input: "webhook", webhook } },
        { id: "llm_0", type: "llm", config: { prompt: "Next", memory: { type: "off" } } },
      ],
      edges: [{ id: "e", source: "start_0", target: "llm_0" }],
    });
    const agentId = await createAgent(world, "Calls back", flow);
    let accepted: string[] = [];
    return {
      async play() {
        const answer = await client.askOnce("POST", `/webhook/${agentId}`, { hello: 1 });
        if (answer === undefined || isForLater(answer)) return;
        if (answer.status !== 202) return void world.facts.odd.push(`A webhook: ${describe(answer)}`);
        const { executionId = "" } = answer.json<{ executionId?: string }>();
        accepted.push(executionId);
        noteRun(world, "callbacks", executionId);
      },
      async collect() {
        for (const runId of accepted) {
          const came = await waitFor(client, async () => services.callbacks.get(runId), "A callback is not there");
          world.facts.onlyOnce.push({ what: `The callback of run ${runId}`, times: new Set(came).size });
        }
        accepted = [];
      },
    };
  },
};
