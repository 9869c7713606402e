import { randomUUID } from "node:crypto";
import { person, say, toFlowData } from "../../packages/server/src/flow-table/flow-case.ts";
import { createAgent, describe, expectOk, type PlayerOptions } from "./player.ts";

const flow = toFlowData({
  nodes: { ask: person("Well?"), yes: say("Yes: {{ ask }}"), no: say("No: {{ ask }}") },
  edges: "start>ask ask:proceed>yes ask:reject>no",
});

type Result = { executionId: string; text: string };

/** A question to a person, which several answer at once: one answer takes effect. */
export const questions: PlayerOptions = {
  name: "questions",
  weight: 2,
  async prepare(world) {
    const { client, cluster } = world;
    const agentId = await createAgent(world, "Asks", flow);
    let waited: { runId: string; taken: number }[] = [];

    async function answerOnce(chatId: string): Promise<number | undefined> {
      const body = { chatId, humanInput: { type: world.random.pick(["proceed", "reject"]) } };
      const answer = await client.askOnce("POST", `/prediction/${agentId}`, body);
      if (
        answer?.status !== undefined &&
        ![200, 409, 503].includes(answer.status) &&
        !answer.text.includes('"retryable":true')
      ) {
        world.facts.odd.push(`An answer to a question: ${describe(answer)}`);
      }
      return answer?.status;
    }

    const isWaiting = async (runId: string) =>
      (await client.ask("GET", `/executions/${runId}`)).json<{ state: string }>().state === "STOPPED";

    return {
      async play() {
        const chatId = randomUUID();
        const asked = await client.ask(
          "POST",
          `/prediction/${agentId}`,
          { question: "hi", chatId },
          { key: randomUUID() },
        );
        const result = expectOk<Result>(world, asked, "A question to a person");
        if (!result) return;
        const runId = result.executionId;
        world.facts.runs.push({ id: runId, load: "questions", state: undefined });
        const statuses = await Promise.all([1, 2, 3].map(() => answerOnce(chatId)));
        waited.push({ runId, taken: statuses.filter((status) => status === 200).length });
        // All of them may have met a server that was gone.
        for (let attempt = 0; attempt < 100 && (await isWaiting(runId)); attempt += 1) {
          await answerOnce(chatId);
          await client.pause(200);
        }
      },
      async collect() {
        for (const { runId, taken } of waited) {
          const { executionData } = await cluster.call<{ executionData: string }>("GET", `/executions/${runId}`);
          const steps = (JSON.parse(executionData) as { nodeId: string }[]).map(({ nodeId }) => nodeId);
          const replies = steps.filter((step) => step === "yes" || step === "no").length;
          world.facts.onlyOnce.push({ what: `The answer to run ${runId}`, times: Math.max(replies, taken) });
        }
        waited = [];
      },
    };
  },
};
