import { NoAnswerError } from "../house/client.ts";
import { createAgent, describe, type PlayerOptions } from "./player.ts";

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
        if (answer === undefined || answer.status === 503 || answer.text.includes('"retryable":true')) return;
        if (answer.status !== 202) return void world.facts.odd.push(`A webhook: ${describe(answer)}`);
        const { executionId = "" } = answer.json<{ executionId?: string }>();
        accepted.push(executionId);
        world.facts.runs.push({ id: executionId, load: "callbacks", state: undefined });
      },
      async collect() {
        for (const runId of accepted) {
          const came = await waitFor(() => services.callbacks.get(runId), client.pause);
          world.facts.onlyOnce.push({ what: `The callback of run ${runId}`, times: new Set(came).size });
        }
        accepted = [];
      },
    };
  },
};

/** The pause before a callback is tried again grows: after a fault that may be a minute. */
const patienceMs = 90_000;

async function waitFor<T>(probe: () => T | undefined, pause: (ms: number) => Promise<void>): Promise<T> {
  const until = performance.now() + patienceMs;
  while (performance.now() < until) {
    const value = probe();
    if (value !== undefined) return value;
    await pause(200);
  }
  throw new NoAnswerError(`A callback did not come in ${patienceMs / 1_000} s.`);
}
