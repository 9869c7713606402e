import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import type { Script } from "@weft/providers/testing";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { openScriptedPlatform, type ScriptedPlatform } from "../testing/scripted-model.ts";
import { agentWith, flowOf, llmFlow } from "../testing/test-platform.ts";

type Problem = { code: string; message: string; text?: string };

const env = { ALLOW_PUBLIC_FLOWS: "true", PUBLIC_RATE_LIMIT: "0" };
const budget = (settings: object) => JSON.stringify({ budget: settings });

async function ask(
  platform: ScriptedPlatform,
  agentId: string,
  body: object = {},
  headers: Record<string, string> = {},
) {
  const request = {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ question: "Hi", ...body }),
  };
  const response = await platform.fetch(new Request(`http://platform/api/v1/prediction/${agentId}`, request));
  const problem = (await response.json()) as Problem;
  return { status: response.status, retryAfter: Number(response.headers.get("retry-after")), ...problem };
}

/** A public agent with a budget, and its questions by a visitor and by its owner. */
async function openPublic(
  t: TestContext,
  databases: TestDatabases,
  { own, flow, script, ceilings }: { own?: object; flow?: string; script?: Script; ceilings?: object } = {},
) {
  const platform = await openScriptedPlatform(t, databases, script ?? (() => ({ text: "Hello." })), {
    env: { ...env, ...(ceilings && { BUDGET_CEILINGS: JSON.stringify(ceilings) }) },
  });
  const id = await agentWith(platform, flow ?? llmFlow(), { isPublic: true, apiConfig: budget(own ?? {}) });
  return {
    platform,
    id,
    visitor: (body?: object) => ask(platform, id, body),
    owner: (body?: object) => ask(platform, id, body, { authorization: `Bearer ${platform.token}` }),
  };
}

const calculator = { type: "calculator", config: {} };
const sum = { name: "calculator", arguments: { expression: "40000 + 4443" } };

