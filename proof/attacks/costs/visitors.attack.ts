import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Answer, Caller } from "../house/caller.ts";
import { type Attack, defineAttack } from "../house/define-attack.ts";
import type { FlowSketch, House } from "../house/open-house.ts";
import { agentFlow, llmFlow, toText } from "../house/sketches.ts";
import { form, sendForm } from "../house/text-surface.ts";

/** What visitors try, each with a budget of the owner's, and what shows that it was kept. */
type Attempt = { name: string; budget: object; flow?: FlowSketch; run(asked: Asked): Promise<string> };
type Asked = { house: House; path: string; agent: string };

const ask = (caller: Caller, path: string, more: object = {}, headers: Record<string, string> = {}) =>
  caller.send("POST", path, { question: "Hi", ...more }, { headers });

const codeOf = (answer: Answer) => answer.json<{ code?: string }>().code;

/** Asserts that so many were answered, and every other one refused with the code and with when to come back. */
function assertKept(answers: readonly Answer[], most: number, code: string): string {
  const taken = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status !== 200);
  assert.equal(taken.length, most, `${taken.length} were answered.`);
  for (const answer of refused) {
    assert.deepEqual([answer.status, codeOf(answer)], [429, code]);
    assert.ok(Number(answer.headers["retry-after"]) > 0, "Nobody is told when to come back.");
  }
  return `${taken.length} were answered and ${refused.length} refused with ${code}.`;
}

const tokens = { prompt_tokens: 400, completion_tokens: 600, total_tokens: 1_000 };

