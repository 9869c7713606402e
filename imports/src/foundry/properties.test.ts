// @process own: it measures its memory.
// @tier long: random workflows and hostile texts.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { compileFlow } from "@weft/engine";
import { nodeRegistry } from "@weft/nodes";
import { flowDocumentSchema, type Json, type JsonObject } from "@weft/schema";
import fc from "fast-check";
import { stringify } from "yaml";
import { importFoundry, isFoundryFile } from "./index.ts";
import { fixture, importText } from "./testing/run-workflow.ts";

/** Kinds that always make a node of their own id. */
const plain = fc.constantFrom<JsonObject>(
  { kind: "SendActivity", activity: "Hi {Local.A}" },
  { kind: "SetVariable", variable: "Local.A", value: "=Local.A + 1" },
  { kind: "InvokeAzureAgent", agent: { name: "X" }, output: { responseObject: "Local.B" } },
  { kind: "Question", prompt: "How many?", variable: "Local.N", entity: { kind: "NumberPrebuiltEntity" } },
  { kind: "InvokeAzureAgent", agent: { name: "Y" }, input: { externalLoop: { when: "=Local.A < 2" } } },
  { kind: "HttpRequestAction", url: "https://x.example", response: "Local.C" },
);
const jump = fc.nat(12).map((number): JsonObject => ({ kind: "GotoAction", actionId: `a${number}` }));
const leave = fc.constantFrom<JsonObject>({ kind: "EndWorkflow" }, { kind: "BreakLoop" }, { kind: "ContinueLoop" });

const { actions } = fc.letrec<{ actions: JsonObject[]; action: JsonObject }>((tie) => ({
  actions: fc.array(tie("action"), { minLength: 1, maxLength: 4 }),
  action: fc.oneof(
    { maxDepth: 3, depthIdentifier: "action" },
    { weight: 5, arbitrary: plain },
    { weight: 1, arbitrary: jump },
    { weight: 1, arbitrary: leave },
    {
      weight: 2,
      arbitrary: fc.tuple(tie("actions"), tie("actions")).map(
        ([one, other]): JsonObject => ({
          kind: "ConditionGroup",
          conditions: [{ condition: "=Local.A = 1", actions: one }],
          elseActions: other,
        }),
      ),
    },
    {
      weight: 2,
      arbitrary: tie("actions").map(
        (inner): JsonObject => ({ kind: "Foreach", items: "=[1, 2]", value: "Local.I", actions: inner }),
      ),
    },
  ),
}));

/** Numbers the actions in their order. */
function withIds(list: readonly JsonObject[], next = { id: 0 }): JsonObject[] {
  return list.map((action) => {
    const id = `a${next.id++}`;
    const inner: JsonObject = {};
    for (const name of ["actions", "elseActions"]) {
      if (Array.isArray(action[name])) inner[name] = withIds(action[name] as JsonObject[], next);
    }
    if (Array.isArray(action.conditions)) {
      const [condition] = action.conditions as JsonObject[];
      const own = { ...condition, actions: withIds(condition?.actions as JsonObject[], next) };
      return {
        ...action,
        id,
        conditions: [own],
        ...(action.elseActions ? { elseActions: withIds(action.elseActions as JsonObject[], next) } : {}),
      };
    }
    return { ...action, ...inner, id };
  });
}

function* walk(list: readonly Json[]): Generator<JsonObject> {
  for (const action of list as JsonObject[]) {
    yield action;
    for (const condition of (action.conditions ?? []) as JsonObject[]) yield* walk(condition.actions as Json[]);
    yield* walk((action.actions ?? []) as Json[]);
    yield* walk((action.elseActions ?? []) as Json[]);
  }
}

const nodeless = new Set(["GotoAction", "EndWorkflow", "BreakLoop", "ContinueLoop"]);
/** What a graph of any shape must not have. */
const unsound = new Set([
  "flow-cyclic",
  "edge-dangling",
  "port-unknown",
  "loop-target-not-before",
  "loop-target-unknown",
  "template-unknown",
  "node-config-invalid",
  "state-undeclared",
]);

