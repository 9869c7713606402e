import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { ImportFile } from "@weft/dialects/importer";
import { turnText } from "@weft/engine";
import type { NodeServices } from "@weft/engine/node";
import type { ChatModel, ModelCall } from "@weft/engine/ports/chat-model";
import type { Tool } from "@weft/engine/ports/tool";
import { createScriptedModel, createTestProcess, noServices } from "@weft/engine/testing";
import { nodeRegistry } from "@weft/nodes";
import { createSandbox } from "@weft/sandbox";
import { type JsonObject, type RunInput, toJsonObject, writePolicySchema } from "@weft/schema";
import { fixture, imported, judged, workflow } from "./testing/fixture.ts";

const sandbox = createSandbox({ workers: 1 });
after(() => sandbox.close());

type Answer = string | object;
type Script = {
  /** What each node's model says, one answer per call, by a word of its instructions. */
  says?: Record<string, Answer[]>;
  /** What a person decides, in order. */
  decides?: ("proceed" | "reject")[];
  input?: RunInput;
  services?: Partial<NodeServices>;
};

/** The flow with what has to be chosen chosen. */
function chosen(files: readonly ImportFile[]): string {
  const { flow } = imported(...files);
  const text = JSON.stringify(flow, (key, value: unknown) => (key === "storeId" ? "store" : value));
  return text;
}

/** A model that answers by what its instructions say, so that the order of calls is seen. */
function modelOf(says: Record<string, Answer[]>, calls: ModelCall[]): ChatModel {
  const left = new Map(Object.entries(says).map(([word, answers]) => [word, [...answers]]));
  return {
    id: "scripted/model",
    answer(call) {
      calls.push(call);
      const system = JSON.stringify(call.messages.filter(({ role }) => role === "system"));
      const word = [...left.keys()].find((key) => system.includes(key));
      const answer = left.get(word ?? "")?.shift() ?? "?";
      const text = typeof answer === "string" ? answer : JSON.stringify(answer);
      return createScriptedModel([{ text }]).answer(call);
    },
  };
}

/** Imports a program, and runs its flow to the end with the real node types. */
async function run(files: readonly ImportFile[], { says = {}, decides = [], input, services = {} }: Script = {}) {
  const calls: ModelCall[] = [];
  const model = modelOf(says, calls);
  const process = createTestProcess({
    flow: chosen(files),
    registry: nodeRegistry,
    input: input ?? { question: "hello" },
    // The sandbox takes real time, which a virtual clock knows nothing of.
    limits: { wallTimeMs: Number.POSITIVE_INFINITY },
    deps: { services: { ...noServices, sandbox, models: { resolve: async () => model }, ...services } },
  });
  let handle = process.start();
  let outcome = await handle.done;
  const questions: string[] = [];
  const shown: string[] = [];
  for (const type of decides) {
    assert.equal(outcome, "suspended");
    const asked = process.events().findLast((event) => event.type === "node-suspended");
    assert.ok(asked?.type === "node-suspended");
    questions.push(asked.wait.text ?? "");
    shown.push(turnText(handle.state, asked.wait.text ?? ""));
    const resume = { nodeKey: asked.nodeKey, nodeId: asked.nodeId, waitId: asked.wait.waitId, answer: { type } };
    handle = process.recover({ resume });
    outcome = await handle.done;
  }
  const events = process.events();
  const end = events.at(-1);
  assert.equal(end?.type, "run-completed", JSON.stringify(end));
  const order = events.flatMap((event) => (event.type === "node-completed" ? [event.nodeId] : []));
  shown.push(turnText(handle.state));
  return { text: end?.type === "run-completed" ? end.text : undefined, order, calls, questions, shown };
}

const calm = { flagged: false, confidence: 0.9 };
const user = (content: string) => ({ role: "user", content });
const assistant = (content: string) => ({ role: "assistant", content });
const heard = ({ messages }: ModelCall) => messages.filter(({ role }) => role !== "system");