const attempts: readonly Attempt[] = [
  {
    name: "fifty visitors ask an agent at once that may be asked five times a day",
    budget: { visitors: { agent: { runs: 5 } } },
    async run({ house, path }) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => ask(house.visitor(), path)));
      assert.equal(house.asked().length, 5);
      return assertKept(answers, 5, "budget-runs");
    },
  },
  {
    name: "a visitor begins fifty chats at once, of five that the address may have",
    budget: { visitors: { address: { runs: 5 } } },
    async run({ house, path }) {
      const visitor = house.visitor();
      const chats = Array.from({ length: 50 }, () => ask(visitor, path, { chatId: randomUUID(), streaming: false }));
      return assertKept(await Promise.all(chats), 5, "budget-runs");
    },
  },
  {
    name: "a visitor names other addresses in the headers of proxies",
    budget: { visitors: { address: { runs: 3 } } },
    async run({ house, path }) {
      const visitor = house.visitor();
      const answers: Answer[] = [];
      for (let count = 1; count <= 12; count += 1) {
        const other = `203.0.113.${count}`;
        const headers = {
          "x-forwarded-for": other,
          forwarded: `for=${other}`,
          "x-real-ip": other,
          "cf-connecting-ip": other,
        };
        answers.push(await ask(visitor, path, {}, headers));
      }
      return assertKept(answers, 3, "budget-runs");
    },
  },
  {
    name: "a visitor goes on in one chat beyond the tokens of its day",
    budget: { visitors: { chat: { tokens: 5_000 } } },
    async run({ house, path }) {
      house.script(() => ({ text: "Long.", usage: tokens }));
      const visitor = house.visitor();
      const chatId = randomUUID();
      const answers: Answer[] = [];
      for (let count = 0; count < 12; count += 1) answers.push(await ask(visitor, path, { chatId }));
      const calls = house.asked().length;
      assert.ok(calls >= 2 && calls <= 5, `The model was asked ${calls} times.`);
      const last = answers.at(-1);
      assert.ok(last && last.status !== 200, "The chat still goes on.");
      return `The model was asked ${calls} times for 1,000 tokens each; then it ended with ${codeOf(last)}.`;
    },
  },
  {
    name: "a visitor sends questions that are longer than allowed",
    budget: { visitors: { questionCharacters: 500 } },
    async run({ house, path }) {
      const visitor = house.visitor();
      const long = "a ".repeat(5_000);
      const humanInput = { type: "proceed", feedback: long };
      for (const body of [{ question: long }, { question: "Hi", form: { a: long } }, { question: long, humanInput }])
        assert.notEqual((await visitor.send("POST", path, body)).status, 200, JSON.stringify(body).slice(0, 60));
      assert.equal(house.asked().length, 0, "The model was asked.");
      assert.equal((await ask(visitor, path)).status, 200, "A short question is not answered either.");
      return "Three long ones were refused before the model was asked; a short one was answered.";
    },
  },
  {
    name: "visitors send more bytes than a day has",
    budget: { visitors: { address: { bytes: 100_000 } } },
    async run({ house, path }) {
      const visitor = house.visitor();
      const statuses: number[] = [];
      for (let count = 0; count < 8; count += 1) {
        statuses.push(
          await sendForm(visitor, path, form({ question: "Hi" }, { name: "a.txt", bytes: "ab ".repeat(10_000) })),
        );
      }
      const taken = statuses.filter((status) => status === 200).length;
      assert.ok(taken >= 1 && taken <= 3, `${taken} files of 30 KB were taken.`);
      assert.equal(statuses.at(-1), 429);
      return `${taken} files of 30 KB were taken, and the others refused with 429.`;
    },
  },
  {
    name: "a visitor overrides the budget",
    budget: { visitors: { address: { runs: 2 } }, run: { modelCalls: 3 } },
    async run({ house, path }) {
      const visitor = house.visitor();
      const budget = { visitors: { address: { runs: 1_000 } }, run: { modelCalls: 1_000 } };
      const overrideConfig = { budget, apiConfig: JSON.stringify({ budget }), visitors: budget.visitors };
      const answers: Answer[] = [];
      for (let count = 0; count < 8; count += 1) answers.push(await ask(visitor, path, { overrideConfig, budget }));
      return assertKept(answers, 2, "budget-runs");
    },
  },
  {
    name: "a model that a visitor has talked into it calls tools for ever",
    budget: { run: { modelCalls: 6 } },
    flow: agentFlow({ maxRounds: 100, tools: [{ type: "calculator", config: {} }] }),
    async run({ house, path }) {
      house.script(() => ({ toolCalls: [{ name: "calculator", arguments: { expression: "1 + 1" } }] }));
      const answer = await ask(house.visitor(), path);
      assert.deepEqual([codeOf(answer), house.asked().length], ["budget-model-calls", 6]);
      return "The run ended at the sixth call of the model.";
    },
  },
  {
    name: "a model calls a thousand tools in one answer",
    budget: {},
    flow: agentFlow({ tools: [{ type: "calculator", config: {} }] }),
    async run({ house, path }) {
      const one = { name: "calculator", arguments: { expression: "1 + 1" } };
      const toolCalls = Array.from({ length: 1_000 }, () => one);
      house.script(({ messages }) => (messages.at(-1)?.role === "tool" ? { text: "Done." } : { toolCalls }));
      const answer = await ask(house.visitor(), path);
      const results =
        house
          .asked()
          .at(-1)
          ?.messages.filter(({ role }) => role === "tool") ?? [];
      const made = results.filter(({ content }) => /^2$/m.test(toText(content))).length;
      assert.ok(made > 0 && made <= 64, `${made} calls were made: ${answer.text.slice(0, 300)}`);
      return `${made} of them were made, and the run ended with ${answer.status}.`;
    },
  },
];

function toAttack({ name, budget, flow = llmFlow(), run }: Attempt): Attack {
  return defineAttack({
    name,
    async run(house) {
      const agent = await house.agent(flow, { apiConfig: JSON.stringify({ budget }) });
      return run({ house, agent, path: `/api/v1/prediction/${agent}` });
    },
  });
}

export const attacks: readonly Attack[] = attempts.map(toAttack);
