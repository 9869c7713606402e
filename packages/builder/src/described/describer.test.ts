import assert from "node:assert/strict";
import { test } from "node:test";
import { type Client, type NodeType, WeftApiError } from "@weft/client";
import type { Finding } from "@weft/schema";
import { describeClient } from "./describe-client.ts";
import { createDescriber } from "./describer.ts";
import { shownLabel, writtenTitle } from "./node-title.ts";

const german = createDescriber({
  texts: {
    Condition: "Bedingung",
    "Compares values.": "Vergleicht Werte.",
    Query: "Suchanfrage",
    "Query @start": "Query",
    "Max tokens": "Höchstzahl der Token",
    Low: "Niedrig",
    "Add /{id} to the URL": "/{id} an die URL anhängen",
  },
  messages: {
    'Node "{label}": {message}': "Schritt „{label}“: {message}",
    "Its tool {name} takes no argument {name2}.": "Das Argument {name2} hat das Tool {name} nicht.",
    "{title}: {message}.": "{title}: {message}.",
    "No agent is selected.": "Es ist kein Agent gewählt.",
    "This flow cannot run: {reason}": "Dieser Flow kann nicht laufen: {reason}",
    "Invalid input": "Ungültiger Wert",
  },
});

const condition: NodeType = {
  type: "condition",
  version: 1,
  title: "Condition",
  summary: "Compares values.",
  group: "logic",
  icon: "split",
  outline: [],
  executes: true,
  hasSubFlow: false,
  ports: [{ id: "else", title: "Condition" }],
  config: {
    type: "object",
    properties: {
      query: { type: "string", title: "Query", default: "Query", placeholder: "https://…" },
      maxTokens: { type: "integer" },
      effort: { type: "string", enum: ["low", "xhigh", "GET"], labels: { xhigh: "Query" }, default: "low" },
      secret: { type: "string", hidden: true },
    },
  },
};

const nodeTypes = (types: NodeType[]) => german.sayAnswer("listNodeTypes", types) as NodeType[];

test("titles, help, labels and the names of fields without a title are translated; values are not", () => {
  const before = structuredClone(condition);
  const [type] = nodeTypes([condition]);
  assert.equal(type?.title, "Bedingung");
  assert.equal(type?.summary, "Vergleicht Werte.");
  assert.deepEqual(type?.ports, [{ id: "else", title: "Bedingung" }]);
  assert.deepEqual(type?.config.properties, {
    query: { type: "string", title: "Suchanfrage", default: "Query", placeholder: "https://…" },
    maxTokens: { type: "integer", title: "Höchstzahl der Token" },
    effort: {
      type: "string",
      title: "Effort",
      enum: ["low", "xhigh", "GET"],
      labels: { low: "Niedrig", xhigh: "Suchanfrage" },
      default: "low",
    },
    secret: { type: "string", hidden: true },
  });
  assert.deepEqual(condition, before, "the answer itself stays as it is");
});

test("a word means something else in a component that has its own translation", () => {
  const [type] = nodeTypes([{ ...condition, type: "start" }]);
  const properties = type?.config.properties as { query: { title: string } } | undefined;
  assert.equal(properties?.query.title, "Query");
});

test("a label that the type gave is shown translated and stored in English; one that a person wrote stays", () => {
  const [type] = nodeTypes([condition]);
  assert.ok(type);
  assert.equal(writtenTitle(type), "Condition");
  const shown = ["Condition", "Condition 12", "", "Conditions", "Condition 2b", "Is it urgent?"];
  assert.deepEqual(
    shown.map((label) => shownLabel(label, type)),
    ["Bedingung", "Bedingung 12", "Bedingung", "Conditions", "Condition 2b", "Is it urgent?"],
  );
  assert.deepEqual(
    shown.map((label) => shownLabel(label, condition)),
    ["Condition", "Condition 12", "Condition", "Conditions", "Condition 2b", "Is it urgent?"],
  );
  assert.equal(shownLabel("Condition", undefined), "Condition");
});

const finding = (message: string): Finding => ({ level: "error", code: "a", nodeId: "n", message });
const said = (message: string) => (german.sayAnswer("listAgentFindings", [finding(message)]) as Finding[])[0];

test("the values of a sentence survive its translation, in another order and as a person wrote them", () => {
  const message = 'Node "No agent is selected.": Its tool Condition takes no argument $& {name}.';
  assert.deepEqual(said(message), {
    ...finding("Schritt „No agent is selected.“: Das Argument $& {name} hat das Tool Condition nicht."),
    written: message,
    own: "Das Argument $& {name} hat das Tool Condition nicht.",
  });
});

