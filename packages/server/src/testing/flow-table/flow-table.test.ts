import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { ChatMessage, Execution, ExecutionSummary, PredictionResult } from "@weft/schema";
import { onTestDatabase } from "../../../../database/src/testing/test-databases.ts";
import { agentWith } from "../test-platform.ts";
import { branchCases } from "./branches.ts";
import { failureCases } from "./failures.ts";
import { type FlowCase, toFlowData } from "./flow-case.ts";
import { type FlowWorld, openFlowWorld } from "./flow-world.ts";
import { itemCases } from "./items.ts";
import { modelCases } from "./models.ts";
import { peopleCases } from "./people.ts";

const table = {
  "branches and loops": branchCases,
  items: itemCases,
  failures: failureCases,
  people: peopleCases,
  "models, state and other flows": modelCases,
};

/** What came back for a message: an answer, a question, or an error. */
type Reply = PredictionResult & { message?: string };

async function createAgents({ platform, apiUrl }: FlowWorld, flow: FlowCase): Promise<string> {
  const place = `${apiUrl}/${encodeURIComponent(flow.name)}`;
  const ids = new Map<string, string>();
  const fill = (text: string) =>
    text.replaceAll("{api}", place).replaceAll(/\{agent:(\w+)\}/g, (_, name: string) => ids.get(name) ?? name);
  for (const [name, other] of Object.entries(flow.agents ?? {})) {
    ids.set(name, await agentWith(platform, fill(toFlowData(other))));
  }
  return agentWith(platform, fill(toFlowData(flow)));
}

async function converse({ platform }: FlowWorld, agentId: string, flow: FlowCase): Promise<Reply> {
  const chatId = chatOf(agentId);
  const send = async (body: object) =>
    (await (await platform.send("POST", `/prediction/${agentId}`, { chatId, ...body })).json()) as Reply;
  const questions = async () => {
    const messages = await platform.json<ChatMessage[]>("GET", `/chatmessage/${agentId}`);
    return messages.at(-1)?.action.toReversed() ?? [];
  };
  for (const question of flow.before ?? []) await send({ question });
  let reply = await send(flow.ask ?? { question: "hi" });
  for (const { type, feedback, which } of flow.answers ?? []) {
    assert.ok(reply.action, `asks ${JSON.stringify(reply)}`);
    const action = which === undefined ? undefined : (await questions())[which];
    reply = await send({ humanInput: { type, feedback }, action });
  }
  return reply;
}

const chatOf = (agentId: string) => `chat of ${agentId}`;

async function lastRun({ platform }: FlowWorld, agentId: string): Promise<Execution> {
  const query = `agentflowId=${agentId}&chatId=${encodeURIComponent(chatOf(agentId))}&limit=1`;
  const { data } = await platform.json<{ data: ExecutionSummary[] }>("GET", `/executions?${query}`);
  return platform.json("GET", `/executions/${data[0]?.id}`);
}

async function check(world: FlowWorld, flow: FlowCase): Promise<void> {
  const agentId = await createAgents(world, flow);
  const reply = await converse(world, agentId, flow);
  const { text, state = "FINISHED", steps, json, calls = {} } = flow;
  const said = state === "ERROR" ? reply.message : reply.text;
  if (typeof text === "string") assert.equal(said, text);
  else assert.match(String(said), text);
  if (json !== undefined) assert.deepEqual(reply.json, json);
  const execution = await lastRun(world, agentId);
  assert.equal(execution.state, state);
  assert.equal(execution.steps.map(({ nodeId }) => nodeId).join(" "), steps);
  for (const [path, count] of Object.entries(calls)) {
    assert.equal(world.calls.get(`/${encodeURIComponent(flow.name)}${path}`), count, path);
  }
}

await onTestDatabase((databases) => {
  describe("flows", { concurrency: 4 }, () => {
    let world: FlowWorld;
    const closers: (() => unknown)[] = [];
    before(async () => {
      world = await openFlowWorld({ after: (close) => void closers.push(close as () => unknown) }, databases);
    });
    after(async () => {
      for (const close of closers) await close();
    });

    for (const [group, cases] of Object.entries(table)) {
      describe(group, { concurrency: 4 }, () => {
        for (const flow of cases) {
          it(flow.name, () => check(world, flow));
        }
      });
    }
  });
});