describe("an imported support workflow runs", () => {
  for (const name of ["bike-shop.ts", "bike-shop.py"]) {
    it(`through guardrail, triage, agent, approval and end (${name})`, async () => {
      const says = { "You check": [calm], "Decide what": [{ topic: "refund" }], "Offer a refund": ["50 euros back."] };
      const yes = await run([fixture(name)], { says, decides: ["proceed"] });
      assert.equal(yes.text, "The refund is on its way.");
      assert.deepEqual(yes.questions, ["Is this refund fine with you?"]);
      // The person sees what is to be approved, and nothing of what only decides the way.
      assert.deepEqual(yes.shown, ["50 euros back.\n\nIs this refund fine with you?", "The refund is on its way."]);
      assert.deepEqual(yes.order, [
        "start",
        "guardrail_jailbreak",
        "if_else",
        "triage_agent",
        "if_else_2",
        "refund_agent",
        "user_approval",
        "end_2",
      ]);
      const no = await run([fixture(name)], { says, decides: ["reject"] });
      assert.equal(no.text, "Then keep the bike.");
      assert.deepEqual(no.order.slice(-2), ["user_approval", "end_3"]);
    });
  }

  it("with one conversation for its agents, and none for its guardrail", async () => {
    const says = { "You check": [calm], "Decide what": [{ topic: "repair" }], "Explain how": ["Bring it in."] };
    const { calls, text, order } = await run([fixture("bike-shop.ts")], {
      says,
      input: { question: "My chain broke" },
    });
    assert.equal(text, "Bring it in.");
    assert.ok(!order.includes("refund_agent"));
    assert.deepEqual(calls.map(heard), [
      [user("My chain broke")],
      [user("My chain broke")],
      [user("My chain broke"), assistant('{"topic":"repair"}')],
    ]);
  });

  it("no further than a guardrail that is sure", async () => {
    const sure = await run([fixture("bike-shop.ts")], { says: { "You check": [{ flagged: true, confidence: 0.95 }] } });
    assert.deepEqual(JSON.parse(sure.text ?? ""), { jailbreak: { failed: true } });
    assert.deepEqual(sure.order, ["start", "guardrail_jailbreak", "if_else", "end"]);
    const unsure = await run([fixture("bike-shop.ts")], {
      says: { "You check": [{ flagged: true, confidence: 0.5 }], "Decide what": [{ topic: "other" }] },
    });
    assert.deepEqual(unsure.order.slice(-2), ["triage_agent", "if_else_2"]);
  });
});