describe("any tree of actions", () => {
  it("becomes a sound flow in which every action stands once", () => {
    fc.assert(
      fc.property(actions, (tree) => {
        const workflow = { kind: "Workflow", actions: withIds(tree) };
        const imported = importText(stringify(workflow));
        assert.ok(flowDocumentSchema.safeParse(imported.flow).success);
        assert.deepEqual(importText(stringify(workflow)), imported);
        const ids = imported.flow.nodes.map(({ id }) => id);
        assert.equal(new Set(ids).size, ids.length);
        for (const { id, kind } of walk(workflow.actions)) {
          const count = ids.filter((one) => one === id).length;
          if (nodeless.has(String(kind))) assert.ok(count <= 1);
          else assert.equal(count, 1, `${id} ${kind}`);
        }
        const { findings } = compileFlow(JSON.stringify(imported.flow), nodeRegistry);
        assert.deepEqual(
          findings.filter(({ code }) => unsound.has(code)),
          [],
        );
      }),
      { numRuns: 150 },
    );
  });

  it("ends where an end stands: what is behind it is reached by jumps alone", () => {
    fc.assert(
      fc.property(
        fc.array(plain, { maxLength: 3 }),
        fc.array(plain, { minLength: 1, maxLength: 3 }),
        (before, behind) => {
          const list = withIds([...before, { kind: "EndWorkflow" }, ...behind]);
          const { flow } = importText(stringify({ kind: "Workflow", actions: list }));
          const reached = new Set(["start"]);
          for (const id of reached) for (const { source, target } of flow.edges) if (source === id) reached.add(target);
          for (const { id } of list.slice(before.length + 1)) assert.equal(reached.has(String(id)), false);
        },
      ),
    );
  });
});

const fixtures = readdirSync(new URL("testing/fixtures/", import.meta.url)).map((name) => fixture(name).text);
const fragments = fc.constantFrom(
  "{",
  "}",
  "=",
  "- ",
  ": ",
  "\n",
  "\t",
  '"',
  "'",
  "&a",
  "*a",
  "!!js/function",
  "<<: *a",
  "__proto__: 1\n",
  "constructor",
  "[",
  "]",
  "=1/0",
  "{{x}}",
  "\u0000",
  "kind: Foreach\n",
  "|\n",
  "#",
);