await onTestDatabase((databases) => {
  test("fifty visitors at once get exactly the five runs that a day has, and the others hear when to come back", async (t) => {
    const { visitor, owner, platform } = await openPublic(t, databases, {
      own: { visitors: { address: { runs: 5 } } },
    });
    const answers = await Promise.all(Array.from({ length: 50 }, () => visitor()));
    const taken = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    assert.deepEqual([taken.length, refused.length, platform.model.requests.length], [5, 45, 5]);
    const [first] = refused;
    assert.equal(first?.code, "budget-runs");
    assert.ok((first?.retryAfter ?? 0) > 0 && (first?.retryAfter ?? 0) <= 86_400, String(first?.retryAfter));
    assert.equal((await owner()).status, 200, "its owner is no visitor");
    const headers = { authorization: `Bearer ${platform.token}` };
    const metrics = await (await platform.fetch(new Request("http://platform/metrics", { headers }))).text();
    assert.match(metrics, /weft_budget_refusals_total\{scope="address",amount="runs"\} 45/);
  });

  test("a changed setting holds for the next question, and none goes above the operator's", async (t) => {
    const { visitor, platform, id } = await openPublic(t, databases, {
      own: { visitors: { agent: { runs: 1 } } },
      ceilings: { visitors: { agent: { runs: 3 } } },
    });
    assert.deepEqual([(await visitor()).status, (await visitor()).status], [200, 429]);
    await platform.json("PUT", `/chatflows/${id}`, { apiConfig: budget({ visitors: { agent: { runs: 100 } } }) });
    const statuses = [await visitor(), await visitor(), await visitor()].map(({ status }) => status);
    assert.deepEqual(statuses, [200, 200, 429]);
  });

  test("what a chat used today counts for its next question", async (t) => {
    const { visitor } = await openPublic(t, databases, {
      own: { visitors: { chat: { tokens: 1_500 } } },
      script: () => ({ text: "Long.", usage: { prompt_tokens: 1_000, completion_tokens: 600, total_tokens: 1_600 } }),
    });
    const chatId = randomUUID();
    assert.equal((await visitor({ chatId })).status, 200);
    const { status, code } = await visitor({ chatId });
    assert.deepEqual([status, code], [429, "budget-tokens-of-day"]);
    assert.equal((await visitor()).status, 200, "another chat has tokens of its own");
  });

  test("messages that may follow an answer are suggested within the budget of its chat", async (t) => {
    const usage = { prompt_tokens: 2_000, completion_tokens: 400, total_tokens: 2_400 };
    for (const [tokens, requests] of [
      [2_500, 1],
      [10_000, 2],
    ] as const) {
      const { visitor, platform, id } = await openPublic(t, databases, {
        own: { visitors: { chat: { tokens } } },
        script: () => ({ text: "Hello.", usage }),
      });
      const chatbotConfig = JSON.stringify({ followUpPrompts: { status: true } });
      await platform.json("PUT", `/chatflows/${id}`, { chatbotConfig });
      assert.equal((await visitor()).status, 200);
      assert.equal(platform.model.requests.length, requests);
    }
  });

  test("a visitor's question is short unless the agent says more; its owner's is not", async (t) => {
    const question = "x".repeat(20_001);
    const { visitor, owner, platform, id } = await openPublic(t, databases);
    const { status, code, message } = await visitor({ question });
    assert.deepEqual([status, code], [422, "limit-exceeded"]);
    assert.match(message, /20000 characters/);
    assert.deepEqual(
      [(await visitor({ question: question.slice(1) })).status, (await owner({ question })).status],
      [200, 200],
    );
    const apiConfig = budget({ visitors: { questionCharacters: 30_000 } });
    await platform.json("PUT", `/chatflows/${id}`, { apiConfig });
    assert.equal((await visitor({ question })).status, 200);
  });

  test("a model that calls tools for ever ends its run at the agent's own limit of calls", async (t) => {
    const flow = flowOf("agent", "Agent", { tools: [calculator], maxRounds: 50 });
    const script: Script = () => ({ toolCalls: [sum] });
    for (const [own, code, calls] of [
      [{ run: { modelCalls: 3 } }, "budget-model-calls", 3],
      [{ run: { toolCalls: 2 } }, "budget-tool-calls", 3],
      [{ run: { steps: 1 } }, "budget-steps", 0],
      [{ run: { tokens: 100 } }, "budget-tokens", 0],
    ] as const) {
      const { owner, platform } = await openPublic(t, databases, { own, flow, script });
      const { status, code: answered, message } = await owner();
      assert.deepEqual([status, answered, platform.model.requests.length], [500, code, calls], message);
    }
  });

  test("of seventy calls in one answer 64 are made, and the model reads of the others", async (t) => {
    const flow = flowOf("agent", "Agent", { tools: [calculator] });
    const seventy = Array.from({ length: 70 }, () => sum);
    const { owner, platform } = await openPublic(t, databases, {
      flow,
      script: (_request, index) => (index === 0 ? { toolCalls: seventy } : { text: "Done." }),
    });
    assert.equal((await owner()).text, "Done.");
    const told = JSON.stringify(platform.model.requests[1]);
    assert.equal(told.split("one answer may call 64 tools at most").length - 1, 6);
    assert.equal(told.split("44443").length - 1, 64);
  });

  test("agents that a run calls, as tools or as steps, take from the same budget", async (t) => {
    const script: Script = ({ tools }) =>
      tools === undefined
        ? { text: "Child." }
        : { toolCalls: [{ name: "ask_child", arguments: { question: "What do you know?" } }] };
    const platform = await openScriptedPlatform(t, databases, script, { env });
    const child = await agentWith(platform, llmFlow({ systemMessage: "Child" }));
    const tools = [{ type: "agent", config: { agentId: child, name: "ask_child", description: "Asks." } }];
    const flow = flowOf("agent", "Parent", { tools, maxRounds: 50 });
    const parent = await agentWith(platform, flow, { apiConfig: budget({ run: { modelCalls: 4 } }) });
    const { status, code } = await ask(platform, parent, {}, { authorization: `Bearer ${platform.token}` });
    assert.deepEqual([status, code, platform.model.requests.length], [500, "budget-model-calls", 4]);
  });
});