describe("an imported program runs", () => {
  it("down the category that the model names, and no other", async () => {
    const says = { "Decide which of the scenarios": [{ scenario: "opening_hours" }], "opening hours": ["From nine."] };
    const { text, order, calls } = await run([fixture("classify.ts")], {
      says: { ...says, "Tell the opening hours": ["From nine."] },
    });
    assert.deepEqual(order, ["start", "classify", "hours"]);
    assert.equal(text, "From nine.");
    assert.deepEqual(calls.map(heard), [[user("hello")], [user("hello")]]);
  });

  it("with a state that is computed and read", async () => {
    const text = `${judged}
      state.topic = judgeResult.output_parsed.word;
      state.count = state.count + judgeResult.output_parsed.score;
      state.note = judgeResult.output_parsed.tags;
      const endResult = { message: \`\${state.topic} \${state.count} \${state.note}\` };
      return endResult;`;
    const says = { Judge: [{ ok: true, score: 4, tags: ["a"], word: "tea" }] };
    assert.equal((await run([workflow(text)], { says })).text, 'tea 5 ["a"]');
  });

  it("with values that are written one after the other", async () => {
    const text = `let sum = 1;
      ${judged}
      if (judgeResult.output_parsed.ok) { sum = 2; sum = sum * 5; state.count = sum; sum += 1; }
      state.note = state.count;
      state.count = state.count + 1;
      state.count = state.count + 1;
      const endResult = { message: \`\${sum} \${state.note} \${state.count}\` };
      return endResult;`;
    const says = (ok: boolean) => ({ Judge: [{ ok, score: 4, tags: [], word: "" }] });
    assert.equal((await run([workflow(text)], { says: says(true) })).text, "11 10 12");
    assert.equal((await run([workflow(text)], { says: says(false) })).text, "1 1 3");
  });

  it("round a while until its condition fails", async () => {
    const { text, order, calls } = await run([fixture("while.ts")], {
      says: { "Write a better draft": ["one", "two", "three", "four"] },
    });
    assert.equal(text, "Draft: three");
    assert.equal(calls.length, 3);
    assert.deepEqual(order.slice(-3), ["loop", "while", "end"]);
  });

  it("out of an endless loop by its break", async () => {
    const soon = await run([fixture("while.py")], { says: { "Guess a number": ["3", "7", "9"] } });
    assert.equal(soon.text, "7 after 2 tries");
    const late = await run([fixture("while.py")], { says: { "Guess a number": ["1", "2", "3", "4", "5"] } });
    assert.equal(late.text, "4 after 4 tries");
  });

  it("with tests, texts and objects that it computes", async () => {
    const book = { title: "Atlas", tags: ["book"], price: 120 };
    const says = (title: string, price: number) => ({ "Read.": [{ ...book, title, price }], "Write about": ["Fine."] });
    const dear = await run([fixture("transform.ts")], { says: says("Atlas", 120) });
    assert.deepEqual(JSON.parse(dear.text ?? ""), { title: "Atlas!", text: "Fine.", ok: true });
    const cheap = await run([fixture("transform.ts")], { says: says("Atlas", 1) });
    assert.equal(cheap.text, "Too cheap: Atlas!");
    const other = await run([fixture("transform.ts")], { says: says("Book", 1) });
    assert.deepEqual(other.order.at(-1), "if_else_2");
  });

  it("with the value of a name that every branch sets", async () => {
    const says = (category: string, confidence: number) => ({
      "Choose where": [{ category, confidence }],
      "Write a post": ["Post"],
      "Write a page": ["Page"],
    });
    const texts = [];
    for (const [category, confidence] of [
      ["linkedin", 0.1],
      ["web", 0.9],
      ["web", 0.1],
    ] as const) {
      texts.push((await run([fixture("compiled.js")], { says: says(category, confidence) })).text);
    }
    assert.deepEqual(texts, ["Post", "Page", "Nothing to publish"]);
  });

  it("behind the same tail on every way, and asks the question once", async () => {
    const tail = `const last = await runner.run(writer, [...conversationHistory]); return { output_text: last.finalOutput };`;
    const body = `${judged} if (judgeResult.output_parsed.ok) { ${tail} } else { state.note = "no"; ${tail} }`;
    for (const ok of [true, false]) {
      const says = { Judge: [{ ok, score: 1, tags: [], word: "" }], Write: ["Done."] };
      const { text, order, calls } = await run([workflow(body)], { says });
      assert.equal(text, "Done.");
      assert.equal(order.at(-1), "writer");
      const questions = calls
        .slice(1)
        .flatMap(heard)
        .filter(({ content }) => content === "hello");
      assert.equal(questions.length, 1);
    }
  });

  it("with an answer that is checked, too", async () => {
    const says = (flagged: boolean) => ({
      "attempts to make": [calm],
      "Choose.": [{ kind: "exam" }],
      Examine: ["Write to ann@example.com."],
      "is sexual": [{ flagged, confidence: 0.9 }],
    });
    const fine = await run([fixture("guarded-answer.ts")], { says: says(false) });
    assert.equal(fine.text, "Write to <EMAIL_ADDRESS>.");
    const blocked = await run([fixture("guarded-answer.ts")], { says: says(true) });
    assert.deepEqual(JSON.parse(blocked.text ?? ""), { pii: { failed: false }, nsfw: { failed: true } });
  });

  it("with the words of its last agent where it returns nothing", async () => {
    const body = `const first = await runner.run(writer, [...conversationHistory]);
      conversationHistory.push(...first.newItems.map((item) => item.rawItem));
      ${judged}
      state.count = state.count + 1;
      const second = await runner.run(writer, [...conversationHistory]);
      if (judgeResult.output_parsed.ok) { state.count = state.count + 1; }
      if (state.count > 2) { const third = await runner.run(writer, [...conversationHistory]); }`;
    const texts = [];
    for (const ok of [true, false]) {
      const says = { Judge: [{ ok, score: 1, tags: [], word: "" }], "Write.": ["one", "two", "three"] };
      texts.push((await run([workflow(body)], { says })).text);
    }
    assert.deepEqual(texts, ["three", "two"]);
  });

  it("with names that only one branch gives a value", async () => {
    const says = (kind: string) => ({ "Find the kind": [{ kind }], "Projects.": ["P"], "Policies for": ["Q"] });
    const texts = [];
    for (const kind of ["project", "policy", "rule"]) {
      texts.push((await run([fixture("two-chains.py")], { says: says(kind) })).text);
    }
    assert.deepEqual(texts, ["P", "Q", "Q"]);
    const { text } = await run([fixture("two-chains.py")], { says: says("x") });
    assert.deepEqual(JSON.parse(text ?? ""), { error: "Unknown kind", kind: "x" });
  });

  it("the agent that the program looks up", async () => {
    const says = { "Choose an agent": [{ agent: "sales" }], "Sales.": ["Buy."] };
    const { order, text } = await run([fixture("dispatch.ts")], { says });
    assert.deepEqual([order, text], [["start", "classify", "which_agent", "sales", "end"], "Buy."]);
  });

  it("over to the agent that fits", async () => {
    const says = { "Decide which of the scenarios": [{ scenario: "agent_2" }], "Take things back": ["Send it."] };
    const { order, text } = await run([fixture("handoffs.py")], { says });
    assert.deepEqual([order, text], [["start", "triage_choice", "returns"], "Send it."]);
  });

  it("with personal data hidden from its agents", async () => {
    const answering = (body: string): NodeServices["http"] => ({
      request: async ({ url }) => ({
        status: 200,
        statusText: "OK",
        headers: {},
        truncated: false,
        url,
        body: new TextEncoder().encode(body),
      }),
    });
    const moderated = answering('{"results":[{"categories":{"violence":false,"sexual/minors":false}}]}');
    const says = { "You check": [calm, calm, calm, calm], "Talk.": ["Hi."] };
    const question = "I am ann@example.com, see https://docs.example.com";
    const { calls, text } = await run([fixture("all-guardrails.ts")], {
      says,
      // For a visitor: asking a moderation changes nothing.
      input: { question, visitorWrites: writePolicySchema.parse({ write: "refuse" }) },
      services: { http: moderated, retriever: { retrieve: async () => ({ documents: [], warnings: [] }) } },
    });
    assert.equal(text, "Hi.");
    assert.deepEqual(heard(calls.at(-1) as ModelCall), [user("I am <EMAIL_ADDRESS>, see https://docs.example.com")]);
    const blocked = await run([fixture("all-guardrails.ts")], {
      says,
      input: { question: "see http://evil.test" },
      services: { http: moderated, retriever: { retrieve: async () => ({ documents: [], warnings: [] }) } },
    });
    assert.equal(blocked.text, "I cannot talk about this.");
    for (const verdict of [
      '{"results":[{"categories":{"violence":true,"sexual/minors":false}}]}',
      '{"results":[]}',
      "{}",
    ]) {
      const stopped = await run([fixture("all-guardrails.ts")], {
        says,
        input: { question },
        services: { http: answering(verdict), retriever: { retrieve: async () => ({ documents: [], warnings: [] }) } },
      });
      assert.equal(stopped.text, "I cannot talk about this.", verdict);
    }
  });

  it("with the tools of an MCP server, after a person allowed the call", async () => {
    const made: JsonObject[] = [];
    const lesson: Tool = {
      name: "make_lesson",
      description: "Makes a lesson",
      parameters: { type: "object", properties: {} },
      kind: "read",
      effect: "read",
      call: async (args) => {
        made.push(args);
        return { content: "made" };
      },
    };
    const asked: unknown[] = [];
    const tools: NodeServices["tools"] = {
      resolve: async ({ type, config }) => {
        const { url = null, tools: names = [] } = toJsonObject(config);
        asked.push([type, url]);
        return JSON.stringify(names).includes("make_lesson") ? [lesson] : [];
      },
    };
    const says = {
      "Normalise the request": [{ level: "a", minutes: 5, nested: { token: "t", deep: [] } }],
      "You make a lesson": ["Done."],
    };
    const { text } = await run([fixture("mcp-and-context.ts")], { says, services: { tools } });
    assert.equal(text, "Done.");
    assert.deepEqual(asked.slice(0, 3), [
      ["mcp-server", "https://tools.example/mcp?lang=de"],
      ["mcp-server", "https://tools.example/mcp?lang=de"],
      ["mcp-server", "https://calendar.example/mcp"],
    ]);
  });
});

describe("what a program computes in two ways", () => {
  const file = workflow(`const writerResultTemp = await runner.run(writer, [...conversationHistory]);
  let details = writerResultTemp.finalOutput;
  if (typeof details === "string") {
    try { details = JSON.parse(details); } catch (e) { console.error("no", e); details = { words: writerResultTemp.finalOutput }; }
  }
  return { details };`);

  it("is the second where the first fails", async () => {
    const { codes } = imported(file);
    assert.deepEqual(codes, []);
    const answers = async (said: string) => JSON.parse((await run([file], { says: { "Write.": [said] } })).text ?? "");
    assert.deepEqual(await answers('{"a":1}'), { a: 1 });
    assert.deepEqual(await answers("plain"), { words: "plain" });
  });
});