describe("any text", () => {
  it("is read without throwing when a workflow is cut or changed", () => {
    fc.assert(
      fc.property(fc.constantFrom(...fixtures), fc.nat(), fc.nat(30), fragments, (text, place, length, fragment) => {
        const at = place % (text.length + 1);
        const mutated = [text.slice(0, at), text.slice(0, at) + fragment + text.slice(at + length), text.slice(at)];
        for (const variant of mutated) {
          const imported = importFoundry([{ name: "a.yaml", text: variant }]);
          assert.ok(flowDocumentSchema.safeParse(imported.flow).success);
          for (const { message } of imported.findings) assert.match(message, /[.!?]$/);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("is read without throwing whatever values the fields have", () => {
    const kinds = fc.constantFrom(
      "InvokeAzureAgent",
      "ConditionGroup",
      "If",
      "Foreach",
      "GotoAction",
      "SetVariable",
      "SetMultipleVariables",
      "ParseValue",
      "EditTable",
      "EditTableV2",
      "SendActivity",
      "Question",
      "RequestExternalInput",
      "InvokeFunctionTool",
      "InvokeMcpTool",
      "HttpRequestAction",
      "AddConversationMessage",
      "ClearAllVariables",
      "CreateConversation",
      "RetrieveConversationMessages",
      "__proto__",
      "constructor",
    );
    const field = fc.constantFrom(
      "id",
      "variable",
      "value",
      "conditions",
      "actions",
      "items",
      "agent",
      "input",
      "output",
      "activity",
      "prompt",
      "entity",
      "arguments",
      "headers",
      "url",
      "body",
      "conversationId",
      "changeType",
      "assignments",
      "actionId",
      "connection",
      "__proto__",
    );
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom(
        "=Local.X",
        "Local.A.B",
        "=",
        "={",
        "{Local.X}",
        "=__proto__",
        "Local.__proto__",
        "Local.constructor",
      ),
    );
    const action = fc.tuple(kinds, fc.dictionary(field, value)).map(([kind, fields]) => ({ ...fields, kind }));
    fc.assert(
      fc.property(fc.array(action, { maxLength: 5 }), (list) => {
        const imported = importText(JSON.stringify({ kind: "Workflow", actions: list }));
        assert.ok(flowDocumentSchema.safeParse(imported.flow).success);
        const { findings } = compileFlow(JSON.stringify(imported.flow), nodeRegistry);
        assert.deepEqual(
          findings.filter(({ code }) => unsound.has(code)),
          [],
        );
      }),
      { numRuns: 250 },
    );
  });

  it("lets no secret into the flow, wherever it stands", () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9]{32}$/).filter((value) => /\d/.test(value) && /[A-Za-z]/.test(value));
    const places: ((value: string) => JsonObject)[] = [
      (value) => ({ kind: "HttpRequestAction", url: `https://a.example/x?code=${value}` }),
      (value) => ({ kind: "HttpRequestAction", url: `https://u:${value}@a.example/x` }),
      (value) => ({ kind: "HttpRequestAction", url: `https://hooks.example/services/${value}` }),
      (value) => ({ kind: "HttpRequestAction", url: `="https://a.example/?token=${value}&q=" & Local.X` }),
      (value) => ({
        kind: "HttpRequestAction",
        url: "https://a.example",
        headers: { Authorization: `Bearer ${value}` },
      }),
      (value) => ({ kind: "HttpRequestAction", url: "https://a.example", headers: { "x-functions-key": value } }),
      (value) => ({ kind: "HttpRequestAction", url: "https://a.example", headers: { "X-Any": `="Bearer ${value}"` } }),
      (value) => ({
        kind: "HttpRequestAction",
        url: "https://a.example",
        headers: { "X-Any": `="Bearer " & "${value}"` },
      }),
      (value) => ({ kind: "HttpRequestAction", url: "https://a.example", queryParameters: { sig: value } }),
      (value) => ({ kind: "HttpRequestAction", url: "https://a.example", connection: { apiKey: value } }),
      (value) => ({ kind: "InvokeMcpTool", serverUrl: `https://m.example/sse?api-key=${value}`, toolName: "t" }),
      (value) => ({
        kind: "InvokeMcpTool",
        serverUrl: "https://m.example",
        toolName: "t",
        headers: { Authorization: `Basic ${btoa(`a:${value}`)}`, k: value },
      }),
      (value) => ({
        kind: "InvokeMcpTool",
        serverUrl: `="https://m.example/?key=${value}"`,
        toolName: "t",
        headers: { Authorization: `="Bearer ${value}"` },
      }),
      (value) => ({ kind: "OAuthInput", clientSecret: value }),
    ];
    const agents: ((value: string) => JsonObject)[] = [
      (value) => ({
        model: { id: "m", connection: { kind: "key", apiKey: value, endpoint: `https://e.example/?key=${value}` } },
      }),
      (value) => ({
        model: { id: "m" },
        tools: [{ kind: "mcp", url: `https://m.example/${value}/sse`, headers: { Authorization: value } }],
      }),
      (value) => ({ model: { id: "m" }, tools: [{ kind: "openapi", name: "o", connection: { key: value } }] }),
    ];
    fc.assert(
      fc.property(secret, fc.constantFrom(...places), fc.constantFrom(...agents), (value, place, agent) => {
        const workflow = {
          kind: "Workflow",
          actions: [
            { id: "a", ...place(value) },
            { kind: "InvokeAzureAgent", id: "b", agent: { name: "Z" } },
          ],
        };
        const imported = importFoundry([
          { name: "w.yaml", text: stringify(workflow) },
          { name: "z.yaml", text: stringify({ kind: "Prompt", name: "Z", ...agent(value) }) },
        ]);
        const shown = JSON.stringify([imported.flow, imported.findings, imported.choices, imported.name]);
        assert.equal(shown.includes(value), false, shown);
        assert.equal(shown.includes(btoa(`a:${value}`)), false);
      }),
      { numRuns: 150 },
    );
  });
});

describe("hostile files", () => {
  const hostile: Record<string, string> = {
    "anchors that multiply": `kind: Workflow\na: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghij"
      .split("")
      .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcdefghij"[index]}`)}]`)
      .join("\n")}\nactions: *j\n`,
    "an anchor within itself": "kind: Workflow\nactions: &a\n  - kind: If\n    then: *a\n",
    "a line of 10 MB": `kind: Workflow\nname: "${"x".repeat(10_000_000)}"\n`,
    "100,000 lists in each other": `kind: Workflow\nactions: ${"[".repeat(100_000)}`,
    "100,000 objects in each other": `kind: Workflow\nactions: ${'{"a":'.repeat(100_000)}`,
    "100,000 dashes": `kind: Workflow\nactions:\n  ${"- ".repeat(100_000)}x\n`,
    "100,000 question marks": `kind: Workflow\nactions:\n  ${"? ".repeat(100_000)}x\n`,
    "deep indentation": `kind: Workflow\n${Array.from({ length: 1_300 }, (_, index) => `${" ".repeat(index)}a:`).join("\n")}\n`,
    "deep JSON": `{"kind":"workflow","actions":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    "an expression without end": `kind: Workflow\nactions:\n  - {kind: SetVariable, id: a, variable: Local.A, value: "=${"(".repeat(900_000)}"}\n`,
    "many expressions": `kind: Workflow\nactions:\n${Array.from({ length: 1_400 }, (_, index) => `  - {kind: SetVariable, id: a${index}, variable: Local.A, value: =Local.A + ${index}}`).join("\n")}\n`,
    "many braces": `kind: Workflow\nactions:\n  - {kind: SendActivity, id: a, activity: "${"{".repeat(300_000)}"}\n`,
    "braces in each other": `kind: Workflow\nactions:\n  - {kind: SendActivity, id: a, activity: "${"{x".repeat(150_000)}${"}".repeat(150_000)}"}\n`,
    "braces one after the other": `kind: Workflow\nactions:\n  - {kind: SendActivity, id: a, activity: "${"{x}".repeat(300_000)}"}\n`,
    "comments without end": `kind: Workflow\nactions:\n${`  - {kind: SetVariable, id: a, variable: Local.A, value: "=${"/*".repeat(9_000)}"}\n`.repeat(50)}`,
    "an address of question marks": `kind: Workflow\nactions:\n  - {kind: HttpRequestAction, id: a, url: "https://a.example/${"?".repeat(900_000)}"}\n`,
    "blank lines before what is broken": `kind: Workflow\n${"\n".repeat(500_000)}\t: [\n`,
    "keys that are written twice": `kind: Workflow\nactions:\n  - {kind: SendActivity, id: a, activity: x}\n${"a: b\n".repeat(150_000)}`,
    "a tag for each word": `kind: Workflow\nname: ${"!a ".repeat(300_000)}\n`,
    "many jumps": `kind: Workflow\nactions:\n${Array.from({ length: 1_400 }, (_, index) => (index % 2 ? `  - {kind: GotoAction, id: g${index}, actionId: a0}` : `  - {kind: If, id: a${index}, condition: "=Local.A = 1", then: [{kind: GotoAction, id: h${index}, actionId: a0}]}`)).join("\n")}\n`,
    "variables that are copied in a row": `kind: Workflow\nactions:\n${Array.from({ length: 1_400 }, (_, index) => `  - {kind: SetVariable, id: a${index}, variable: Local.V${index}, value: =Local.V${index + 1}}`).join("\n")}\n`,
    "keys of prototypes":
      "kind: Workflow\n__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 1}}\nactions:\n  - {kind: SetVariable, id: __proto__, variable: Local.__proto__, value: {__proto__: {polluted: 1}}}\n",
    "too many actions": `kind: Workflow\nactions:\n${"  - {kind: SendActivity, activity: x}\n".repeat(20_000)}`,
    "tags and merges": "kind: Workflow\nactions: !!python/object [1]\nbase: &b {kind: SendActivity}\nother: {<<: *b}\n",
  };
  /** Ten times what the slowest of them takes: what does not end, or grows faster than its text, is beyond it. */
  const slowMachineUs = 20_000_000;

  for (const [what, text] of Object.entries(hostile)) {
    it(`are read in time and space: ${what}`, () => {
      const heapBefore = process.memoryUsage().heapUsed;
      const started = process.cpuUsage();
      isFoundryFile({ name: "a.yaml", text });
      const imported = importFoundry([{ name: "a.yaml", text }]);
      const { user, system } = process.cpuUsage(started);
      assert.ok(user + system < slowMachineUs, `${user + system} µs`);
      assert.ok(process.memoryUsage().heapUsed - heapBefore < 200_000_000);
      assert.ok(flowDocumentSchema.safeParse(imported.flow).success);
      assert.deepEqual(Object.keys(Object.prototype), []);
    });
  }
});