test("sentences within sentences and titles of fields are translated; what is unknown stays English", () => {
  assert.equal(
    said("This flow cannot run: No agent is selected.")?.message,
    "Dieser Flow kann nicht laufen: Es ist kein Agent gewählt.",
  );
  assert.equal(said("Query: Invalid input.")?.message, "Suchanfrage: Ungültiger Wert.");
  assert.equal(said("This flow cannot run: Quite new.")?.message, "Dieser Flow kann nicht laufen: Quite new.");
  assert.equal(said("Quite new.")?.message, "Quite new.");
  assert.equal(said("constructor")?.message, "constructor");
});

test("the title of a fix is translated, its value is not", () => {
  const fix = { title: "Add /{id} to the URL", path: "url", value: "https://a.example/{id}" };
  const [fixed] = german.sayAnswer("listAgentFindings", [{ ...finding("Quite new."), fix }]) as Finding[];
  assert.deepEqual(fixed?.fix, { ...fix, title: "/{id} an die URL anhängen" });
});

test("why a run, its steps and its calls failed is translated, and nothing else of them", () => {
  const error = { code: "flow-invalid", message: "This flow cannot run: No agent is selected.", retryable: false };
  const sayRuns = (answer: unknown) => german.sayAnswer("listExecutions", answer);
  const shown = { ...error, message: "Dieser Flow kann nicht laufen: Es ist kein Agent gewählt." };
  const run = (failure: object | null) => ({
    question: "No agent is selected.",
    error: failure,
    steps: [{ nodeLabel: "Condition", error: null, output: error, effects: [{ name: "Query", error: failure }] }],
  });
  assert.deepEqual(sayRuns({ data: [run(error)], total: 1 }), { data: [run(shown)], total: 1 });
  assert.deepEqual(german.sayAnswer("getExecution", run(error)), run(shown));
  assert.deepEqual(german.sayAnswer("getExecution", run(null)), run(null));
});

const refusal = () =>
  new WeftApiError(
    new Response(null, { status: 500 }),
    JSON.stringify({ message: "No agent is selected.", code: "a", errors: [{ path: "x", message: "Invalid input" }] }),
  );

test("the client translates answers and refusals, and passes on everything else", async () => {
  const sent: unknown[] = [];
  async function* events() {
    yield "No agent is selected.";
  }
  const client = describeClient(
    {
      listNodeTypes: async () => [condition],
      getAgent: async (params: unknown) => sent.push(params) && { name: "Condition", flowData: "Condition" },
      readFlow: async (body: unknown) => sent.push(body) && { findings: [finding("No agent is selected.")], flow: {} },
      deleteAgent: () => Promise.reject(refusal()),
      listTools: () => Promise.reject(new TypeError("No agent is selected.")),
      streamPrediction: () => events(),
    } as unknown as Client,
    async () => german,
  );
  assert.equal((await client.listNodeTypes())[0]?.title, "Bedingung");
  assert.deepEqual(await client.getAgent({ id: "Condition" }), { name: "Condition", flowData: "Condition" });
  assert.equal((await client.readFlow({ flowData: "Condition" })).findings[0]?.message, "Es ist kein Agent gewählt.");
  assert.deepEqual(sent, [{ id: "Condition" }, { flowData: "Condition" }]);
  await assert.rejects(client.deleteAgent({ id: "" }), (error) => {
    assert.ok(error instanceof WeftApiError);
    assert.deepEqual([error.message, error.errors[0]?.message], ["Es ist kein Agent gewählt.", "Ungültiger Wert"]);
    return true;
  });
  await assert.rejects(client.listTools(), /^TypeError: No agent is selected\.$/);
  const frames: unknown[] = [];
  for await (const frame of client.streamPrediction("a", { question: "" })) frames.push(frame);
  assert.deepEqual(frames, ["No agent is selected."]);
});

test("answers come in English where the texts cannot be loaded", async () => {
  const listNodeTypes = async () => [condition];
  const client = describeClient({ listNodeTypes } as unknown as Client, async () => undefined);
  assert.deepEqual(await client.listNodeTypes(), [condition]);
});

test("what is very long stays as it is, however much of it looks like a sentence of ours", () => {
  const message = `Its tool ${" takes no argument".repeat(20_000)}`;
  const error = { message, errors: [] };
  german.sayError(error);
  assert.equal(error.message, message);
});
