import { randomUUID } from "node:crypto";
import { person, say, toFlowData } from "../../../packages/server/src/testing/flow-table/flow-case.ts";
import { createAgent, describe, isForLater, type PlayerOptions, sendMessage } from "./player.ts";

const flow = toFlowData({
  nodes: { ask: person("Well?"), yes: say("Yes: {{ ask }}"), no: say("No: {{ ask }}") },
  edges: "start>ask ask:proceed>yes ask:reject>no",
});

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
      if (answer && ![200, 409].includes(answer.status) && !isForLater(answer)) {
        world.facts.odd.push(`An answer to a question: ${describe(answer)}`);
      }
      return answer?.status;
    }

    const isWaiting = async (runId: string) =>
      (await client.ask("GET", `/executions/${runId}`)).json<{ state: string }>().state === "STOPPED";

    return {
      async play() {
        const chatId = randomUUID();
        const names = { load: "questions", what: "A question to a person" };
        const result = await sendMessage(world, { agentId, question: "hi", chatId, ...names });
        if (!result) return;
        const runId = result.executionId;
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
